//! Which vector instructions of the host the loops over lanes use.
//!
//! A register plane is 128 or 256 bytes. Compiled for what every x86-64 processor has, a loop over it takes several
//! times as many instructions as with AVX2, and fused multiplication is a call. So the few functions that hold these
//! loops exist once for each set of instructions ([`vectorized`]), and a launch asks once what there is. AVX-512 was not
//! faster on a Zen 4, whose vector units have 256 bits.

/// Vector instructions that the host has. A value says that this processor has them: only [`Vectors::of_host`] makes one
/// of more than all processors have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vectors(Level);

#[derive(Clone, Copy, Debug)]
pub(super) enum Level {
    /// What every processor of this architecture has.
    Common,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Vectors {
    /// None but those that every processor has.
    pub const COMMON: Vectors = Vectors(Level::Common);

    pub fn of_host() -> Vectors {
        #[cfg(target_arch = "x86_64")]
        {
            use std::is_x86_feature_detected as has;
            let avx2 = has!("avx2") && has!("bmi1") && has!("bmi2") && has!("fma") && has!("lzcnt");
            if avx2 && has!("popcnt") {
                return Vectors(Level::Avx2);
            }
        }
        Vectors::COMMON
    }

    #[inline]
    pub(super) fn level(self) -> Level {
        self.0
    }
}

/// Declares a function that is compiled for each set of vector instructions. It has one more parameter than it is written
/// with, a [`Vectors`], which comes first. What it calls must be inlined to be compiled for the same set.
macro_rules! vectorized {
    (
        $(#[$doc:meta])*
        $vis:vis fn $name:ident $(<const $n:ident: usize>)? ($($arg:ident: $ty:ty),* $(,)?) $(-> $out:ty)? $body:block
    ) => {
        $(#[$doc])*
        #[inline]
        #[allow(clippy::too_many_arguments, reason = "parts of a launch are borrowed apart")]
        $vis fn $name $(<const $n: usize>)? (vectors: $crate::exec::vectors::Vectors, $($arg: $ty),*) $(-> $out)? {
            #[inline(always)]
            #[allow(clippy::too_many_arguments, reason = "parts of a launch are borrowed apart")]
            fn body $(<const $n: usize>)? ($($arg: $ty),*) $(-> $out)? $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,bmi1,bmi2,fma,lzcnt,popcnt")]
            #[allow(clippy::too_many_arguments, reason = "parts of a launch are borrowed apart")]
            fn avx2 $(<const $n: usize>)? ($($arg: $ty),*) $(-> $out)? {
                body $(::<$n>)? ($($arg),*)
            }

            #[inline(never)]
            #[allow(clippy::too_many_arguments, reason = "parts of a launch are borrowed apart")]
            fn common $(<const $n: usize>)? ($($arg: $ty),*) $(-> $out)? {
                body $(::<$n>)? ($($arg),*)
            }

            match vectors.level() {
                $crate::exec::vectors::Level::Common => common $(::<$n>)? ($($arg),*),
                // SAFETY: the value says that this processor has these instructions.
                #[cfg(target_arch = "x86_64")]
                $crate::exec::vectors::Level::Avx2 => unsafe { avx2 $(::<$n>)? ($($arg),*) },
            }
        }
    };
}

pub(super) use vectorized;

/// Random operands, and comparisons of what functions return with the host's vector instructions and without.
#[cfg(test)]
pub(super) mod testing {
    use std::fmt::Debug;

    use super::Vectors;
    use crate::semantics::{LANES, Plane64};

    /// What a function returns with the host's vector instructions, which it must return without them too.
    pub fn in_both<T: Debug + PartialEq>(what: &dyn Debug, function: impl Fn(Vectors) -> T) -> T {
        let [of_host, common] = [Vectors::of_host(), Vectors::COMMON].map(function);
        assert_eq!(of_host, common, "{what:?}: with vector instructions, and without");
        of_host
    }

    pub struct Random(pub u64);

    impl Random {
        pub fn below(&mut self, limit: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 ^ self.0 >> 33).wrapping_mul(0x9e37_79b9_7f4a_7c15) % limit
        }

        /// A mask that is not empty: of all lanes, one, few, most, or those from one lane to another.
        pub fn mask(&mut self) -> u32 {
            let bits = self.below(1 << 32) as u32;
            let other = self.below(1 << 32) as u32;
            let mask = match self.below(5) {
                0 => u32::MAX,
                1 => 1 << (bits % 32),
                2 => bits & other,
                3 => bits | other,
                _ => u32::MAX >> (bits % 32) & u32::MAX << (other % 32),
            };
            if mask == 0 { 1 << (bits % 32) } else { mask }
        }

        /// Any bits, numbers near zero and near the limits of integers, amounts of shifts, and floats of all kinds.
        pub fn value(&mut self) -> u64 {
            let any = self.below(u64::MAX);
            let small = (any % 70).wrapping_sub(3);
            let float = [0.0, 1.0, 1.5, 2.5, 1e-40, 1e-310, 3e9, 1e19, 1e300, f64::INFINITY, f64::NAN]
                [any as usize % 11]
                * if any >> 63 == 0 { 1.0 } else { -1.0 };
            match self.below(8) {
                0 | 1 => any,
                2 => small,
                3 => small.rotate_right(1) ^ small << 31,
                4 => 1u64.rotate_left(any as u32).wrapping_sub(any >> 62),
                5 => float.to_bits(),
                _ => u64::from((float as f32).to_bits()) * 0x1_0000_0001,
            }
        }

        pub fn plane(&mut self) -> Plane64 {
            match self.below(6) {
                0 => [self.value(); LANES],
                _ => std::array::from_fn(|_| self.value()),
            }
        }

        /// Addresses of accesses of `size` bytes: in rows, with other steps, all equal, anywhere, and rows but for one lane.
        pub fn addresses(&mut self, size: u64) -> Plane64 {
            let first = match self.below(8) {
                0 => self.value(),
                1 => self.below(40) * size,
                2 => (1 << 32) - self.below(40) * size,
                _ => (self.below(1 << 40) + 1) * size + self.below(8) / 7,
            };
            let step = [size, size, size, 0, 2 * size, 1, 32, size.wrapping_neg()][self.below(8) as usize];
            let mut addresses =
                std::array::from_fn(|lane| first.wrapping_add(step.wrapping_mul(lane as u64)));
            match self.below(5) {
                0 => addresses[self.below(32) as usize] ^= 1 << self.below(40),
                1 => addresses = std::array::from_fn(|_| first.wrapping_add(self.below(1 << 9))),
                _ => {}
            }
            addresses
        }
    }
}
