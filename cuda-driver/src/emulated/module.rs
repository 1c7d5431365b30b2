//! Modules from device images, their kernels and their variables.

use std::{
    borrow::Cow,
    collections::HashMap,
    ffi::{CString, c_char},
    fs,
    sync::Arc,
};

use ptx_emulator::{LoadError, ModuleError, Program};
use serde_json::json;

use super::{
    abi::{Handle, HostTarget, ImageSource, Out, Outcome, Text, entry_points},
    order::ordered,
    state::{Function, Module, State, current, with, with_context},
    work,
};
use crate::{Status, image, log};

/// `CUjit_option` of the buffers for messages, and of their sizes.
const INFO_LOG: u32 = 3;
const ERROR_LOG: u32 = 5;

/// What a module is called in messages when its image came without a name.
const MODULE: &str = "module";

/// `CUfunction_attribute` that can be set.
const DYNAMIC_SHARED: i32 = 8;
const CARVEOUT: i32 = 9;

/// A `CUjit_option` array as it came: null, or as long as the call says.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct Options(*const u32);

/// The values of the options; sizes of messages are written back into them.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct Values(*mut usize);

/// A buffer for messages that the caller gave with the options.
#[derive(Clone, Copy)]
struct LogBuffer {
    text: HostTarget,
    room: usize,
    written: Out<usize>,
}

entry_points! {
    fn cuModuleLoadData(module: Out<Handle>, image: ImageSource) {
        load(module, MODULE, || image.bytes(), None)
    }

    fn cuModuleLoadFatBinary(module: Out<Handle>, image: ImageSource) {
        load(module, MODULE, || image.bytes(), None)
    }

    fn cuModuleLoadDataEx(module: Out<Handle>, image: ImageSource, count: u32, options: Options, values: Values) {
        load_with_options(module, image, count, options, values)
    }

    fn cuModuleLoad(module: Out<Handle>, path: Text) {
        load_file(module, path)
    }

    fn cuModuleUnload(module: Handle) {
        unload(module)
    }

    fn cuModuleGetLoadingMode(mode: Out<i32>) {
        // CU_MODULE_EAGER_LOADING
        mode.set(1)
    }

    fn cuModuleGetFunction(function: Out<Handle>, module: Handle, name: Text) {
        get_function(function, module, name)
    }

    fn cuModuleGetGlobal_v2(address: Out<u64>, bytes: Out<usize>, module: Handle, name: Text) {
        get_global(address, bytes, module, name)
    }

    fn cuFuncGetAttribute(value: Out<i32>, attribute: i32, function: Handle) {
        attribute_of(value, attribute, function)
    }

    fn cuFuncSetAttribute(function: Handle, attribute: i32, value: i32) {
        set_attribute(function, attribute, value)
    }

    fn cuFuncSetCacheConfig(function: Handle, config: u32) {
        with(|state| accept_hint(state, function, config, 3))
    }

    fn cuFuncSetSharedMemConfig(function: Handle, config: u32) {
        with(|state| accept_hint(state, function, config, 2))
    }

    fn cuFuncGetModule(module: Out<Handle>, function: Handle) {
        module.set(of_function(function)?)
    }

    fn cuFuncGetName(name: Out<*const c_char>, function: Handle) {
        name_of(name, function)
    }

    fn cuFuncLoad(function: Handle) {
        of_function(function).map(drop)
    }

    fn cuFuncIsLoaded(state: Out<i32>, function: Handle) {
        // CU_FUNCTION_LOADING_STATE_LOADED
        of_function(function)?;
        state.set(1)
    }

    fn cuModuleGetFunctionCount(count: Out<u32>, module: Handle) {
        with(|state| {
            let module = state.modules.get(&module).ok_or(Status::INVALID_HANDLE)?;
            count.set(module.loaded.program().kernels().count() as u32)
        })
    }

    fn cuFuncGetParamInfo(function: Handle, index: usize, offset: Out<usize>, size: Out<usize>) {
        parameter(function, index, offset, size)
    }
}

