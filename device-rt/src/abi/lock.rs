//! Locks: `omp_lock_t` and `omp_nest_lock_t` are the size of a pointer.

use crate::arch::atomic::{Long, Word};
use crate::sync::lock;

macro_rules! calls {
    ($($(#[$doc:meta])* $name:ident($lock:ident $(, $argument:ident: $ty:ty)*) $(-> $ret:ty)? = $body:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// `lock` is one, and in the state that OpenMP asks for.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($lock: *mut Long $(, $argument: $ty)*) $(-> $ret)? {
            // SAFETY: the caller's contract is the same.
            unsafe { $body }
        }
    )*};
}

calls! {
    /// [`lock::init`].
    omp_init_lock(lock) = lock::init(lock);
    /// [`lock::init`]: hints change nothing.
    omp_init_lock_with_hint(lock, _hint: u32) = lock::init(lock);
    /// [`lock::init`].
    omp_destroy_lock(lock) = lock::init(lock);
    /// [`lock::set`].
    omp_set_lock(lock) = lock::set(lock.cast::<Word>());
    /// [`lock::unset`].
    omp_unset_lock(lock) = lock::unset(lock.cast::<Word>());
    /// [`lock::test`].
    omp_test_lock(lock) -> i32 = lock::test(lock.cast::<Word>()) as i32;
    /// [`lock::init`].
    omp_init_nest_lock(lock) = lock::init(lock);
    /// [`lock::init`]: hints change nothing.
    omp_init_nest_lock_with_hint(lock, _hint: u32) = lock::init(lock);
    /// [`lock::init`].
    omp_destroy_nest_lock(lock) = lock::init(lock);
    /// [`lock::set_nested`].
    omp_set_nest_lock(lock) = lock::set_nested(lock);
    /// [`lock::unset_nested`].
    omp_unset_nest_lock(lock) = lock::unset_nested(lock);
    /// [`lock::test_nested`].
    omp_test_nest_lock(lock) -> i32 = lock::test_nested(lock);
}
