//! The state of the emulated driver, behind one lock.

use std::{
    alloc::Layout,
    cell::Cell,
    collections::{BTreeMap, HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use ptx_emulator::{LaunchOptions, LaunchReport, LoadedModule, Machine, MachineDescription, MemoryError};

use super::abi::Handle;
use crate::{Status, emulator, log};

/// Everything the driver knows.
pub(crate) struct State {
    /// `cuInit` was called.
    pub initialised: bool,
    pub machine: Machine,
    pub launch: LaunchOptions,
    pub primary: Primary,
    pub contexts: HashMap<Handle, Context>,
    pub modules: HashMap<Handle, Module>,
    pub functions: HashMap<Handle, Function>,
    pub streams: HashMap<Handle, Stream>,
    pub events: HashMap<Handle, Event>,
    /// Device memory that callers hold: address to owner.
    pub device_memory: BTreeMap<u64, Handle>,
    /// Pinned host memory that callers hold, by address.
    pub host_memory: BTreeMap<u64, HostMemory>,
    /// Reports of launches that nobody has taken yet, the oldest first.
    pub launches: VecDeque<LaunchReport>,
    /// Reports dropped because nobody took them.
    pub forgotten_launches: u64,
    /// The report of the last refused module or failed launch.
    pub last_fault: Option<String>,
    next_handle: usize,
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
}

pub(crate) struct Stream {
    pub context: Handle,
    pub flags: u32,
    pub priority: i32,
}

pub(crate) struct Event {
    pub context: Handle,
    pub flags: u32,
    /// When it was recorded last. Work is finished on return, so a recorded event has happened.
    pub recorded: Option<Instant>,
}

pub(crate) struct HostMemory {
    pub layout: Layout,
    pub context: Handle,
    pub flags: u32,
}

/// Bytes of the device heap unless a limit is set.
pub(super) const HEAP_BYTES: u64 = 8 << 20;

/// Handles look like addresses that nothing is mapped at, apart from each other.
const FIRST_HANDLE: usize = 0xC0DA_0000_0000;

static STATE: Mutex<Option<State>> = Mutex::new(None);

fn lock() -> MutexGuard<'static, Option<State>> {
    // After a panic the state is still memory-safe; the call that panicked answered an error.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The state, made from the environment's settings when nobody has needed it before.
pub(crate) fn with_any<R>(use_it: impl FnOnce(&mut State) -> R) -> Result<R, emulator::ConfigureError> {
    let mut guard = lock();
    if guard.is_none() {
        let settings = emulator::Settings::from_env()?;
        *guard = Some(State::new(settings.machine.unwrap_or_default(), settings.launch.unwrap_or_default()));
    }
    Ok(use_it(guard.as_mut().expect("made above if it was not there")))
}

/// The state if there is any.
pub(crate) fn with_existing<R>(use_it: impl FnOnce(&mut State) -> R) -> Option<R> {
    lock().as_mut().map(use_it)
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

thread_local! {
    // Plain values without a destructor: programs call the driver from destructors that run when the
    // thread's own data are gone already.
    static STACK: Cell<([Handle; STACK_DEPTH], usize)> = const { Cell::new(([Handle::NULL; STACK_DEPTH], 0)) };
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
    fn new(machine: MachineDescription, launch: LaunchOptions) -> State {
        State {
            initialised: false,
            machine: Machine::new(machine),
            launch,
            primary: Primary::default(),
            contexts: HashMap::new(),
            modules: HashMap::new(),
            functions: HashMap::new(),
            streams: HashMap::new(),
            events: HashMap::new(),
            device_memory: BTreeMap::new(),
            host_memory: BTreeMap::new(),
            launches: VecDeque::new(),
            forgotten_launches: 0,
            last_fault: None,
            next_handle: FIRST_HANDLE,
        }
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

    /// Ends a context and everything that belongs to it.
    pub fn destroy_context(&mut self, context: Handle) {
        let modules: Vec<Handle> =
            self.modules.iter().filter(|(_, m)| m.context == context).map(|(handle, _)| *handle).collect();
        for module in modules {
            self.unload(module);
        }
        self.streams.retain(|_, stream| stream.context != context);
        self.events.retain(|_, event| event.context != context);
        let owned = self.device_memory.extract_if(.., |_, owner| *owner == context);
        for (address, _) in owned.collect::<Vec<_>>() {
            self.machine.free(address).unwrap_or_else(|error| log::call(format_args!("{error}")));
        }
        for (address, memory) in self.host_memory.extract_if(.., |_, memory| memory.context == context) {
            memory.free(address);
        }
        self.contexts.remove(&context);
        if self.contexts.is_empty() {
            // The device heap ends with its context.
            self.machine.clear_heap();
            self.machine.set_heap_limit(HEAP_BYTES);
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

    /// Checks a stream handle: the default streams, or one of the context's.
    pub fn check_stream(&self, stream: Handle, context: Handle) -> Result<(), Status> {
        match stream.0 {
            // NULL, CU_STREAM_LEGACY and CU_STREAM_PER_THREAD exist in every context.
            0..=2 => Ok(()),
            _ => match self.streams.get(&stream) {
                Some(known) if known.context == context => Ok(()),
                Some(_) => Err(Status::INVALID_CONTEXT),
                None => Err(Status::INVALID_HANDLE),
            },
        }
    }
}

impl HostMemory {
    /// Gives the memory at `address` back; the caller has taken it out of the list.
    pub fn free(self, address: u64) {
        // SAFETY: the list holds what `std::alloc::alloc_zeroed` answered for this layout, and what is taken
        // out of it is freed once.
        unsafe { std::alloc::dealloc(address as *mut u8, self.layout) }
    }
}

/// The status of a refused operation on device memory; the reason goes to the log.
pub(super) fn memory_status(error: MemoryError) -> Status {
    log::call(format_args!("{error}"));
    match error {
        MemoryError::OutOfMemory { .. } => Status::OUT_OF_MEMORY,
        _ => Status::INVALID_VALUE,
    }
}
