//! The first call of the library, from several threads at once. A process has one first call, so this file
//! has one test.

mod common;

use std::{
    ffi::{c_char, c_int, c_void},
    ptr,
    sync::Barrier,
    thread,
};

use libloading::{Library, Symbol};

/// `cuGetProcAddress_v2`.
type Find = unsafe extern "C" fn(*const c_char, *mut *mut c_void, c_int, u64, *mut c_int) -> c_int;

#[test]
fn arguments_survive_while_the_table_is_filled() {
    // SAFETY: loading runs the library's constructors, which do nothing.
    let library = unsafe { Library::new(common::library()) }.expect("cargo built the library");
    // SAFETY: this is the function's signature in cuda.h.
    let find: Symbol<'_, Find> = unsafe { library.get(b"cuGetProcAddress_v2\0") }.expect("it is exported");
    let (barrier, find) = (Barrier::new(8), &*find);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let (mut address, mut found) = (ptr::null_mut(), -1);
                barrier.wait();
                // SAFETY: a C string and two pointers to results, as the function takes.
                let status = unsafe { find(c"cuMemAlloc".as_ptr(), &mut address, 12_000, 0, &mut found) };
                assert_eq!((status, found), (0, 0));
                assert!(!address.is_null());
            });
        }
    });
}
