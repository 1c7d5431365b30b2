//! Reductions of arrays into the variables of a list, and their launches.

use std::{ffi::c_void, ops::Range};

use codegen_shim::{KernelSpec, Type, kernel_ptx};
use cust::{
    error::CudaResult,
    function::{BlockSize, Function, FunctionAttribute},
    memory::{AsyncCopyDestination, CopyDestination, DeviceBuffer},
};
use device_rt::reduce::{WORKSPACE_HEADER_BYTES, canonical::CHUNK};
use toolchain::OptLevel;

use super::partial::{self, Merges, PartialRecord};
use crate::device::{Current, target};
use crate::geometry::{Grid, Limits};
use crate::{
    Array, Device, Error, Record, Stream,
    bytes::{self, Memory, bytes_of},
    loaded::Loaded,
    run_record::RunRecord,
};
use toolchain::Tools;

/// Chunks that a run has records for at least.
const FEW_CHUNKS: u32 = 1024;

const REDUCE: &str = "warpfold_reduce";
const PARTIAL: &str = "warpfold_partial";
const FINALIZE: &str = "warpfold_finalize";

/// Which launch combines the blocks' results. Both give the same bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Finalize {
    /// The last block to store its record, in the same launch.
    #[default]
    LastBlock,
    /// A second launch of one block.
    SecondLaunch,
}

/// How a reduction is compiled and launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// The optimisation level of the kernels; O3 by default.
    pub opt: OptLevel,
    /// Which launch combines the blocks' results.
    pub finalize: Finalize,
    /// What the grid is chosen for.
    pub grid: Grid,
}

impl Default for Options {
    fn default() -> Options {
        Options { opt: OptLevel::O3, finalize: Finalize::default(), grid: Grid::default() }
    }
}

/// A reduction over a specification's variables, compiled for a device.
///
/// The result is deterministic: the same elements give the same bits on every run, because blocks reduce
/// fixed elements and their results are combined in a fixed order; no data is accessed atomically. On another
/// device, or with another block size, a floating-point sum may be rounded differently, unless the specification is
/// [in the canonical order](KernelSpec::in_canonical_order).
#[derive(Debug)]
pub struct GeneratedReduction {
    module: Loaded,
    spec: KernelSpec,
    finalize: Finalize,
    grid: Grid,
    limits: Limits,
}

impl GeneratedReduction {
    /// Compiles a reduction with the default [`Options`].
    ///
    /// # Errors
    ///
    /// As [`GeneratedReduction::with_options`].
    pub fn new(device: &Device, spec: KernelSpec) -> Result<GeneratedReduction, Error> {
        GeneratedReduction::with_options(device, spec, Options::default())
    }

    /// Compiles a reduction; the PTX is cached.
    ///
    /// # Errors
    ///
    /// [`Error::Toolchain`] and [`Error::Codegen`] for tools that are missing or fail, [`Error::TooOld`] for
    /// a device older than sm_70, [`Error::Cuda`] if the driver rejects the kernels.
    pub fn with_options(
        device: &Device,
        spec: KernelSpec,
        options: Options,
    ) -> Result<GeneratedReduction, Error> {
        let ptx = kernel_ptx(Tools::of_process()?, &spec, target(device)?, options.opt)?;
        let doing = || "loading the reduction's kernels".to_owned();
        let kernels: Vec<String> = spec.kernels().iter().map(|name| name.to_string()).collect();
        let module = Loaded::new(device, doing, &ptx, kernels)?;
        let first = match options.finalize {
            Finalize::LastBlock if !spec.is_canonical() => REDUCE,
            _ => PARTIAL,
        };
        let limits =
            device.call(doing, || occupancy(device, module.function(first)?, spec.block_threads()))?;
        let Options { finalize, grid, .. } = options;
        Ok(GeneratedReduction { module, spec, finalize, grid, limits })
    }

    /// The specification.
    pub fn spec(&self) -> &KernelSpec {
        &self.spec
    }

