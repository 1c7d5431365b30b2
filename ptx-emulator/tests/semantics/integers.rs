//! Integer instructions from the definitions in the manual.

use super::floats::text;
use super::{Case, case, s, w};

fn bytes(v: u64, signed: bool) -> Vec<i64> {
    (v as u32).to_le_bytes().iter().map(|&b| if signed { i64::from(b as i8) } else { i64::from(b) }).collect()
}

fn halves(v: u64, signed: bool) -> Vec<i64> {
    let one = |h: u64| if signed { i64::from(h as i16) } else { i64::from(h as u16) };
    vec![one(v), one(v >> 16)]
}

/// The position of the n-th set bit, searched one by one.
fn nth_set(mask: u32, base: i64, n: i64) -> u64 {
    if n == 0 {
        return if mask >> base & 1 != 0 { base as u64 } else { 0xffff_ffff };
    }
    let (mut at, mut count) = (base, n.abs() - 1);
    while (0..32).contains(&at) {
        if mask >> at & 1 != 0 {
            if count == 0 {
                return at as u64;
            }
            count -= 1;
        }
        at += n.signum();
    }
    0xffff_ffff
}

/// `prmt` in a mode: the table of the manual, the highest byte of the result first.
fn permute(table: [[u32; 4]; 4], a: u64, b: u64, c: u64) -> u64 {
    let all = [a, b].map(|v| (v as u32).to_le_bytes()).concat();
    table[c as usize & 3].iter().fold(0, |out, &n| out << 8 | u64::from(all[n as usize]))
}

