//! Operators over values whose type is known, in kernels written in Rust and on the host.
//!
//! An operator is a value, mostly without content: [`Sum`], [`Max`], a tuple of operators, or one of the
//! user's. [`Reduce`] combines two values, [`Identity`] adds the identity, and [`Lift`] makes an element of
//! an array a value, which may be of another type.
//!
//! ```
//! use device_rt::reduce::op::{Lift, Reduce};
//!
//! /// Count, mean and sum of squared deviations.
//! #[derive(Clone, Copy)]
//! struct Moments;
//!
//! impl Reduce<[f64; 3]> for Moments {
//!     fn combine(self, [n, mean, square]: [f64; 3], [m, other, more]: [f64; 3]) -> [f64; 3] {
//!         let (all, delta) = (n + m, other - mean);
//!         [all, mean + delta * m / all, square + more + delta * delta * n * m / all]
//!     }
//! }
//!
//! impl Lift<f64> for Moments {
//!     type Value = [f64; 3];
//!
//!     fn lift(self, item: f64, _: u64) -> [f64; 3] {
//!         [1.0, item, 0.0]
//!     }
//! }
//!
//! let [n, mean, square] = device_rt::reduce::op::reduce(Moments, [1.0, 2.0, 3.0, 6.0]).unwrap();
//! assert_eq!([n, mean, square / n], [4.0, 3.0, 3.5]);
//! ```
//!
//! | operator | values | identity |
//! |---|---|---|
//! | [`Sum`], [`Product`] | integers, wrapping; floats | 0 (-0.0), 1 |
//! | [`Min`], [`Max`] | integers; floats, where a number wins over NaN and -0.0 is below 0.0 | the far end; NaN |
//! | [`And`], [`Or`], [`Xor`] | bits of integers; `bool` | all ones, 0, 0 |
//! | [`All`], [`Any`] | `bool`; of a number, whether it is not 0 | `true`, `false` |
//! | [`ArgMin`], [`ArgMax`] | [`Indexed`] values: the lowest index among equals, never a NaN | index -1 |
//!
//! Each works on arrays element by element, and a tuple of operators on a tuple of values.

/// An associative operator that makes one value of two.
///
/// Arrays are reduced in the [canonical order](super::canonical), which is the elements' own if the operator does not
/// commute. The reductions over lanes, blocks and grids in kernels need one that does. The receiver of `combine` is
/// passed by value to every thread: an operator should hold no more than a few numbers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not combine values of type `{T}`",
    label = "this operator is not defined for `{T}`",
    note = "the documentation of `device_rt::reduce::op` lists the operators with their types; an operator of your own \
            implements `Reduce<{T}>`"
)]
pub trait Reduce<T: Copy>: Copy {
    /// Whether `left op right` is `right op left`.
    const COMMUTES: bool = true;

    /// `left op right`.
    fn combine(self, left: T, right: T) -> T;
}

/// An operator with an identity.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no identity for values of type `{T}`",
    label = "`reduce` needs an operator with an identity",
    note = "`fold` takes an initial value instead; or implement `Identity<{T}>`"
)]
pub trait Identity<T: Copy>: Reduce<T> {
    /// The value that changes no other.
    fn identity(self) -> T;
}

/// An operator that reduces the elements of arrays.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not reduce elements of type `{Item}`",
    label = "this operator is not defined for `{Item}`",
    note = "the documentation of `device_rt::reduce::op` lists the operators with their types; an operator of your own \
            implements `Lift<{Item}>`"
)]
pub trait Lift<Item>: Reduce<<Self as Lift<Item>>::Value> {
    /// The type of the values that are combined.
    type Value: Copy;

    /// The value of the element `index`, counted from 0.
    fn lift(self, item: Item, index: u64) -> Self::Value;

    /// `value op lift(item)`, to be overridden where there is a cheaper way.
    #[inline(always)]
    fn accumulate(self, value: Self::Value, item: Item, index: u64) -> Self::Value {
        self.combine(value, self.lift(item, index))
    }
}