    /// Reduces the first `n` elements of the arrays, combines the result once with the record,
    /// `record = record op elements`, and waits. With `n` = 0 the record is unchanged.
    ///
    /// # Errors
    ///
    /// [`Error::ArrayCount`], [`Error::ArrayType`], [`Error::ArrayTooShort`], [`Error::TooManyElements`] or
    /// [`Error::Record`] for arrays
    /// or a record that do not fit the specification; [`Error::Cuda`]. The record is unchanged after an
    /// error.
    pub fn run(&self, stream: &Stream, n: u64, arrays: &[Array], record: &mut Record) -> Result<(), Error> {
        let current = stream.device().make_current()?;
        let mut run = self.start_with(&current, stream, record)?;
        // SAFETY: the arrays are borrowed until this returns, and a run waits for its launches when it ends.
        unsafe { run.launch(&current, n, arrays)? };
        *record = run.finish_with(&current)?;
        Ok(())
    }

    /// Starts a reduction in several launches: only the device uses the record until [`Run::finish`].
    ///
    /// # Errors
    ///
    /// [`Error::Record`] for a record of another list, [`Error::Cuda`].
    pub fn start<'a>(&'a self, stream: &'a Stream, record: &Record) -> Result<Run<'a>, Error> {
        self.start_with(&stream.device().make_current()?, stream, record)
    }

    /// Combines what is known of all elements once with the record, `record = record op elements`, and waits. Without
    /// elements the record is unchanged.
    ///
    /// # Errors
    ///
    /// [`Error::Partial`] if elements are missing before others, [`Error::Record`] for a record of another list,
    /// [`Error::NotCanonical`], [`Error::Cuda`].
    pub fn finish(&self, stream: &Stream, partial: &PartialRecord, record: &mut Record) -> Result<(), Error> {
        record.check(self.spec.list())?;
        let merges = partial.merges_to_one()?;
        if partial.records().len() > 0 {
            let (_, result) = self.merge(stream, partial, &merges, Some(record))?;
            *record = record.clone().with_bytes(&result);
        }
        Ok(())
    }

    /// Combines what a partial result knows of neighbouring chunks as far as the canonical order allows, and waits: some tens of
    /// records are left of one array's neighbouring elements, however often it was merged.
    ///
    /// # Errors
    ///
    /// [`Error::NotCanonical`], [`Error::Cuda`].
    pub fn compact(&self, stream: &Stream, partial: &mut PartialRecord) -> Result<(), Error> {
        let merges = partial.merges();
        if merges.pairs.is_empty() {
            return Ok(());
        }
        let (records, _) = self.merge(stream, partial, &merges, None)?;
        let (size, list) = (self.spec.list().record().size as usize, self.spec.list());
        partial.set(&merges, |place| Record::identity(list).with_bytes(&records[place * size..][..size]));
        Ok(())
    }

