//! Launches of kernels.

use std::{any::Any, ffi::c_void, ptr, sync::Arc};

use ptx_emulator::{Fault, Kernel, LaunchConfig, Machine, MachineDescription};

use super::{
    abi::{DriverResult, Handle, In, entry_points},
    background,
    capture::captured,
    faults,
    graphs::{NodeKind, NodeWork},
    host_compiler::explain_interpreter,
    module::default_dynamic_shared,
    scheduler::{Action, FailedLaunch, Launch},
    state::{State, memory_status, with},
    wait::{recorded_call, wait_for_room},
};
use crate::{Status, log};

/// Parameters of a launch: null, or an array of one pointer for each parameter.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct Pointers(*const *const c_void);

impl Pointers {
    /// To a list that outlives their use; null to an empty one.
    pub fn to(list: &[*const c_void]) -> Pointers {
        Pointers(if list.is_empty() { ptr::null() } else { list.as_ptr() })
    }
}

/// Keys of the `extra` array.
const END: usize = 0;
const BUFFER: usize = 1;
const BUFFER_SIZE: usize = 2;

/// Entries of an `extra` array that are read at most: two pairs and the end, with room for repeats.
const EXTRA_PAIRS: usize = 8;

entry_points! {
    fn cuLaunchKernel(
        function: Handle,
        grid_x: u32,
        grid_y: u32,
        grid_z: u32,
        block_x: u32,
        block_y: u32,
        block_z: u32,
        dynamic_shared: u32,
        stream: Handle,
        parameters: Pointers,
        extra: Pointers,
    ) {
        let config =
            LaunchConfig { grid: [grid_x, grid_y, grid_z], block: [block_x, block_y, block_z], dynamic_shared };
        enqueue(function, config, stream, parameters, extra, Cooperation::None)
    }

    fn cuLaunchCooperativeKernel(
        function: Handle,
        grid_x: u32,
        grid_y: u32,
        grid_z: u32,
        block_x: u32,
        block_y: u32,
        block_z: u32,
        dynamic_shared: u32,
        stream: Handle,
        parameters: Pointers,
    ) {
        let config =
            LaunchConfig { grid: [grid_x, grid_y, grid_z], block: [block_x, block_y, block_z], dynamic_shared };
        enqueue(function, config, stream, parameters, Pointers(ptr::null()), Cooperation::OfBlocks)
    }

    fn cuLaunchKernelEx(config: In<ExtendedConfig>, function: Handle, parameters: Pointers, extra: Pointers) {
        let config = config.get()?;
        let mut cooperation = Cooperation::None;
        for at in 0..config.count as usize {
            match In::pointed(config.attributes).at(at).get()? {
                LaunchAttribute { kind: COOPERATIVE, value: [0, ..], .. } => cooperation = Cooperation::None,
                LaunchAttribute { kind: COOPERATIVE, .. } => cooperation = Cooperation::OfBlocks,
                other => config.check(&other)?,
            }
        }
        let ExtendedConfig { grid, block, dynamic_shared, stream, .. } = config;
        enqueue(function, LaunchConfig { grid, block, dynamic_shared }, stream, parameters, extra, cooperation)
    }

    fn cuProfilerStart() {
        with(|_| Ok(()))
    }

    fn cuProfilerStop() {
        with(|_| Ok(()))
    }
}

/// `CUlaunchConfig`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct ExtendedConfig {
    grid: [u32; 3],
    block: [u32; 3],
    dynamic_shared: u32,
    stream: Handle,
    attributes: usize,
    count: u32,
}

/// The attribute of cooperative launches.
const COOPERATIVE: u32 = 2;

/// Whether the blocks of a launch wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cooperation {
    None,
    OfBlocks,
}

/// Memory of the device in which the blocks of a cooperative launch meet.
struct MeetingPlace {
    machine: Arc<Machine>,
    address: u64,
}

/// Its size: a counter that the blocks add to, behind a word that tells the size.
const MEETING_BYTES: u64 = 8;

impl MeetingPlace {
    fn new(machine: &Arc<Machine>) -> Result<MeetingPlace, Status> {
        let address = machine.alloc(MEETING_BYTES).map_err(memory_status)?;
        let place = MeetingPlace { machine: machine.clone(), address };
        // All memory is zero at first; the write tells the checks that it is meant to be.
        machine.write(address, &[0; MEETING_BYTES as usize]).map_err(memory_status)?;
        Ok(place)
    }
}

impl Drop for MeetingPlace {
    fn drop(&mut self) {
        if let Err(error) = self.machine.free(self.address) {
            memory_status(error);
        }
    }
}

/// `CUlaunchAttribute`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
struct LaunchAttribute {
    kind: u32,
    _unused: u32,
    value: [u32; 16],
}

