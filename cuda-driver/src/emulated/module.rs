//! Modules from device images, their kernels and their variables.

use std::{
    borrow::Cow,
    collections::HashMap,
    ffi::{CString, c_char},
    fs::File,
    sync::Arc,
};

use ptx_emulator::{LineTable, LoadError, ModuleError, Program};
use serde_json::json;

use super::{
    abi::{DriverResult, Handle, HostTarget, ImageSource, Out, Text, entry_points},
    current::current,
    objects::{Function, LogBuffer, Module},
    state::{State, limit_hint, with, with_context},
    wait::{recorded_call, wait_for_context},
};
use crate::{Status, image, log};

/// `CUjit_option` of the buffers for messages, and of their sizes.
pub(super) const INFO_LOG: u32 = 3;
pub(super) const ERROR_LOG: u32 = 5;

/// The name of a module in messages when its image came without one.
const UNNAMED_MODULE: &str = "module";

/// `CUfunction_attribute` that can be set.
const DYNAMIC_SHARED: i32 = 8;
const CARVEOUT: i32 = 9;

/// A `CUjit_option` array: null, or as long as the call says.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct JitOptions(*const u32);

/// The values of the options; sizes of messages are written back into them.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct JitOptionValues(*mut usize);

entry_points! {
    fn cuModuleLoadData(module: Out<Handle>, image: ImageSource) {
        load(module, UNNAMED_MODULE, || image.bytes(), None)
    }

    fn cuModuleLoadFatBinary(module: Out<Handle>, image: ImageSource) {
        load(module, UNNAMED_MODULE, || image.bytes(), None)
    }

    fn cuModuleLoadDataEx(module: Out<Handle>, image: ImageSource, count: u32, options: JitOptions, values: JitOptionValues) {
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
        function_attribute(value, attribute, function)
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
        module.set(module_of(function)?)
    }

    fn cuFuncGetName(name: Out<*const c_char>, function: Handle) {
        function_name(name, function)
    }

    fn cuFuncLoad(function: Handle) {
        module_of(function).map(drop)
    }

    fn cuFuncIsLoaded(state: Out<i32>, function: Handle) {
        // CU_FUNCTION_LOADING_STATE_LOADED
        module_of(function)?;
        state.set(1)
    }

    fn cuModuleGetFunctionCount(count: Out<u32>, module: Handle) {
        with(|state| {
            let module = state.modules.get(&module).ok_or(Status::INVALID_HANDLE)?;
            count.set(module.loaded.program().kernels().count() as u32)
        })
    }

    fn cuFuncGetParamInfo(function: Handle, index: usize, offset: Out<usize>, size: Out<usize>) {
        parameter_info(function, index, offset, size)
    }
}

/// Unloads a module when its context has finished all operations.
pub(super) fn unload(module: Handle) -> DriverResult {
    let context_of = |state: &mut State| state.modules.get(&module).map(|known| known.context);
    let context = with(|state| context_of(state).ok_or(Status::INVALID_HANDLE))?;
    wait_for_context(context);
    recorded_call(
        |_| "cuModuleUnload".to_owned(),
        |state| {
            state.modules.get(&module).ok_or(Status::INVALID_HANDLE)?;
            state.unload(module);
            state.fault_of(context)
        },
    )
}

/// Finds a kernel of a module.
pub(super) fn get_function(function: Out<Handle>, module: Handle, name: Text) -> DriverResult {
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
            return Err(reject(state, error.into()));
        }
        let handle = *known.functions.entry(name.to_owned()).or_insert(fresh);
        let new =
            Function { module, kernel: name.to_owned(), dynamic_shared: None, carveout: -1, name: c_name };
        state.functions.entry(handle).or_insert(new);
        function.set(handle)
    })
}