    fn start_with<'a>(
        &'a self,
        current: &Current,
        stream: &'a Stream,
        record: &Record,
    ) -> Result<Run<'a>, Error> {
        record.check(self.spec.list())?;
        let result = stream.record(current, bytes_of(&record.to_bytes()))?;
        let record = record.clone();
        let (chunks, ranges) = (None, Vec::new());
        Ok(Run { reduction: self, stream, record, result, chunks, first: 0, ranges, complete: true })
    }

    /// Enqueues one launch.
    ///
    /// # Safety
    ///
    /// The words are the kernel's parameters, and the memory they point to stays allocated until the launch
    /// has ended.
    unsafe fn launch(
        &self,
        current: &Current,
        stream: &Stream,
        kernel: &str,
        blocks: u32,
        threads: u32,
        words: &[u64],
    ) -> Result<(), Error> {
        let parameters: Vec<*mut c_void> =
            words.iter().map(|word| std::ptr::from_ref(word).cast_mut().cast()).collect();
        let doing = || format!("launching {kernel} with {blocks} block(s) of {threads} threads");
        current.call(doing, || {
            let function = self.module.function(kernel)?;
            // SAFETY: one pointer for each parameter, to a value at least as wide; the driver copies the
            // values before it returns. The rest is the caller's promise.
            unsafe { stream.cuda().launch(function, blocks, threads, 0, &parameters) }
        })
    }

    /// Enqueues the launch that reduces the records of so many chunks as a tree: the first one then has the value, which is
    /// combined with the result, too.
    ///
    /// # Safety
    ///
    /// The records are there, and stay allocated until the launch has ended, as the result.
    unsafe fn finalize(
        &self,
        current: &Current,
        stream: &Stream,
        workspace: u64,
        chunks: u64,
        result: u64,
    ) -> Result<(), Error> {
        let words = [workspace, chunks, result];
        // SAFETY: the kernel takes an address, a 32-bit count, which is the low half of its word on a little-endian
        // host, and an address. The rest is the caller's promise.
        unsafe { self.launch(current, stream, FINALIZE, 1, self.limits.block_threads, &words) }
    }

    /// Combines a partial result's records on the device, in launches that follow each other; returns the bytes of all, of which
    /// those at the places of the merges' groups have a meaning, and of `initial op first record`, if there is such an initial one.
    fn merge(
        &self,
        stream: &Stream,
        partial: &PartialRecord,
        merges: &Merges,
        initial: Option<&Record>,
    ) -> Result<(Vec<u8>, Vec<u8>), Error> {
        if !self.spec.is_canonical() {
            return Err(Error::NotCanonical);
        }
        let current = stream.device().make_current()?;
        let size = self.spec.list().record().size as usize;
        let mut bytes = vec![0; WORKSPACE_HEADER_BYTES];
        partial.records().for_each(|record| bytes.extend(record.to_bytes()));
        let doing = || format!("copying {} records to the device", partial.records().len());
        let memory =
            Memory::new(&current.device().clone(), doing, || DeviceBuffer::from_slice(bytes_of(&bytes)))?;
        let identity = Record::identity(self.spec.list());
        // What launches add to their own record is not used but for the last one's.
        let mut unused = stream.record(&current, bytes_of(&identity.to_bytes()))?;
        let mut result = stream.record(&current, bytes_of(&initial.unwrap_or(&identity).to_bytes()))?;
        unused.begin_use();
        result.begin_use();
        let workspace = |place: usize| memory.as_device_ptr().as_raw() + (place * size) as u64;
        let record = |place: usize| memory.index(WORKSPACE_HEADER_BYTES + place * size..).index(..size);
        for &(left, right) in &merges.pairs {
            if right != left + 1 {
                let doing = || "moving a record".to_owned();
                // SAFETY: both are records of the memory, which stays until the launches have ended; the place is not in use.
                current.call(doing, || unsafe {
                    record(left + 1).async_copy_from(&record(right), stream.cuda())
                })?;
            }
            // SAFETY: two records are there; they are waited for below, and if that fails, freeing them waits.
            unsafe { self.finalize(&current, stream, workspace(left), 2, unused.address())? };
        }
        if initial.is_some() {
            // SAFETY: as above.
            unsafe { self.finalize(&current, stream, workspace(0), 1, result.address())? };
        }
        unused.wait(&current)?;
        result.wait(&current)?;
        let doing = || "copying records from the device".to_owned();
        // SAFETY: records were copied there, and kernels store records.
        let all = current.call(doing, || unsafe { bytes::read(&memory.index(WORKSPACE_HEADER_BYTES..)) })?;
        // SAFETY: a record was written there as bytes.
        Ok((all, unsafe { result.read(&current)? }))
    }

    /// The shape of a launch for `n` elements: blocks, and threads per block.
    fn shape(&self, n: u64) -> (u32, u32) {
        self.limits.shape(n, self.spec.tile(), self.grid)
    }
}

/// What kernel and device allow; the largest block has at most `wanted` threads.
pub(super) fn occupancy(device: &Device, kernel: &Function, wanted: u32) -> CudaResult<Limits> {
    let most = kernel.get_attribute(FunctionAttribute::MaxThreadsPerBlock)?;
    // Whole warps: kernels of ours take no others.
    let block_threads = (wanted.min(most.max(1) as u32) / 32 * 32).max(32);
    let blocks = kernel.max_active_blocks_per_multiprocessor(BlockSize::x(block_threads), 0)?;
    let multiprocessors = device.multiprocessors();
    Ok(Limits { block_threads, resident_blocks: (blocks * multiprocessors).max(1), multiprocessors })
}

/// Checks that the arrays have these types and at least `n` elements each.
pub(super) fn check_arrays(types: &[Type], n: u64, arrays: &[Array]) -> Result<(), Error> {
    if arrays.len() != types.len() {
        return Err(Error::ArrayCount { expected: types.len(), given: arrays.len() });
    }
    for (number, (array, &expected)) in arrays.iter().zip(types).enumerate() {
        if array.ty != expected {
            return Err(Error::ArrayType { array: number, expected, given: array.ty });
        }
        if n > array.length as u64 {
            return Err(Error::ArrayTooShort { array: number, length: array.length, n });
        }
    }
    Ok(())
}

