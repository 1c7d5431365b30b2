//! The emulated GPU as its host sees it: memory, modules, output. Launches are in `execution.rs`.

use std::hash::{DefaultHasher, Hasher};
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::check::{Checker, Checks, Finding, OperationOrder};
use crate::compile::HostCompiler;
use crate::description::MachineDescription;
use crate::heap::HeapAllocation;
use crate::launch::LaunchConfig;
use crate::memory::address_space;
use crate::memory::global::{GlobalMemory, Purpose};
use crate::memory::region::Region;
use crate::memory::{Budget, ConcurrentMemory, HostAccess, MemoryError};
use crate::module::LoadedModule;
use crate::observer::AccessKind;
use crate::occupancy::Occupancy;
use crate::print_buffer::{Output, PrintBuffer};
use crate::profile::Profiler;
use crate::program::{Kernel, Program};

/// Why a program could not be loaded into a machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModuleError {
    /// The program is for a newer GPU than the machine.
    #[error("{program} is for sm_{target}, the machine is sm_{machine}")]
    TooNew {
        /// The program's name.
        program: String,
        /// The program's target.
        target: u32,
        /// The machine's compute capability.
        machine: u32,
    },
    /// There is not enough memory for the program's variables.
    #[error("not enough memory for the variables of {program}")]
    Memory {
        /// The program's name.
        program: String,
        /// Why.
        #[source]
        source: MemoryError,
    },
}

/// An emulated GPU: its memory and the modules loaded into it.
///
/// Host threads may share a machine and run launches on it at the same time. A method that changes the list
/// of allocations waits until no thread is inside [`Execution::run`](crate::Execution::run). A clone is an
/// independent machine with the same contents at the same addresses, copies of host memory included.
#[derive(Debug)]
pub struct Machine {
    description: MachineDescription,
    /// The addresses of its own memory.
    addresses: Range<u64>,
    memory: ConcurrentMemory,
    /// Programs may access all memory of the host.
    unified: AtomicBool,
    /// Host memory that the machine may take.
    budget: Arc<Budget>,
    output: PrintBuffer,
    /// Modules loaded so far.
    modules: AtomicU64,
    /// Launches so far.
    launches: AtomicU64,
    /// Why every launch is to end.
    interrupted: OnceLock<String>,
    /// Whether later launches are profiled, and what that takes.
    profiler: Profiler,
    /// Shadow memory, if the machine checks.
    checker: OnceLock<Mutex<Checker>>,
    /// What compiles functions for the host.
    compiler: OnceLock<Arc<dyn HostCompiler>>,
}

/// Bytes that are copied between machines at a time.
const COPIED_AT_ONCE: u64 = 1 << 20;

/// Memory of the device, which has as many addresses as it is mapped at ([`Machine::map`]).
#[derive(Debug)]
pub struct UnmappedMemory {
    region: Arc<Region>,
    /// Whether it has had an address.
    was_mapped: AtomicBool,
}

impl UnmappedMemory {
    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        self.region.size()
    }
}

/// The parts of a machine that an execution uses.
pub(crate) struct MachineParts<'m> {
    pub description: &'m MachineDescription,
    pub memory: &'m ConcurrentMemory,
    pub output: &'m PrintBuffer,
    pub interrupted: &'m OnceLock<String>,
    pub compiler: Option<&'m Arc<dyn HostCompiler>>,
}

impl Clone for Machine {
    fn clone(&self) -> Machine {
        let memory = self.memory.clone();
        let budget = memory.view().budget().clone();
        let output = self.output.duplicate(budget.clone());
        let count = |of: &AtomicU64| AtomicU64::new(of.load(Ordering::Relaxed));
        Machine {
            description: self.description.clone(),
            addresses: self.addresses.clone(),
            memory,
            unified: AtomicBool::new(false),
            budget,
            output,
            modules: count(&self.modules),
            launches: count(&self.launches),
            interrupted: self.interrupted.clone(),
            profiler: self.profiler.clone(),
            checker: match self.checker() {
                Some(checker) => OnceLock::from(Mutex::new(checker.clone())),
                None => OnceLock::new(),
            },
            compiler: self.compiler.clone(),
        }
    }
}

