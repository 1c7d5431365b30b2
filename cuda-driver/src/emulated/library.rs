//! Libraries, CUDA's newer interface to modules: a library is a module of the context that is current when it
//! is loaded, and a kernel one of its functions.

use super::{
    abi::{Handle, ImageSource, Out, Text, entry_points},
    module::{
        self, JitOptionValues, JitOptions, function_attribute, get_function, get_global, load_with_options,
        set_attribute,
    },
    state::with,
};
use crate::Status;

entry_points! {
    fn cuLibraryLoadData(
        library: Out<Handle>,
        image: ImageSource,
        options: JitOptions,
        values: JitOptionValues,
        count: u32,
        _library_options: JitOptions,
        _library_values: JitOptionValues,
        _library_count: u32,
    ) {
        load_with_options(library, image, count, options, values)
    }

    fn cuLibraryLoadFromFile(
        library: Out<Handle>,
        path: Text,
        _options: JitOptions,
        _values: JitOptionValues,
        _count: u32,
        _library_options: JitOptions,
        _library_values: JitOptionValues,
        _library_count: u32,
    ) {
        module::load_file(library, path)
    }

    fn cuLibraryUnload(library: Handle) {
        module::unload(library)
    }

    fn cuLibraryGetModule(module: Out<Handle>, library: Handle) {
        module::check_module(library)?;
        module.set(library)
    }

    fn cuLibraryGetKernel(kernel: Out<Handle>, library: Handle, name: Text) {
        get_function(kernel, library, name)
    }

    fn cuLibraryGetGlobal(address: Out<u64>, bytes: Out<usize>, library: Handle, name: Text) {
        get_global(address, bytes, library, name)
    }

    fn cuKernelGetFunction(function: Out<Handle>, kernel: Handle) {
        module::module_of(kernel)?;
        function.set(kernel)
    }

    fn cuKernelGetLibrary(library: Out<Handle>, kernel: Handle) {
        library.set(module::module_of(kernel)?)
    }

    fn cuKernelGetName(name: Out<*const std::ffi::c_char>, kernel: Handle) {
        module::function_name(name, kernel)
    }

    fn cuKernelGetAttribute(value: Out<i32>, attribute: i32, kernel: Handle, device: i32) {
        with(|state| state.devices.find(device))?;
        function_attribute(value, attribute, kernel)
    }

    fn cuKernelSetAttribute(attribute: i32, value: i32, kernel: Handle, device: i32) {
        with(|state| state.devices.find(device))?;
        set_attribute(kernel, attribute, value)
    }

    fn cuKernelGetParamInfo(kernel: Handle, index: usize, offset: Out<usize>, size: Out<usize>) {
        module::parameter_info(kernel, index, offset, size)
    }

    fn cuKernelSetCacheConfig(kernel: Handle, config: u32, device: i32) {
        with(|state| state.devices.find(device))?;
        if config > 3 { Err(Status::INVALID_VALUE) } else { module::module_of(kernel).map(drop) }
    }
}
