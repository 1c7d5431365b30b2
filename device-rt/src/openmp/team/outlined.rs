//! Calls of outlined functions, whose number of parameters is known only at run time.

use core::ffi::c_void;
use core::mem::MaybeUninit;

use crate::arch;

/// `(&thread_number, &zero, captured…)`: the body of a parallel region, which the compiler has outlined.
/// Every captured value has 8 bytes: a pointer, or a number in the low bytes. For why it may look
/// uninitialised, see [`arch::function`].
pub type Outlined = MaybeUninit<*const c_void>;

macro_rules! pointer {
    ($index:literal) => { *mut c_void };
}

/// One arm for each number of parameters: the indices so far, then those to come.
macro_rules! call_with {
    ($f:ident $thread:ident $zero:ident $captured:ident $count:ident [$($index:literal)*]) => {
        // SAFETY: trap has no precondition.
        unsafe { core::arch::nvptx::trap() }
    };
    ($f:ident $thread:ident $zero:ident $captured:ident $count:ident [$($index:literal)*] $next:literal $($rest:literal)*) => {
        if $count == $next {
            type Function = unsafe extern "C" fn(*const i32, *const i32, $(pointer!($index)),*);
            // SAFETY: the caller says that the function has this many parameters, each of 8 bytes.
            unsafe {
                let function = core::mem::transmute::<*const c_void, Function>($f);
                function($thread, $zero, $((*$captured)[$index]),*)
            }
        } else {
            call_with!($f $thread $zero $captured $count [$($index)* $next] $($rest)*)
        }
    };
}

/// Calls `f` with `count` captured values; with more than 64, traps.
///
/// The lanes that arrive together enter `f` together.
///
/// # Safety
/// `f` is a function of `count` + 2 parameters of 8 bytes each, and `captured` an array of `count`.
#[inline(always)]
pub unsafe fn call(f: Outlined, thread_number: i32, captured: *const *mut c_void, count: u64) {
    // Indexed as an array of the largest size: reading an element through a pointer method would be a call,
    // and the inlined calls would bring thousands of line directives into every program.
    let captured = captured.cast::<[*mut c_void; 64]>();
    // SAFETY: passed on from the caller.
    let f = unsafe { arch::function(f) };
    let zero = 0;
    let (thread, zero): (*const i32, *const i32) = (&raw const thread_number, &raw const zero);
    call_with!(f thread zero captured count []
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
        33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64)
}