pub fn cases() -> Vec<Case> {
    let mut c = Vec::new();
    for (ta, sa) in [("u32", false), ("s32", true)] {
        for (tb, sb) in [("u32", false), ("s32", true)] {
            c.push(case(text(format!("dp4a.{ta}.{tb} D, A, B, C")), "rrrr", move |a, b, d| {
                w(bytes(a, sa).iter().zip(bytes(b, sb)).fold(s(d), |sum, (x, y)| sum + x * y))
            }));
            for (half, skip) in [("lo", 0), ("hi", 2)] {
                c.push(case(text(format!("dp2a.{half}.{ta}.{tb} D, A, B, C")), "rrrr", move |a, b, d| {
                    let pairs = halves(a, sa).into_iter().zip(bytes(b, sb).into_iter().skip(skip));
                    w(pairs.fold(s(d), |sum, (x, y)| sum + x * y))
                }));
            }
        }
    }
    c.push(case("bmsk.clamp.b32 D, A, B", "rrrr", |a, b, _| {
        let (from, count) = (u128::from(a as u32), u128::from(b as u32));
        (0..32u32).filter(|&i| u128::from(i) >= from && u128::from(i) < from + count).map(|i| 1 << i).sum()
    }));
    c.push(case("bmsk.wrap.b32 D, A, B", "rrrr", |a, b, _| {
        let (from, count) = (a as u32 & 31, b as u32 & 31);
        (0..32).filter(|&i| i >= from && i < from + count).map(|i| 1 << i).sum()
    }));
    for (mode, clamp) in [("clamp", true), ("wrap", false)] {
        let bits = move |b: u64| if clamp { (b as u32).min(32) } else { b as u32 & 31 };
        c.push(case(text(format!("szext.{mode}.u32 D, A, B")), "rrrr", move |a, b, _| {
            a & 0xffff_ffff & ((1u64 << bits(b)) - 1)
        }));
        c.push(case(text(format!("szext.{mode}.s32 D, A, B")), "rrrr", move |a, b, _| match bits(b) {
            0 => 0,
            n => w((a << (64 - n)) as i64 >> (64 - n)),
        }));
    }
    c.push(case("fns.b32 D, A, 16, B", "rrrr", |a, b, _| nth_set(a as u32, 16, s(b))));
    c.push(case("fns.b32 D, A, 3, -2", "rrrr", |a, _, _| nth_set(a as u32, 3, -2)));
    c.push(case("fns.b32 D, A, 0, 5", "rrrr", |a, _, _| nth_set(a as u32, 0, 5)));
    c.push(case("fns.b32 D, A, 31, -7", "rrrr", |a, _, _| nth_set(a as u32, 31, -7)));
    for (mode, table) in [
        ("f4e", [[3, 2, 1, 0], [4, 3, 2, 1], [5, 4, 3, 2], [6, 5, 4, 3]]),
        ("b4e", [[5, 6, 7, 0], [6, 7, 0, 1], [7, 0, 1, 2], [0, 1, 2, 3]]),
        ("rc8", [[0; 4], [1; 4], [2; 4], [3; 4]]),
        ("ecl", [[3, 2, 1, 0], [3, 2, 1, 1], [3, 2, 2, 2], [3, 3, 3, 3]]),
        ("ecr", [[0, 0, 0, 0], [1, 1, 1, 0], [2, 2, 1, 0], [3, 2, 1, 0]]),
        ("rc16", [[1, 0, 1, 0], [3, 2, 3, 2], [1, 0, 1, 0], [3, 2, 3, 2]]),
    ] {
        c.push(case(text(format!("prmt.b32.{mode} D, A, B, C")), "rrrr", move |a, b, d| {
            permute(table, a, b, d)
        }));
    }
    let each = |a: u64, b: u64, op: fn(i16, i16) -> i16| {
        let one = |shift: u32| u64::from(op((a >> shift) as i16, (b >> shift) as i16) as u16) << shift;
        one(0) | one(16)
    };
    c.push(case("add.u16x2 D, A, B", "rrrr", move |a, b, _| each(a, b, i16::wrapping_add)));
    c.push(case("add.s16x2 D, A, B", "rrrr", move |a, b, _| each(a, b, i16::wrapping_add)));
    c.push(case("min.s16x2 D, A, B", "rrrr", move |a, b, _| each(a, b, i16::min)));
    c.push(case("max.s16x2 D, A, B", "rrrr", move |a, b, _| each(a, b, i16::max)));
    c.push(case("min.u16x2 D, A, B", "rrrr", move |a, b, _| {
        each(a, b, |a, b| (a as u16).min(b as u16) as i16)
    }));
    c.push(case("max.u16x2 D, A, B", "rrrr", move |a, b, _| {
        each(a, b, |a, b| (a as u16).max(b as u16) as i16)
    }));
    c.push(case("min.relu.s16x2 D, A, B", "rrrr", move |a, b, _| each(a, b, |a, b| a.min(b).max(0))));
    c.push(case("max.relu.s16x2 D, A, B", "rrrr", move |a, b, _| each(a, b, |a, b| a.max(b).max(0))));
    c.push(case("min.relu.s32 D, A, B", "rrrr", |a, b, _| w(s(a).min(s(b)).max(0))));
    c.push(case("max.relu.s32 D, A, B", "rrrr", |a, b, _| w(s(a).max(s(b)).max(0))));
    c.push(case("sad.u16 D, A, B, C", "hhhh", |a, b, d| {
        u64::from((d as u16).wrapping_add((a as u16).abs_diff(b as u16)))
    }));
    c.push(case("sad.s16 D, A, B, C", "hhhh", |a, b, d| {
        u64::from((d as u16).wrapping_add((a as i16).abs_diff(b as i16)))
    }));
    c.push(case("sad.u64 D, A, B, C", "dddd", |a, b, d| d.wrapping_add(a.abs_diff(b))));
    products(&mut c);
    for (ty, bits, signed) in [
        ("u8", 8, false),
        ("s8", 8, true),
        ("u4", 4, false),
        ("s4", 4, true),
        ("u2", 2, false),
        ("s2", 2, true),
    ] {
        c.push(case(text(format!("cvt.pack.sat.{ty}.s32.b32 D, A, B, C")), "rrrr", move |a, b, d| {
            pack(a, b, bits, signed) | (d << (2 * bits)) & 0xffff_ffff
        }));
    }
    c.push(case("cvt.pack.sat.u16.s32 D, A, B", "rrrr", |a, b, _| pack(a, b, 16, false)));
    c.push(case("cvt.pack.sat.s16.s32 D, A, B", "rrrr", |a, b, _| pack(a, b, 16, true)));
    // Two bytes and a table of eight: the predicate says whether any bit is set.
    c.push(case("lop3.or.b32 %rd|Q, A, B, C, 128, P", "qrrr", |a, b, d| {
        u64::from(a as u32 & b as u32 & d as u32 != 0 || s(a) < s(b))
    }));
    c.push(case("lop3.and.b32 _|Q, A, B, C, 0xe8, !P", "qrrr", |a, b, d| {
        let majority = (a & b | b & d | a & d) as u32;
        u64::from(majority != 0 && s(a) >= s(b))
    }));
    c
}

