//! Compares the list of entry points with what it must contain, and the emulated driver's signatures with the
//! binding that calls them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use cuda_driver::EntryPoint;

/// What LLVM 22's libomptarget looks up in libcuda.so. Every name is mandatory: without any one of them an
/// offload program has no devices.
const LIBOMPTARGET: &str = "
    cuInit cuCtxGetDevice cuDeviceGet cuDeviceGetAttribute cuDeviceGetCount cuFuncGetAttribute
    cuFuncSetAttribute cuDeviceGetName cuDeviceGetUuid cuDeviceTotalMem_v2 cuDriverGetVersion cuGetErrorString
    cuLaunchKernel cuLaunchHostFunc cuMemAlloc_v2 cuMemAllocHost_v2 cuMemAllocManaged cuMemAllocAsync
    cuMemcpyDtoDAsync_v2 cuMemcpyDtoH_v2 cuMemcpyDtoHAsync_v2 cuMemcpyHtoD_v2 cuMemcpyHtoDAsync_v2
    cuMemsetD8Async cuMemsetD16Async cuMemsetD32Async cuMemsetD2D8Async cuMemsetD2D16Async
    cuMemsetD2D32Async cuMemFree_v2 cuMemFreeHost cuMemFreeAsync cuModuleGetFunction cuModuleGetGlobal_v2
    cuModuleUnload cuStreamCreate cuStreamDestroy_v2 cuStreamSynchronize cuStreamQuery cuStreamAddCallback
    cuCtxSetCurrent cuDevicePrimaryCtxRelease_v2 cuDevicePrimaryCtxGetState cuDevicePrimaryCtxSetFlags_v2
    cuDevicePrimaryCtxRetain cuModuleLoadDataEx cuOccupancyMaxPotentialBlockSize cuFuncGetParamInfo
    cuDeviceCanAccessPeer cuCtxEnablePeerAccess cuMemcpyPeerAsync cuCtxGetLimit cuCtxSetLimit cuEventCreate
    cuEventRecord cuEventQuery cuStreamWaitEvent cuEventSynchronize cuEventDestroy";

/// What programs that load the driver themselves look up, beyond the two lists.
const ELSEWHERE: &str = "
    cuGetProcAddress_v2 cuLaunchKernelEx cuCtxCreate_v4 cuModuleGetLoadingMode cuFuncGetName cuCtxGetId
    cuEventElapsedTime_v2 cuFuncIsLoaded cuFuncLoad cuKernelGetAttribute cuKernelGetFunction
    cuKernelGetLibrary cuKernelGetName cuKernelGetParamInfo cuKernelSetAttribute cuKernelSetCacheConfig
    cuLibraryGetGlobal cuLibraryGetKernel cuLibraryGetModule cuLibraryLoadData cuLibraryLoadFromFile
    cuLibraryUnload cuMemAdvise_v2 cuMemPrefetchAsync_v2 cuModuleGetFunctionCount cuStreamGetId
    cuGraphAddDependencies_v2 cuGraphAddKernelNode_v2 cuGraphExecGetFlags
    cuGraphExecKernelNodeSetParams_v2 cuGraphExecUpdate_v2 cuGraphGetEdges_v2
    cuGraphInstantiateWithParams cuGraphKernelNodeGetParams_v2 cuGraphKernelNodeSetParams_v2
    cuGraphNodeGetDependencies_v2 cuGraphNodeGetDependentNodes_v2 cuGraphNodeGetEnabled
    cuGraphNodeSetEnabled cuGraphRemoveDependencies_v2 cuStreamGetCaptureInfo_v3";

/// The source of cust_raw's bindings, from the registry's unmodified package. Without the filter, packages
/// for other systems would have to be there too.
fn cust_raw_source() -> String {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version=1",
            "--offline",
            "--filter-platform=x86_64-unknown-linux-gnu",
            "--manifest-path",
        ])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let packages = metadata["packages"].as_array().expect("metadata lists packages");
    let package = packages.iter().find(|package| package["name"] == "cust_raw").expect("cust_raw is used");
    assert!(package["source"].as_str().is_some_and(|source| source.starts_with("registry+")));
    let manifest = PathBuf::from(package["manifest_path"].as_str().expect("packages have a manifest"));
    let source = manifest.with_file_name("src").join("cuda.rs");
    fs::read_to_string(&source).unwrap_or_else(|error| panic!("{}: {error}", source.display()))
}

