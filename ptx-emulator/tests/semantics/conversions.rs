//! `cvt` against `rustc_apfloat`, and the small formats against their values listed one by one.

use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

use super::floats::{Format, ROUNDINGS, bits, flush, read, saturate, text};
use super::{Case, case};

const INTEGERS: [(&str, u32, bool); 8] = [
    ("u8", 8, false),
    ("s8", 8, true),
    ("u16", 16, false),
    ("s16", 16, true),
    ("u32", 32, false),
    ("s32", 32, true),
    ("u64", 64, false),
    ("s64", 64, true),
];

fn kind(size: u32) -> char {
    match size {
        8 | 16 => 'h',
        32 => 'r',
        _ => 'd',
    }
}

fn kinds(to: u32, from: u32) -> &'static str {
    text(format!("{}{}rr", kind(to), kind(from)))
}

fn integer(v: u64, size: u32, signed: bool) -> i128 {
    let unused = 64 - size;
    if signed { i128::from((v << unused) as i64 >> unused) } else { i128::from(v << unused >> unused) }
}

fn from_int<F: Format>(n: i128, round: Round) -> F {
    F::from_i128_r(n, round).value
}

fn between<F, T>(c: &mut Vec<Case>, from: &str, to: &str)
where
    F: Format + FloatConvert<T>,
    T: Format,
{
    let narrows = T::SIZE < F::SIZE || T::SIZE == 16 && F::SIZE == 16;
    if narrows {
        for (name, round) in ROUNDINGS {
            c.push(case(
                text(format!("cvt.{name}.{to}.{from} D, A")),
                kinds(T::SIZE, F::SIZE),
                move |a, _, _| bits::<T>(read::<F>(a).convert_r(round, &mut false).value),
            ));
        }
    } else {
        c.push(case(text(format!("cvt.{to}.{from} D, A")), kinds(T::SIZE, F::SIZE), move |a, _, _| {
            bits::<T>(read::<F>(a).convert(&mut false).value)
        }));
    }
}

fn with_integers<F: Format>(c: &mut Vec<Case>, ty: &str) {
    for (int, size, signed) in INTEGERS {
        if ty == "bf16" && size == 8 {
            continue;
        }
        for (name, round) in ROUNDINGS {
            c.push(case(
                text(format!("cvt.{name}.{ty}.{int} D, A")),
                kinds(F::SIZE, size),
                move |a, _, _| bits(from_int::<F>(integer(a, size, signed), round)),
            ));
            let t = text(format!("cvt.{name}i.{int}.{ty} D, A"));
            c.push(case(t, kinds(size, F::SIZE), move |a, _, _| {
                let v = read::<F>(a);
                let register = if size == 8 { 16 } else { size };
                let mask = u64::MAX >> (64 - register);
                if v.is_nan() {
                    let special = F::SIZE == 64 || size == 64;
                    let n = if special { 1u64 << (size - 1) } else { 0 };
                    return integer(n, size, signed) as u64 & mask;
                }
                let n = if signed {
                    v.to_i128_r(size as usize, round, &mut false).value
                } else {
                    v.to_u128_r(size as usize, round, &mut false).value as i128
                };
                n as u64 & mask
            }));
        }
    }
}

/// A format of at most eight bits: its values in ascending order of its bits, the sign aside.
struct Small {
    exponent: i32,
    fraction: i32,
    /// Bits of the largest magnitude that is a number.
    largest: u64,
    sign: u64,
    nan: Option<u64>,
    /// Bits of infinity, if the format has it.
    infinity: Option<u64>,
}

const E4M3: Small =
    Small { exponent: 4, fraction: 3, largest: 0x7e, sign: 0x80, nan: Some(0x7f), infinity: None };
const E5M2: Small =
    Small { exponent: 5, fraction: 2, largest: 0x7b, sign: 0x80, nan: Some(0x7f), infinity: Some(0x7c) };
const E3M2: Small = Small { exponent: 3, fraction: 2, largest: 0x1f, sign: 0x20, nan: None, infinity: None };
const E2M3: Small = Small { exponent: 2, fraction: 3, largest: 0x1f, sign: 0x20, nan: None, infinity: None };
const E2M1: Small = Small { exponent: 2, fraction: 1, largest: 0x7, sign: 0x8, nan: None, infinity: None };