impl Machine {
    /// Addresses of the host are below this one; addresses of the machine's own memory are not.
    pub const HOST_END: u64 = address_space::HOST_END;

    /// A machine with nothing in its memory.
    pub fn new(description: MachineDescription) -> Machine {
        let range = address_space::GLOBAL_BASE..address_space::GLOBAL_END;
        Machine::with(description, range, Arc::new(Budget::unlimited()))
    }

    /// Machines that share one address space, as the GPUs of one host: no two have memory of their own at the same
    /// address, and they take memory of the host together ([`Machine::set_host_limit`]). None can access another's memory.
    ///
    /// ```
    /// use ptx_emulator::{Machine, MachineDescription};
    ///
    /// let machines = Machine::group(vec![MachineDescription::h200(), MachineDescription::v100()]);
    /// let address = machines[1].alloc(100).unwrap();
    /// assert!(machines[1].holds(address, 100) && machines[1].addresses().contains(&address));
    /// assert!(!machines[0].holds(address, 100) && !machines[0].addresses().contains(&address));
    /// ```
    pub fn group(descriptions: Vec<MachineDescription>) -> Vec<Machine> {
        let (base, end) = (address_space::GLOBAL_BASE, address_space::GLOBAL_END);
        // At multiples of a power of two, so that addresses look alike on all of them.
        let each =
            ((end - base) / descriptions.len().max(1) as u64).checked_ilog2().map_or(0, |log| 1 << log);
        let budget = Arc::new(Budget::unlimited());
        let machine = |(number, description)| {
            let start = base + number as u64 * each;
            Machine::with(description, start..start + each, budget.clone())
        };
        descriptions.into_iter().enumerate().map(machine).collect()
    }

    fn with(description: MachineDescription, range: Range<u64>, budget: Arc<Budget>) -> Machine {
        let memory = GlobalMemory::new(description.memory_bytes, range.clone(), budget.clone());
        let memory = ConcurrentMemory::new(memory);
        let (modules, launches) = (AtomicU64::new(0), AtomicU64::new(0));
        Machine {
            description,
            addresses: range,
            memory,
            unified: AtomicBool::new(false),
            output: PrintBuffer::new(budget.clone()),
            budget,
            modules,
            launches,
            interrupted: OnceLock::new(),
            profiler: Profiler::default(),
            checker: OnceLock::new(),
            compiler: OnceLock::new(),
        }
    }

    /// The machine's limits and sizes.
    pub fn description(&self) -> &MachineDescription {
        &self.description
    }

    /// Where its own memory has its addresses: all above [`Machine::HOST_END`], or a part of them in a
    /// [group](Machine::group).
    pub fn addresses(&self) -> &Range<u64> {
        &self.addresses
    }

    /// Bytes of global memory in use, and in total.
    pub fn memory_usage(&self) -> (u64, u64) {
        self.memory.view().usage()
    }

    /// Bytes of the host's memory that the machine has taken for allocations of every kind and for the output of
    /// kernels, and how many it may take.
    pub fn host_usage(&self) -> (u64, u64) {
        self.budget.usage()
    }

    /// Limits the host memory that the machine may take, at first without a limit. Beyond it allocations fail
    /// with [`MemoryError::HostLimit`], `malloc` of kernels returns null, and the oldest output is dropped.
    pub fn set_host_limit(&self, bytes: u64) {
        self.budget.set_limit(bytes);
    }

    /// Checks later launches, and accesses of the host through this machine, for what `checks` says. Only the first
    /// call has an effect; what was done before is not known.
    pub fn set_checks(&self, checks: Checks) {
        // Already set: the first ones stay.
        let _ = self.checker.set(Mutex::new(Checker::new(checks)));
    }

