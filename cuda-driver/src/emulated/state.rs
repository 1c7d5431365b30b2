//! The state of the emulated driver, behind one lock, which nobody holds while a kernel runs or bytes are copied.

use std::{
    cell::Cell,
    collections::{BTreeMap, HashMap, VecDeque},
    ffi::CString,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::Instant,
};

use ptx_emulator::{LaunchOptions, LaunchReport, LoadedModule, Machine, MachineDescription, MemoryError};

use super::{
    abi::Handle,
    leaks,
    order::Order,
    work::{self, Action, Ticket, Work},
};
use crate::{Status, emulator, log};

/// Everything the driver knows.
pub(crate) struct State {
    /// `cuInit` was called.
    pub initialised: bool,
    pub machine: Arc<Machine>,
    pub work: Work,
    pub order: Order,
    /// Allocations since the settings said which to refuse.
    pub allocations: u64,
    pub refused: Option<emulator::Refused>,
    pub launch: LaunchOptions,
    pub primary: Primary,
    pub contexts: HashMap<Handle, Context>,
    pub modules: HashMap<Handle, Module>,
    pub functions: HashMap<Handle, Function>,
    pub streams: HashMap<Handle, Stream>,
    pub events: HashMap<Handle, Event>,
    /// Device memory that callers hold, by address.
    pub device_memory: BTreeMap<u64, DeviceMemory>,
    pub pools: HashMap<Handle, Pool>,
    /// The pool that the device comes with, once somebody has asked for it, and the one that was put in its place.
    pub first_pool: Option<Handle>,
    pub device_pool: Option<Handle>,
    /// Memory of the host that is shared with the device, by address.
    pub host_memory: BTreeMap<u64, HostMemory>,
    /// Reports of launches that nobody has taken yet, the oldest first.
    pub launches: VecDeque<LaunchReport>,
    /// Reports dropped because nobody took them.
    pub forgotten_launches: u64,
    /// The report of the last refused module or failed launch.
    pub last_fault: Option<String>,
    next_handle: usize,
    streams_made: u64,
}

/// The device's primary context, which everybody shares.
#[derive(Default)]
pub(crate) struct Primary {
    pub context: Option<Handle>,
    pub retained: u32,
    pub flags: u32,
}

#[derive(Default)]
pub(crate) struct Context {
    pub flags: u32,
    pub primary: bool,
    /// The failure of a kernel; it ends the context's life for all but its destruction.
    pub fault: Option<Status>,
    /// Limits that were set, by `CUlimit`.
    pub limits: HashMap<u32, usize>,
    pub cache_config: u32,
    pub shared_config: u32,
    /// What was put on the default stream last.
    pub last: Ticket,
    /// The default streams of threads, by the number of the thread.
    pub of_threads: HashMap<u64, Handle>,
}

pub(crate) struct Module {
    pub context: Handle,
    pub loaded: LoadedModule,
    /// Handles that were given out, by kernel name.
    pub functions: HashMap<String, Handle>,
    /// Kernels that the image has only as machine code.
    pub without_ptx: Vec<String>,
}

pub(crate) struct Function {
    pub module: Handle,
    pub kernel: String,
    /// Dynamic shared memory allowed, if `cuFuncSetAttribute` raised it.
    pub dynamic_shared: Option<u32>,
    /// The preferred carveout, which is kept and means nothing here.
    pub carveout: i32,
    /// The kernel's name, for callers.
    pub name: CString,
}

pub(crate) struct Stream {
    pub context: Handle,
    pub flags: u32,
    pub priority: i32,
    /// What was put on it last.
    pub last: Ticket,
    /// The program has destroyed it; it ends with its work.
    pub destroyed: bool,
    /// Its place among all streams there ever were, from 1.
    pub number: u64,
}

/// `CU_STREAM_NON_BLOCKING`: the stream and the default stream do not wait for each other.
pub(super) const NON_BLOCKING: u32 = 1;

