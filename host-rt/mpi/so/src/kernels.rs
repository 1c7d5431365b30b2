//! Types and operators by number, and the reductions that are compiled for them.

use std::{
    collections::BTreeMap,
    env,
    ffi::{c_int, c_void},
    slice,
    sync::{Arc, Mutex, PoisonError},
};

use host_rt::{
    Array, BLOCK_THREADS, Device, GeneratedReduction, KernelSpec, Op, Record, ReductionList, Scalar, Select,
    Source, Stream, Type, Variable,
};
use mpi_rt::Elements;

use crate::error::Failure;

/// The types in the order of `warpfold_type`, from 0 on.
const TYPES: [Type; 12] = [
    Type::I8,
    Type::I16,
    Type::I32,
    Type::I64,
    Type::U8,
    Type::U16,
    Type::U32,
    Type::U64,
    Type::F32,
    Type::F64,
    Type::Complex(Scalar::F32),
    Type::Complex(Scalar::F64),
];

/// The operators in the order of `warpfold_op`, from 0 on.
const OPERATORS: [Op; 11] = [
    Op::Sum,
    Op::Product,
    Op::Min,
    Op::Max,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::All,
    Op::Any,
    Op::ArgMin,
    Op::ArgMax,
];

/// A type and an operator, by their numbers in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypedOperator {
    pub ty: c_int,
    pub op: c_int,
}

impl TypedOperator {
    fn ty(self) -> Result<Type, Failure> {
        let known = usize::try_from(self.ty).ok().and_then(|number| TYPES.get(number));
        known.copied().ok_or_else(|| format!("{} is no type: see warpfold_type", self.ty).into())
    }

    fn op(self) -> Result<Op, Failure> {
        let known = usize::try_from(self.op).ok().and_then(|number| OPERATORS.get(number));
        known.copied().ok_or_else(|| format!("{} is no operator: see warpfold_op", self.op).into())
    }

    /// The reduction list: one variable.
    pub fn list(self) -> Result<ReductionList, Failure> {
        let (ty, op) = (self.ty()?, self.op()?);
        let variable = Variable { name: op.to_string(), ty, op, source: Source::Array(0) };
        Ok(ReductionList::new(vec![variable])?)
    }
}

/// The devices that were used, by number, and the reductions that were compiled for them, until the process ends.
static DEVICES: Mutex<BTreeMap<u32, Device>> = Mutex::new(BTreeMap::new());
static REDUCTIONS: Mutex<BTreeMap<(u32, TypedOperator), Arc<GeneratedReduction>>> =
    Mutex::new(BTreeMap::new());

/// The device of this number.
fn device(number: u32) -> Result<Device, Failure> {
    let mut devices = DEVICES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(device) = devices.get(&number) {
        return Ok(device.clone());
    }
    let device = Device::open_number(Select::Auto, number)?;
    Ok(devices.entry(number).or_insert(device).clone())
}

/// The reduction, compiled for a device.
fn reduction(number: u32, what: TypedOperator) -> Result<Arc<GeneratedReduction>, Failure> {
    let mut reductions = REDUCTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(reduction) = reductions.get(&(number, what)) {
        return Ok(reduction.clone());
    }
    let spec = KernelSpec::new(what.list()?, vec![what.ty()?], BLOCK_THREADS)?;
    let reduction = Arc::new(GeneratedReduction::new(&device(number)?, spec.in_canonical_order())?);
    Ok(reductions.entry((number, what)).or_insert(reduction).clone())
}

/// The variables in which launchers say a process's number among those of its host: Open MPI's, MPICH's, SLURM's.
const LOCAL_RANK: [&str; 3] = ["OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"];

/// The device for elements of the host: that of the thread's context, or else the process's turn.
fn next_device() -> Result<u32, Failure> {
    let count = Device::count(Select::Auto)?.max(1);
    let turn = LOCAL_RANK.iter().find_map(|name| env::var(name).ok()?.parse::<u32>().ok());
    Ok(Device::current_number().unwrap_or(turn.unwrap_or(0) % count))
}

/// A reduction on a device, with a stream of its own.
pub struct Ready {
    pub reduction: Arc<GeneratedReduction>,
    pub stream: Stream,
}

impl Ready {
    /// On the device for elements of the host.
    pub fn new(what: TypedOperator) -> Result<Ready, Failure> {
        Ready::on(next_device()?, what)
    }

    fn on(number: u32, what: TypedOperator) -> Result<Ready, Failure> {
        Ok(Ready { reduction: reduction(number, what)?, stream: device(number)?.stream()? })
    }

    /// As [`Ready::new`], with elements of the host or of the memory of a device, on which they are then reduced.
    ///
    /// # Safety
    ///
    /// There are as many elements at the address, which nobody writes as long as they are used; without elements it may be null.
    pub unsafe fn with_elements<'a>(
        what: TypedOperator,
        elements: *const c_void,
        count: usize,
    ) -> Result<(Ready, Elements<'a>), Failure> {
        let (ty, address) = (what.ty()?, elements.addr() as u64);
        let bytes = count.checked_mul(ty.size() as usize).filter(|bytes| *bytes <= isize::MAX as usize);
        let bytes = bytes.ok_or_else(|| format!("{count} elements of {ty} are more than memory can have"))?;
        if count == 0 {
            return Ok((Ready::new(what)?, Elements::Host(&[], ty)));
        }
        if elements.is_null() {
            return Err(format!("the address of {count} elements is null").into());
        }
        let next = next_device()?;
        match device(next)?.number_of_address(address)? {
            Some(number) => {
                if !address.is_multiple_of(u64::from(ty.align())) {
                    return Err(
                        format!("{address:#x} is no address of elements of {ty}: it is not aligned").into()
                    );
                }
                // SAFETY: the caller's promise, and the device has the memory.
                let array = unsafe { Array::from_address(address, count, ty) };
                Ok((Ready::on(number, what)?, Elements::Device(array)))
            }
            None => {
                // SAFETY: the caller's promise; bytes have no alignment.
                let bytes = unsafe { slice::from_raw_parts(elements.cast::<u8>(), bytes) };
                Ok((Ready::on(next, what)?, Elements::Host(bytes, ty)))
            }
        }
    }

    /// What a result begins with: the operator's identity.
    pub fn identity(&self) -> Record {
        Record::identity(self.reduction.spec().list())
    }
}

/// Writes a result as the type of C that `warpfold_mpi.h` says.
///
/// # Safety
///
/// There is room for it.
pub unsafe fn write(record: &Record, result: *mut c_void) -> Result<(), Failure> {
    if result.is_null() {
        return Err("the address of the result is null".into());
    }
    let bytes = record.to_bytes();
    // SAFETY: the caller's promise; a record of one variable has the layout of its type in C.
    unsafe { result.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    Ok(())
}
