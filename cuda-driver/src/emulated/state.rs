//! The state of the emulated driver, behind one lock. Nobody holds it while a kernel runs, bytes are copied
//! or a function of the program is called.

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    mem,
    ops::{Deref, DerefMut},
    ptr::NonNull,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use ptx_emulator::{HostAccess, Machine, MemoryError};
use serde_json::json;

use super::{
    abi::{DriverResult, Handle},
    allocations::Allocations,
    configuration::Configuration,
    current::{current, thread_number},
    devices::Devices,
    flags::{ContextFlags, HostFlags, StreamFlags},
    leaks,
    objects::{
        Context, DeviceMemory, Event, Function, HostMemory, HostMemoryKind, Link, Module, Ordinal, Pool,
        Stream, VirtualMemory,
    },
    orders::Orders,
    process,
    recording::Recording,
    reports::Reports,
    scheduler::{
        Action, Failure, QueueId, QueueKind, ReadyCallback, Scheduler, SchedulerEvent, Ticket, WorkItem,
        WorkResult,
    },
    streams::{LEGACY, PER_THREAD, Streams},
};
use crate::{
    Status, log,
    settings::values::{ConfigureError, DEVICE_MEMORY, HOST_MEMORY, Settings, set_by},
};

/// Everything the driver knows.
#[derive(Default)]
pub(crate) struct State {
    /// `cuInit` was called.
    pub initialised: bool,
    pub configuration: Configuration,
    pub devices: Devices,
    pub scheduler: Scheduler,
    pub recording: Recording,
    pub threads: Threads,
    pub allocations: Allocations,
    pub contexts: HashMap<Handle, Context>,
    pub modules: HashMap<Handle, Module>,
    pub functions: HashMap<Handle, Function>,
    pub links: HashMap<Handle, Link>,
    pub streams: Streams,
    pub events: HashMap<Handle, Event>,
    /// Device memory that programs hold, by address.
    pub device_memory: BTreeMap<u64, DeviceMemory>,
    pub virtual_memory: VirtualMemory,
    pub pools: HashMap<Handle, Pool>,
    /// Memory of the host that is shared with the devices, by address.
    pub host_memory: BTreeMap<u64, HostMemory>,
    pub reports: Reports,
    /// The order of operations, for checks.
    pub orders: Option<Orders>,
    /// Why no context is usable any more: somebody ended all launches, or the driver itself failed.
    pub ended: Option<Ended>,
    /// How many handles were given out.
    handles: usize,
    /// An empty list, kept for its capacity.
    scheduler_events: Vec<SchedulerEvent>,
}

/// The driver's own threads, and threads that wait.
#[derive(Default)]
pub(crate) struct Threads {
    pub background: BackgroundThread,
    /// There is a thread that calls callbacks.
    pub has_callback_thread: bool,
    /// Callbacks that it has still to call.
    pub callbacks: VecDeque<ReadyCallback>,
    /// How many threads wait for operations that others perform.
    pub waiting: usize,
}

/// Why no context is usable any more.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Ended {
    /// Somebody ended all launches.
    Interrupted,
    /// The driver's own code has panicked with its state half changed.
    Broken,
}

impl Ended {
    /// What calls return.
    pub fn status(self) -> Status {
        match self {
            Ended::Interrupted => Status::LAUNCH_TIMEOUT,
            Ended::Broken => Status::UNKNOWN,
        }
    }
}

#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) enum BackgroundThread {
    #[default]
    Missing,
    Awake,
    Asleep,
}

/// What a program holds of the emulated driver, and what the driver has still to do for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// Contexts, the primary one included.
    pub contexts: usize,
    /// Loaded modules.
    pub modules: usize,
    /// Functions of loaded modules that were looked up.
    pub functions: usize,
    /// Streams, including destroyed ones with unfinished operations.
    pub streams: usize,
    /// Events.
    pub events: usize,
    /// Allocations of device memory.
    pub device_allocations: usize,
    /// Allocations of pinned and managed memory, and registered ranges.
    pub host_allocations: usize,
    /// Bytes of device memory in use, by whomever.
    pub device_bytes: u64,
    /// Unfinished operations.
    pub operations: usize,
}