/// Reduces items one after the other; `None` without items.
pub fn reduce<I, O: Lift<I>>(op: O, items: impl IntoIterator<Item = I>) -> Option<O::Value> {
    let mut items = (0..).zip(items);
    let first = items.next().map(|(index, item)| op.lift(item, index))?;
    Some(items.fold(first, |value, (index, item)| op.accumulate(value, item, index)))
}

/// What an operator reduces: elements of one array, or a tuple of the elements of several arrays.
pub trait Elements: Copy {
    /// The elements' types, array by array: a tuple.
    type Types;
}

impl<T: Plain> Elements for T {
    type Types = (T,);
}

macro_rules! elements_of_arrays {
    ($($($name:ident)*;)*) => {$(
        impl<$($name: Plain),*> Elements for ($($name,)*) {
            type Types = ($($name,)*);
        }
    )*};
}

elements_of_arrays! {
    A B;
    A B C;
    A B C D;
}

/// Data that has the same form on host and device: no pointers, every pattern of bits is a value, and the
/// layout is fixed by the platforms' common C rules. The [`plain!`](crate::plain) macro makes structs of it.
///
/// # Safety
/// All that holds.
pub unsafe trait Plain: Copy + Send + Sync + 'static {}

// SAFETY: arrays of plain data are plain.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

/// A struct of [`Plain`] data: `repr(C)`, and each field plain, which the compiler checks.
///
/// ```
/// device_rt::plain! {
///     /// A weighted value.
///     #[derive(Clone, Copy, Debug, PartialEq)]
///     pub struct Weighted {
///         pub value: f64,
///         pub weight: f32,
///     }
/// }
/// ```
///
/// Not every byte is a `bool`:
///
/// ```compile_fail
/// device_rt::plain! {
///     #[derive(Clone, Copy)]
///     pub struct Flag {
///         pub set: bool,
///     }
/// }
/// ```
#[macro_export]
macro_rules! plain {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident { $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $ty:ty),* $(,)? }
    ) => {
        $(#[$meta])*
        #[repr(C)]
        $vis struct $name {
            $($(#[$field_meta])* $field_vis $field: $ty,)*
        }

        // SAFETY: the struct is laid out as C does, of fields that are plain.
        unsafe impl $crate::reduce::op::Plain for $name where $($ty: $crate::reduce::op::Plain),* {}
    };
}

/// A value that host and device can exchange through memory: it has a plain form.
pub trait Storable: Copy {
    /// The plain form.
    type Plain: Plain;

    /// The value's plain form.
    fn store(self) -> Self::Plain;

    /// The value of a plain form.
    fn load(plain: Self::Plain) -> Self;
}

impl<T: Plain> Storable for T {
    type Plain = T;

    #[inline(always)]
    fn store(self) -> T {
        self
    }

    #[inline(always)]
    fn load(plain: T) -> T {
        plain
    }
}

impl Storable for bool {
    type Plain = u8;

    #[inline(always)]
    fn store(self) -> u8 {
        self as u8
    }

    #[inline(always)]
    fn load(plain: u8) -> bool {
        plain != 0
    }
}

/// A number, with the operations that the operators need.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number that `Sum`, `Product`, `Min`, `Max`, `All`, `Any`, `ArgMin` or `ArgMax` reduce",
    note = "they are for integers of 8 to 128 bits, `f32`, `f64` and arrays of these"
)]
pub trait Number: Plain + PartialEq {
    /// 0.
    const ZERO: Self;
    /// The identity of sums: the 0 that keeps the sign of a sum of negative zeros.
    const SUM: Self;
    /// The identity of products.
    const PRODUCT: Self;
    /// The identity of minima.
    const MIN: Self;
    /// The identity of maxima.
    const MAX: Self;
    /// The sum, wrapping.
    fn add(self, other: Self) -> Self;
    /// The product, wrapping.
    fn mul(self, other: Self) -> Self;
    /// The smaller one.
    fn min(self, other: Self) -> Self;
    /// The larger one.
    fn max(self, other: Self) -> Self;
    /// Whether it is smaller; false beside a NaN.
    fn less(self, other: Self) -> bool;
}