impl Small {
    fn magnitude(&self, bits: u64) -> f64 {
        let (e, f) = ((bits >> self.fraction) as i32, (bits & ((1 << self.fraction) - 1)) as f64);
        let (bias, unit) = ((1 << (self.exponent - 1)) - 1, 2f64.powi(-self.fraction));
        if e == 0 { f * unit * 2f64.powi(1 - bias) } else { (1.0 + f * unit) * 2f64.powi(e - bias) }
    }

    fn value(&self, bits: u64) -> f64 {
        let magnitude = bits & (self.sign - 1);
        let v = match (self.nan, self.infinity) {
            (_, Some(infinity)) if magnitude == infinity => f64::INFINITY,
            (Some(_), _) if magnitude > self.largest => f64::NAN,
            _ => self.magnitude(magnitude),
        };
        if bits & self.sign != 0 { -v } else { v }
    }

    /// The nearest value, ties to the even one, clamped: found by looking at all of them.
    fn nearest(&self, v: f64, relu: bool) -> u64 {
        if v.is_nan() {
            return self.nan.unwrap_or(self.largest);
        }
        let sign = if v.is_sign_negative() { self.sign } else { 0 };
        if relu && sign != 0 {
            return 0;
        }
        let v = v.abs();
        let better = |a: u64, b: u64| {
            let (x, y) = ((self.magnitude(a) - v).abs(), (self.magnitude(b) - v).abs());
            if x < y || x == y && a.is_multiple_of(2) { a } else { b }
        };
        let found = if v >= self.magnitude(self.largest) {
            self.largest
        } else {
            (0..=self.largest).reduce(better).unwrap_or(0)
        };
        sign | found
    }
}

fn small(c: &mut Vec<Case>, name: &str, f: &'static Small, container: u32) {
    let single = |v: u64| f64::from(f32::from_bits(v as u32));
    let half = |v: u64| -> f64 {
        let v: Double = read::<Half>(v).convert(&mut false).value;
        f64::from_bits(v.to_bits() as u64)
    };
    let eight = container == 4;
    for (relu, rectifies) in [("", false), (".relu", true)] {
        let op = format!("cvt.rn.satfinite{relu}.{name}x2.f32");
        let t = if eight {
            format!("{{ .reg .b8 %x; {op} %x, A, B; cvt.u16.u8 D, %x; }}")
        } else {
            format!("{op} D, A, B")
        };
        c.push(case(text(t), "hrrr", move |a, b, _| {
            f.nearest(single(a), rectifies) << container | f.nearest(single(b), rectifies)
        }));
        if f.nan.is_some() {
            let t = text(format!("cvt.rn.satfinite{relu}.{name}x2.f16x2 D, A"));
            c.push(case(t, "hrrr", move |a, _, _| {
                f.nearest(half(a >> 16), rectifies) << 8 | f.nearest(half(a), rectifies)
            }));
        }
        let op = format!("cvt.rn{relu}.f16x2.{name}x2");
        let t = if eight {
            format!("{{ .reg .b8 %x; cvt.u8.u16 %x, A; {op} D, %x; }}")
        } else {
            format!("{op} D, A")
        };
        c.push(case(text(t), "rhrr", move |a, _, _| {
            let one = |bits: u64| {
                let v = f.value(bits & (2 * f.sign - 1));
                let v: Half = read::<Double>(v.to_bits()).convert(&mut false).value;
                if rectifies && v.is_negative() && !v.is_nan() { 0 } else { super::floats::bits(v) }
            };
            one(a & ((1 << container) - 1)) | one(a >> container & ((1 << container) - 1)) << 16
        }));
    }
}

