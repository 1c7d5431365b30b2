//! What functions return, and the text of the last error.

use std::{
    cell::RefCell,
    error::Error,
    ffi::{CString, c_char, c_int},
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Why a function failed.
pub type Failure = Box<dyn Error>;

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Does what a function of the library does, with the context of the program kept: 0, or 1 and a text.
pub fn call(work: impl FnOnce() -> Result<(), Failure>) -> c_int {
    // After a panic nothing of what it left is used but caches behind locks, which are whole at any time.
    let result = catch_unwind(AssertUnwindSafe(|| {
        cuda_driver::init_within_program()?;
        host_rt::Device::keeping_context(work)
    }));
    let text = match result {
        Ok(Ok(())) => return 0,
        Ok(Err(failure)) => failure.to_string(),
        Err(_) => "an error in libwarpfold_mpi itself, described on standard error".to_owned(),
    };
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    LAST.with(|last| last.replace(text));
    1
}

/// As `warpfold_mpi.h` says.
#[unsafe(no_mangle)]
pub extern "C" fn warpfold_error() -> *const c_char {
    LAST.with(|last| last.borrow().as_ptr())
}