/// How long the end of a process waits for the lock.
const EXIT_PATIENCE: Duration = Duration::from_secs(1);

/// Bytes of the device heap unless a limit is set.
pub(super) const HEAP_BYTES: u64 = 8 << 20;

/// Handles look like addresses that nothing is mapped at, apart from each other.
const FIRST_HANDLE: usize = 0xC0DA_0000_0000;

static STATE: Mutex<Option<State>> = Mutex::new(None);

/// Signalled when operations have finished, or another thread may perform work items.
pub(super) static PROGRESS: Condvar = Condvar::new();
/// Signalled when a callback is to be called.
pub(super) static CALLBACKS: Condvar = Condvar::new();

/// The locked state. What the thread writes to the log meanwhile is written when the lock is released.
pub(super) struct StateGuard(Option<MutexGuard<'static, Option<State>>>);

pub(super) fn lock() -> StateGuard {
    // After a panic the state is still memory-safe; the call that panicked returned an error.
    StateGuard(Some(STATE.lock().unwrap_or_else(PoisonError::into_inner)))
}

impl StateGuard {
    /// Waits for a signal; it may return without one.
    pub fn wait(self, signal: &Condvar) -> StateGuard {
        self.wait_with(|held| (signal.wait(held).unwrap_or_else(PoisonError::into_inner), false)).0
    }

    /// As [`StateGuard::wait`], at most for a time; returns whether it is over.
    pub fn wait_timeout(self, signal: &Condvar, time: Duration) -> (StateGuard, bool) {
        self.wait_with(|held| {
            let (held, over) = signal.wait_timeout(held, time).unwrap_or_else(PoisonError::into_inner);
            (held, over.timed_out())
        })
    }

    fn wait_with(
        mut self,
        wait: impl FnOnce(MutexGuard<'static, Option<State>>) -> (MutexGuard<'static, Option<State>>, bool),
    ) -> (StateGuard, bool) {
        match self.0.take() {
            // The log comes first.
            Some(held) if log::is_kept() => {
                let kept = log::take_kept();
                drop(held);
                kept.write();
                (lock(), false)
            }
            Some(held) => {
                let (held, over) = wait(held);
                mem::forget(self);
                (StateGuard(Some(held)), over)
            }
            None => (lock(), false),
        }
    }
}

impl Deref for StateGuard {
    type Target = Option<State>;

    fn deref(&self) -> &Option<State> {
        self.0.as_deref().expect("held until it is dropped")
    }
}

impl DerefMut for StateGuard {
    fn deref_mut(&mut self) -> &mut Option<State> {
        self.0.as_deref_mut().expect("held until it is dropped")
    }
}

impl Drop for StateGuard {
    fn drop(&mut self) {
        if let Some(held) = self.0.take() {
            let kept = log::take_kept();
            drop(held);
            kept.write();
        }
    }
}

/// The state, created from the environment's settings at the first use.
pub(crate) fn with_any<R>(use_it: impl FnOnce(&mut State) -> R) -> Result<R, ConfigureError> {
    if process::is_forked() {
        return Err(ConfigureError::Forked);
    }
    let mut guard = lock();
    if guard.is_none() {
        let mut state = State::default();
        state.configure(Settings::from_env()?)?;
        *guard = Some(state);
    }
    Ok(use_it(guard.as_mut().expect("created above if it was not there")))
}

/// The state if there is any. A forked process has none: a thread that it does not have may hold the lock.
pub(crate) fn with_existing<R>(use_it: impl FnOnce(&mut State) -> R) -> Option<R> {
    if process::is_forked() { None } else { lock().as_mut().map(use_it) }
}

/// Reports leaks of a process that ends. The thread may be inside a call of the driver, where a signal
/// handler ended the process: then nothing is reported.
pub(crate) fn report_leaks_at_exit() {
    if process::is_forked() {
        return;
    }
    let deadline = Instant::now() + EXIT_PATIENCE;
    while Instant::now() < deadline {
        match STATE.try_lock() {
            Ok(held) => return StateGuard(Some(held)).iter().for_each(State::report_leaks),
            Err(TryLockError::Poisoned(held)) => {
                return StateGuard(Some(held.into_inner())).iter().for_each(State::report_leaks);
            }
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
        }
    }
}

/// What `cuInit` does.
pub(super) fn initialise() -> Result<(), ConfigureError> {
    with_any(|state| state.initialised = true)?;
    process::set_initialised();
    Ok(())
}

/// The state after `cuInit`.
pub(super) fn with<R>(use_it: impl FnOnce(&mut State) -> Result<R, Status>) -> Result<R, Status> {
    // Without the lock: a process that was forked before `cuInit` may find it taken.
    if !process::is_initialised() {
        return Err(Status::NOT_INITIALIZED);
    }
    match lock().as_mut() {
        Some(state) if state.initialised => use_it(state),
        _ => Err(Status::NOT_INITIALIZED),
    }
}

/// The state and the thread's current context, which must be alive and without a fault.
pub(super) fn with_context<R>(
    use_it: impl FnOnce(&mut State, Handle) -> Result<R, Status>,
) -> Result<R, Status> {
    with(|state| {
        let context = state.usable_context(current())?;
        use_it(state, context)
    })
}

impl State {
    /// Changes the settings that are given, all or none.
    pub fn configure(&mut self, mut settings: Settings) -> Result<(), ConfigureError> {
        let recording = settings.recording.as_ref().map(Recording::open).transpose()?;
        if settings.machines.is_some() || settings.device_memory.is_some() {
            let contexts = self.contexts.len();
            if contexts > 0 {
                return Err(ConfigureError::MachineInUse { contexts });
            }
            let configuration = &mut self.configuration;
            configuration.device_memory = settings.device_memory.or(configuration.device_memory);
            let present = || self.devices.machines().map(|machine| machine.description().clone()).collect();
            let mut machines = settings.machines.take().unwrap_or_else(present);
            for machine in &mut machines {
                machine.memory_bytes = configuration.device_memory.unwrap_or(machine.memory_bytes);
            }
            self.devices = Devices::new(machines);
        }
        if let Some(failed) = settings.failed_allocation {
            self.allocations = Allocations::fail(failed);
        }
        if let Some(recording) = recording {
            self.recording = recording;
        }
        self.configuration.change(settings);
        if self.configuration.checks.is_some() {
            self.orders.get_or_insert_default();
        }
        self.devices.machines().for_each(|machine| self.configuration.apply(machine));
        Ok(())
    }

    /// A handle that was never given out before, so that stale handles stay invalid.
    pub fn new_handle(&mut self) -> Handle {
        self.handles += 1;
        Handle(FIRST_HANDLE + 16 * self.handles)
    }

    /// Checks that `context` is alive and has no fault.
    pub fn usable_context(&self, context: Handle) -> Result<Handle, Status> {
        let known = self.find_context(context)?;
        self.fault(known).map_or(Ok(context), Err)
    }

    /// A context that is alive.
    fn find_context(&self, context: Handle) -> Result<&Context, Status> {
        if context == Handle::NULL {
            return Err(Status::INVALID_CONTEXT);
        }
        self.contexts.get(&context).ok_or(Status::CONTEXT_IS_DESTROYED)
    }

    /// The fault of a context, if it has one.
    pub fn fault_of(&self, context: Handle) -> DriverResult {
        self.contexts.get(&context).and_then(|context| self.fault(context)).map_or(Ok(()), Err)
    }

    fn fault(&self, context: &Context) -> Option<Status> {
        context.fault.or(self.ended.map(Ended::status))
    }

    /// Whether what is unfinished may never finish, as after an interruption a callback that does not return.
    pub fn gives_up(&self) -> bool {
        match self.ended {
            None => false,
            Some(Ended::Interrupted) => !self.scheduler.is_executing() && !self.scheduler.has_work_item(),
            Some(Ended::Broken) => true,
        }
    }

    /// The driver's own code has panicked while it changed the state: every call that needs a context fails from now on,
    /// and nothing is waited for.
    pub fn break_down(&mut self) {
        self.ended = Some(Ended::Broken);
        PROGRESS.notify_all();
        CALLBACKS.notify_all();
    }

    /// The device of a context; of one that is destroyed, the first.
    pub fn device_of(&self, context: Handle) -> Ordinal {
        self.contexts.get(&context).map(|context| context.device).unwrap_or_default()
    }

    /// The machine of a context's device.
    pub fn machine_of(&self, context: Handle) -> &Arc<Machine> {
        &self.devices.get(self.device_of(context)).machine
    }

    /// The device whose memory has an address; elsewhere, and for memory that all devices share, that of the current context.
    pub fn device_at(&self, address: u64) -> Ordinal {
        let own = self.virtual_memory.device_at(address).or_else(|| self.devices.at(address));
        own.unwrap_or_else(|| self.device_of(current()))
    }

    /// As [`State::device_at`], its machine.
    pub fn machine_at(&self, address: u64) -> &Arc<Machine> {
        &self.devices.get(self.device_at(address)).machine
    }

    /// All machines, for use without the lock.
    pub fn machines(&self) -> Vec<Arc<Machine>> {
        self.devices.machines().cloned().collect()
    }

    /// Creates a context of a device.
    pub fn new_context(&mut self, device: Ordinal, flags: ContextFlags, primary: bool) -> Handle {
        let handle = self.new_handle();
        self.contexts.insert(handle, Context { device, flags, primary, ..Context::default() });
        self.scheduler.open_queue(QueueId(handle), handle, QueueKind::Default);
        handle
    }

    /// Destroys a context and everything that belongs to it. Operations that have not started are dropped;
    /// callers have waited for them. Other contexts may have waited for these operations, so the background
    /// thread is to be woken.
    pub fn destroy_context(&mut self, context: Handle) {
        self.change_scheduler(|scheduler, events| {
            scheduler.abandon(context, Status::CONTEXT_IS_DESTROYED, events);
        });
        let modules: Vec<Handle> =
            self.modules.iter().filter(|(_, m)| m.context == context).map(|(handle, _)| *handle).collect();
        for module in modules {
            self.unload(module);
        }
        self.streams.remove_all_of(context);
        self.scheduler.close_queues_of(context);
        self.events.retain(|_, event| event.context != context);
        self.report_device_leaks(Some(context));
        let owned = self.device_memory.extract_if(.., |_, memory| memory.context == context);
        for (address, _) in owned.collect::<Vec<_>>() {
            self.machine_at(address)
                .free(address)
                .unwrap_or_else(|error| log::call_later(format_args!("{error}")));
        }
        let shared = self.host_memory.iter().filter(|(_, memory)| memory.context == context);
        for address in shared.map(|(address, _)| *address).collect::<Vec<_>>() {
            self.release_host(address);
        }
        let device = self.device_of(context);
        self.contexts.remove(&context);
        if self.contexts.values().all(|other| other.device != device) {
            // The device heap ends with the last context.
            let machine = &self.devices.get(device).machine;
            self.report_heap_leaks(machine);
            machine.clear_heap();
            machine.set_heap_limit(HEAP_BYTES);
        }
        if self.contexts.is_empty() {
            let resources = self.resources();
            log::call_later(format_args!("the last context has ended; in use: {resources:?}"));
        }
    }

    /// Reports all that was not freed, where that is asked for.
    pub fn report_leaks(&self) {
        self.report_device_leaks(None);
        self.devices.machines().for_each(|machine| self.report_heap_leaks(machine));
    }

    /// Reports device and managed memory that was not freed: that of a context, or all. After a fault, a program has no
    /// chance to free it.
    fn report_device_leaks(&self, context: Option<Handle>) {
        if !self.configuration.checks_leaks {
            return;
        }
        let wanted =
            |owner: Handle| context.is_none_or(|context| context == owner) && self.fault_of(owner).is_ok();
        let device = self.device_memory.values().map(|memory| (memory.context, memory.bytes, &memory.calls));
        let managed = self.host_memory.values().filter(|memory| memory.kind == HostMemoryKind::Managed);
        let managed = managed.map(|memory| (memory.context, memory.bytes as u64, &memory.calls));
        let left = device.chain(managed).filter(|(owner, ..)| wanted(*owner));
        leaks::report_device(left.map(|(_, bytes, calls)| (bytes, calls.as_ref())));
    }

    /// Reports what is left on a device's heap, where that is asked for.
    fn report_heap_leaks(&self, machine: &Machine) {
        if self.configuration.checks_leaks {
            leaks::report_heap(machine);
        }
    }

    /// What is in use.
    pub fn resources(&mut self) -> Resources {
        self.streams.forget_finished(&mut self.scheduler);
        Resources {
            contexts: self.contexts.len(),
            modules: self.modules.len(),
            functions: self.functions.len(),
            streams: self.streams.count(),
            events: self.events.len(),
            device_allocations: self.device_memory.len(),
            host_allocations: self.host_memory.len(),
            device_bytes: self.devices.machines().map(|machine| machine.memory_usage().0).sum(),
            operations: self.scheduler.unfinished(),
        }
    }

    /// Unloads a module: its handle and those of its functions become stale.
    pub fn unload(&mut self, module: Handle) {
        if let Some(module) = self.modules.remove(&module) {
            for function in module.functions.values() {
                self.functions.remove(function);
            }
            let owner = self.machine_of(module.context).clone();
            for (address, _) in module.loaded.managed() {
                self.host_memory.remove(&address);
                unmap_host(other_machines(&self.devices, &owner), address);
            }
            owner.unload(&module.loaded).unwrap_or_else(|error| log::call_later(format_args!("{error}")));
        }
    }

    /// Gives a loaded module a handle. Every device can access its managed variables.
    pub fn add_module(&mut self, module: Module) -> Result<Handle, MemoryError> {
        let owner = self.machine_of(module.context).clone();
        let managed: Vec<(u64, u64)> = module.loaded.managed().collect();
        for (number, &(address, bytes)) in managed.iter().enumerate() {
            let Some(start) = NonNull::new(std::ptr::with_exposed_provenance_mut(address as usize)) else {
                continue;
            };
            let others = other_machines(&self.devices, &owner);
            // SAFETY: the module's machine frees it after the others have let go of it (`State::unload`).
            if let Err(error) = unsafe { map_host(others, start, bytes as usize, HostAccess::Write) } {
                for &(address, _) in &managed[..number] {
                    self.host_memory.remove(&address);
                    unmap_host(other_machines(&self.devices, &owner), address);
                }
                owner.unload(&module.loaded).unwrap_or_else(|error| log::call_later(format_args!("{error}")));
                return Err(error);
            }
            let memory = HostMemory {
                kind: HostMemoryKind::Variable,
                bytes: bytes as usize,
                context: module.context,
                flags: HostFlags::PORTABLE,
                calls: None,
            };
            self.host_memory.insert(address, memory);
        }
        let handle = self.new_handle();
        self.modules.insert(handle, module);
        Ok(handle)
    }

    /// A function by its handle, and its module.
    pub fn find_function(&self, function: Handle) -> Result<(&Function, &Module), Status> {
        let function = self.functions.get(&function).ok_or(Status::INVALID_HANDLE)?;
        let module = self.modules.get(&function.module).ok_or(Status::INVALID_HANDLE)?;
        Ok((function, module))
    }

    /// Allocates memory of the host, which every device can access.
    pub fn allocate_host(&self, bytes: usize) -> Result<u64, MemoryError> {
        let mut machines = self.devices.machines();
        // The first one owns it.
        let Some(first) = machines.next() else { return Err(MemoryError::Empty) };
        let address = first.alloc_host(bytes as u64)?;
        if let Some(start) = NonNull::new(std::ptr::with_exposed_provenance_mut(address as usize)) {
            // SAFETY: the first machine frees it after the others have let go of it (`release_host`).
            let shared = unsafe { map_host(machines, start, bytes, HostAccess::Write) };
            shared.inspect_err(|_| drop(first.free(address)))?;
        }
        Ok(address)
    }

    /// Releases shared memory that starts at an address.
    pub fn release_host(&mut self, address: u64) {
        let Some(memory) = self.host_memory.remove(&address) else { return };
        let unmap = |machine: &Arc<Machine>| machine.unmap_host(address);
        let mut machines = self.devices.machines();
        let first = machines.next();
        let others: Vec<_> = machines.map(unmap).collect();
        let last = first.map(|first| match memory.kind {
            HostMemoryKind::Registered => unmap(first),
            HostMemoryKind::Pinned | HostMemoryKind::Managed => first.free(address),
            // Its module has ended before (`State::unload`).
            HostMemoryKind::Variable => Ok(()),
        });
        for done in others.into_iter().chain(last) {
            done.unwrap_or_else(|error| log::call_later(format_args!("{error}")));
        }
    }

    /// The shared memory that an address lies in, and where it starts.
    pub fn host_range(&self, address: u64) -> Option<(u64, &HostMemory)> {
        let (&base, memory) = self.host_memory.range(..=address).next_back()?;
        (address - base < memory.bytes as u64).then_some((base, memory))
    }

    /// Creates a memory pool of a device.
    pub fn new_pool(&mut self, device: Ordinal) -> Handle {
        let handle = self.new_handle();
        self.pools.insert(handle, Pool { device, reuse: [1; 3], release_threshold: 0, most_used: 0 });
        handle
    }

    /// The default pool of a device.
    pub fn default_pool(&mut self, device: Ordinal) -> Handle {
        match self.devices.get(device).default_pool {
            Some(pool) => pool,
            None => {
                let pool = self.new_pool(device);
                self.devices.get_mut(device).default_pool = Some(pool);
                pool
            }
        }
    }

    /// The pool that stream-ordered allocations on a device come from.
    pub fn current_pool(&mut self, device: Ordinal) -> Handle {
        match self.devices.get(device).current_pool {
            Some(pool) => pool,
            None => self.default_pool(device),
        }
    }

    /// Bytes that were allocated from a pool and not freed.
    pub fn pool_bytes_in_use(&self, pool: Handle) -> u64 {
        let own = self.device_memory.values().filter(|memory| memory.pool == Some(pool));
        own.map(|memory| memory.bytes).sum()
    }
}

/// All machines but one.
fn other_machines<'d>(devices: &'d Devices, one: &Arc<Machine>) -> impl Iterator<Item = &'d Arc<Machine>> {
    devices.machines().filter(move |machine| !Arc::ptr_eq(machine, one))
}