fn pack(a: u64, b: u64, bits: u32, signed: bool) -> u64 {
    let (least, most) =
        if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
    let cut = |v: u64| (s(v).clamp(least, most) as u64) & ((1 << bits) - 1);
    cut(a) << bits | cut(b)
}

/// Products and their parts, and sums of them with and without carry.
fn products(c: &mut Vec<Case>) {
    let low24 = |v: u64, signed: bool| {
        if signed { i64::from((v as i32) << 8 >> 8) } else { (v & 0xff_ffff) as i64 }
    };
    for (ty, signed) in [("u32", false), ("s32", true)] {
        c.push(case(text(format!("mul24.hi.{ty} D, A, B")), "rrrr", move |a, b, _| {
            w((low24(a, signed) * low24(b, signed)) >> 16)
        }));
        c.push(case(text(format!("mad24.hi.{ty} D, A, B, C")), "rrrr", move |a, b, d| {
            w(((low24(a, signed) * low24(b, signed)) >> 16) + s(d))
        }));
        c.push(case(text(format!("mad24.lo.{ty} D, A, B, C")), "rrrr", move |a, b, d| {
            w((low24(a, signed) * low24(b, signed)) as i32 as i64 + s(d))
        }));
    }
    let clamp = |v: i64| w(v.clamp(i32::MIN.into(), i32::MAX.into()));
    c.push(case("mad24.hi.sat.s32 D, A, B, C", "rrrr", move |a, b, d| {
        clamp(i64::from(((low24(a, true) * low24(b, true)) >> 16) as i32) + s(d))
    }));
    c.push(case("mad.hi.sat.s32 D, A, B, C", "rrrr", move |a, b, d| clamp(((s(a) * s(b)) >> 32) + s(d))));
    c.push(case("mad.hi.u16 D, A, B, C", "hhhh", |a, b, d| {
        ((u64::from(a as u16) * u64::from(b as u16)) >> 16).wrapping_add(d) & 0xffff
    }));
    c.push(case("mad.hi.s16 D, A, B, C", "hhhh", |a, b, d| {
        (((i64::from(a as i16) * i64::from(b as i16)) >> 16) as u64).wrapping_add(d) & 0xffff
    }));
    // The carry of a first instruction goes into a second one, whose result is seen.
    c.push(case("{ mad.lo.cc.u32 %ru, A, B, C; madc.hi.u32 D, A, B, C; }", "rrrr", |a, b, d| {
        let product = u64::from(a as u32) * u64::from(b as u32);
        let carry = (u64::from(product as u32) + u64::from(d as u32)) >> 32;
        (product >> 32).wrapping_add(d).wrapping_add(carry) & 0xffff_ffff
    }));
    c.push(case("{ mad.hi.cc.s32 %ru, A, B, C; addc.s32 D, 0, 0; }", "rrrr", |a, b, d| {
        let high = ((s(a) * s(b)) >> 32) as u32;
        (u64::from(high) + u64::from(d as u32)) >> 32
    }));
    c.push(case("{ mad.lo.cc.u64 %dt, A, B, C; madc.hi.u64 D, A, B, C; }", "dddd", |a, b, d| {
        let product = u128::from(a) * u128::from(b);
        let carry = (u128::from(product as u64) + u128::from(d)) >> 64;
        ((product >> 64) as u64).wrapping_add(d).wrapping_add(carry as u64)
    }));
    c.push(case("{ sub.cc.u64 %dt, A, B; subc.u64 D, C, 0; }", "dddd", |a, b, d| {
        d.wrapping_sub(u64::from(a < b))
    }));
}
