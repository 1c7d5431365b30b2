//! Products and quotients of complex numbers as C's Annex G defines them: infinite where an operand makes
//! them infinite, even where the textbook formula gives NaN.
//!
//! A number is a pair, the real part first. Compilers call these functions where a program multiplies or
//! divides complex numbers without `<complex.h>`; with it, the functions in clang's headers take precedence.

macro_rules! complex {
    ($(#[$doc:meta])* $module:ident $real:ident $bits:ident $product:ident $quotient:ident) => {
        $(#[$doc])*
        pub mod $module {
            type Complex = ($real, $real);

            /// Bits of the fraction.
            const FRACTION: u32 = $real::MANTISSA_DIGITS - 1;
            /// The bias of the exponent's bits.
            const BIAS: i32 = $real::MAX_EXP - 1;

            /// 1 for an infinity, else 0, with the sign of `part`.
            fn of_infinity(part: $real) -> $real {
                (if part.is_infinite() { 1.0 } else { 0.0 } as $real).copysign(part)
            }

            /// `part`, or 0 with its sign for a NaN.
            fn number(part: $real) -> $real {
                if part.is_nan() { (0.0 as $real).copysign(part) } else { part }
            }

            fn infinite((real, imaginary): Complex) -> bool {
                real.is_infinite() || imaginary.is_infinite()
            }

            /// 2 to the power of `exponent`, a normal number's.
            fn power(exponent: i32) -> $real {
                $real::from_bits(((exponent + BIAS) as $bits) << FRACTION)
            }

            /// The exponent of a number above 0.
            fn exponent(of: $real) -> i32 {
                let (of, less) = if of.is_normal() { (of, 0) } else { (of * power(FRACTION as i32), FRACTION as i32) };
                (of.to_bits() >> FRACTION) as i32 - BIAS - less
            }

            /// A number times 2 to the power of `exponent`, a power that may overflow or underflow by itself.
            fn scaled(number: $real, exponent: i32) -> $real {
                number * power(exponent / 2) * power(exponent - exponent / 2)
            }

            /// The product of two numbers.
            pub fn product((a, b): Complex, (c, d): Complex) -> Complex {
                let (ac, bd, ad, bc) = (a * c, b * d, a * d, b * c);
                let result = (ac - bd, ad + bc);
                if !(result.0.is_nan() && result.1.is_nan()) {
                    return result;
                }
                let (mut one, mut other) = ((a, b), (c, d));
                let (left, right) = (infinite(one), infinite(other));
                if left {
                    one = (of_infinity(a), of_infinity(b));
                    other = (number(c), number(d));
                }
                if right {
                    other = (of_infinity(other.0), of_infinity(other.1));
                    one = (number(one.0), number(one.1));
                }
                if !left && !right {
                    // Finite factors, with a partial product that overflows.
                    if ![ac, bd, ad, bc].iter().any(|part| part.is_infinite()) {
                        return result;
                    }
                    (one, other) = ((number(a), number(b)), (number(c), number(d)));
                }
                let ((a, b), (c, d)) = (one, other);
                ($real::INFINITY * (a * c - b * d), $real::INFINITY * (a * d + b * c))
            }

            /// The quotient of two numbers.
            pub fn quotient((a, b): Complex, (c, d): Complex) -> Complex {
                // The divisor is scaled to about 1, so that its square neither overflows nor underflows.
                let largest = c.abs().max(d.abs());
                let by = if largest.is_finite() && largest > 0.0 { -exponent(largest) } else { 0 };
                let (x, y) = (scaled(c, by), scaled(d, by));
                let square = x * x + y * y;
                // And a very large dividend is scaled down, so that a sum of two of its products is finite.
                let less = if a.abs().max(b.abs()) > $real::MAX / 8.0 { 3 } else { 0 };
                let (u, v) = (scaled(a, -less), scaled(b, -less));
                let part = |products: $real| scaled(products / square, by + less);
                let result = (part(u * x + v * y), part(v * x - u * y));
                if !(result.0.is_nan() && result.1.is_nan()) {
                    return result;
                }
                if square == 0.0 && (!a.is_nan() || !b.is_nan()) {
                    let infinity = $real::INFINITY.copysign(c);
                    (infinity * a, infinity * b)
                } else if infinite((a, b)) && c.is_finite() && d.is_finite() {
                    let (a, b) = (of_infinity(a), of_infinity(b));
                    ($real::INFINITY * (a * c + b * d), $real::INFINITY * (b * c - a * d))
                } else if infinite((c, d)) && a.is_finite() && b.is_finite() {
                    let (c, d) = (of_infinity(c), of_infinity(d));
                    (0.0 * (a * c + b * d), 0.0 * (b * c - a * d))
                } else {
                    result
                }
            }

            #[cfg(test)]
            mod tests {
                use super::{product, quotient};
                use std::vec::Vec;

                #[repr(C)]
                struct Pair($real, $real);
                type Function = unsafe extern "C" fn($real, $real, $real, $real) -> Pair;

                unsafe extern "C" {
                    fn $product(a: $real, b: $real, c: $real, d: $real) -> Pair;
                    fn $quotient(a: $real, b: $real, c: $real, d: $real) -> Pair;
                }

                /// Parts of all kinds, none so large or small that the order of roundings matters.
                fn parts() -> Vec<$real> {
                    let some = [0.0, 1.0, 1.5, 3.0, 1e-3, $real::MAX, $real::INFINITY, $real::NAN];
                    some.iter().flat_map(|part| [*part, -part]).collect()
                }

                fn near(one: $real, other: $real) -> bool {
                    let same = one == other && one.is_sign_negative() == other.is_sign_negative();
                    same || one.is_nan() && other.is_nan() || (one - other).abs() <= 4.0 * $real::EPSILON * other.abs()
                }

                /// Compares with the functions that C programs of the host call.
                fn compare(ours: fn(super::Complex, super::Complex) -> super::Complex, theirs: Function) {
                    let parts = parts();
                    for &a in &parts {
                        for &b in &parts {
                            for &c in &parts {
                                for &d in &parts {
                                    let (x, y) = ours((a, b), (c, d));
                                    // SAFETY: it only computes with numbers.
                                    let Pair(u, v) = unsafe { theirs(a, b, c, d) };
                                    // A number with one infinite part is infinite. The host's sum of finite
                                    // products may overflow where this one does not.
                                    let finite = [a, b, c, d].iter().all(|part| part.is_finite());
                                    let agreed = if super::infinite((u, v)) {
                                        super::infinite((x, y)) || finite && x.is_finite() && y.is_finite()
                                    } else {
                                        near(x, u) && near(y, v)
                                    };
                                    assert!(
                                        agreed,
                                        "({a:e}, {b:e}) and ({c:e}, {d:e}): ({x:e}, {y:e}), not ({u:e}, {v:e})"
                                    );
                                }
                            }
                        }
                    }
                }

                #[test]
                fn products_are_those_of_c() {
                    compare(product, $product);
                }

                #[test]
                fn quotients_are_those_of_c() {
                    compare(quotient, $quotient);
                }

                #[test]
                fn quotients_of_very_large_and_small_numbers() {
                    let (large, small) = ($real::MAX, $real::MIN_POSITIVE * $real::EPSILON);
                    assert_eq!(quotient((large, large), (large, large)), (1.0, 0.0));
                    assert_eq!(quotient((small, small), (small, small)), (1.0, 0.0));
                    assert_eq!(quotient((large / 2.0, 0.0), (0.0, large)), (0.0, -0.5));
                    assert_eq!(quotient((small, 0.0), (small, 0.0)), (1.0, 0.0));
                }
            }
        }
    };
}

complex! {
    /// Of two floats.
    single f32 u32 __mulsc3 __divsc3
}
complex! {
    /// Of two doubles.
    double f64 u64 __muldc3 __divdc3
}
