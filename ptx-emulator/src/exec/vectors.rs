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