/// Unloads a module when its work is done.
pub(super) fn unload(module: Handle) -> Outcome {
    let context_of = |state: &mut State| state.modules.get(&module).map(|known| known.context);
    let context = with(|state| context_of(state).ok_or(Status::INVALID_HANDLE))?;
    work::wait_for_context(context);
    ordered(
        |_| "cuModuleUnload".to_owned(),
        |state| {
            state.modules.get(&module).ok_or(Status::INVALID_HANDLE)?;
            state.unload(module);
            state.fault_of(context)
        },
    )
}

/// Finds a kernel of a module.
pub(super) fn get_function(function: Out<Handle>, module: Handle, name: Text) -> Outcome {
    let name = name.text()?;
    let c_name = CString::new(name).map_err(|_| Status::INVALID_VALUE)?;
    with_context(|state, _| {
        function.check()?;
        let fresh = state.new_handle();
        let known = state.modules.get_mut(&module).ok_or(Status::INVALID_HANDLE)?;
        if known.loaded.program().kernel(name).is_none() {
            if !known.without_ptx.iter().any(|known| known == name) {
                return Err(Status::NOT_FOUND);
            }
            let error = image::Error::FunctionWithoutPtx { function: name.to_owned() };
            return Err(refuse(state, error.into()));
        }
        let handle = *known.functions.entry(name.to_owned()).or_insert(fresh);
        let new =
            Function { module, kernel: name.to_owned(), dynamic_shared: None, carveout: -1, name: c_name };
        state.functions.entry(handle).or_insert(new);
        function.set(handle)
    })
}

/// Finds a variable of a module.
pub(super) fn get_global(address: Out<u64>, bytes: Out<usize>, module: Handle, name: Text) -> Outcome {
    let name = name.text()?;
    with_context(|state, _| {
        let module = state.modules.get(&module).ok_or(Status::INVALID_HANDLE)?;
        let (start, size) = module.loaded.global(name).ok_or(Status::NOT_FOUND)?;
        address.set_if_wanted(start);
        bytes.set_if_wanted(size as usize);
        Ok(())
    })
}

/// An attribute of a function, by its `CUfunction_attribute`.
pub(super) fn attribute_of(value: Out<i32>, attribute: i32, function: Handle) -> Outcome {
    with(|state| {
        let machine = state.machine.description();
        let (function, module) = find(state, function)?;
        let program = module.loaded.program();
        let kernel = program.kernel(&function.kernel).ok_or(Status::INVALID_HANDLE)?;
        let number = match attribute {
            0 => kernel.max_threads,
            1 => kernel.static_shared_bytes,
            // Constant memory of the user's.
            2 => 0,
            3 => kernel.local_bytes,
            4 => kernel.registers,
            // Versions of the PTX's target and of the binary made from it.
            5 => program.target_sm(),
            6 => machine.sm,
            // Global loads are cached in L1: nothing to see here.
            7 => 0,
            DYNAMIC_SHARED => {
                default_dynamic_shared(machine.shared_per_block, function, kernel.static_shared_bytes)
            }
            CARVEOUT => return value.set(function.carveout),
            // Clusters, and what else newer drivers know.
            10..=15 => 0,
            _ => return Err(Status::INVALID_VALUE),
        };
        value.set(i32::try_from(number).unwrap_or(i32::MAX))
    })
}

/// Sets an attribute of a function.
pub(super) fn set_attribute(function: Handle, attribute: i32, value: i32) -> Outcome {
    with(|state| {
        let most = state.machine.description().shared_per_block_optin;
        let (known, module) = find(state, function)?;
        let kernel = module.loaded.program().kernel(&known.kernel).ok_or(Status::INVALID_HANDLE)?;
        let room = most.saturating_sub(kernel.static_shared_bytes);
        let known = state.functions.get_mut(&function).ok_or(Status::INVALID_HANDLE)?;
        match (attribute, u32::try_from(value)) {
            (DYNAMIC_SHARED, Ok(bytes)) if bytes <= room => known.dynamic_shared = Some(bytes),
            (CARVEOUT, _) if (-1..=100).contains(&value) => known.carveout = value,
            _ => return Err(Status::INVALID_VALUE),
        }
        Ok(())
    })
}