/// Ends what [`map_host`] began.
fn unmap_host<'m>(machines: impl Iterator<Item = &'m Arc<Machine>>, address: u64) {
    for machine in machines {
        machine.unmap_host(address).unwrap_or_else(|error| log::call_later(format_args!("{error}")));
    }
}

/// Lets machines access memory of the host: all or none.
///
/// # Safety
///
/// As for [`Machine::map_host`].
pub(super) unsafe fn map_host<'m>(
    machines: impl Iterator<Item = &'m Arc<Machine>>,
    start: NonNull<u8>,
    bytes: usize,
    access: HostAccess,
) -> Result<(), MemoryError> {
    let mut done: Vec<&Arc<Machine>> = Vec::new();
    for machine in machines {
        // SAFETY: passed on from the caller.
        if let Err(error) = unsafe { machine.map_host(start, bytes, access) } {
            let address = start.addr().get() as u64;
            done.iter().for_each(|machine| drop(machine.unmap_host(address)));
            return Err(error);
        }
        done.push(machine);
    }
    Ok(())
}

/// Streams.
impl State {
    /// The context of a stream; a default stream belongs to the current context.
    pub fn context_of(&self, stream: Handle) -> Result<Handle, Status> {
        self.usable_context(self.streams.alive(stream).map_or(current(), |stream| stream.context))
    }