/// Checks that the kernels can count the tiles of `n` elements.
fn check_tiles(spec: &KernelSpec, n: u64) -> Result<(), Error> {
    let most = (spec.tile() << 31) - 1;
    if n > most { Err(Error::TooManyElements { n, most }) } else { Ok(()) }
}

/// A reduction in several launches, which are combined with the record once each, in the order in which they
/// are enqueued; in the canonical order they are combined with each other first. Indices, such as those of `argmin`, count
/// the elements of all launches.
#[derive(Debug)]
pub struct Run<'a> {
    reduction: &'a GeneratedReduction,
    stream: &'a Stream,
    record: Record,
    /// Waits for the launches when it is dropped.
    result: RunRecord<'a>,
    /// In the canonical order: a workspace with a record for each chunk, so many at most.
    chunks: Option<(Memory, u32)>,
    /// The index of the next launch's first element.
    first: u64,
    /// The elements of the launches so far. In the canonical order, the chunks' records are in the workspace in this
    /// order.
    ranges: Vec<Range<u64>>,
    /// No launch has failed.
    complete: bool,
}

impl<'a> Run<'a> {
    /// Enqueues a launch over the first `n` elements of the arrays on the stream, and does not wait for it.
    ///
    /// # Errors
    ///
    /// [`Error::ArrayCount`], [`Error::ArrayType`], [`Error::ArrayTooShort`] or [`Error::TooManyElements`] for arrays that do not fit the
    /// specification, and [`Error::PartOfChunk`] in the canonical order, after a launch for part of a chunk; the run can
    /// continue. [`Error::Cuda`] if the driver rejects the launch or an earlier
    /// operation failed; then the run has no result.
    pub fn enqueue(&mut self, n: u64, arrays: &[Array<'a>]) -> Result<(), Error> {
        // SAFETY: the arrays are borrowed as long as the run, and a run waits for its launches when it ends.
        unsafe { self.launch(&self.stream.device().make_current()?, n, arrays) }
    }

    /// Waits for the launches and returns the record.
    ///
    /// # Errors
    ///
    /// [`Error::Cuda`] if one of them failed, [`Error::Incomplete`] if one could not be enqueued.
    pub fn finish(self) -> Result<Record, Error> {
        let current = self.stream.device().make_current()?;
        self.finish_with(&current)
    }

    fn finish_with(mut self, current: &Current) -> Result<Record, Error> {
        let reduction = self.reduction;
        if let Some((memory, _)) = self.chunks.as_ref().filter(|_| self.complete) {
            let chunks = match &self.ranges[..] {
                [range] if range.start == 0 => range.end.div_ceil(CHUNK),
                _ => return Err(self.gap()),
            };
            let workspace = memory.as_device_ptr().as_raw();
            // SAFETY: the launches before have stored so many records; the run waits below.
            unsafe { reduction.finalize(current, self.stream, workspace, chunks, self.result.address())? };
        }
        self.result.wait(current)?;
        if !self.complete {
            return Err(Error::Incomplete);
        }
        // SAFETY: a record was written there as bytes, and the kernels store records.
        let bytes = unsafe { self.result.read(current)? };
        Ok(self.record.with_bytes(&bytes))
    }

    /// Enqueues the launches for `n` elements.
    ///
    /// # Safety
    ///
    /// The arrays' memory stays allocated until the stream has executed the launches.
    pub(crate) unsafe fn launch(
        &mut self,
        current: &Current,
        n: u64,
        arrays: &[Array<'_>],
    ) -> Result<(), Error> {
        check_arrays(self.reduction.spec.arrays(), n, arrays)?;
        check_tiles(&self.reduction.spec, n)?;
        if n == 0 {
            return Ok(());
        }
        self.check_chunks()?;
        self.begin_use();
        // SAFETY: the caller's promise; the arrays are what the kernels take.
        unsafe { self.launch_checked(current, n, arrays) }.inspect_err(|_| self.abandon())?;
        let after = self.first + n;
        match self.ranges.last_mut() {
            Some(last) if last.end == self.first => last.end = after,
            _ => self.ranges.push(self.first..after),
        }
        self.first = after;
        Ok(())
    }

    /// The next launch begins with this element, at the start of a chunk, instead of the one after the last launch's. Only
    /// [`Run::partial`] then has a result, unless the launches are of all elements in order.
    ///
    /// # Errors
    ///
    /// [`Error::NotCanonical`]; [`Error::PartOfChunk`] if the element is within a chunk, or the last launch ended in one.
    pub fn seek(&mut self, first: u64) -> Result<(), Error> {
        if !self.reduction.spec.is_canonical() {
            return Err(Error::NotCanonical);
        }
        self.check_chunks()?;
        if !first.is_multiple_of(CHUNK) {
            return Err(Error::PartOfChunk { elements: first });
        }
        self.first = first;
        Ok(())
    }

    /// Waits for the launches and returns what is known of their elements; the record takes no part.
    ///
    /// # Errors
    ///
    /// [`Error::NotCanonical`], [`Error::Partial`] if several launches had an element, [`Error::Cuda`] if one of
    /// them failed, [`Error::Incomplete`] if one could not be enqueued.
    pub fn partial(mut self) -> Result<PartialRecord, Error> {
        if !self.reduction.spec.is_canonical() {
            return Err(Error::NotCanonical);
        }
        let current = self.stream.device().make_current()?;
        let (Some((memory, _)), true) = (&self.chunks, self.complete) else {
            return if self.complete { Ok(PartialRecord::new()) } else { Err(Error::Incomplete) };
        };
        let size = self.reduction.spec.list().record().size as usize;
        let mut groups = Vec::new();
        let mut slot = 0;
        for range in &self.ranges {
            for (first, level) in partial::groups(range.start / CHUNK..range.end.div_ceil(CHUNK)) {
                let workspace = memory.as_device_ptr().as_raw() + slot * size as u64;
                if level > 0 {
                    // SAFETY: so many records are there, and the run waits below. What it adds to the run's own record is not
                    // used.
                    unsafe {
                        let result = self.result.address();
                        self.reduction.finalize(&current, self.stream, workspace, 1 << level, result)?;
                    }
                }
                groups.push((first, level, range.end, WORKSPACE_HEADER_BYTES + slot as usize * size));
                slot += 1 << level;
            }
        }
        self.stream.wait(&current)?;
        let mut all = PartialRecord::new();
        for (first, level, end, at) in groups {
            let doing = || "copying the records of chunks from the device".to_owned();
            // SAFETY: a kernel has stored a record there.
            let bytes: Vec<u8> =
                current.call(doing, || unsafe { bytes::read(&memory.index(at..at + size)) })?;
            let record = self.record.clone().with_bytes(&bytes);
            all.merge(PartialRecord::of_group(first, level, end, record))?;
        }
        self.result.wait(&current)?;
        Ok(all)
    }

    /// The error of launches that are not of all elements in order.
    fn gap(&self) -> Error {
        let mut expected = 0;
        for range in &self.ranges {
            if range.start != expected {
                break;
            }
            expected = range.end;
        }
        Error::Partial { what: "are without", index: expected }
    }

    /// An error if nothing can follow what was enqueued, because that ends within a chunk of the canonical order.
    pub(crate) fn check_chunks(&self) -> Result<(), Error> {
        match self.reduction.spec.is_canonical() && !self.first.is_multiple_of(CHUNK) {
            true => Err(Error::PartOfChunk { elements: self.first }),
            false => Ok(()),
        }
    }

    /// Says that operations are enqueued from now on: the run waits for them when it ends.
    pub(crate) fn begin_use(&mut self) {
        self.result.begin_use();
    }

    /// Marks the run as failed, and waits until all enqueued operations have ended.
    pub(crate) fn abandon(&mut self) {
        self.complete = false;
        // The caller returns the first error.
        let _ = self.stream.device().make_current().and_then(|current| self.result.wait(&current));
    }

    /// Enqueues the launches for `n` > 0 elements of checked arrays.
    ///
    /// # Safety
    ///
    /// As for [`Run::launch`].
    unsafe fn launch_checked(
        &mut self,
        current: &Current,
        n: u64,
        arrays: &[Array<'_>],
    ) -> Result<(), Error> {
        let reduction = self.reduction;
        let addresses = arrays.iter().map(|array| array.address);
        if reduction.spec.is_canonical() {
            let chunks = n.div_ceil(CHUNK) as u32;
            let (blocks, threads) = reduction.limits.chunks(chunks, false);
            let before: u32 = self.ranges.iter().map(|range| chunks_of(range) as u32).sum();
            let record_bytes = u64::from(reduction.spec.list().record().size);
            let workspace = self.reserve(current, before + chunks)? + u64::from(before) * record_bytes;
            let words: Vec<u64> = [n, self.first, workspace].into_iter().chain(addresses).collect();
            // SAFETY: the kernel takes two numbers, the workspace's address and the arrays'. The workspace has a record for
            // each chunk so far, and is freed when the run has waited.
            return unsafe { reduction.launch(current, self.stream, PARTIAL, blocks, threads, &words) };
        }
        let (blocks, threads) = reduction.shape(n);
        let record_bytes = reduction.spec.list().record().size;
        // Locked until all launches that use it are enqueued: another thread's launches on the stream must
        // not come between the two launches of `SecondLaunch`.
        let workspace = self.stream.workspace(0, blocks, record_bytes)?;
        let (workspace, result) = (workspace.address(), self.result.address());
        match reduction.finalize {
            Finalize::LastBlock => {
                let words: Vec<u64> =
                    [n, self.first, workspace, result].into_iter().chain(addresses).collect();
                // SAFETY: the kernel takes two numbers, two addresses and the arrays', each 64 bits wide.
                unsafe { reduction.launch(current, self.stream, REDUCE, blocks, threads, &words) }
            }
            Finalize::SecondLaunch => {
                let words: Vec<u64> = [n, self.first, workspace].into_iter().chain(addresses).collect();
                // SAFETY: the kernel takes two numbers, the workspace's address and the arrays'.
                unsafe { reduction.launch(current, self.stream, PARTIAL, blocks, threads, &words)? };
                // As many threads as the last block has with `LastBlock`, to fold the slots in the same
                // order.
                // SAFETY: the kernel takes an address, a 32-bit count and an address. The count is the low
                // half of its word on a little-endian host.
                unsafe {
                    reduction.launch(
                        current,
                        self.stream,
                        FINALIZE,
                        1,
                        threads,
                        &[workspace, u64::from(blocks), result],
                    )
                }
            }
        }
    }

    /// The address of the workspace for so many chunks. What it holds already is kept.
    fn reserve(&mut self, current: &Current, chunks: u32) -> Result<u64, Error> {
        let held = self.chunks.as_ref().map_or(0, |(_, held)| *held);
        if held < chunks {
            let most = chunks.max(held.saturating_mul(2)).max(FEW_CHUNKS);
            let bytes =
                WORKSPACE_HEADER_BYTES + most as usize * self.reduction.spec.list().record().size as usize;
            let doing = || format!("allocating the records of {most} chunks");
            // SAFETY: a `Byte` may be uninitialised.
            let memory =
                Memory::new(current.device(), doing, || unsafe { DeviceBuffer::uninitialized(bytes) })?;
            if let Some((before, _)) = &self.chunks {
                // The launches so far store what is copied.
                self.stream.wait(current)?;
                let doing = || "copying the records of chunks".to_owned();
                current.call(doing, || memory.index(..before.len()).copy_from(&before.index(..)))?;
            }
            self.chunks = Some((memory, most));
        }
        Ok(self.chunks.as_ref().map_or(0, |(memory, _)| memory.as_device_ptr().as_raw()))
    }
}

/// Chunks of elements that begin at the start of one.
fn chunks_of(range: &Range<u64>) -> u64 {
    range.end.div_ceil(CHUNK) - range.start / CHUNK
}

#[cfg(test)]
mod tests {
    use codegen_shim::{Op, ReductionList, Source, Variable};

    use super::*;

    #[test]
    fn tiles_are_counted_in_31_bits() {
        let sum = Variable { name: "s".into(), ty: Type::F32, op: Op::Sum, source: Source::Array(0) };
        let list = ReductionList::new(vec![sum]).expect("a legal list");
        let spec = KernelSpec::new(list, vec![Type::F32], 256).expect("a legal specification");
        // 512 elements each: 4 TiB.
        let most = 512 << 31;
        assert!(check_tiles(&spec, most - 1).is_ok());
        let error = check_tiles(&spec, most).expect_err("one tile too many").to_string();
        assert!(error.contains("at most 1099511627775"), "{error}");
    }
}