impl ExtendedConfig {
    /// Accepts attributes that have no effect here.
    fn check(&self, attribute: &LaunchAttribute) -> DriverResult {
        match (attribute.kind, attribute.value) {
            // Ignored: none, caching, synchronisation, a cluster's scheduling, early starts, priority, memory
            // domain.
            (0 | 1 | 3 | 5 | 6 | 8 | 9, _) => Ok(()),
            // Clusters of one block.
            (4, [1, 1, 1, ..]) => Ok(()),
            (kind, _) => {
                log::call(format_args!("launch attribute {kind} is not supported"));
                Err(Status::NOT_SUPPORTED)
            }
        }
    }
}

/// Puts a launch on a stream, or into the graph of the stream's capture.
fn enqueue(
    function: Handle,
    config: LaunchConfig,
    stream: Handle,
    parameters: Pointers,
    extra: Pointers,
    cooperation: Cooperation,
) -> DriverResult {
    let work = KernelLaunch::new(function, config, parameters, extra, cooperation)?;
    if captured(stream, || Arc::new(work.clone()))? { Ok(()) } else { work.submit(stream) }
}

/// A kernel with everything that launches it.
#[derive(Clone, Debug)]
pub(super) struct KernelLaunch {
    pub function: Handle,
    pub config: LaunchConfig,
    cooperation: Cooperation,
    /// The kernel's parameters.
    pub block: Vec<u8>,
}

impl KernelLaunch {
    pub fn new(
        function: Handle,
        config: LaunchConfig,
        parameters: Pointers,
        extra: Pointers,
        cooperation: Cooperation,
    ) -> Result<KernelLaunch, Status> {
        let block = with(|state| {
            let (known, module) = state.find_function(function)?;
            let kernel = module.loaded.program().kernel(&known.kernel).ok_or(Status::INVALID_HANDLE)?;
            parameter_block(kernel, parameters, extra)
        })?;
        Ok(KernelLaunch { function, config, cooperation, block })
    }
}

impl NodeWork for KernelLaunch {
    fn kind(&self) -> NodeKind {
        NodeKind::Kernel
    }

    fn submit(&self, stream: Handle) -> DriverResult {
        submit(self, stream)
    }
}

fn submit(work: &KernelLaunch, stream: Handle) -> DriverResult {
    let KernelLaunch { function, config, .. } = *work;
    wait_for_room();
    let text = |state: &State| {
        let kernel = state.functions.get(&function).map_or("?", |known| &known.kernel);
        let LaunchConfig { grid, block, dynamic_shared } = config;
        let stream = state.streams.name(stream);
        format!("cuLaunchKernel({kernel}, {grid:?}, {block:?}, {dynamic_shared}, {stream})")
    };
    let mut rejected = None;
    let call = |state: &mut State| {
        launch(state, work, stream).map_err(|error| match error {
            Rejection::Status(status) => status,
            Rejection::Fault(fault, device) => {
                let status = faults::status_of(&fault.kind);
                rejected = Some((fault, device));
                status
            }
        })
    };
    let result = recorded_call(text, call);
    if let Some((mut fault, device)) = rejected {
        // It has touched nothing, so the context stays usable.
        let FailedLaunch { report, .. } = faults::report(&mut fault, device);
        with(|state| {
            state.reports.last = Some(report);
            Ok(())
        })?;
    }
    result
}

/// Why a launch was not put on a stream.
enum Rejection {
    Status(Status),
    /// With the device's number, if there are several.
    Fault(Box<Fault>, Option<usize>),
}

impl From<Status> for Rejection {
    fn from(status: Status) -> Rejection {
        Rejection::Status(status)
    }
}

fn launch(state: &mut State, work: &KernelLaunch, stream: Handle) -> Result<(), Rejection> {
    let KernelLaunch { function, config, cooperation, ref block } = *work;
    let context = state.context_of(stream)?;
    let (known, module) = state.find_function(function)?;
    if module.context != context {
        return Err(Status::INVALID_HANDLE.into());
    }
    let loaded = module.loaded.clone();
    let kernel = loaded.program().kernel(&known.kernel).ok_or(Status::INVALID_HANDLE)?;
    let machine = state.machine_of(context).description();
    let allowed = default_dynamic_shared(machine.shared_per_block, known, kernel.static_shared_bytes);
    check_shape(machine, kernel, &config, allowed)?;

    let meeting = match cooperation {
        Cooperation::None => None,
        Cooperation::OfBlocks => {
            let blocks = config.grid.iter().fold(1u64, |all, &n| all.saturating_mul(n.into()));
            let whole = state.machine_of(context);
            let of_each = whole.occupancy(kernel, config.block_threads() as u32, config.dynamic_shared);
            if blocks > u64::from(of_each) * u64::from(machine.multiprocessors) {
                return Err(Status::COOPERATIVE_LAUNCH_TOO_LARGE.into());
            }
            Some(MeetingPlace::new(whole)?)
        }
    };
    let mut options = state.configuration.launch.clone();
    options.cooperative = meeting.as_ref().map(|place| place.address);
    if state.recording.is_active() {
        options.jobs = 1;
    }
    explain_interpreter(&options, state.configuration.checks.is_some() || state.configuration.profiling);
    match state.machine_of(context).begin(&loaded, &kernel.name, &config, block, &options) {
        Ok(execution) => {
            let queue = state.find_queue(stream, context)?;
            let machine = state.machine_of(context).clone();
            let device = state.devices.number_if_several(state.device_of(context));
            let kept = meeting.map(|place| Box::new(place) as Box<dyn Any + Send>);
            state.enqueue(queue, Action::Launch(Box::new(Launch { machine, device, execution, kept })));
            background::wake(state);
            Ok(())
        }
        Err(fault) => {
            let device = state.devices.number_if_several(state.device_of(context));
            Err(Rejection::Fault(fault, device))
        }
    }
}

