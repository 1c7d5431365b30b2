//! Float arithmetic of every format, rounding and qualifier against `rustc_apfloat`.

use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single};
use rustc_apfloat::{Category, Float, FloatConvert, Round};

use super::{Case, case};

/// Roundings by their names.
pub const ROUNDINGS: [(&str, Round); 4] = [
    ("rn", Round::NearestTiesToEven),
    ("rz", Round::TowardZero),
    ("rm", Round::TowardNegative),
    ("rp", Round::TowardPositive),
];

/// A format: its bits, and the NaN that instructions return.
pub trait Format: Float {
    const SIZE: u32;
    const QUIET: u64;
}

impl Format for Half {
    const SIZE: u32 = 16;
    const QUIET: u64 = 0x7fff;
}
impl Format for BFloat {
    const SIZE: u32 = 16;
    const QUIET: u64 = 0x7fff;
}
impl Format for Single {
    const SIZE: u32 = 32;
    const QUIET: u64 = 0x7fff_ffff;
}
impl Format for Double {
    const SIZE: u32 = 64;
    const QUIET: u64 = 0x7ff8_0000_0000_0000;
}

pub fn read<F: Format>(bits: u64) -> F {
    F::from_bits(u128::from(bits) & (u128::MAX >> (128 - F::SIZE)))
}

pub fn bits<F: Format>(v: F) -> u64 {
    if v.is_nan() { F::QUIET } else { v.to_bits() as u64 }
}

pub fn flush<F: Format>(v: F) -> F {
    if v.is_denormal() { F::ZERO.copy_sign(v) } else { v }
}

pub fn saturate<F: Format>(v: F) -> F {
    let one = F::from_u128(1).value;
    if v.is_nan() || v.is_negative() {
        F::ZERO
    } else if v > one {
        one
    } else {
        v
    }
}

fn relu<F: Format>(v: F) -> F {
    if !v.is_nan() && v.is_negative() { F::ZERO } else { v }
}

/// A name that lives as long as the tests.
pub fn text(s: String) -> &'static str {
    s.leak()
}

/// What happens to the result, and whether operands are flushed.
#[derive(Clone, Copy)]
struct Finish {
    name: &'static str,
    flush: bool,
    saturate: bool,
    relu: bool,
}

const PLAIN: Finish = Finish { name: "", flush: false, saturate: false, relu: false };
const FTZ: Finish = Finish { name: ".ftz", flush: true, saturate: false, relu: false };
const SAT: Finish = Finish { name: ".sat", flush: false, saturate: true, relu: false };
const FTZ_SAT: Finish = Finish { name: ".ftz.sat", flush: true, saturate: true, relu: false };
const RELU: Finish = Finish { name: ".relu", flush: false, saturate: false, relu: true };
const FTZ_RELU: Finish = Finish { name: ".ftz.relu", flush: true, saturate: false, relu: true };

fn compute<F: Format>(op: &str, [a, b, c]: [u64; 3], round: Round, finish: Finish) -> u64 {
    let [a, b, c] = [a, b, c].map(|v| if finish.flush { flush(read::<F>(v)) } else { read::<F>(v) });
    let v = match op {
        "add" => a.add_r(b, round).value,
        "sub" => a.sub_r(b, round).value,
        "mul" => a.mul_r(b, round).value,
        "div" => a.div_r(b, round).value,
        "rcp" => F::from_u128(1).value.div_r(a, round).value,
        _ => a.mul_add_r(b, c, round).value,
    };
    let v = if finish.flush { flush(v) } else { v };
    let v = if finish.saturate { saturate(v) } else { v };
    bits(if finish.relu { relu(v) } else { v })
}