pub(crate) struct Event {
    pub context: Handle,
    pub flags: u32,
    /// The operation that records it, 0 if none ever did.
    pub ticket: Ticket,
    /// When that was done.
    pub time: Option<Instant>,
}

/// Memory of the device.
pub(crate) struct DeviceMemory {
    pub context: Handle,
    pub bytes: u64,
    /// The pool that it was taken from in a stream's order.
    pub pool: Option<Handle>,
}

/// A memory pool: settings that mean nothing here, and a count.
pub(crate) struct Pool {
    pub reuse: [u32; 3],
    pub release_threshold: u64,
    /// Bytes that were in use at most.
    pub most_used: u64,
}

/// How memory of the host came to be shared with the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HostKind {
    Pinned,
    Registered,
    Managed,
}

/// Memory of the host that the device reaches at the same address.
pub(crate) struct HostMemory {
    pub kind: HostKind,
    pub bytes: usize,
    pub context: Handle,
    pub flags: u32,
}

/// Bytes of the device heap unless a limit is set.
pub(super) const HEAP_BYTES: u64 = 8 << 20;

/// Handles look like addresses that nothing is mapped at, apart from each other.
const FIRST_HANDLE: usize = 0xC0DA_0000_0000;

static STATE: Mutex<Option<State>> = Mutex::new(None);

pub(super) fn lock() -> MutexGuard<'static, Option<State>> {
    // After a panic the state is still memory-safe; the call that panicked answered an error.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The state, made from the environment's settings when nobody has needed it before.
pub(crate) fn with_any<R>(use_it: impl FnOnce(&mut State) -> R) -> Result<R, emulator::ConfigureError> {
    let mut guard = lock();
    if guard.is_none() {
        let mut state = State::new();
        state.apply(emulator::Settings::from_env()?)?;
        *guard = Some(state);
    }
    Ok(use_it(guard.as_mut().expect("made above if it was not there")))
}

/// The state if there is any.
pub(crate) fn with_existing<R>(use_it: impl FnOnce(&mut State) -> R) -> Option<R> {
    lock().as_mut().map(use_it)
}

/// The process that called `cuInit`, 0 before.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// What `cuInit` does.
pub(super) fn initialise() -> Result<(), emulator::ConfigureError> {
    with_any(|state| state.initialised = true)?;
    PROCESS.store(std::process::id(), Ordering::Relaxed);
    Ok(())
}

/// Whether this process was forked after `cuInit`.
pub(super) fn is_forked() -> bool {
    let process = PROCESS.load(Ordering::Relaxed);
    process != 0 && process != std::process::id()
}

/// The state after `cuInit`.
pub(super) fn with<R>(use_it: impl FnOnce(&mut State) -> Result<R, Status>) -> Result<R, Status> {
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

/// How deep a thread's stack of contexts can be.
const STACK_DEPTH: usize = 32;

/// `CU_STREAM_LEGACY` and `CU_STREAM_PER_THREAD`, which every context has.
const LEGACY: Handle = Handle(1);
const PER_THREAD: Handle = Handle(2);

/// Threads that were given a number.
static THREADS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    // Plain values without a destructor: programs call the driver from destructors that run when the
    // thread's own data are gone already.
    static STACK: Cell<([Handle; STACK_DEPTH], usize)> = const { Cell::new(([Handle::NULL; STACK_DEPTH], 0)) };
    static NUMBER: Cell<u64> = const { Cell::new(0) };
}

/// The number of the calling thread, from 1 on in the order in which threads ask for it.
fn thread_number() -> u64 {
    if NUMBER.get() == 0 {
        NUMBER.set(THREADS.fetch_add(1, Ordering::Relaxed) + 1);
    }
    NUMBER.get()
}

/// The thread's current context, null if there is none.
pub(super) fn current() -> Handle {
    let (stack, depth) = STACK.get();
    depth.checked_sub(1).map_or(Handle::NULL, |top| stack[top])
}