    /// The queue of a stream of a context; null stands for the default stream.
    pub fn find_queue(&mut self, stream: Handle, context: Handle) -> Result<QueueId, Status> {
        self.find_context(context)?;
        match stream {
            Handle::NULL | LEGACY => Ok(QueueId(context)),
            PER_THREAD => Ok(QueueId(self.stream_of_thread(context))),
            _ => match self.streams.alive(stream) {
                Some(known) if known.context == context => Ok(QueueId(stream)),
                Some(_) => Err(Status::INVALID_CONTEXT),
                None => Err(Status::INVALID_HANDLE),
            },
        }
    }

    /// Creates a stream.
    pub fn new_stream(&mut self, context: Handle, flags: StreamFlags, priority: i32) -> Handle {
        self.streams.forget_finished(&mut self.scheduler);
        let handle = self.new_handle();
        self.streams.add(handle, Stream { context, flags, priority, destroyed: false, number: 0 });
        let kind = match flags.contains(StreamFlags::NON_BLOCKING) {
            false => QueueKind::Blocking,
            true => QueueKind::NonBlocking,
        };
        self.scheduler.open_queue(QueueId(handle), context, kind);
        handle
    }

    /// Destroys a stream, which ends with its operations; returns its context.
    pub fn destroy_stream(&mut self, stream: Handle) -> Result<Handle, Status> {
        let context = self.streams.destroy(stream)?;
        self.streams.forget_finished(&mut self.scheduler);
        Ok(context)
    }

