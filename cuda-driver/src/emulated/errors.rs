//! Names and texts of result codes, the driver's version and the look-up of entry points.

use std::ffi::c_char;

use super::{
    abi::{DriverResult, In, Out, Text, entry_points},
    nvidia_runtime,
};
use crate::{EntryPoint, Status, log, status};

/// The CUDA version that the driver reports: 13.0.
const VERSION: i32 = 13000;

/// Suffixes of names, and the CUDA version since which `cuGetProcAddress` returns the variant with the
/// suffix.
const SUFFIXES: &[(&str, i32)] = &[("_v4", 12050), ("_v3", 11040), ("_v2", 3020), ("", 0)];

/// Variants that are newer than others with their suffix.
const NEWER: [(&str, i32); 15] = [
    ("cuEventElapsedTime_v2", 12080),
    ("cuGraphAddDependencies_v2", 12030),
    ("cuGraphAddKernelNode_v2", 12000),
    ("cuGraphExecKernelNodeSetParams_v2", 12000),
    ("cuGraphExecUpdate_v2", 12000),
    ("cuGraphGetEdges_v2", 12030),
    ("cuGraphKernelNodeGetParams_v2", 12000),
    ("cuGraphKernelNodeSetParams_v2", 12000),
    ("cuGraphNodeGetDependencies_v2", 12030),
    ("cuGraphNodeGetDependentNodes_v2", 12030),
    ("cuGraphRemoveDependencies_v2", 12030),
    ("cuMemAdvise_v2", 12020),
    ("cuMemPrefetchAsync_v2", 12020),
    ("cuStreamGetCaptureInfo_v2", 11030),
    ("cuStreamGetCaptureInfo_v3", 12030),
];

/// A name that stands for another function since a version.
const RENAMED: (&str, i32, &str) = ("cuGraphInstantiate", 12000, "cuGraphInstantiateWithFlags");

entry_points! {
    fn cuGetErrorString(code: i32, text: Out<*const c_char>) {
        set_string(text, status::strings(code).map(|(_, text)| text))
    }

    fn cuGetErrorName(code: i32, text: Out<*const c_char>) {
        set_string(text, status::strings(code).map(|(name, _)| name))
    }

    fn cuDriverGetVersion(version: Out<i32>) {
        version.set(VERSION)
    }

    fn cuGetExportTable(table: Out<*const ()>, id: In<[u8; 16]>) {
        let id = id.get()?;
        table.set(std::ptr::null())?;
        if nvidia_runtime::needs(&id) {
            nvidia_runtime::report();
            nvidia_runtime::end_program();
        }
        log::call(format_args!("this driver does not have the table of functions {id:02x?}"));
        Err(Status::NOT_SUPPORTED)
    }

    fn cuGetProcAddress(symbol: Text, address: Out<*mut ()>, version: i32, _flags: u64) {
        address.check()?;
        match find(symbol.text()?, version) {
            Some(entry) => address.set(entry.address()),
            None => {
                address.set_if_wanted(std::ptr::null_mut());
                Err(Status::NOT_FOUND)
            }
        }
    }

    fn cuGetProcAddress_v2(symbol: Text, address: Out<*mut ()>, version: i32, _flags: u64, found: Out<i32>) {
        /// CU_GET_PROC_ADDRESS_SUCCESS and CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND.
        const FOUND: [i32; 2] = [1, 0];
        let entry = find(symbol.text()?, version);
        address.set(entry.map_or(std::ptr::null_mut(), EntryPoint::address))?;
        found.set_if_wanted(FOUND[usize::from(entry.is_some())]);
        Ok(())
    }
}

fn set_string(to: Out<*const c_char>, text: Option<&'static std::ffi::CStr>) -> DriverResult {
    to.set(text.map_or(std::ptr::null(), |text| text.as_ptr()))?;
    text.map(|_| ()).ok_or(Status::INVALID_VALUE)
}

/// The newest variant of a name without suffix that this driver has and that `version` knows.
fn find(symbol: &str, version: i32) -> Option<EntryPoint> {
    if nvidia_runtime::is_its_first_look_up(symbol, version) {
        nvidia_runtime::report();
    }
    let symbol = if symbol == RENAMED.0 && version >= RENAMED.1 { RENAMED.2 } else { symbol };
    let variants = SUFFIXES.iter().map(|&(suffix, since)| (format!("{symbol}{suffix}"), since));
    let found = variants
        .filter(|(name, since)| {
            let newer = NEWER.iter().find(|(newer, _)| newer == name);
            newer.map_or(*since, |&(_, since)| since) <= version
        })
        .filter_map(|(name, _)| EntryPoint::find(&name))
        .find(|entry| entry.is_available());
    if found.is_none() {
        log::call(format_args!(
            "{symbol} (of version {version}) was looked up; this driver does not have it"
        ));
    }
    found
}