/// Checks grid, block and dynamic shared memory against the limits of the device and of the kernel.
fn check_shape(
    machine: &MachineDescription,
    kernel: &Kernel,
    config: &LaunchConfig,
    dynamic_shared: u32,
) -> DriverResult {
    let inside = |size: [u32; 3], limit: [u32; 3]| {
        size.iter().zip(limit).all(|(&size, limit)| (1..=limit).contains(&size))
    };
    let threads = config.block_threads();
    if !inside(config.grid, machine.max_grid)
        || !inside(config.block, machine.max_block)
        || threads > u64::from(machine.max_threads_per_block)
        || config.dynamic_shared > dynamic_shared
        || kernel.required_block.is_some_and(|block| block != config.block)
    {
        return Err(Status::INVALID_VALUE);
    }
    if threads > u64::from(kernel.max_threads) {
        return Err(Status::LAUNCH_OUT_OF_RESOURCES);
    }
    Ok(())
}

/// The kernel's parameter block, from pointers to the parameters or from a buffer.
fn parameter_block(kernel: &Kernel, parameters: Pointers, extra: Pointers) -> Result<Vec<u8>, Status> {
    let size = kernel.param_bytes as usize;
    match (parameters.0.is_null(), extra.0.is_null()) {
        (true, true) if size == 0 => Ok(Vec::new()),
        (false, true) => from_pointers(kernel, parameters),
        (true, false) => from_buffer(size, extra),
        // No source for the parameters of a kernel that has some, or two sources.
        _ => Err(Status::INVALID_VALUE),
    }
}

fn from_pointers(kernel: &Kernel, parameters: Pointers) -> Result<Vec<u8>, Status> {
    let mut block = vec![0; kernel.param_bytes as usize];
    for (at, parameter) in kernel.params.iter().enumerate() {
        // SAFETY: the caller promises one pointer for each parameter of the kernel.
        let value = unsafe { parameters.0.add(at).read() };
        if value.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        let (start, size) = (parameter.offset as usize, parameter.size as usize);
        let target = block.get_mut(start..start + size).ok_or(Status::INVALID_VALUE)?;
        // SAFETY: each pointer is to a value of its parameter's size, by the caller's promise; the fresh
        // block does not overlap it.
        unsafe { value.cast::<u8>().copy_to_nonoverlapping(target.as_mut_ptr(), size) };
    }
    Ok(block)
}

fn from_buffer(size: usize, extra: Pointers) -> Result<Vec<u8>, Status> {
    let (mut buffer, mut given) = (ptr::null::<u8>(), None);
    for pair in 0..EXTRA_PAIRS {
        // SAFETY: the caller promises pairs of key and value up to the key END, which ends the loop.
        let key = unsafe { extra.0.add(2 * pair).read() } as usize;
        if key == END {
            break;
        }
        // SAFETY: every key but END is followed by its value.
        let value = unsafe { extra.0.add(2 * pair + 1).read() };
        match key {
            BUFFER => buffer = value.cast(),
            BUFFER_SIZE if !value.is_null() => {
                // SAFETY: the value of this key points to a size.
                given = Some(unsafe { value.cast::<usize>().read_unaligned() });
            }
            _ => return Err(Status::INVALID_VALUE),
        }
    }
    // A longer buffer is padded by the caller; a shorter one would leave parameters without a value.
    if given.is_none_or(|given| given < size) || (buffer.is_null() && size != 0) {
        return Err(Status::INVALID_VALUE);
    }
    let mut block = vec![0; size];
    if size != 0 {
        // SAFETY: not null, and at least `size` bytes by the caller's promise.
        unsafe { buffer.copy_to_nonoverlapping(block.as_mut_ptr(), size) };
    }
    Ok(block)
}