/// Finds a variable of a module.
pub(super) fn get_global(address: Out<u64>, bytes: Out<usize>, module: Handle, name: Text) -> DriverResult {
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
pub(super) fn function_attribute(value: Out<i32>, attribute: i32, function: Handle) -> DriverResult {
    with(|state| {
        let (function, module) = state.find_function(function)?;
        let machine = state.machine_of(module.context).description();
        let program = module.loaded.program();
        let kernel = program.kernel(&function.kernel).ok_or(Status::INVALID_HANDLE)?;
        let number = match attribute {
            0 => kernel.max_threads,
            1 => kernel.static_shared_bytes,
            // Constant memory that the program defines.
            2 => 0,
            3 => kernel.local_bytes,
            4 => kernel.registers,
            // Versions of the PTX's target and of the binary made from it.
            5 => program.target_sm(),
            6 => machine.sm,
            // Whether global loads are cached in L1.
            7 => 0,
            DYNAMIC_SHARED => {
                default_dynamic_shared(machine.shared_per_block, function, kernel.static_shared_bytes)
            }
            CARVEOUT => return value.set(function.carveout),
            // Clusters, and other attributes of newer drivers.
            10..=15 => 0,
            _ => return Err(Status::INVALID_VALUE),
        };
        value.set(i32::try_from(number).unwrap_or(i32::MAX))
    })
}

/// Sets an attribute of a function.
pub(super) fn set_attribute(function: Handle, attribute: i32, value: i32) -> DriverResult {
    with(|state| {
        let (known, module) = state.find_function(function)?;
        let most = state.machine_of(module.context).description().shared_per_block_optin;
        let kernel = module.loaded.program().kernel(&known.kernel).ok_or(Status::INVALID_HANDLE)?;
        let largest = most.saturating_sub(kernel.static_shared_bytes);
        let known = state.functions.get_mut(&function).ok_or(Status::INVALID_HANDLE)?;
        match (attribute, u32::try_from(value)) {
            (DYNAMIC_SHARED, Ok(bytes)) if bytes <= largest => known.dynamic_shared = Some(bytes),
            (CARVEOUT, _) if (-1..=100).contains(&value) => known.carveout = value,
            _ => return Err(Status::INVALID_VALUE),
        }
        Ok(())
    })
}

/// Offset and size of a parameter of a function.
pub(super) fn parameter_info(
    function: Handle,
    index: usize,
    offset: Out<usize>,
    size: Out<usize>,
) -> DriverResult {
    with(|state| {
        let (function, module) = state.find_function(function)?;
        let kernel = module.loaded.program().kernel(&function.kernel).ok_or(Status::INVALID_HANDLE)?;
        let parameter = kernel.params.get(index).ok_or(Status::INVALID_VALUE)?;
        offset.set(parameter.offset as usize)?;
        size.set_if_wanted(parameter.size as usize);
        Ok(())
    })
}

/// Loads the image in a file.
pub(super) fn load_file(module: Out<Handle>, path: Text) -> DriverResult {
    let path = path.text()?;
    let file = File::open(path).map_err(|error| {
        log::call(format_args!("cannot read {path}: {error}"));
        Status::FILE_NOT_FOUND
    })?;
    load(module, path, || image::read_from_file(file).map(Cow::Owned), None)
}

/// Loads an image; messages go to the buffers in the options.
pub(super) fn load_with_options(
    module: Out<Handle>,
    image: ImageSource,
    count: u32,
    options: JitOptions,
    values: JitOptionValues,
) -> DriverResult {
    let info = LogBuffer::find(count, options, values, INFO_LOG);
    if let Some(buffer) = info {
        buffer.write("");
    }
    load(module, UNNAMED_MODULE, || image.bytes(), LogBuffer::find(count, options, values, ERROR_LOG))
}

/// The name of a function; it lives as long as the function.
pub(super) fn function_name(name: Out<*const c_char>, function: Handle) -> DriverResult {
    with(|state| {
        state.find_function(function)?;
        name.set(state.functions.get(&function).map_or(std::ptr::null(), |known| known.name.as_ptr()))
    })
}

/// The module of a function.
pub(super) fn module_of(function: Handle) -> Result<Handle, Status> {
    with(|state| Ok(state.find_function(function)?.0.module))
}

/// Rejects handles that are not modules.
pub(super) fn check_module(module: Handle) -> DriverResult {
    with(|state| state.modules.get(&module).map(drop).ok_or(Status::INVALID_HANDLE))
}

/// Dynamic shared memory that a launch of this function may have.
pub(super) fn default_dynamic_shared(per_block: u32, function: &Function, static_bytes: u32) -> u32 {
    function.dynamic_shared.unwrap_or(per_block.saturating_sub(static_bytes))
}

/// Accepts a setting that changes only speed on a GPU, and has no effect here.
fn accept_hint(state: &State, function: Handle, config: u32, last: u32) -> DriverResult {
    state.find_function(function)?;
    if config <= last { Ok(()) } else { Err(Status::INVALID_VALUE) }
}

impl JitOptions {
    /// Where the value of an option is.
    fn find(self, values: JitOptionValues, count: u32, wanted: u32) -> Option<*mut usize> {
        if self.0.is_null() || values.0.is_null() {
            return None;
        }
        // SAFETY: the caller promises `count` options and as many values. Only values of options that were
        // passed are read: some callers leave values out for options that need none.
        let at = (0..count as usize).find(|&at| unsafe { self.0.add(at).read() } == wanted)?;
        // SAFETY: as above.
        Some(unsafe { values.0.add(at) })
    }

    /// The value of an option, if it was passed.
    pub fn value(self, values: JitOptionValues, count: u32, wanted: u32) -> Option<usize> {
        // SAFETY: it points into the caller's array of values.
        self.find(values, count, wanted).map(|value| unsafe { value.read() })
    }
}

impl LogBuffer {
    /// The buffer that the options give for messages of one kind: an option for the buffer, the next for its
    /// size.
    pub(super) fn find(
        count: u32,
        options: JitOptions,
        values: JitOptionValues,
        kind: u32,
    ) -> Option<LogBuffer> {
        let text = options.value(values, count, kind)? as u64;
        let written = options.find(values, count, kind + 1)?;
        // SAFETY: it points into the caller's array of values. A size is in the low half of its value.
        let capacity = unsafe { written.read() } & u32::MAX as usize;
        Some(LogBuffer { text, capacity, written: written as usize })
    }

    /// Writes a message with its NUL as far as it fits, and its length back into the options.
    pub fn write(self, message: &str) {
        let Some(most) = self.capacity.checked_sub(1) else { return };
        let length = message.len().min(most);
        if let Ok(buffer) = HostTarget::at(self.text).bytes(length + 1) {
            buffer[..length].copy_from_slice(&message.as_bytes()[..length]);
            buffer[length] = 0;
            Out::at(self.written as *mut usize).set_if_wanted(length + 1);
        }
    }
}

/// Why a module is rejected.
struct Rejection {
    status: Status,
    message: String,
}

impl From<image::Error> for Rejection {
    fn from(error: image::Error) -> Rejection {
        Rejection { status: error.status(), message: error.to_string() }
    }
}

/// Loads the image that `bytes` returns.
fn load<'a>(
    module: Out<Handle>,
    name: &str,
    bytes: impl FnOnce() -> Result<Cow<'a, [u8]>, image::Error>,
    errors: Option<LogBuffer>,
) -> DriverResult {
    module.check()?;
    let sm = with_context(|state, context| Ok(state.machine_of(context).description().sm))?;
    // The state is not locked while the text is parsed.
    let linked = bytes().map_err(Rejection::from).and_then(|image| prepare(sm, name, &image));
    recorded_call(
        |_| "cuModuleLoad".to_owned(),
        |state| {
            let context = state.usable_context(current())?;
            match linked.and_then(|linked| instantiate(state, context, linked)) {
                Ok(handle) => module.set(handle),
                Err(rejection) => {
                    if let Some(buffer) = errors {
                        buffer.write(&rejection.message);
                    }
                    Err(reject(state, rejection))
                }
            }
        },
    )
}

