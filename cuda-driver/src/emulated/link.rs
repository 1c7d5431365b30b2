//! Linking of images at run time. The result is an image that has the PTX of all inputs, linked by nvlink's rules.

use std::fs::File;

use super::{
    abi::{DriverResult, Handle, HostSource, Out, Text, entry_points},
    current::current,
    module::{self, ERROR_LOG, INFO_LOG, JitOptionValues, JitOptions},
    objects::{Link, LogBuffer},
    state::{State, with},
};
use crate::{
    Status,
    image::{self, Input},
    log,
};

/// `CU_JIT_TARGET`: the architecture for which the inputs are linked, 90 for sm_90.
const TARGET: u32 = 9;

/// `CUjitInputType`.
const CUBIN: i32 = 0;
const PTX: i32 = 1;
const FATBIN: i32 = 2;
const OBJECT: i32 = 3;
const LIBRARY: i32 = 4;

entry_points! {
    fn cuLinkCreate_v2(count: u32, options: JitOptions, values: JitOptionValues, link: Out<Handle>) {
        link.check()?;
        let target = options.value(values, count, TARGET).map(|value| value as u32);
        let errors = LogBuffer::find(count, options, values, ERROR_LOG);
        if let Some(info) = LogBuffer::find(count, options, values, INFO_LOG) {
            info.write("");
        }
        with(|state| {
            let sm = target.unwrap_or_else(|| architecture(state));
            let handle = state.new_handle();
            state.links.insert(handle, Link { sm, errors, units: Vec::new(), output: None });
            link.set(handle)
        })
    }

    fn cuLinkAddData_v2(
        link: Handle,
        kind: i32,
        data: HostSource,
        bytes: usize,
        name: Text,
        _count: u32,
        _options: JitOptions,
        _values: JitOptionValues,
    ) {
        let name = name.text().unwrap_or("input").to_owned();
        add(link, kind, &name, data.bytes(bytes)?)
    }

    fn cuLinkAddFile_v2(
        link: Handle,
        kind: i32,
        path: Text,
        _count: u32,
        _options: JitOptions,
        _values: JitOptionValues,
    ) {
        let path = path.text()?;
        let file = File::open(path).map_err(|_| Status::FILE_NOT_FOUND)?;
        let bytes = image::read_from_file(file).map_err(|error| error.status())?;
        add(link, kind, path, &bytes)
    }

    fn cuLinkComplete(link: Handle, image: Out<*const u8>, bytes: Out<usize>) {
        image.check()?;
        complete(link)?;
        with(|state| {
            let link = state.links.get(&link).ok_or(Status::INVALID_HANDLE)?;
            let output = link.output.as_deref().ok_or(Status::INVALID_VALUE)?;
            bytes.set_if_wanted(output.len());
            // It lives as long as the link, as in CUDA.
            image.set(output.as_ptr())
        })
    }

    fn cuLinkDestroy(link: Handle) {
        with(|state| state.links.remove(&link).map(drop).ok_or(Status::INVALID_HANDLE))
    }
}

/// The architecture of the current context's device, or of the first one.
fn architecture(state: &State) -> u32 {
    let machine = match state.contexts.contains_key(&current()) {
        true => Some(state.machine_of(current())),
        false => state.devices.machines().next(),
    };
    machine.map_or(90, |machine| machine.description().sm)
}

/// Adds an input to a link.
fn add(link: Handle, kind: i32, name: &str, data: &[u8]) -> DriverResult {
    let kind = match kind {
        CUBIN | FATBIN => Input::Image,
        PTX => Input::Text,
        OBJECT => Input::Object,
        LIBRARY => Input::Archive,
        // LTO-IR is bitcode of a version of LLVM that is NVIDIA's own.
        _ => {
            log::call(format_args!("{name}: inputs of kind {kind} (5 is LTO-IR) cannot be linked"));
            return Err(Status::NOT_SUPPORTED);
        }
    };
    let sm = with(|state| Ok(state.links.get(&link).ok_or(Status::INVALID_HANDLE)?.sm))?;
    // The state is not locked while the input is read.
    match image::link_input(kind, data, sm) {
        Ok(texts) => with(|state| {
            let link = state.links.get_mut(&link).ok_or(Status::INVALID_HANDLE)?;
            link.units.extend(texts.into_iter().map(|text| (name.to_owned(), text)));
            Ok(())
        }),
        Err(error) => fail(link, &format!("{name}: {error}"), error.status()),
    }
}

/// Links the inputs, unless that is done.
fn complete(link: Handle) -> DriverResult {
    let (units, sm) = with(|state| {
        let link = state.links.get(&link).ok_or(Status::INVALID_HANDLE)?;
        Ok((link.output.is_none().then(|| link.units.clone()), link.sm))
    })?;
    let Some(units) = units else { return Ok(()) };
    // The state is not locked while the texts are parsed.
    match image::executable(&units, sm) {
        Ok(output) => with(|state| {
            let link = state.links.get_mut(&link).ok_or(Status::INVALID_HANDLE)?;
            link.output = Some(output.into_boxed_slice());
            Ok(())
        }),
        Err(error) => fail(link, &error.to_string(), Status::INVALID_PTX),
    }
}

/// Reports why a link fails: to the program if it gave a buffer for that, and to whoever reads the reports.
fn fail(link: Handle, message: &str, status: Status) -> DriverResult {
    with(|state| {
        let link = state.links.get(&link).ok_or(Status::INVALID_HANDLE)?;
        match &link.errors {
            Some(errors) => errors.write(message),
            None => module::report_rejected(message),
        }
        state.reports.last = Some(message.to_owned());
        Err(status)
    })
}