/// Makes a context current in place of the top of the stack; null empties the place.
pub(super) fn set_current(context: Handle) {
    let (mut stack, depth) = STACK.get();
    let depth = if context == Handle::NULL { depth.saturating_sub(1) } else { depth.max(1) };
    if context != Handle::NULL {
        stack[depth - 1] = context;
    }
    STACK.set((stack, depth));
}

/// Pushes a context on the thread's stack.
pub(super) fn push_current(context: Handle) -> Result<(), Status> {
    let (mut stack, depth) = STACK.get();
    *stack.get_mut(depth).ok_or(Status::OUT_OF_MEMORY)? = context;
    STACK.set((stack, depth + 1));
    Ok(())
}

/// Takes the top of the thread's stack.
pub(super) fn pop_current() -> Result<Handle, Status> {
    let (stack, depth) = STACK.get();
    let depth = depth.checked_sub(1).ok_or(Status::INVALID_CONTEXT)?;
    STACK.set((stack, depth));
    Ok(stack[depth])
}

impl State {
    fn new() -> State {
        State {
            initialised: false,
            machine: Arc::new(Machine::new(MachineDescription::default())),
            work: Work::default(),
            order: Order::Free,
            allocations: 0,
            refused: None,
            streams_made: 0,
            launch: LaunchOptions::default(),
            primary: Primary::default(),
            contexts: HashMap::new(),
            modules: HashMap::new(),
            functions: HashMap::new(),
            streams: HashMap::new(),
            events: HashMap::new(),
            device_memory: BTreeMap::new(),
            pools: HashMap::new(),
            first_pool: None,
            device_pool: None,
            host_memory: BTreeMap::new(),
            launches: VecDeque::new(),
            forgotten_launches: 0,
            last_fault: None,
            next_handle: FIRST_HANDLE,
        }
    }

    /// Changes the settings that are given, all or none.
    pub fn apply(&mut self, settings: emulator::Settings) -> Result<(), emulator::ConfigureError> {
        let order = settings.order.map(|order| order.open()).transpose()?;
        let mut unified = self.machine.is_unified();
        let checks_leaks = settings.check_leaks.unwrap_or(self.machine.tracks_heap_allocations());
        if let Some(machine) = settings.machine {
            let contexts = self.contexts.len();
            if contexts > 0 {
                return Err(emulator::ConfigureError::MachineInUse { contexts });
            }
            self.machine = Arc::new(Machine::new(machine));
        }
        unified = settings.unified_memory.unwrap_or(unified);
        // SAFETY: whoever asks for unified memory and launches a kernel promises, with the launch, that the
        // addresses that it uses are valid.
        unsafe { self.machine.unify_host(unified) };
        if checks_leaks != self.machine.tracks_heap_allocations() {
            self.machine.track_heap_allocations(checks_leaks);
        }
        if let Some(launch) = settings.launch {
            self.launch = launch;
        }
        if let Some(refused) = settings.refused_allocation {
            (self.allocations, self.refused) = (0, Some(refused));
        }
        if let Some(order) = order {
            self.order = order;
        }
        Ok(())
    }

    /// A handle that was never given out before: a stale one never comes to life again.
    pub fn new_handle(&mut self) -> Handle {
        self.next_handle += 16;
        Handle(self.next_handle)
    }

    /// Checks that `context` is alive and has no fault.
    pub fn usable_context(&self, context: Handle) -> Result<Handle, Status> {
        if context == Handle::NULL {
            return Err(Status::INVALID_CONTEXT);
        }
        match self.contexts.get(&context).ok_or(Status::CONTEXT_IS_DESTROYED)?.fault {
            Some(fault) => Err(fault),
            None => Ok(context),
        }
    }

    /// The fault of a context, if it has one.
    pub fn fault_of(&self, context: Handle) -> Result<(), Status> {
        self.contexts.get(&context).and_then(|context| context.fault).map_or(Ok(()), Err)
    }

