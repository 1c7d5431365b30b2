//! Partial results. `warpfold_mpi.h` says what each function does.

use std::{
    ffi::{c_int, c_void},
    slice,
};

use host_rt::PartialRecord;
use mpi_rt::partial_record;

use crate::{
    error::{Failure, call},
    kernels::{Ready, TypedOperator, write},
};

/// What is known of some of the elements: `warpfold_partial`.
pub struct Partial {
    pub what: TypedOperator,
    pub known: PartialRecord,
}

/// # Safety
///
/// As the header says of a pointer to a partial result: a live one, which no other thread uses.
pub unsafe fn known<'a>(partial: *mut Partial) -> Result<&'a mut Partial, Failure> {
    // SAFETY: the caller's promise.
    unsafe { partial.as_mut() }.ok_or_else(|| "the partial result is null".into())
}

/// # Safety
///
/// There is room for a pointer.
unsafe fn give(to: *mut *mut Partial, partial: Partial) -> Result<(), Failure> {
    if to.is_null() {
        return Err("the address of the partial result's pointer is null".into());
    }
    // SAFETY: the caller's promise.
    unsafe { to.write(Box::into_raw(Box::new(partial))) };
    Ok(())
}

/// # Safety
///
/// As `warpfold_mpi.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpfold_partial_create(
    elements: *const c_void,
    count: usize,
    first: u64,
    ty: c_int,
    op: c_int,
    partial: *mut *mut Partial,
) -> c_int {
    call(|| {
        let what = TypedOperator { ty, op };
        // SAFETY: the caller's promise.
        let (ready, elements) = unsafe { Ready::with_elements(what, elements, count)? };
        let known = partial_record(&ready.reduction, &ready.stream, first, elements)?;
        // SAFETY: the caller's promise.
        unsafe { give(partial, Partial { what, known }) }
    })
}

/// # Safety
///
/// As `warpfold_mpi.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpfold_partial_merge(into: *mut Partial, from: *const Partial) -> c_int {
    call(|| {
        if into.cast_const() == from {
            return Err("a partial result cannot be merged with itself: both have the same elements".into());
        }
        // SAFETY: the caller's promise; they are two.
        let (into, from) = unsafe { (known(into)?, known(from.cast_mut())?) };
        if into.what != from.what {
            return Err("partial results of different types or operators cannot be merged".into());
        }
        Ok(into.known.merge(from.known.clone())?)
    })
}

/// # Safety
///
/// As `warpfold_mpi.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpfold_partial_write(
    partial: *const Partial,
    bytes: *mut c_void,
    size: *mut usize,
) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let (partial, size) = unsafe { (known(partial.cast_mut())?, size.as_mut()) };
        let size = size.ok_or("the address of the size is null")?;
        let all = partial.known.to_bytes();
        let room = std::mem::replace(size, all.len());
        if bytes.is_null() {
            return Ok(());
        }
        if room < all.len() {
            return Err(format!("the partial result has {} bytes, more than {room}", all.len()).into());
        }
        // SAFETY: the caller's promise: there is as much room.
        unsafe { bytes.cast::<u8>().copy_from_nonoverlapping(all.as_ptr(), all.len()) };
        Ok(())
    })
}

/// # Safety
///
/// As `warpfold_mpi.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpfold_partial_read(
    bytes: *const c_void,
    size: usize,
    ty: c_int,
    op: c_int,
    partial: *mut *mut Partial,
) -> c_int {
    call(|| {
        let what = TypedOperator { ty, op };
        if bytes.is_null() || size > isize::MAX as usize {
            return Err("there are no bytes of a partial result".into());
        }
        // SAFETY: the caller's promise.
        let bytes = unsafe { slice::from_raw_parts(bytes.cast::<u8>(), size) };
        let known = PartialRecord::from_bytes(&what.list()?, bytes)?;
        // SAFETY: the caller's promise.
        unsafe { give(partial, Partial { what, known }) }
    })
}

/// # Safety
///
/// As `warpfold_mpi.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpfold_partial_finish(partial: *const Partial, result: *mut c_void) -> c_int {
    call(|| {
        // SAFETY: the caller's promise.
        let partial = unsafe { known(partial.cast_mut())? };
        let ready = Ready::new(partial.what)?;
        let mut record = ready.identity();
        ready.reduction.finish(&ready.stream, &partial.known, &mut record)?;
        // SAFETY: the caller's promise.
        unsafe { write(&record, result) }
    })
}

/// # Safety
///
/// As `warpfold_mpi.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpfold_partial_free(partial: *mut Partial) {
    if !partial.is_null() {
        // SAFETY: the caller's promise: it was made by `give`, and nobody uses it afterwards.
        drop(unsafe { Box::from_raw(partial) });
    }
}