/// Every `fn cu…(arguments)` that follows `introduction` in a source: name to the types of its arguments.
fn functions<'a>(source: &'a str, introduction: &str) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut found = BTreeMap::new();
    for (at, _) in source.match_indices(&format!("{introduction}cu")) {
        let rest = &source[at + introduction.len()..];
        let (name, rest) = rest.split_once('(').expect("a function has arguments");
        let mut depth = 1;
        let end = rest
            .find(|c| {
                depth += match c {
                    '(' => 1,
                    ')' => -1,
                    _ => 0,
                };
                depth == 0
            })
            .expect("arguments end");
        let (mut arguments, mut nesting, mut start) = (Vec::new(), 0, 0);
        let list = &rest[..end];
        for (at, c) in list.char_indices() {
            match c {
                '<' | '(' => nesting += 1,
                '>' if !list[..at].ends_with('-') => nesting -= 1,
                ')' => nesting -= 1,
                ',' if nesting == 0 => {
                    arguments.push(&list[start..at]);
                    start = at + 1;
                }
                _ => {}
            }
        }
        arguments.push(&list[start..]);
        let types =
            arguments.iter().filter_map(|argument| argument.split_once(": ")).map(|(_, ty)| ty.trim());
        found.insert(name, types.collect());
    }
    found
}

#[test]
fn the_list_is_the_union_of_what_programs_look_up() {
    let source = cust_raw_source();
    let cust: BTreeSet<&str> = functions(&source, "pub fn ").into_keys().collect();
    assert_eq!(cust.len(), 353, "as many declarations as cust_raw 0.11.3 has");
    let libomptarget: BTreeSet<&str> = LIBOMPTARGET.split_whitespace().collect();
    assert_eq!(libomptarget.len(), 59);

    let wanted: BTreeSet<&str> =
        cust.into_iter().chain(libomptarget).chain(ELSEWHERE.split_whitespace()).collect();
    let listed: BTreeSet<&str> = EntryPoint::ALL.iter().map(|entry| entry.name()).collect();
    assert_eq!(listed, wanted);
}

/// How an argument is passed: the width of an integer in bits, pointers being integers, or `f32`.
fn passed_as(ty: &str, bindings: &str) -> &'static str {
    let ty = ty.trim_start_matches("::std::os::raw::");
    match ty {
        _ if ty.starts_with('*')
            || ty.contains("Option<")
            || ty.starts_with("Out<")
            || ty.starts_with("In<") =>
        {
            "64"
        }
        "Address" | "Handle" | "Text" | "HostSource" | "HostTarget" | "ImageSource" | "Pointers"
        | "JitOptions" | "JitOptionValues" => "64",
        "SharedOfBlock" | "u64" | "usize" | "c_ulonglong" | "cuuint64_t" => "64",
        "i32" | "u32" | "c_int" | "c_uint" => "32",
        "u16" | "c_ushort" => "16",
        "u8" | "c_uchar" => "8",
        "f32" => "f32",
        _ if bindings.contains(&format!("pub enum {ty} {{")) => "32",
        _ => {
            let alias = format!("pub type {ty} =");
            let at = bindings.find(&alias).map(|at| at + alias.len());
            let renamed = format!(" as {ty};");
            match (at, bindings.find(&renamed)) {
                (Some(at), _) => {
                    let target = bindings[at..].split(';').next().expect("an alias ends").trim();
                    passed_as(target, bindings)
                }
                // `pub use self::some_enum as Name;`
                (None, Some(_)) => "32",
                (None, None) => panic!("what is {ty}?"),
            }
        }
    }
}

/// The sources of the emulated driver.
fn emulated_source() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/emulated");
    let files = fs::read_dir(&folder).expect("the driver has sources");
    let read = |file: std::io::Result<fs::DirEntry>| fs::read_to_string(file?.path());
    files.map(|file| read(file).expect("they can be read")).collect()
}

#[test]
fn the_emulated_driver_has_the_signatures_of_the_binding() {
    let (bindings, emulated) = (cust_raw_source(), emulated_source());
    let declared = functions(&bindings, "pub fn ");
    let mut compared = 0;
    for (name, arguments) in functions(&emulated, "    fn ") {
        // What cust_raw does not declare (two names of libomptarget's and later ones) is not compared.
        let Some(declared) = declared.get(name) else { continue };
        let ours: Vec<_> = arguments.iter().map(|ty| passed_as(ty, &bindings)).collect();
        let theirs: Vec<_> = declared.iter().map(|ty| passed_as(ty, &bindings)).collect();
        assert_eq!(ours, theirs, "{name}({arguments:?}) is declared as {declared:?}");
        compared += 1;
    }
    assert!(compared > 90, "only {compared} signatures were found");
}

#[test]
fn the_emulated_driver_has_every_name_of_libomptarget() {
    let emulated = emulated_source();
    let implemented = functions(&emulated, "    fn ");
    let missing: Vec<_> =
        LIBOMPTARGET.split_whitespace().filter(|name| !implemented.contains_key(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