    /// Profiles later launches ([`Execution::take_profile`](crate::Execution::take_profile)), or does not. A launch that
    /// is checked is not profiled.
    pub fn set_profiling(&self, profiling: bool) {
        self.profiler.set(profiling);
    }

    /// What profiles launches.
    pub(crate) fn profiler(&self) -> &Profiler {
        &self.profiler
    }

    /// Takes what the checks have found since the last call.
    pub fn take_findings(&self) -> Vec<Finding> {
        self.checker().map(|mut checker| checker.take_findings()).unwrap_or_default()
    }

    /// Whether since the last call the checks left out readers of locations for want of memory: races of these with later
    /// writes are not found.
    pub fn take_dropped_readers(&self) -> bool {
        self.checker().is_some_and(|mut checker| checker.take_dropped_readers())
    }

    /// Bytes of the host's memory that the shadow of global memory takes at present.
    pub fn shadow_bytes(&self) -> usize {
        self.checker().map_or(0, |checker| checker.host_bytes())
    }

    /// Says which operations come before what the host does with this machine from now on; `None`: all that were
    /// begun before. Without checks it has no effect.
    pub fn set_host_order(&self, order: Option<OperationOrder>) {
        if let Some(mut checker) = self.checker() {
            checker.set_host_order(order);
        }
    }

