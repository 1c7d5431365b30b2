//! Reductions of the columns of matrices.

use std::ffi::c_void;

use codegen_shim::{COLUMNS, ColumnSpec, Variable, columns_ptx};
use cust::memory::{CopyDestination, DeviceBuffer};

use super::reduction::{check_arrays, occupancy};
use crate::device::target;
use crate::geometry::Limits;
use crate::{Array, Device, Error, OptLevel, Stream, Value, device::Owned, loaded::Loaded};
use toolchain::Tools;

/// Rows per thread from which the grid is made larger: reducing over the threads then is a small part of a
/// block's run time.
const ROWS_PER_THREAD: u64 = 4;

/// A reduction of the columns of matrices, compiled for a device: `result[j] = result[j] op (row 0, column j)
/// op (row 1, column j) …` for each variable, with any number of rows and columns.
///
/// The result is deterministic: the same elements give the same bits on every run on the same device.
#[derive(Debug)]
pub struct ColumnReduction {
    module: Loaded,
    spec: ColumnSpec,
    block_threads: u32,
    resident_blocks: u32,
}

impl ColumnReduction {
    /// Compiles a reduction; the PTX is cached.
    ///
    /// # Errors
    ///
    /// As [`GeneratedReduction::with_options`](crate::GeneratedReduction::with_options).
    pub fn new(device: &Device, spec: ColumnSpec, opt: OptLevel) -> Result<ColumnReduction, Error> {
        let ptx = columns_ptx(Tools::of_process()?, &spec, target(device)?, opt)?;
        let doing = || "loading the column kernel".to_owned();
        let module = Loaded::new(device, doing, &ptx, [COLUMNS.to_owned()])?;
        let Limits { block_threads, resident_blocks, .. } =
            device.call(doing, || occupancy(device, module.function(COLUMNS)?, spec.block_threads()))?;
        Ok(ColumnReduction { module, spec, block_threads, resident_blocks })
    }

    /// The specification.
    pub fn spec(&self) -> &ColumnSpec {
        &self.spec
    }

    /// Reduces matrices of `rows` by `columns` elements in row-major order, combines each column once with
    /// its value in `results`, and waits. `results` has a vector for each variable, with a value of the
    /// variable's type in records ([`Variable::stored`]) for each column.
    ///
    /// # Errors
    ///
    /// [`Error::ArrayCount`], [`Error::ArrayType`], [`Error::ArrayTooShort`] or [`Error::Record`] for arrays
    /// or results that do not fit the specification; [`Error::Cuda`]. The results are unchanged after an
    /// error.
    pub fn run(
        &self,
        stream: &Stream,
        rows: u64,
        columns: usize,
        arrays: &[Array],
        results: &mut [Vec<Value>],
    ) -> Result<(), Error> {
        self.check(rows, columns, arrays, results)?;
        if rows == 0 || columns == 0 {
            return Ok(());
        }
        let device = stream.device();
        let threads = u64::from(self.block_threads);
        let blocks = rows.div_ceil(threads * ROWS_PER_THREAD).clamp(1, self.resident_blocks.into()) as u32;
        let bytes = self.spec.batches().workspace_bytes(columns as u64, blocks) as usize;
        let doing = || format!("allocating a workspace of {bytes} bytes");
        // Its headers must be zero.
        let workspace = Owned::new(device, doing, || DeviceBuffer::from_slice(&vec![0_u8; bytes]))?;
        let mut outputs = Vec::new();
        for values in results.iter() {
            let ty = values[0].ty();
            let mut bytes = vec![0; columns * ty.size() as usize];
            for (value, bytes) in values.iter().zip(bytes.chunks_exact_mut(ty.size() as usize)) {
                value.write(bytes);
            }
            let doing = || "copying results to the device".to_owned();
            outputs.push((ty, Owned::new(device, doing, || DeviceBuffer::from_slice(&bytes))?));
        }
        let mut words = vec![rows, columns as u64, workspace.as_device_ptr().as_raw()];
        words.extend(outputs.iter().map(|(_, buffer)| buffer.as_device_ptr().as_raw()));
        words.extend(arrays.iter().map(|array| array.address));
        let parameters: Vec<*mut c_void> =
            words.iter().map(|word| std::ptr::from_ref(word).cast_mut().cast()).collect();
        let doing = || format!("launching {COLUMNS} with {blocks} block(s) of {threads} threads");
        device.call(doing, || {
            let function = self.module.function(COLUMNS)?;
            // SAFETY: the kernel takes two numbers and the addresses of workspace, results and arrays, 64
            // bits each; the memory is as large as it expects and is kept until the stream is synchronised
            // below.
            unsafe { stream.cuda().launch(function, blocks, self.block_threads, 0, &parameters) }
        })?;
        stream.synchronize()?;
        let mut reduced = Vec::new();
        for (ty, buffer) in &outputs {
            let mut bytes = vec![0; buffer.len()];
            device
                .call(|| "copying results from the device".to_owned(), || buffer.copy_to(&mut bytes[..]))?;
            let values = bytes.chunks_exact(ty.size() as usize).map(|bytes| Value::read(*ty, bytes));
            reduced.push(values.collect::<Vec<_>>());
        }
        for (values, reduced) in results.iter_mut().zip(reduced) {
            *values = reduced;
        }
        Ok(())
    }

    fn check(
        &self,
        rows: u64,
        columns: usize,
        arrays: &[Array],
        results: &[Vec<Value>],
    ) -> Result<(), Error> {
        check_arrays(self.spec.arrays(), rows.saturating_mul(columns as u64), arrays)?;
        let variables = self.spec.batches().variables();
        let fits = |(variable, values): (&Variable, &Vec<Value>)| {
            values.len() == columns && values.iter().all(|value| value.ty() == variable.stored())
        };
        if variables.len() != results.len() || !variables.iter().zip(results).all(fits) {
            let describe = |ty: String, count: usize| format!("{count} of {ty}");
            let expected: Vec<_> =
                variables.iter().map(|variable| describe(variable.stored().to_string(), columns)).collect();
            let given: Vec<_> = results
                .iter()
                .map(|values| {
                    let ty = values.first().map_or("no type".to_owned(), |value| value.ty().to_string());
                    describe(ty, values.len())
                })
                .collect();
            return Err(Error::Record { expected: expected.join(", "), given: given.join(", ") });
        }
        Ok(())
    }
}