/// Reports and keeps why a module was rejected.
fn reject(state: &mut State, rejection: Rejection) -> Status {
    report_rejected(&rejection.message);
    state.reports.last = Some(rejection.message);
    rejection.status
}

/// Reports why an image was rejected.
pub(super) fn report_rejected(message: &str) {
    log::report_later(message, &json!({ "kind": "refused-module", "message": message }));
}

/// Links the contents of an image: a program, and the functions that the image has only as machine code.
fn prepare(sm: u32, name: &str, image: &[u8]) -> Result<(Arc<Program>, Vec<String>), Rejection> {
    let contents = image::read(image, sm)?;
    let mut program = link(name, contents.units).map_err(|error| match error.undefined {
        // The image has it, but not as PTX.
        Some(function) if contents.machine_code.iter().any(|code| code.name == function) => {
            image::Error::FunctionWithoutPtx { function }.into()
        }
        _ => Rejection { status: Status::INVALID_PTX, message: error.to_string() },
    })?;
    let mut without_ptx = Vec::new();
    for image::MachineCode { name, registers } in contents.machine_code {
        if program.kernel(&name).is_none() {
            without_ptx.push(name);
        } else if let Some(registers) = registers {
            program.set_registers(&name, registers);
        }
    }
    Ok((Arc::new(program), without_ptx))
}

/// Loads a linked program into the device's memory, and gives it a handle.
fn instantiate(
    state: &mut State,
    context: Handle,
    (program, without_ptx): (Arc<Program>, Vec<String>),
) -> Result<Handle, Rejection> {
    state.allocations.count().map_err(|status| Rejection {
        status,
        message: "there is not enough memory for the module".to_owned(),
    })?;
    let loaded = state.machine_of(context).load(&program).map_err(|error| Rejection {
        status: match error {
            ModuleError::Memory { .. } => Status::OUT_OF_MEMORY,
            _ => Status::NO_BINARY_FOR_GPU,
        },
        message: match &error {
            ModuleError::Memory { source, .. } => format!("{error}: {source}{}", limit_hint(source)),
            _ => error.to_string(),
        },
    })?;
    let instance = Module { context, loaded, functions: HashMap::new(), without_ptx };
    state.add_module(instance).map_err(|error| Rejection {
        status: Status::OUT_OF_MEMORY,
        message: format!("no device can access the managed variables: {error}"),
    })
}

/// Links all translation units of an image into one program. Where there are several, they are named by
/// number.
fn link(name: &str, units: Vec<image::Unit>) -> Result<Program, LoadError> {
    let names: Vec<String> = match &*units {
        [_] => vec![name.to_owned()],
        _ => (1..=units.len()).map(|n| format!("{name}, unit {n}")).collect(),
    };
    let texts: Vec<(&str, &[u8])> =
        names.iter().zip(&units).map(|(name, unit)| (&name[..], unit.text.as_bytes())).collect();
    let mut program = image::link(name, &texts)?;
    let sources = names.iter().zip(units).map(|(name, unit)| (&name[..], unit.sources));
    let mut sources: HashMap<&str, LineTable> = sources.collect();
    program.set_sources(|name| sources.remove(name));
    Ok(program)
}