    /// The default stream of the calling thread.
    fn stream_of_thread(&mut self, context: Handle) -> Handle {
        let thread = thread_number();
        let known = self.contexts.get(&context).and_then(|known| known.thread_streams.get(&thread));
        known.copied().unwrap_or_else(|| {
            let handle = self.new_stream(context, StreamFlags::empty(), 0);
            if let Some(known) = self.contexts.get_mut(&context) {
                known.thread_streams.insert(thread, handle);
            }
            handle
        })
    }
}

/// What the scheduler asks for and reports.
impl State {
    /// Puts an operation on a queue.
    pub fn enqueue(&mut self, queue: QueueId, action: Action) -> Ticket {
        self.enqueue_after(queue, 0, action)
    }

    /// As [`State::enqueue`], also after another operation.
    pub fn enqueue_after(&mut self, queue: QueueId, after: Ticket, action: Action) -> Ticket {
        let mut action = action;
        if let Some(orders) = &mut self.orders {
            let ticket = self.scheduler.next_ticket();
            let order = orders.add(ticket, queue, after, self.scheduler.queues_before(queue));
            if let Action::Launch(launch) = &mut action {
                launch.execution.set_order(order);
            }
        }
        self.change_scheduler(|scheduler, events| scheduler.enqueue(queue, after, action, events))
    }