pub fn cases() -> Vec<Case> {
    let mut c = Vec::new();
    between::<Double, Single>(&mut c, "f64", "f32");
    between::<Double, Half>(&mut c, "f64", "f16");
    between::<Double, BFloat>(&mut c, "f64", "bf16");
    between::<Single, Half>(&mut c, "f32", "f16");
    between::<Single, BFloat>(&mut c, "f32", "bf16");
    between::<Single, Double>(&mut c, "f32", "f64");
    between::<Half, BFloat>(&mut c, "f16", "bf16");
    between::<BFloat, Half>(&mut c, "bf16", "f16");
    between::<Half, Single>(&mut c, "f16", "f32");
    between::<Half, Double>(&mut c, "f16", "f64");
    between::<BFloat, Single>(&mut c, "bf16", "f32");
    between::<BFloat, Double>(&mut c, "bf16", "f64");
    with_integers::<Half>(&mut c, "f16");
    with_integers::<BFloat>(&mut c, "bf16");
    with_integers::<Single>(&mut c, "f32");
    with_integers::<Double>(&mut c, "f64");
    whole(&mut c);
    pairs(&mut c);
    small(&mut c, "e4m3", &E4M3, 8);
    small(&mut c, "e5m2", &E5M2, 8);
    small(&mut c, "e3m2", &E3M2, 8);
    small(&mut c, "e2m3", &E2M3, 8);
    small(&mut c, "e2m1", &E2M1, 4);
    powers_of_two(&mut c);
    c
}

/// Rounding to whole numbers, `.ftz`, `.sat`, `.tf32`.
fn whole(c: &mut Vec<Case>) {
    for (name, round) in ROUNDINGS {
        c.push(case(text(format!("cvt.{name}i.f64.f64 D, A")), "dddd", move |a, _, _| {
            bits(read::<Double>(a).round_to_integral(round).value)
        }));
        c.push(case(text(format!("cvt.{name}i.ftz.f32.f32 D, A")), "rrrr", move |a, _, _| {
            bits(flush(read::<Single>(a)).round_to_integral(round).value)
        }));
        c.push(case(text(format!("cvt.{name}i.f16.f16 D, A")), "hhhh", move |a, _, _| {
            bits(read::<Half>(a).round_to_integral(round).value)
        }));
        c.push(case(text(format!("cvt.{name}.ftz.sat.f32.f64 D, A")), "rddd", move |a, _, _| {
            bits(saturate(flush::<Single>(read::<Double>(a).convert_r(round, &mut false).value)))
        }));
    }
    c.push(case("cvt.ftz.f64.f32 D, A", "drrr", |a, _, _| {
        bits::<Double>(flush(read::<Single>(a)).convert(&mut false).value)
    }));
    c.push(case("cvt.rn.ftz.f16.f32 D, A", "hrrr", |a, _, _| {
        bits::<Half>(flush(read::<Single>(a)).convert(&mut false).value)
    }));
    c.push(case("cvt.rzi.ftz.s32.f32 D, A", "rrrr", |a, _, _| {
        let v = flush(read::<Single>(a));
        v.to_i128_r(32, Round::TowardZero, &mut false).value as u32 as u64
    }));
    c.push(case("cvt.sat.f16.f16 D, A", "hhhh", |a, _, _| bits(saturate(read::<Half>(a)))));
    c.push(case("cvt.sat.f64.f64 D, A", "dddd", |a, _, _| bits(saturate(read::<Double>(a)))));
    c.push(case("cvt.rn.sat.f16.f32 D, A", "hrrr", |a, _, _| {
        bits::<Half>(saturate(read::<Single>(a).convert(&mut false).value))
    }));
    c.push(case("cvt.rn.relu.f16.f32 D, A", "hrrr", |a, _, _| {
        let v: Half = read::<Single>(a).convert(&mut false).value;
        if v.is_negative() && !v.is_nan() { 0 } else { bits(v) }
    }));
    for (name, relu, finite) in [
        ("rna", false, false),
        ("rna.satfinite", false, true),
        ("rn", false, false),
        ("rn.relu", true, false),
        ("rz", false, false),
        ("rz.relu.satfinite", true, true),
    ] {
        c.push(case(text(format!("cvt.{name}.tf32.f32 D, A")), "rrrr", move |a, _, _| {
            tf32(a as u32, &name[..name.find('.').unwrap_or(name.len())], relu, finite).into()
        }));
    }
}