    /// The checker, locked, if the machine checks.
    pub(crate) fn checker(&self) -> Option<MutexGuard<'_, Checker>> {
        // A panic in a check leaves a shadow that is still memory-safe.
        self.checker.get().map(|checker| checker.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Tells the checker of an access of the host.
    fn check_host_access(&self, kind: AccessKind, address: u64, bytes: u64) {
        if let Some(mut checker) = self.checker() {
            checker.host_access(kind, address, bytes);
        }
    }

    /// Tells the checker that a range of addresses was allocated or freed.
    fn forget_accesses(&self, address: u64, bytes: u64) {
        if let Some(mut checker) = self.checker() {
            checker.forget(address, bytes);
        }
    }

    /// Allocates zeroed global memory; the address is a multiple of 256.
    pub fn alloc(&self, bytes: u64) -> Result<u64, MemoryError> {
        let address = self.memory.change().allocate(bytes, 1, Purpose::Data)?;
        if let Some(mut checker) = self.checker() {
            checker.allocated(address, bytes);
        }
        Ok(address)
    }

    /// Allocates zeroed host memory that the device can access at the same address, a multiple of 4096. The
    /// host may use it until it is freed. It does not count as device memory.
    pub fn alloc_host(&self, bytes: u64) -> Result<u64, MemoryError> {
        let address = self.memory.change().allocate_host(bytes)?;
        self.forget_accesses(address, bytes);
        Ok(address)
    }

    /// Frees what [`Machine::alloc`] or [`Machine::alloc_host`] returned.
    pub fn free(&self, address: u64) -> Result<(), MemoryError> {
        let bytes = self.memory.view().find(address).map_or(0, |a| a.size());
        self.memory.change().free(address)?;
        self.forget_accesses(address, bytes);
        Ok(())
    }

    /// Bytes of the device heap that kernels have allocated with `malloc` and not freed, and in total.
    pub fn heap_usage(&self) -> (u64, u64) {
        self.memory.view().heap_usage()
    }

    /// Starts or stops tracking allocations on the device heap, for [`Machine::heap_allocations`]. Earlier
    /// allocations are not tracked.
    pub fn track_heap_allocations(&self, keep: bool) {
        self.memory.change().track_heap_allocations(keep);
    }

    /// Whether allocations on the device heap are tracked.
    pub fn tracks_heap_allocations(&self) -> bool {
        self.memory.view().tracks_heap_allocations()
    }

    /// The allocations of kernels on the device heap that are not freed, by address, as far as they are
    /// tracked ([`Machine::track_heap_allocations`]).
    pub fn heap_allocations(&self) -> Vec<HeapAllocation> {
        self.memory.view().heap_allocations()
    }

    /// Sets the size of the device heap, 8 MiB at first. Existing allocations stay.
    pub fn set_heap_limit(&self, bytes: u64) {
        self.memory.change().set_heap_limit(bytes);
    }

    /// Frees everything that kernels have allocated with `malloc`.
    pub fn clear_heap(&self) {
        self.memory.change().heap_clear();
    }

    /// Takes what kernels have printed with `vprintf` since the last call, including launches that ended with
    /// a fault.
    pub fn take_output(&self) -> Output {
        self.output.take()
    }

    /// Sets how many bytes of output are kept until they are taken, 64 MiB at first; beyond, the oldest are
    /// dropped.
    pub fn set_output_limit(&self, bytes: usize) {
        self.output.set_limit(bytes);
    }

    /// Lets the device access `bytes` bytes of host memory, or only read them, at the address that they have
    /// there.
    ///
    /// # Safety
    ///
    /// Until [`Machine::unmap_host`] or the end of the machine the bytes can be read and, with [`HostAccess::Write`], written
    /// ([`check_host`](crate::check_host)). While a
    /// launch runs, other threads access them only as a device program may: atomically, or where there is no
    /// write at the same time. (A clone of the machine has a copy of the bytes and does not matter.)
    pub unsafe fn map_host(
        &self,
        start: NonNull<u8>,
        bytes: usize,
        access: HostAccess,
    ) -> Result<(), MemoryError> {
        // SAFETY: the caller's promise.
        unsafe { self.memory.change().map(start, bytes, access) }
    }

    /// Ends what [`Machine::map_host`] began at this address.
    pub fn unmap_host(&self, start: u64) -> Result<(), MemoryError> {
        self.memory.change().unmap(start)
    }

    /// Lets the device access all memory of the host (unified shared memory), or ends that. Addresses where
    /// the host has no memory are faults: the host is asked whenever a part of a launch is run.
    ///
    /// # Safety
    ///
    /// As for [`Machine::map_host`], for all memory of the host that a program uses: it stays mapped during the
    /// launch, and no object of the host is harmed by what the program writes.
    pub unsafe fn unify_host(&self, unified: bool) {
        // SAFETY: the caller's promise.
        unsafe { self.memory.change().unify(unified) };
        self.unified.store(unified, Ordering::Relaxed);
    }

    /// Whether the device can access all memory of the host.
    pub fn is_unified(&self) -> bool {
        self.unified.load(Ordering::Relaxed)
    }

    /// Base and size of the allocation or mapped range that holds `address`.
    pub fn allocation(&self, address: u64) -> Option<(u64, u64)> {
        self.memory.view_of(&[address]).find(address).map(|a| (a.base, a.size()))
    }

    /// Reserves addresses for memory that [`Machine::map`] puts there, at a multiple of `align`, a power of two.
    pub fn reserve(&self, bytes: u64, align: u64) -> Result<u64, MemoryError> {
        let mut memory = self.memory.change();
        let (used, total) = memory.usage();
        let missing = MemoryError::OutOfMemory { requested: bytes, available: total - used, total };
        memory.reserve(bytes, align).ok_or(missing)
    }

    /// Lets [`Machine::map`] put memory of this machine at addresses that another one of its [group](Machine::group) has
    /// reserved, until [`Machine::unreserve`].
    pub fn share_reserved(&self, address: u64, bytes: u64) {
        self.memory.change().share_reserved(address, bytes);
    }

    /// Ends what [`Machine::reserve`] or [`Machine::share_reserved`] began. Nothing is mapped there.
    pub fn unreserve(&self, address: u64, bytes: u64) -> Result<(), MemoryError> {
        let was_reserved = self.memory.change().unreserve(address, bytes);
        if was_reserved { Ok(()) } else { Err(MemoryError::NotAnAllocation { address }) }
    }

    /// Allocates zeroed memory that has no address yet.
    pub fn alloc_unmapped(&self, bytes: u64) -> Result<UnmappedMemory, MemoryError> {
        let region = self.memory.change().allocate_unmapped(bytes)?;
        Ok(UnmappedMemory { region, was_mapped: AtomicBool::new(false) })
    }

    /// Frees memory that is mapped nowhere.
    pub fn free_unmapped(&self, memory: UnmappedMemory) {
        self.memory.change().release_unmapped(memory.size());
    }

    /// Gives a part of memory an address inside of what [`Machine::reserve`] returned. Memory may have several addresses; to
    /// the checks each is memory of its own, and all but the first count as written.
    pub fn map(
        &self,
        address: u64,
        memory: &UnmappedMemory,
        offset: u64,
        bytes: u64,
        access: HostAccess,
    ) -> Result<(), MemoryError> {
        let outside = MemoryError::OutOfBounds { address, bytes, location: "outside of the memory".into() };
        let (at, size) = (usize::try_from(offset).ok(), usize::try_from(bytes).ok());
        let part =
            at.zip(size).and_then(|(at, size)| Region::part(&memory.region, at, size)).ok_or(outside)?;
        self.memory.change().map_part(address, part, access)?;
        let was_mapped = memory.was_mapped.swap(true, Ordering::Relaxed);
        if let Some(mut checker) = self.checker() {
            match was_mapped {
                true => checker.forget(address, bytes),
                false => checker.allocated(address, bytes),
            }
        }
        Ok(())
    }

    /// Ends what [`Machine::map`] began at this address.
    pub fn unmap(&self, address: u64) -> Result<(), MemoryError> {
        let bytes = self.memory.view().find(address).map_or(0, |a| a.size());
        self.memory.change().unmap(address)?;
        self.forget_accesses(address, bytes);
        Ok(())
    }

    /// Whether the device can access a range: in one allocation, or in several that are mapped next to each other.
    pub fn holds(&self, address: u64, bytes: u64) -> bool {
        let is_there = |offset, bytes| {
            let address = address + offset;
            self.memory.view_of(&[address]).locate(address, bytes).map(drop)
        };
        address.checked_add(bytes).is_some() && self.in_pieces([address; 2], bytes, is_there).is_ok()
    }

    /// Calls `piece` with the parts of one or two ranges of `bytes` bytes, each in one allocation: the offset and the size.
    fn in_pieces(
        &self,
        addresses: [u64; 2],
        bytes: u64,
        mut piece: impl FnMut(u64, u64) -> Result<(), MemoryError>,
    ) -> Result<(), MemoryError> {
        let mut at = 0;
        while at < bytes {
            let memory = self.memory.view_of(&addresses);
            let rest = bytes - at;
            let size = addresses.iter().map(|address| memory.together(address + at, rest)).min();
            drop(memory);
            let size = size.filter(|size| *size > 0).unwrap_or(rest);
            piece(at, size)?;
            at += size;
        }
        Ok(())
    }

    /// Copies device memory to the host.
    pub fn read(&self, address: u64, into: &mut [u8]) -> Result<(), MemoryError> {
        self.in_pieces([address; 2], into.len() as u64, |offset, bytes| {
            let (address, into) = (address + offset, &mut into[offset as usize..(offset + bytes) as usize]);
            let memory = self.memory.view_of(&[address]);
            let (a, start) = memory.locate(address, bytes)?;
            a.region.read(start, into);
            drop(memory);
            self.check_host_access(AccessKind::Load, address, bytes);
            Ok(())
        })
    }

    /// Copies host memory to the device.
    pub fn write(&self, address: u64, from: &[u8]) -> Result<(), MemoryError> {
        self.in_pieces([address; 2], from.len() as u64, |offset, bytes| {
            let (address, from) = (address + offset, &from[offset as usize..(offset + bytes) as usize]);
            let memory = self.memory.view_of(&[address]);
            let (a, start) = memory.locate_writable(address, bytes)?;
            a.region.write(start, from);
            drop(memory);
            self.check_host_access(AccessKind::Store, address, bytes);
            Ok(())
        })
    }

    /// Copies `bytes` bytes inside the device; inside of one allocation the ranges may overlap.
    pub fn copy(&self, to: u64, from: u64, bytes: u64) -> Result<(), MemoryError> {
        self.in_pieces([to, from], bytes, |offset, bytes| {
            let (to, from) = (to + offset, from + offset);
            let memory = self.memory.view_of(&[from, to]);
            let (source, source_start) = memory.locate(from, bytes)?;
            let (a, start) = memory.locate_writable(to, bytes)?;
            a.region.copy(start, &source.region, source_start, bytes as usize);
            drop(memory);
            if let Some(mut checker) = self.checker() {
                checker.host_copy(to, from, bytes);
            }
            Ok(())
        })
    }

    /// Copies `bytes` bytes of another machine's memory into this one's.
    pub fn copy_from(&self, other: &Machine, to: u64, from: u64, bytes: u64) -> Result<(), MemoryError> {
        let mut buffer = vec![0; bytes.min(COPIED_AT_ONCE) as usize];
        let mut at = 0;
        while at < bytes {
            let size = (bytes - at).min(COPIED_AT_ONCE);
            let buffer = &mut buffer[..size as usize];
            other.read(from + at, buffer)?;
            self.write(to + at, buffer)?;
            at += size;
        }
        Ok(())
    }

    /// Writes `pattern` `count` times from `address` on.
    pub fn fill(&self, address: u64, pattern: &[u8], count: u64) -> Result<(), MemoryError> {
        if pattern.is_empty() || count == 0 {
            return Ok(());
        }
        let bytes = (pattern.len() as u64).saturating_mul(count);
        let mut block = pattern.repeat((4096 / pattern.len()).max(1));
        self.in_pieces([address; 2], bytes, |offset, bytes| {
            let address = address + offset;
            let memory = self.memory.view_of(&[address]);
            let (a, start) = memory.locate_writable(address, bytes)?;
            for at in (0..bytes as usize).step_by(block.len()) {
                a.region.write(start + at, &block[..block.len().min(bytes as usize - at)]);
            }
            drop(memory);
            // The next piece may begin inside of the pattern.
            block.rotate_left((bytes % pattern.len() as u64) as usize);
            self.check_host_access(AccessKind::Store, address, bytes);
            Ok(())
        })
    }

    /// Loads a program: gives its variables addresses and initial values.
    pub fn load(&self, program: &Arc<Program>) -> Result<LoadedModule, ModuleError> {
        let name = || program.name().to_owned();
        if program.target_sm() > self.description.sm {
            let (target, machine) = (program.target_sm(), self.description.sm);
            return Err(ModuleError::TooNew { program: name(), target, machine });
        }
        let module = LoadedModule::new(program, &self.modules, &self.memory)
            .map_err(|source| ModuleError::Memory { program: name(), source })?;
        // The host uses addresses again.
        module.managed().for_each(|(address, bytes)| self.forget_accesses(address, bytes));
        Ok(module)
    }

    /// Frees the variables of a module; launches of it afterwards fault where they touch them.
    pub fn unload(&self, module: &LoadedModule) -> Result<(), MemoryError> {
        module.managed().for_each(|(address, bytes)| self.forget_accesses(address, bytes));
        module.unload(&self.memory)
    }

    /// Blocks of this kernel that one multiprocessor can hold; 0 if it cannot be launched in this shape.
    pub fn occupancy(&self, kernel: &Kernel, block_threads: u32, dynamic_shared: u32) -> u32 {
        let d = &self.description;
        let shared = u64::from(kernel.static_shared_bytes) + u64::from(dynamic_shared);
        if block_threads == 0
            || block_threads > kernel.max_threads.min(d.max_threads_per_block)
            || shared > u64::from(d.shared_per_block_optin)
        {
            return 0;
        }
        Occupancy::new(d, block_threads, Some(kernel.registers), shared).blocks()
    }

    /// Asks the host which memory it has, if programs may access all of it.
    pub(crate) fn look_up_host_memory(&self) {
        if self.is_unified() {
            self.memory.view().look_up_host_memory();
        }
    }

    /// The number of a new launch, from 1.
    pub(crate) fn next_launch(&self) -> u64 {
        self.launches.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Ends all launches: each that runs, and each that is run later, ends with the fault
    /// [`FaultKind::Interrupted`](crate::FaultKind::Interrupted), which says where it was. `why` becomes a part
    /// of its text. Any thread may call it, at any time; it cannot be undone, and only the first call has an
    /// effect.
    pub fn interrupt(&self, why: &str) {
        // Already set: the first reason stays.
        let _ = self.interrupted.set(why.to_owned());
    }

    /// Lets launches run in compiled code ([`Engine`](crate::Engine)). Only the first call has an effect.
    pub fn set_compiler(&self, compiler: Arc<dyn HostCompiler>) {
        let _ = self.compiler.set(compiler);
    }

    /// The parts that an execution uses.
    pub(crate) fn parts(&self) -> MachineParts<'_> {
        let Machine { description, memory, output, interrupted, compiler, .. } = self;
        MachineParts { description, memory, output, interrupted, compiler: compiler.get() }
    }

    /// Checks a launch against the limits of machine and kernel; the error says which limit it exceeds.
    pub(crate) fn check_launch(
        &self,
        kernel: &Kernel,
        config: &LaunchConfig,
        params: &[u8],
    ) -> Result<(), String> {
        let d = &self.description;
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let (grid, block) = (config.grid[axis], config.block[axis]);
            if grid == 0 || grid > d.max_grid[axis] {
                return Err(format!(
                    "a grid of {grid} blocks in {name}; it must have 1 to {}",
                    d.max_grid[axis]
                ));
            }
            if block == 0 || block > d.max_block[axis] {
                return Err(format!(
                    "a block of {block} threads in {name}; it must have 1 to {}",
                    d.max_block[axis]
                ));
            }
        }
        let threads = config.block_threads();
        if threads > u64::from(d.max_threads_per_block) {
            return Err(format!(
                "a block of {threads} threads exceeds the GPU's limit of {}",
                d.max_threads_per_block
            ));
        }
        if threads > u64::from(kernel.max_threads) {
            return Err(format!(
                "a block of {threads} threads exceeds the kernel's limit of {}",
                kernel.max_threads
            ));
        }
        if let Some(required) = kernel.required_block
            && required != config.block
        {
            return Err(format!("a block of {:?}; the kernel requires {required:?}", config.block));
        }
        let shared = u64::from(kernel.static_shared_bytes) + u64::from(config.dynamic_shared);
        if shared > u64::from(d.shared_per_block_optin) {
            return Err(format!(
                "{shared} bytes of shared memory exceed the limit of {} for a block",
                d.shared_per_block_optin
            ));
        }
        if kernel.local_bytes > d.local_bytes_per_thread {
            return Err(format!(
                "{} bytes of local memory for each thread exceed the limit of {}",
                kernel.local_bytes, d.local_bytes_per_thread
            ));
        }
        if params.len() != kernel.param_bytes as usize {
            return Err(format!(
                "{} bytes of parameters; the kernel has {} in {} parameters",
                params.len(),
                kernel.param_bytes,
                kernel.params.len()
            ));
        }
        Ok(())
    }

    /// A digest of everything that programs can observe in memory, for comparing runs.
    pub fn digest(&self) -> u64 {
        let mut state = DefaultHasher::new();
        self.memory.view().hash_into(&mut state);
        state.finish()
    }
}