    /// What a thread is to perform next, without the lock; [`State::settle`] follows.
    pub fn next_work_item(&mut self) -> Option<WorkItem> {
        if self.ended == Some(Ended::Broken) {
            return None;
        }
        let time_slices = self.scheduler.time_slices();
        let next = self.scheduler.next(self.recording.start_rule(time_slices))?;
        if let Some(ticket) = next.started {
            self.recording.started(ticket, time_slices);
            if let Some(orders) = &self.orders {
                // A copy may access the memory of two machines.
                self.devices.machines().for_each(|machine| machine.set_host_order(orders.of(ticket)));
            }
        }
        Some(next.item)
    }

    /// Takes the result of a work item.
    pub fn settle(&mut self, result: WorkResult) {
        self.change_scheduler(|scheduler, events| scheduler.settle(result, events));
    }

    /// A callback has returned.
    pub fn finish(&mut self, ticket: Ticket) {
        self.change_scheduler(|scheduler, events| scheduler.finish(ticket, events));
    }

    /// Changes the scheduler, and applies the events that follow.
    fn change_scheduler<R>(
        &mut self,
        change: impl FnOnce(&mut Scheduler, &mut Vec<SchedulerEvent>) -> R,
    ) -> R {
        let mut events = mem::take(&mut self.scheduler_events);
        let result = change(&mut self.scheduler, &mut events);
        for event in events.drain(..) {
            self.apply(event);
        }
        self.scheduler_events = events;
        result
    }

