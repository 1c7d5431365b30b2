//! What the processes of a job do together. `warpfold_mpi.h` says what each function does.

use std::ffi::{c_int, c_void};

use host_rt::Record;
use mpi_rt::Communicator;

use crate::{
    error::{Failure, call},
    kernels::{Ready, TypedOperator, write},
    partial::{Partial, known},
};

/// What a process has of the array.
#[derive(Clone, Copy)]
struct ArrayPart {
    elements: *const c_void,
    count: usize,
    what: TypedOperator,
}

/// The result, on the process `root`, or on all.
///
/// # Safety
///
/// As `warpfold_mpi.h` says of the elements.
unsafe fn reduce(part: ArrayPart, comm: c_int, root: Option<c_int>) -> Result<Option<Record>, Failure> {
    let communicator = Communicator::of_fortran(comm)?;
    // SAFETY: the caller's promise.
    let own = unsafe { Ready::with_elements(part.what, part.elements, part.count) };
    let (ready, elements) = communicator.agree(own)?;
    let (reduction, stream, initial) = (&ready.reduction, &ready.stream, ready.identity());
    Ok(match root {
        None => Some(communicator.all_reduce(reduction, stream, elements, &initial)?),
        Some(root) => match usize::try_from(root) {
            Ok(root) => communicator.reduce(root, reduction, stream, elements, &initial)?,
            Err(_) => return Err(format!("there is no process {root}").into()),
        },
    })
}

/// # Safety
///
/// As `warpfold_mpi.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpfold_reduce_fortran(
    elements: *const c_void,
    count: usize,
    ty: c_int,
    op: c_int,
    result: *mut c_void,
    root: c_int,
    comm: c_int,
) -> c_int {
    call(|| {
        let part = ArrayPart { elements, count, what: TypedOperator { ty, op } };
        // SAFETY: the caller's promise.
        match unsafe { reduce(part, comm, Some(root))? } {
            // SAFETY: likewise.
            Some(record) => unsafe { write(&record, result) },
            None => Ok(()),
        }
    })
}

/// # Safety
///
/// As `warpfold_mpi.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpfold_allreduce_fortran(
    elements: *const c_void,
    count: usize,
    ty: c_int,
    op: c_int,
    result: *mut c_void,
    comm: c_int,
) -> c_int {
    call(|| {
        let part = ArrayPart { elements, count, what: TypedOperator { ty, op } };
        // SAFETY: the caller's promise.
        match unsafe { reduce(part, comm, None)? } {
            // SAFETY: likewise.
            Some(record) => unsafe { write(&record, result) },
            None => Ok(()),
        }
    })
}

/// # Safety
///
/// As `warpfold_mpi.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn warpfold_partial_allreduce_fortran(partial: *mut Partial, comm: c_int) -> c_int {
    call(|| {
        let communicator = Communicator::of_fortran(comm)?;
        // SAFETY: the caller's promise.
        let own = unsafe { known(partial) };
        let own = own.and_then(|own| Ok((own.what.list()?, own)));
        let (list, own) = communicator.agree(own)?;
        let TypedOperator { ty, op } = own.what;
        let all = communicator.all_gather(&[ty, op].map(|number| number as u64))?;
        if let Some(rank) = all.iter().position(|what| *what != all[0]) {
            return Err(mpi_rt::Error::Different { rank }.into());
        }
        own.known = communicator.all_reduce_state(own.known.clone(), &list)?;
        Ok(())
    })
}