/// Offset and size of a parameter of a function.
pub(super) fn parameter(function: Handle, index: usize, offset: Out<usize>, size: Out<usize>) -> Outcome {
    with(|state| {
        let (function, module) = find(state, function)?;
        let kernel = module.loaded.program().kernel(&function.kernel).ok_or(Status::INVALID_HANDLE)?;
        let parameter = kernel.params.get(index).ok_or(Status::INVALID_VALUE)?;
        offset.set(parameter.offset as usize)?;
        size.set_if_wanted(parameter.size as usize);
        Ok(())
    })
}

/// Loads the image in a file.
pub(super) fn load_file(module: Out<Handle>, path: Text) -> Outcome {
    let path = path.text()?;
    let image = fs::read(path).map_err(|error| {
        log::call(format_args!("cannot read {path}: {error}"));
        Status::FILE_NOT_FOUND
    })?;
    load(module, path, || Ok(Cow::Owned(image)), None)
}

/// Loads an image; messages go to the buffers in the options.
pub(super) fn load_with_options(
    module: Out<Handle>,
    image: ImageSource,
    count: u32,
    options: Options,
    values: Values,
) -> Outcome {
    let info = log_buffer(count, options, values, INFO_LOG);
    if let Some(buffer) = info {
        buffer.write("");
    }
    load(module, MODULE, || image.bytes(), log_buffer(count, options, values, ERROR_LOG))
}

/// The name of a function, which lives as long as that.
pub(super) fn name_of(name: Out<*const c_char>, function: Handle) -> Outcome {
    with(|state| {
        find(state, function)?;
        name.set(state.functions.get(&function).map_or(std::ptr::null(), |known| known.name.as_ptr()))
    })
}

/// The module of a function.
pub(super) fn of_function(function: Handle) -> Result<Handle, Status> {
    with(|state| Ok(find(state, function)?.0.module))
}

/// Refuses what is no module.
pub(super) fn check(module: Handle) -> Outcome {
    with(|state| state.modules.get(&module).map(drop).ok_or(Status::INVALID_HANDLE))
}

/// A function by its handle, and its module.
pub(super) fn find(state: &State, function: Handle) -> Result<(&Function, &Module), Status> {
    let function = state.functions.get(&function).ok_or(Status::INVALID_HANDLE)?;
    let module = state.modules.get(&function.module).ok_or(Status::INVALID_HANDLE)?;
    Ok((function, module))
}

/// Dynamic shared memory that a launch of this function may have.
pub(super) fn default_dynamic_shared(per_block: u32, function: &Function, static_bytes: u32) -> u32 {
    function.dynamic_shared.unwrap_or(per_block.saturating_sub(static_bytes))
}

/// A setting that changes only speed on a GPU, and nothing here.
fn accept_hint(state: &State, function: Handle, config: u32, last: u32) -> Outcome {
    find(state, function)?;
    if config <= last { Ok(()) } else { Err(Status::INVALID_VALUE) }
}

/// The buffer that the options give for messages of one kind: an option for the buffer, the next for its size.
fn log_buffer(count: u32, options: Options, values: Values, kind: u32) -> Option<LogBuffer> {
    if options.0.is_null() || values.0.is_null() {
        return None;
    }
    let value = |wanted: u32| {
        // SAFETY: the caller promises `count` options and as many values. Only values of options that are
        // there are read: some callers leave values out for options that need none.
        let at = (0..count as usize).find(|&at| unsafe { options.0.add(at).read() } == wanted)?;
        // SAFETY: as above.
        Some(unsafe { values.0.add(at) })
    };
    let (text, size) = (value(kind)?, value(kind + 1)?);
    // SAFETY: both point into the caller's array of values.
    let (text, room) = unsafe { (text.read(), size.read()) };
    // A size travels in the low half of its value.
    let room = room & u32::MAX as usize;
    Some(LogBuffer { text: HostTarget::at(text as u64), room, written: Out::at(size) })
}