/// Single precision cut to ten bits of fraction; the carry of a rounding goes into the exponent.
fn tf32(a: u32, rounding: &str, relu: bool, finite: bool) -> u32 {
    let (sign, magnitude) = (a & 0x8000_0000, a & 0x7fff_ffff);
    if magnitude > 0x7f80_0000 {
        return 0x7fff_ffff;
    }
    if relu && sign != 0 {
        return 0;
    }
    let cut = match rounding {
        "rz" => magnitude,
        "rna" => magnitude + 0x1000,
        _ => magnitude + 0xfff + (magnitude >> 13 & 1),
    } & !0x1fff;
    let cut = if magnitude == 0x7f80_0000 { magnitude } else { cut };
    sign | if finite && cut >= 0x7f80_0000 { 0x7f7f_e000 } else { cut }
}

/// Two floats of single precision to a pair.
fn pairs(c: &mut Vec<Case>) {
    for (name, round, relu, finite) in [
        ("rn", Round::NearestTiesToEven, false, false),
        ("rz", Round::TowardZero, false, false),
        ("rn.relu", Round::NearestTiesToEven, true, false),
        ("rz.relu", Round::TowardZero, true, false),
        ("rn.satfinite", Round::NearestTiesToEven, false, true),
        ("rz.relu.satfinite", Round::TowardZero, true, true),
    ] {
        fn one<F: Format>(a: u64, round: Round, relu: bool, finite: bool) -> u64
        where
            Single: FloatConvert<F>,
        {
            let v: F = read::<Single>(a).convert_r(round, &mut false).value;
            let v = if finite && v.is_infinite() { F::largest().copy_sign(v) } else { v };
            if relu && v.is_negative() && !v.is_nan() { 0 } else { bits(v) }
        }
        c.push(case(text(format!("cvt.{name}.f16x2.f32 D, A, B")), "rrrr", move |a, b, _| {
            one::<Half>(a, round, relu, finite) << 16 | one::<Half>(b, round, relu, finite)
        }));
        c.push(case(text(format!("cvt.{name}.bf16x2.f32 D, A, B")), "rrrr", move |a, b, _| {
            one::<BFloat>(a, round, relu, finite) << 16 | one::<BFloat>(b, round, relu, finite)
        }));
    }
}

/// `.ue8m0`: powers of two from 2^-127 to 2^127.
fn powers_of_two(c: &mut Vec<Case>) {
    let power = |v: f64, up: bool, finite: bool| -> u64 {
        let v = v.abs();
        if v.is_nan() {
            return 0xff;
        }
        let list = (0..0xffu64).map(|n| (n, 2f64.powi(n as i32 - 127)));
        let above = if finite { 0xfe } else { 0xff };
        if v.is_infinite() {
            return above;
        }
        if up {
            list.into_iter().find(|(_, p)| *p >= v).map_or(above, |(n, _)| n)
        } else {
            list.into_iter().rfind(|(_, p)| *p <= v).map_or(0, |(n, _)| n)
        }
    };
    for (name, up) in [("rz", false), ("rp", true)] {
        for (suffix, finite) in [("", false), (".satfinite", true)] {
            c.push(case(text(format!("cvt.{name}{suffix}.ue8m0x2.f32 D, A, B")), "hrrr", move |a, b, _| {
                let one = |v: u64| power(f32::from_bits(v as u32).into(), up, finite);
                one(a) << 8 | one(b)
            }));
            c.push(case(text(format!("cvt.{name}{suffix}.ue8m0x2.bf16x2 D, A")), "hrrr", move |a, _, _| {
                let one = |v: u64| power(f32::from_bits((v as u32) << 16).into(), up, finite);
                one(a >> 16) << 8 | one(a)
            }));
        }
    }
    c.push(case("cvt.rn.bf16x2.ue8m0x2 D, A", "rhrr", |a, _, _| {
        let one = |n: u64| {
            if n == 0xff {
                return 0x7fff;
            }
            let v: Quad = Quad::from_u128(1).value.scalbn(n as i32 - 127);
            bits::<BFloat>(v.convert(&mut false).value)
        };
        one(a & 0xff) | one(a >> 8 & 0xff) << 16
    }));
}