    /// Makes a context.
    pub fn new_context(&mut self, flags: u32, primary: bool) -> Handle {
        let handle = self.new_handle();
        self.contexts.insert(handle, Context { flags, primary, ..Context::default() });
        handle
    }

    /// Ends a context and everything that belongs to it. What it has still to do is dropped; callers have waited.
    pub fn destroy_context(&mut self, context: Handle) {
        self.give_up(context, Status::CONTEXT_IS_DESTROYED);
        let modules: Vec<Handle> =
            self.modules.iter().filter(|(_, m)| m.context == context).map(|(handle, _)| *handle).collect();
        for module in modules {
            self.unload(module);
        }
        self.streams.retain(|_, stream| stream.context != context);
        self.events.retain(|_, event| event.context != context);
        let owned = self.device_memory.extract_if(.., |_, memory| memory.context == context);
        for (address, _) in owned.collect::<Vec<_>>() {
            self.machine.free(address).unwrap_or_else(|error| log::call(format_args!("{error}")));
        }
        let shared = self.host_memory.iter().filter(|(_, memory)| memory.context == context);
        for address in shared.map(|(address, _)| *address).collect::<Vec<_>>() {
            self.release_host(address);
        }
        self.contexts.remove(&context);
        // Other contexts may have waited for what was dropped.
        work::look_after(self);
        if self.contexts.is_empty() {
            // The device heap ends with its context.
            self.report_leaks();
            self.machine.clear_heap();
            self.machine.set_heap_limit(HEAP_BYTES);
            let resources = self.resources();
            log::call(format_args!("the last context has ended; in use: {resources:?}"));
        }
    }

    /// Reports what is left on the device heap, where that is asked for.
    pub fn report_leaks(&self) {
        leaks::report(&self.machine);
    }

    /// What is in use.
    pub fn resources(&mut self) -> emulator::Resources {
        self.forget_streams();
        emulator::Resources {
            contexts: self.contexts.len(),
            modules: self.modules.len(),
            functions: self.functions.len(),
            streams: self.streams.len(),
            events: self.events.len(),
            device_allocations: self.device_memory.len(),
            host_allocations: self.host_memory.len(),
            device_bytes: self.machine.memory_usage().0,
            operations: self.work.unfinished(),
        }
    }

    /// Unloads a module: its handle and those of its functions become stale.
    pub fn unload(&mut self, module: Handle) {
        if let Some(gone) = self.modules.remove(&module) {
            for function in gone.functions.values() {
                self.functions.remove(function);
            }
            self.machine.unload(&gone.loaded).unwrap_or_else(|error| log::call(format_args!("{error}")));
        }
    }

    /// Gives up shared memory that starts at an address.
    pub fn release_host(&mut self, address: u64) {
        if let Some(memory) = self.host_memory.remove(&address) {
            let done = match memory.kind {
                HostKind::Registered => self.machine.unmap_host(address),
                HostKind::Pinned | HostKind::Managed => self.machine.free(address),
            };
            done.unwrap_or_else(|error| log::call(format_args!("{error}")));
        }
    }

    /// Finds a stream of a context: its own handle, or null for the default stream.
    pub fn find_stream(&mut self, stream: Handle, context: Handle) -> Result<Handle, Status> {
        match stream {
            Handle::NULL | LEGACY => Ok(Handle::NULL),
            PER_THREAD => Ok(self.stream_of_thread(context)),
            _ => match self.streams.get(&stream).filter(|known| !known.destroyed) {
                Some(known) if known.context == context => Ok(stream),
                Some(_) => Err(Status::INVALID_CONTEXT),
                None => Err(Status::INVALID_HANDLE),
            },
        }
    }