/// Bits, with the operations that the operators need.
#[diagnostic::on_unimplemented(
    message = "`And`, `Or` and `Xor` are not defined for `{Self}`",
    note = "they are for integers of 8 to 128 bits, `bool` and arrays of these"
)]
pub trait Bits: Copy {
    /// All ones.
    const ONES: Self;
    /// All zeros.
    const ZEROS: Self;
    /// Ones in both.
    fn and(self, other: Self) -> Self;
    /// Ones in either.
    fn or(self, other: Self) -> Self;
    /// Ones in one of them.
    fn xor(self, other: Self) -> Self;
}

macro_rules! bits {
    ($($ty:ty = $ones:expr, $zeros:expr;)*) => {$(
        impl Bits for $ty {
            const ONES: $ty = $ones;
            const ZEROS: $ty = $zeros;

            #[inline(always)]
            fn and(self, other: $ty) -> $ty {
                self & other
            }

            #[inline(always)]
            fn or(self, other: $ty) -> $ty {
                self | other
            }

            #[inline(always)]
            fn xor(self, other: $ty) -> $ty {
                self ^ other
            }
        }
    )*};
}

macro_rules! integers {
    ($($ty:ident)*) => {$(
        // SAFETY: integers are plain; both platforms align those of 128 bits to 16 bytes.
        unsafe impl Plain for $ty {}

        impl Number for $ty {
            const ZERO: $ty = 0;
            const SUM: $ty = 0;
            const PRODUCT: $ty = 1;
            const MIN: $ty = <$ty>::MAX;
            const MAX: $ty = <$ty>::MIN;

            #[inline(always)]
            fn add(self, other: $ty) -> $ty {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn mul(self, other: $ty) -> $ty {
                self.wrapping_mul(other)
            }

            #[inline(always)]
            fn min(self, other: $ty) -> $ty {
                Ord::min(self, other)
            }

            #[inline(always)]
            fn max(self, other: $ty) -> $ty {
                Ord::max(self, other)
            }

            #[inline(always)]
            fn less(self, other: $ty) -> bool {
                self < other
            }
        }

        bits! { $ty = !0, 0; }
    )*};
}

macro_rules! floats {
    ($($ty:ident)*) => {$(
        // SAFETY: floats are plain.
        unsafe impl Plain for $ty {}

        impl Number for $ty {
            const ZERO: $ty = 0.0;
            const SUM: $ty = -0.0;
            const PRODUCT: $ty = 1.0;
            const MIN: $ty = <$ty>::NAN;
            const MAX: $ty = <$ty>::NAN;

            #[inline(always)]
            fn add(self, other: $ty) -> $ty {
                self + other
            }

            #[inline(always)]
            fn mul(self, other: $ty) -> $ty {
                self * other
            }

            #[cfg(target_arch = "nvptx64")]
            #[inline(always)]
            fn min(self, other: $ty) -> $ty {
                crate::arch::float::Extrema::smaller(self, other)
            }

            #[cfg(target_arch = "nvptx64")]
            #[inline(always)]
            fn max(self, other: $ty) -> $ty {
                crate::arch::float::Extrema::larger(self, other)
            }

            #[cfg(not(target_arch = "nvptx64"))]
            fn min(self, other: $ty) -> $ty {
                let first = self < other || other.is_nan() || self == other && self.is_sign_negative();
                if first { self } else { other }
            }

            #[cfg(not(target_arch = "nvptx64"))]
            fn max(self, other: $ty) -> $ty {
                let first = self > other || other.is_nan() || self == other && other.is_sign_negative();
                if first { self } else { other }
            }

            #[inline(always)]
            fn less(self, other: $ty) -> bool {
                self < other
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 }
floats! { f32 f64 }
bits! { bool = true, false; }

/// An element and where it was found.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Indexed<T> {
    /// The element.
    pub value: T,
    /// Its index; -1 for none, with a meaningless value.
    pub index: i64,
}

// SAFETY: it is laid out as C does, of plain fields.
unsafe impl<T: Plain> Plain for Indexed<T> {}

impl<T: Copy> Indexed<T> {
    /// Element and index, if there is one.
    pub fn found(self) -> Option<(T, u64)> {
        (self.index >= 0).then_some((self.value, self.index as u64))
    }
}

macro_rules! operators {
    ($($(#[$doc:meta])* $name:ident: $kind:ident, $combine:ident, $identity:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name;

        impl<T: $kind> Reduce<T> for $name {
            #[inline(always)]
            fn combine(self, left: T, right: T) -> T {
                left.$combine(right)
            }
        }

        impl<T: $kind> Identity<T> for $name {
            #[inline(always)]
            fn identity(self) -> T {
                T::$identity
            }
        }

        arrays! { $name }

        impl<T: Plain> Lift<T> for $name
        where
            $name: Reduce<T>,
        {
            type Value = T;

            #[inline(always)]
            fn lift(self, item: T, _index: u64) -> T {
                item
            }
        }
    )*};
}

macro_rules! arrays {
    ($($name:ident)*) => {$(
        impl<T: Copy, const N: usize> Reduce<[T; N]> for $name
        where
            $name: Reduce<T>,
        {
            const COMMUTES: bool = <$name as Reduce<T>>::COMMUTES;

            #[inline(always)]
            fn combine(self, left: [T; N], right: [T; N]) -> [T; N] {
                let mut both = left;
                let mut at = 0;
                while at < N {
                    both[at] = self.combine(left[at], right[at]);
                    at += 1;
                }
                both
            }
        }

        impl<T: Copy, const N: usize> Identity<[T; N]> for $name
        where
            $name: Identity<T>,
        {
            #[inline(always)]
            fn identity(self) -> [T; N] {
                [self.identity(); N]
            }
        }
    )*};
}

operators! {
    /// The sum; of integers, wrapping.
    Sum: Number, add, SUM;
    /// The product; of integers, wrapping.
    Product: Number, mul, PRODUCT;
    /// The smallest.
    Min: Number, min, MIN;
    /// The largest.
    Max: Number, max, MAX;
    /// The bits that are set in all values.
    And: Bits, and, ONES;
    /// The bits that are set in any value.
    Or: Bits, or, ZEROS;
    /// The bits that are set in an odd number of values.
    Xor: Bits, xor, ZEROS;
}

macro_rules! truths {
    ($($(#[$doc:meta])* $name:ident: $combine:ident, $identity:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name;

        impl Reduce<bool> for $name {
            #[inline(always)]
            fn combine(self, left: bool, right: bool) -> bool {
                left.$combine(right)
            }
        }

        impl Identity<bool> for $name {
            #[inline(always)]
            fn identity(self) -> bool {
                bool::$identity
            }
        }

        arrays! { $name }

        impl<T: Number> Lift<T> for $name {
            type Value = bool;

            #[inline(always)]
            fn lift(self, item: T, _index: u64) -> bool {
                item != T::ZERO
            }
        }
    )*};
}

truths! {
    /// Whether all hold: of numbers, whether none is 0.
    All: and, ONES;
    /// Whether any holds: of numbers, whether one is not 0.
    Any: or, ZEROS;
}

macro_rules! searches {
    ($($(#[$doc:meta])* $name:ident: $left:ident before $right:ident if $before:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name;

        impl<T: Number> Reduce<Indexed<T>> for $name {
            #[inline(always)]
            fn combine(self, one: Indexed<T>, other: Indexed<T>) -> Indexed<T> {
                let before = |$left: T, $right: T| $before;
                // Compared without a sign, an index of -1 is the highest: no element found loses to any.
                let earlier = (one.index as u64) < (other.index as u64);
                let none = other.index < 0;
                let first = none || one.index >= 0 && match earlier {
                    true => !before(other.value, one.value),
                    false => before(one.value, other.value),
                };
                if first { one } else { other }
            }
        }

        impl<T: Number> Identity<Indexed<T>> for $name {
            #[inline(always)]
            fn identity(self) -> Indexed<T> {
                Indexed { value: T::ZERO, index: -1 }
            }
        }

        arrays! { $name }

        impl<T: Number> Lift<T> for $name {
            type Value = Indexed<T>;

            #[inline(always)]
            fn lift(self, item: T, index: u64) -> Indexed<T> {
                #[allow(clippy::eq_op, reason = "a NaN is not a number, and equals nothing")]
                let number = item == item;
                Indexed { value: item, index: if number { index as i64 } else { -1 } }
            }
        }
    )*};
}

searches! {
    /// The smallest element and the lowest index where it is; NaNs are ignored, and the zeros are equal.
    ArgMin: left before right if left.less(right);
    /// The largest element and the lowest index where it is; NaNs are ignored, and the zeros are equal.
    ArgMax: left before right if right.less(left);
}

macro_rules! tuples {
    ($($plain:ident: $($op:ident $value:ident $at:tt),*;)*) => {$(
        #[doc = concat!("The plain form of a tuple: ", stringify!($($value),*), ".")]
        #[derive(Clone, Copy, Debug)]
        #[repr(C)]
        pub struct $plain<$($value),*>($(pub $value),*);

        // SAFETY: the C layout, of plain fields.
        unsafe impl<$($value: Plain),*> Plain for $plain<$($value),*> {}

        impl<$($value: Storable),*> Storable for ($($value,)*) {
            type Plain = $plain<$($value::Plain),*>;

            #[inline(always)]
            fn store(self) -> Self::Plain {
                $plain($(self.$at.store()),*)
            }

            #[inline(always)]
            fn load(plain: Self::Plain) -> Self {
                ($($value::load(plain.$at),)*)
            }
        }

        impl<$($op: Reduce<$value>, $value: Copy),*> Reduce<($($value,)*)> for ($($op,)*) {
            const COMMUTES: bool = $(<$op as Reduce<$value>>::COMMUTES)&&*;

            #[inline(always)]
            fn combine(self, left: ($($value,)*), right: ($($value,)*)) -> ($($value,)*) {
                ($(self.$at.combine(left.$at, right.$at),)*)
            }
        }

        impl<$($op: Identity<$value>, $value: Copy),*> Identity<($($value,)*)> for ($($op,)*) {
            #[inline(always)]
            fn identity(self) -> ($($value,)*) {
                ($(self.$at.identity(),)*)
            }
        }

        /// Several operators over the same array.
        impl<T: Plain, $($op: Lift<T>),*> Lift<T> for ($($op,)*) {
            type Value = ($($op::Value,)*);

            #[inline(always)]
            fn lift(self, item: T, index: u64) -> Self::Value {
                ($(self.$at.lift(item, index),)*)
            }

            #[inline(always)]
            fn accumulate(self, value: Self::Value, item: T, index: u64) -> Self::Value {
                ($(self.$at.accumulate(value.$at, item, index),)*)
            }
        }

        /// An operator for each of several arrays.
        impl<$($value: Copy, $op: Lift<$value>),*> Lift<($($value,)*)> for ($($op,)*) {
            type Value = ($($op::Value,)*);

            #[inline(always)]
            fn lift(self, item: ($($value,)*), index: u64) -> Self::Value {
                ($(self.$at.lift(item.$at, index),)*)
            }

            #[inline(always)]
            fn accumulate(self, value: Self::Value, item: ($($value,)*), index: u64) -> Self::Value {
                ($(self.$at.accumulate(value.$at, item.$at, index),)*)
            }
        }
    )*};
}

tuples! {
    Plain2: A T 0, B U 1;
    Plain3: A T 0, B U 1, C V 2;
    Plain4: A T 0, B U 1, C V 2, D W 3;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// Every order of three values gives the same result, and the identity changes none of them.
    fn laws<T: Copy, O: Identity<T>, K: PartialEq + core::fmt::Debug>(
        op: O,
        values: &[T],
        key: impl Fn(T) -> K,
    ) {
        for &a in values {
            assert_eq!(key(op.combine(op.identity(), a)), key(a));
            assert_eq!(key(op.combine(a, op.identity())), key(a));
            for &b in values {
                assert_eq!(key(op.combine(a, b)), key(op.combine(b, a)));
                for &c in values {
                    let (left, right) = (op.combine(op.combine(a, b), c), op.combine(a, op.combine(b, c)));
                    assert_eq!(key(left), key(right));
                }
            }
        }
    }

    #[test]
    fn extrema_leave_nan_aside_and_know_the_sign_of_zero() {
        let values = [0.0, -0.0, 1.5, -1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
        let bits = |value: f64| if value.is_nan() { 1 } else { value.to_bits() };
        laws(Min, &values, bits);
        laws(Max, &values, bits);
        assert_eq!(bits(Min.combine(0.0, -0.0)), bits(-0.0));
        assert_eq!(bits(Max.combine(-0.0, 0.0)), bits(0.0));
        assert_eq!(Min.combine(f64::NAN, 3.0), 3.0);
        assert!(Max.combine(f64::NAN, f64::NAN).is_nan());
    }

    #[test]
    fn operators_of_integers_keep_the_laws() {
        fn all<T: Number + Bits + core::fmt::Debug>(values: &[T]) {
            laws(Sum, values, |value| value);
            laws(Product, values, |value| value);
            laws(Min, values, |value| value);
            laws(Max, values, |value| value);
            laws(And, values, |value| value);
            laws(Or, values, |value| value);
            laws(Xor, values, |value| value);
        }
        all(&[0i8, 1, -1, 5, i8::MAX, i8::MIN]);
        all(&[0u16, 1, 77, u16::MAX]);
        all(&[0i128, 1, -3, i128::MAX, i128::MIN]);
        laws(All, &[true, false], |value| value);
        laws(Any, &[true, false], |value| value);
    }

    #[test]
    fn searches_find_the_lowest_index_of_the_extreme_and_never_a_nan() {
        let items = [f32::NAN, 2.0, -1.0, 7.0, -1.0, 7.0, f32::NAN];
        assert_eq!(reduce(ArgMin, items).unwrap().found(), Some((-1.0, 2)));
        assert_eq!(reduce(ArgMax, items).unwrap().found(), Some((7.0, 3)));
        assert_eq!(reduce(ArgMax, [f32::NAN; 3]).unwrap().found(), None);
        assert_eq!(reduce(ArgMax, [f32::NEG_INFINITY; 2]).unwrap().found(), Some((f32::NEG_INFINITY, 0)));
        assert_eq!(reduce(ArgMin, [u8::MAX; 2]).unwrap().found(), Some((u8::MAX, 0)));
        assert_eq!(reduce(ArgMin, [0.0f32, -0.0]).unwrap().index, 0);
        let lifted: Vec<_> = (0..).zip(items).map(|(index, item)| ArgMax.lift(item, index)).collect();
        laws(ArgMax, &lifted, Indexed::found);
        laws(ArgMin, &lifted, Indexed::found);
    }

    #[test]
    fn tuples_and_arrays_go_part_by_part() {
        let one = reduce((Sum, Min, ArgMax), [3i32, -5, 4]).unwrap();
        assert_eq!((one.0, one.1, one.2.found()), (2, -5, Some((4, 2))));
        let several = reduce((Sum, Max), [(1.5f64, 7u8), (2.5, 9)]).unwrap();
        assert_eq!(several, (4.0, 9));
        assert_eq!(reduce(Sum, [[1u32, 2], [10, 20]]), Some([11, 22]));
        assert_eq!(reduce(All, [1u8, 2, 0]), Some(false));
        assert_eq!(reduce(Sum, [0i32; 0]), None);
        assert_eq!(Identity::<([i64; 2], bool)>::identity((Min, Any)), ([i64::MAX; 2], false));
        assert_eq!(<(bool, f32)>::load((true, 2.5f32).store()), (true, 2.5));
    }

    #[test]
    fn plain_structs_are_laid_out_as_in_c() {
        crate::plain! {
            #[derive(Clone, Copy, Debug, PartialEq)]
            struct Mixed {
                small: u8,
                large: f64,
                tail: [u16; 3],
            }
        }
        assert_eq!((size_of::<Mixed>(), align_of::<Mixed>()), (24, 8));
        let mixed = Mixed { small: 1, large: 2.0, tail: [3; 3] };
        assert_eq!(Mixed::load(mixed.store()), mixed);
    }
}