    /// Applies what the scheduler reports.
    fn apply(&mut self, event: SchedulerEvent) {
        match event {
            SchedulerEvent::OperationsFinished => self.notify_waiting(),
            SchedulerEvent::EventRecorded { event, ticket } => {
                // A later operation may record the event by now.
                let event = self.events.get_mut(&event).filter(|event| event.ticket == ticket);
                if let Some(event) = event {
                    event.time = Some(Instant::now());
                }
            }
            SchedulerEvent::CallbackReady(callback) => {
                self.threads.callbacks.push_back(callback);
                CALLBACKS.notify_one();
            }
            SchedulerEvent::KernelCompleted(report) => self.reports.keep_launch(*report),
            SchedulerEvent::OperationFailed { ticket, failure } => {
                let status = match failure {
                    Failure::Task(status) => status,
                    Failure::Kernel(failed) => {
                        self.reports.last = Some(failed.report);
                        failed.status
                    }
                };
                let context = self.scheduler.context_of(ticket);
                if let Some(context) = context.and_then(|context| self.contexts.get_mut(&context)) {
                    context.fault.get_or_insert(status);
                }
                self.change_scheduler(|scheduler, events| scheduler.fail(ticket, status, events));
            }
        }
    }

    /// Wakes threads that wait for operations.
    pub fn notify_waiting(&self) {
        if self.threads.waiting > 0 {
            PROGRESS.notify_all();
        }
    }