impl LogBuffer {
    /// Writes a message with its NUL as far as there is room, and its length back into the options.
    fn write(mut self, message: &str) {
        let Some(most) = self.room.checked_sub(1) else { return };
        let length = message.len().min(most);
        if let Ok(buffer) = self.text.bytes(length + 1) {
            buffer[..length].copy_from_slice(&message.as_bytes()[..length]);
            buffer[length] = 0;
            self.written.set_if_wanted(length + 1);
        }
    }
}

/// What refuses a module, and why.
struct Refusal {
    status: Status,
    message: String,
}

impl From<image::Error> for Refusal {
    fn from(error: image::Error) -> Refusal {
        Refusal { status: error.status(), message: error.to_string() }
    }
}

/// Loads the image that `bytes` answers.
fn load<'a>(
    module: Out<Handle>,
    name: &str,
    bytes: impl FnOnce() -> Result<Cow<'a, [u8]>, image::Error>,
    errors: Option<LogBuffer>,
) -> Outcome {
    module.check()?;
    let sm = with_context(|state, _| Ok(state.machine.description().sm))?;
    // Other threads go on while the text is read.
    let linked = bytes().map_err(Refusal::from).and_then(|image| prepare(sm, name, &image));
    ordered(
        |_| "cuModuleLoad".to_owned(),
        |state| {
            let context = state.usable_context(current())?;
            match linked.and_then(|linked| make(state, context, linked)) {
                Ok(made) => {
                    let handle = state.new_handle();
                    state.modules.insert(handle, made);
                    module.set(handle)
                }
                Err(refusal) => {
                    if let Some(buffer) = errors {
                        buffer.write(&refusal.message);
                    }
                    Err(refuse(state, refusal))
                }
            }
        },
    )
}

/// Keeps and shows why something was refused.
fn refuse(state: &mut State, refusal: Refusal) -> Status {
    let record = json!({ "kind": "refused-module", "message": refusal.message });
    log::fault(&refusal.message, &record);
    state.last_fault = Some(refusal.message);
    refusal.status
}

/// What an image holds, linked: a program, and the kernels that are there as machine code only.
fn prepare(sm: u32, name: &str, image: &[u8]) -> Result<(Arc<Program>, Vec<String>), Refusal> {
    let contents = image::read(image, sm)?;
    let program = link(name, contents.units).map_err(|error| match error.undefined {
        // It is there, but not as PTX.
        Some(function) if contents.machine_code.contains(&function) => {
            image::Error::FunctionWithoutPtx { function }.into()
        }
        _ => Refusal { status: Status::INVALID_PTX, message: error.to_string() },
    })?;
    let without_ptx =
        contents.machine_code.into_iter().filter(|name| program.kernel(name).is_none()).collect();
    Ok((Arc::new(program), without_ptx))
}

fn make(
    state: &mut State,
    context: Handle,
    (program, without_ptx): (Arc<Program>, Vec<String>),
) -> Result<Module, Refusal> {
    state
        .may_allocate()
        .map_err(|status| Refusal { status, message: "there is no room for the module".to_owned() })?;
    let loaded = state.machine.load(&program).map_err(|error| Refusal {
        status: match error {
            ModuleError::Memory { .. } => Status::OUT_OF_MEMORY,
            _ => Status::NO_BINARY_FOR_GPU,
        },
        message: error.to_string(),
    })?;
    Ok(Module { context, loaded, functions: HashMap::new(), without_ptx })
}

/// One program of all translation units of an image. Where there are several, they are named by number.
fn link(name: &str, units: Vec<image::Unit>) -> Result<Program, LoadError> {
    let names: Vec<String> = match &*units {
        [_] => vec![name.to_owned()],
        _ => (1..=units.len()).map(|n| format!("{name}, unit {n}")).collect(),
    };
    let texts: Vec<(&str, &[u8])> =
        names.iter().zip(&units).map(|(name, unit)| (&name[..], unit.text.as_bytes())).collect();
    let mut program = Program::link(name, &texts)?;
    for (name, unit) in names.iter().zip(units) {
        program.set_sources(name, unit.sources);
    }
    Ok(program)
}