    /// Makes a stream.
    pub fn new_stream(&mut self, context: Handle, flags: u32, priority: i32) -> Handle {
        self.forget_streams();
        let handle = self.new_handle();
        self.streams_made += 1;
        let number = self.streams_made;
        self.streams.insert(handle, Stream { context, flags, priority, last: 0, destroyed: false, number });
        handle
    }

    /// What a recording calls a stream.
    pub fn name_of(&self, stream: Handle) -> String {
        match (stream, self.streams.get(&stream)) {
            (_, Some(known)) => format!("stream {}", known.number),
            (PER_THREAD, _) => "the thread's stream".to_owned(),
            _ => "the default stream".to_owned(),
        }
    }

    /// Counts an allocation, and refuses the one that the settings say.
    pub fn may_allocate(&mut self) -> Result<(), Status> {
        self.allocations += 1;
        let number = self.allocations;
        let refused = |refused: &emulator::Refused| {
            number == refused.first || (refused.later && number > refused.first)
        };
        if self.refused.as_ref().is_some_and(refused) {
            log::call(format_args!("allocation {number} is refused, as the settings ask"));
            return Err(Status::OUT_OF_MEMORY);
        }
        Ok(())
    }

    /// The default stream of the calling thread.
    fn stream_of_thread(&mut self, context: Handle) -> Handle {
        let thread = thread_number();
        let known = self.contexts.get(&context).and_then(|known| known.of_threads.get(&thread));
        known.copied().unwrap_or_else(|| {
            let handle = self.new_stream(context, 0, 0);
            if let Some(known) = self.contexts.get_mut(&context) {
                known.of_threads.insert(thread, handle);
            }
            handle
        })
    }

    /// The streams of a context that wait for its default stream, and it for them.
    fn blocking(&self, context: Handle) -> impl Iterator<Item = &Stream> {
        self.streams.values().filter(move |s| s.context == context && s.flags & NON_BLOCKING == 0)
    }

    /// What an operation would wait for on a stream that [`State::find_stream`] found.
    pub fn before(&self, stream: Handle, context: Handle) -> Vec<Ticket> {
        let default = self.contexts.get(&context).map_or(0, |context| context.last);
        let mut before = match self.streams.get(&stream) {
            Some(known) if known.flags & NON_BLOCKING == 0 => vec![known.last, default],
            Some(known) => vec![known.last],
            None => self.blocking(context).map(|known| known.last).chain([default]).collect(),
        };
        before.retain(|&ticket| self.work.is_unfinished(ticket));
        before
    }

    /// Puts an operation on a stream that [`State::find_stream`] found, after all that it has to wait for there.
    pub fn enqueue(&mut self, stream: Handle, context: Handle, action: Action) -> Ticket {
        self.enqueue_after(stream, context, 0, action)
    }

    /// As [`State::enqueue`], also after another operation.
    pub fn enqueue_after(
        &mut self,
        stream: Handle,
        context: Handle,
        other: Ticket,
        action: Action,
    ) -> Ticket {
        let mut before = self.before(stream, context);
        before.push(other);
        let ticket = self.add(context, &before, action);
        match self.streams.get_mut(&stream) {
            Some(known) => known.last = ticket,
            None => {
                if let Some(known) = self.contexts.get_mut(&context) {
                    known.last = ticket;
                }
            }
        }
        ticket
    }

    /// Forgets destroyed streams whose work is done.
    pub fn forget_streams(&mut self) {
        let work = &self.work;
        self.streams.retain(|_, stream| !stream.destroyed || work.is_unfinished(stream.last));
    }
}

/// The status of a refused operation on device memory; the reason goes to the log.
pub(super) fn memory_status(error: MemoryError) -> Status {
    log::call(format_args!("{error}"));
    match error {
        MemoryError::OutOfMemory { .. } | MemoryError::OutOfHostMemory { .. } => Status::OUT_OF_MEMORY,
        MemoryError::AlreadyMapped { .. } => Status::HOST_MEMORY_ALREADY_REGISTERED,
        _ => Status::INVALID_VALUE,
    }
}