    /// The recording can be neither followed nor written any more: every call fails from now on. The
    /// background thread is to be woken.
    pub fn lose_recording(&mut self, why: &str) -> Status {
        let report = format!("the recorded order is lost: {why}");
        log::report_later(&report, &json!({ "kind": "lost-order", "message": report }));
        self.reports.last = Some(report);
        self.recording = Recording::Lost;
        Status::ILLEGAL_STATE
    }
}

/// Whether it was reported that the driver has taken as much host memory as it may.
static LIMIT_REPORTED: AtomicBool = AtomicBool::new(false);

/// Reports pageable memory that a call cannot access.
pub(super) fn report_host_memory(call: &str, error: &MemoryError) -> Status {
    let report = format!("{call} cannot access host memory: {error}");
    log::report(&report, &json!({ "kind": "host-memory", "message": report }));
    with_existing(|state| state.reports.last = Some(report));
    Status::INVALID_VALUE
}

/// How the limit that an error is about can be raised.
pub(super) fn limit_hint(error: &MemoryError) -> String {
    match error {
        MemoryError::OutOfMemory { .. } => {
            format!("; {} sets the memory of the emulated GPU", set_by(DEVICE_MEMORY, "BYTES"))
        }
        MemoryError::HostLimit { .. } => format!("; {} sets the limit", set_by(HOST_MEMORY, "BYTES")),
        _ => String::new(),
    }
}

/// The status of a failed access to device memory; the reason goes to the log.
pub(super) fn memory_status(error: MemoryError) -> Status {
    let hint = limit_hint(&error);
    if matches!(error, MemoryError::HostLimit { .. } | MemoryError::OutOfMemory { .. })
        && !LIMIT_REPORTED.swap(true, Ordering::Relaxed)
    {
        // A GPU has no such limit, or another one, so the program's user has to know: once.
        log::notice_later(&format!("{error}{hint}"));
    } else {
        log::call_later(format_args!("{error}{hint}"));
    }
    match error {
        MemoryError::OutOfMemory { .. }
        | MemoryError::OutOfHostMemory { .. }
        | MemoryError::HostLimit { .. } => Status::OUT_OF_MEMORY,
        MemoryError::AlreadyMapped { .. } => Status::HOST_MEMORY_ALREADY_REGISTERED,
        _ => Status::INVALID_VALUE,
    }
}