/// All roundings and finishes of an operation.
fn family<F: Format>(
    c: &mut Vec<Case>,
    op: &'static str,
    ty: &str,
    roundings: &[(&'static str, Round)],
    finishes: &[Finish],
) {
    let (kind, two) = match (ty.ends_with("x2"), F::SIZE) {
        (false, 16) => ('h', false),
        (false, 32) => ('r', false),
        (false, _) => ('d', false),
        (true, 16) => ('r', true),
        (true, _) => ('d', true),
    };
    let kinds = text([kind; 4].iter().collect());
    let operands = match op {
        "rcp" => "D, A",
        "fma" => "D, A, B, C",
        _ => "D, A, B",
    };
    for &(name, round) in roundings {
        for &finish in finishes {
            let t = text(format!("{op}.{name}{}.{ty} {operands}", finish.name));
            c.push(case(t, kinds, move |x, y, z| {
                let low = compute::<F>(op, [x, y, z], round, finish);
                if !two {
                    return low;
                }
                let size = F::SIZE;
                low | compute::<F>(op, [x >> size, y >> size, z >> size], round, finish) << size
            }));
        }
    }
}

/// The square root, rounded: found from the host's by comparing squares, which are exact in quad precision.
fn square_root(a: u64, round: Round) -> u64 {
    let v = f64::from_bits(a);
    let near = v.sqrt();
    if near.is_nan() || near == 0.0 || near.is_infinite() {
        return bits(read::<Double>(near.to_bits()));
    }
    let quad = |v: f64| -> Quad { read::<Double>(v.to_bits()).convert(&mut false).value };
    let square = quad(near).mul_r(quad(near), Round::NearestTiesToEven).value;
    let (above, below) = (square > quad(v), square < quad(v));
    match round {
        Round::TowardZero | Round::TowardNegative if above => near.next_down().to_bits(),
        Round::TowardPositive if below => near.next_up().to_bits(),
        _ => near.to_bits(),
    }
}

/// Minimum and maximum from their definition in the manual.
fn extreme<F: Format>(sources: &[u64], greatest: bool, [flushed, nan, abs, xor]: [bool; 4]) -> u64 {
    let values: Vec<F> =
        sources.iter().map(|&v| if flushed { flush(read::<F>(v)) } else { read::<F>(v) }).collect();
    let sign = values[0].is_negative() != values[1].is_negative();
    let pick = |a: F, b: F| {
        if a.is_nan() || b.is_nan() {
            let number = if a.is_nan() { b } else { a };
            return if nan { F::NAN } else { number };
        }
        let less = a < b || a.is_zero() && b.is_zero() && a.is_negative();
        if less != greatest { a } else { b }
    };
    let magnitude = |v: F| if abs { v.abs() } else { v };
    let found = values.iter().map(|&v| magnitude(v)).reduce(pick).unwrap_or(F::NAN);
    let out = bits(found);
    if xor && !found.is_nan() { out | u64::from(sign) << (F::SIZE - 1) } else { out }
}

fn extremes<F: Format>(c: &mut Vec<Case>, ty: &str, pair: bool, flags: &[(&'static str, [bool; 4])]) {
    let kind = match (F::SIZE, pair) {
        (16, false) => "hhhh",
        (64, _) => "dddd",
        _ => "rrrr",
    };
    for (op, greatest) in [("min", false), ("max", true)] {
        for &(name, flags) in flags {
            c.push(case(text(format!("{op}{name}.{ty} D, A, B")), kind, move |a, b, _| {
                let low = extreme::<F>(&[a, b], greatest, flags);
                if !pair {
                    return low;
                }
                low | extreme::<F>(&[a >> 16, b >> 16], greatest, flags) << 16
            }));
        }
    }
}

/// An operation on single precision whose special operands the manual lists; others as the host computes.
fn special(
    c: &mut Vec<Case>,
    t: &'static str,
    table: &'static [(u32, u32)],
    rest: impl Fn(f64) -> f64 + 'static,
) {
    c.push(case(t, "rrrr", move |a, _, _| {
        let a = a as u32;
        let flushed = t.contains(".ftz");
        let small = |v: f32| if flushed && v.is_subnormal() { 0f32.copysign(v) } else { v };
        let a = small(f32::from_bits(a)).to_bits();
        if f32::from_bits(a).is_nan() {
            return u64::from(NAN);
        }
        match table.iter().find(|(from, _)| *from == a) {
            Some(&(_, to)) => to.into(),
            None => {
                let v = small(rest(f32::from_bits(a).into()) as f32);
                if v.is_nan() { u64::from(NAN) } else { v.to_bits().into() }
            }
        }
    }));
}

const INF: u32 = 0x7f80_0000;
const NEG: u32 = 1 << 31;
const ONE: u32 = 0x3f80_0000;
const NAN: u32 = 0x7fff_ffff;

pub fn cases() -> Vec<Case> {
    let mut c = Vec::new();
    let all = &ROUNDINGS;
    let rn = &ROUNDINGS[..1];
    for op in ["add", "sub", "mul", "fma"] {
        family::<Single>(&mut c, op, "f32", all, &[PLAIN, FTZ, SAT, FTZ_SAT]);
        family::<Single>(&mut c, op, "f32x2", all, &[PLAIN, FTZ]);
        family::<Double>(&mut c, op, "f64", all, &[PLAIN]);
        family::<Half>(&mut c, op, "f16", rn, &[PLAIN, FTZ, SAT, FTZ_SAT]);
        family::<Half>(&mut c, op, "f16x2", rn, &[PLAIN, FTZ, SAT, FTZ_SAT]);
        family::<BFloat>(&mut c, op, "bf16", rn, &[PLAIN]);
        family::<BFloat>(&mut c, op, "bf16x2", rn, &[PLAIN]);
    }
    for (ty, two) in [("f16", false), ("f16x2", true)] {
        family::<Half>(&mut c, "fma", ty, rn, &[RELU, FTZ_RELU]);
        family::<BFloat>(&mut c, "fma", if two { "bf16x2" } else { "bf16" }, rn, &[RELU]);
    }
    for op in ["div", "rcp"] {
        family::<Single>(&mut c, op, "f32", all, &[PLAIN, FTZ]);
        family::<Double>(&mut c, op, "f64", all, &[PLAIN]);
    }
    for (name, round) in ROUNDINGS {
        c.push(case(text(format!("sqrt.{name}.f64 D, A")), "dddd", move |a, _, _| square_root(a, round)));
        c.push(case(text(format!("sqrt.{name}.f32 D, A")), "rrrr", move |a, _, _| {
            // A root of a float that is no double lies far enough from every float.
            let root = f64::from(f32::from_bits(a as u32)).sqrt();
            let single: Single = read::<Double>(root.to_bits()).convert_r(round, &mut false).value;
            bits(single)
        }));
    }
    // Operands of half precision and a sum of single precision.
    for (ty, wide) in [("f16", true), ("bf16", false)] {
        let widen = move |v: u64| -> Single {
            if wide {
                read::<Half>(v).convert(&mut false).value
            } else {
                read::<BFloat>(v).convert(&mut false).value
            }
        };
        for (name, round) in ROUNDINGS {
            for (sat, clamps) in [("", false), (".sat", true)] {
                let finish = move |v: Single| bits(if clamps { saturate(v) } else { v });
                c.push(case(text(format!("add.{name}{sat}.f32.{ty} D, A, B")), "rhrr", move |a, b, _| {
                    finish(widen(a).add_r(read(b), round).value)
                }));
                c.push(case(text(format!("sub.{name}{sat}.f32.{ty} D, A, B")), "rhrr", move |a, b, _| {
                    finish(widen(a).sub_r(read(b), round).value)
                }));
                c.push(case(text(format!("fma.{name}{sat}.f32.{ty} D, A, B, C")), "rhhr", move |a, b, d| {
                    finish(widen(a).mul_add_r(widen(b), read(d), round).value)
                }));
            }
        }
    }
    let (no, yes) = (false, true);
    let single = [
        ("", [no, no, no, no]),
        (".ftz", [yes, no, no, no]),
        (".NaN", [no, yes, no, no]),
        (".ftz.NaN", [yes, yes, no, no]),
        (".xorsign.abs", [no, no, yes, yes]),
        (".NaN.xorsign.abs", [no, yes, yes, yes]),
        (".ftz.NaN.xorsign.abs", [yes, yes, yes, yes]),
    ];
    extremes::<Single>(&mut c, "f32", false, &single);
    extremes::<Half>(&mut c, "f16", false, &single);
    extremes::<Half>(&mut c, "f16x2", true, &single);
    let unflushed: Vec<_> = single.into_iter().filter(|(_, [flushed, ..])| !flushed).collect();
    extremes::<BFloat>(&mut c, "bf16", false, &unflushed);
    extremes::<BFloat>(&mut c, "bf16x2", true, &unflushed);
    extremes::<Double>(&mut c, "f64", false, &single[..1]);
    for (op, greatest) in [("min", false), ("max", true)] {
        for (name, flags) in
            [("", [no; 4]), (".NaN", [no, yes, no, no]), (".ftz.NaN.abs", [yes, yes, yes, no])]
        {
            c.push(case(text(format!("{op}{name}.f32 D, A, B, C")), "rrrr", move |a, b, d| {
                extreme::<Single>(&[a, b, d], greatest, flags)
            }));
        }
    }
    for (ty, kind, sign) in [
        ("f16", "hhhh", 0x8000u64),
        ("bf16", "hhhh", 0x8000),
        ("f16x2", "rrrr", 0x8000_8000),
        ("bf16x2", "rrrr", 0x8000_8000),
    ] {
        let ones = if kind == "hhhh" { 0xffff } else { 0xffff_ffff };
        c.push(case(text(format!("neg.{ty} D, A")), kind, move |a, _, _| (a ^ sign) & ones));
        c.push(case(text(format!("abs.{ty} D, A")), kind, move |a, _, _| a & !sign & ones));
    }
    c.push(case("neg.ftz.f16 D, A", "hhhh", |a, _, _| flush(read::<Half>(a)).to_bits() as u64 ^ 0x8000));
    c.push(case("abs.ftz.f32 D, A", "rrrr", |a, _, _| flush(read::<Single>(a)).abs().to_bits() as u64));
    comparisons(&mut c);
    approximations(&mut c);
    c
}

fn comparisons(c: &mut Vec<Case>) {
    for (name, test) in [
        ("eq", (|a, b| a == b) as fn(f64, f64) -> bool),
        ("ne", |a, b| a < b || a > b),
        ("le", |a, b| a <= b),
        ("gtu", |a, b| !(a <= b)),
        ("equ", |a, b| !(a < b || a > b)),
        ("nan", |a, b| a.is_nan() || b.is_nan()),
    ] {
        let half = |v: u64| -> f64 {
            let v: Double = read::<Half>(v).convert(&mut false).value;
            f64::from_bits(v.to_bits() as u64)
        };
        let tiny = move |v: u64| if v & 0x7c00 == 0 { half(v & 0x8000) } else { half(v) };
        let brain = |v: u64| f64::from(f32::from_bits((v as u32) << 16));
        c.push(case(text(format!("setp.{name}.bf16 Q, A, B")), "qhhh", move |a, b, _| {
            test(brain(a), brain(b)).into()
        }));
        c.push(case(text(format!("setp.{name}.ftz.f16 Q, A, B")), "qhhh", move |a, b, _| {
            test(tiny(a), tiny(b)).into()
        }));
        // The predicate of the high halves, and that of the low ones.
        c.push(case(text(format!("setp.{name}.f16x2 P|Q, A, B")), "qrrr", move |a, b, _| {
            test(half(a >> 16), half(b >> 16)).into()
        }));
        c.push(case(text(format!("setp.{name}.bf16x2 Q|P, A, B")), "qrrr", move |a, b, _| {
            test(brain(a), brain(b)).into()
        }));
        c.push(case(text(format!("set.{name}.f16x2.f16x2 D, A, B")), "rrrr", move |a, b, _| {
            let one = |x, y| if test(half(x), half(y)) { 0x3c00 } else { 0 };
            one(a, b) | one(a >> 16, b >> 16) << 16
        }));
        c.push(case(text(format!("set.{name}.u32.bf16x2 D, A, B")), "rrrr", move |a, b, _| {
            let ones = |x, y| if test(brain(x), brain(y)) { 0xffff } else { 0 };
            ones(a, b) | ones(a >> 16, b >> 16) << 16
        }));
        c.push(case(text(format!("set.{name}.f16.f16 D, A, B")), "hhhh", move |a, b, _| {
            if test(half(a), half(b)) { 0x3c00 } else { 0 }
        }));
    }
    for (name, test) in [
        ("finite", f64::is_finite as fn(f64) -> bool),
        ("infinite", f64::is_infinite),
        ("number", |v| !v.is_nan()),
        ("notanumber", f64::is_nan),
        ("normal", f64::is_normal),
        ("subnormal", f64::is_subnormal),
    ] {
        c.push(case(text(format!("testp.{name}.f64 Q, A")), "qddd", move |a, _, _| {
            test(f64::from_bits(a)).into()
        }));
        c.push(case(text(format!("testp.{name}.f32 Q, A")), "qrrr", move |a, _, _| {
            let v = f32::from_bits(a as u32);
            match name {
                "normal" => v.is_normal(),
                "subnormal" => v.is_subnormal(),
                _ => test(v.into()),
            }
            .into()
        }));
    }
    // -1e-40 counts as zero, which is not below zero.
    c.push(case("slct.ftz.u32.f32 D, A, B, C", "rrrr", |a, b, d| {
        let v = f32::from_bits(d as u32);
        (if v >= 0.0 || v.is_subnormal() { a } else { b }) & 0xffff_ffff
    }));
}

/// The approximations: what the manual says about special operands, and the nearest value for others.
fn approximations(c: &mut Vec<Case>) {
    special(c, "rcp.approx.f32 D, A", &[(INF | NEG, NEG), (NEG, INF | NEG), (0, INF), (INF, 0)], |v| 1.0 / v);
    special(c, "rcp.approx.ftz.f32 D, A", &[(INF | NEG, NEG), (NEG, INF | NEG), (0, INF), (INF, 0)], |v| {
        1.0 / v
    });
    special(c, "sqrt.approx.f32 D, A", &[(INF | NEG, NAN), (NEG, NEG), (0, 0), (INF, INF)], f64::sqrt);
    special(c, "sqrt.approx.ftz.f32 D, A", &[(INF | NEG, NAN), (NEG, NEG), (0, 0), (INF, INF)], f64::sqrt);
    special(c, "rsqrt.approx.ftz.f32 D, A", &[(INF | NEG, NAN), (NEG, INF | NEG), (0, INF), (INF, 0)], |v| {
        1.0 / v.sqrt()
    });
    special(c, "ex2.approx.f32 D, A", &[(INF | NEG, 0), (NEG, ONE), (0, ONE), (INF, INF)], f64::exp2);
    special(c, "ex2.approx.ftz.f32 D, A", &[(INF | NEG, 0), (NEG, ONE), (0, ONE), (INF, INF)], f64::exp2);
    special(
        c,
        "lg2.approx.ftz.f32 D, A",
        &[(INF | NEG, NAN), (NEG, INF | NEG), (0, INF | NEG), (INF, INF)],
        |v| v.log2(),
    );
    special(c, "sin.approx.f32 D, A", &[(INF | NEG, NAN), (NEG, NEG), (0, 0), (INF, NAN)], f64::sin);
    special(c, "cos.approx.ftz.f32 D, A", &[(INF | NEG, NAN), (NEG, ONE), (0, ONE), (INF, NAN)], f64::cos);
    special(c, "tanh.approx.f32 D, A", &[(INF | NEG, ONE | NEG), (NEG, NEG), (0, 0), (INF, ONE)], f64::tanh);
    // Divisors above 2^126 have no reciprocal that is normal.
    c.push(case("div.approx.f32 D, A, B", "rrrr", |a, b, _| {
        let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
        let v = if b.is_finite() && b.abs() > 8.507_059e37 { a * 0f32.copysign(b) } else { a / b };
        if v.is_nan() { 0x7fff_ffff } else { v.to_bits().into() }
    }));
    for (t, function) in [
        ("rcp.approx.ftz.f64 D, A", (|v| 1.0 / v) as fn(f64) -> f64),
        ("rsqrt.approx.ftz.f64 D, A", |v| 1.0 / v.sqrt()),
    ] {
        c.push(case(t, "dddd", move |a, _, _| {
            let v = flush(read::<Double>(a));
            if v.category() == Category::NaN {
                return 0x7fff_ffff_0000_0000;
            }
            let out = function(f64::from_bits(v.to_bits() as u64 >> 32 << 32));
            if out.is_nan() {
                return 0x7fff_ffff_0000_0000;
            }
            // Twenty bits of fraction: scaled so that they are the whole part.
            let out = flush(read::<Double>(out.to_bits()));
            if out.is_zero() || out.is_infinite() {
                return bits(out);
            }
            let by = 20 - out.ilogb();
            bits(out.scalbn(by).round_to_integral(Round::NearestTiesToAway).value.scalbn(-by))
        }));
    }
    let narrow = |v: f64| -> u64 {
        let half: Half = read::<Double>(v.to_bits()).convert(&mut false).value;
        bits(half)
    };
    let widen = |v: u64| -> f64 {
        let v: Double = read::<Half>(v).convert(&mut false).value;
        f64::from_bits(v.to_bits() as u64)
    };
    c.push(case("ex2.approx.f16 D, A", "hhhh", move |a, _, _| narrow(widen(a).exp2())));
    c.push(case("tanh.approx.f16x2 D, A", "rrrr", move |a, _, _| {
        narrow(widen(a).tanh()) | narrow(widen(a >> 16).tanh()) << 16
    }));
    c.push(case("tanh.approx.bf16 D, A", "hhhh", move |a, _, _| {
        let v = f64::from(f32::from_bits((a as u32) << 16)).tanh();
        let out: BFloat = read::<Double>(v.to_bits()).convert(&mut false).value;
        bits(out)
    }));
    c.push(case("ex2.approx.ftz.bf16x2 D, A", "rrrr", move |a, _, _| {
        let one = |a: u64| {
            let v = f64::from(f32::from_bits((a as u32) << 16)).exp2();
            let out: BFloat = read::<Double>(v.to_bits()).convert(&mut false).value;
            bits(flush(out))
        };
        one(a) | one(a >> 16) << 16
    }));
}
