//! `WARPFOLD_FAULT_JSON`: reports as JSON, and the source line in reports as text.

use std::ffi::c_void;

use cuda_driver::{Select, reports};
use cust::{
    CudaFlags,
    context::legacy::{Context, ContextFlags},
    device::Device,
    error::CudaError,
    module::Module,
    stream::{Stream, StreamFlags},
};

#[test]
fn a_fault_is_a_line_of_json() {
    let folder = tempfile::tempdir().unwrap();
    let (log, source) = (folder.path().join("faults.json"), folder.path().join("k.c"));
    std::fs::write(&source, "void k(int *p) {\n    *p = 7;\n}\n").unwrap();
    // SAFETY: this is the only test of its process, and nothing else runs yet.
    unsafe { std::env::set_var("WARPFOLD_FAULT_JSON", &log) };
    // SAFETY: as above.
    unsafe { std::env::set_var("WARPFOLD_SOURCE_PATH", folder.path()) };
    cuda_driver_link::ensure_linked();
    cuda_driver::init(Select::Emulator).unwrap();
    cust::init(CudaFlags::empty()).unwrap();
    let device = Device::get_device(0).unwrap();
    let _context = Context::create_and_push(ContextFlags::SCHED_AUTO, device).unwrap();
    let text = format!(
        ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n.reg .b64 %rd<2>;\n\
         ld.param.u64 %rd1, [p];\n.loc 1 2 8\nst.global.u32 [%rd1], 7;\nret;\n}}\n.file 1 \"{}\"\n",
        source.display()
    );
    assert!(Module::from_ptx(text.replace("st.global", "st.nowhere"), &[]).is_err());
    let module = Module::from_ptx(&text, &[]).unwrap();
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None).unwrap();
    let function = module.get_function("k").unwrap();
    let null = 0u64;
    // SAFETY: one parameter, as the kernel has; the emulator checks every access.
    let launched =
        unsafe { stream.launch(&function, 1, 1, 0, &[(&raw const null).cast_mut().cast::<c_void>()]) };
    launched.unwrap();
    assert_eq!(stream.synchronize(), Err(CudaError::IllegalAddress));

    let lines = std::fs::read_to_string(&log).unwrap();
    let faults: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(faults.len(), 2, "{lines}");
    assert_eq!(faults[0]["kind"], "refused-module");
    assert!(faults[0]["message"].as_str().unwrap().contains(":9:1: "), "{lines}");
    let fault = &faults[1];
    assert_eq!(fault["kind"], "out-of-bounds");
    assert!(fault["message"].as_str().unwrap().contains("4 bytes of global memory"), "{lines}");
    assert_eq!(fault["kernel"], "k");
    assert_eq!(fault["thread"], serde_json::json!([0, 0, 0]));
    assert_eq!(fault["place"]["function"], "k");
    assert_eq!(fault["place"]["line"], 9);
    assert_eq!(fault["place"]["source"]["line"], 2);
    assert_eq!(fault["values"][0]["register"], "%rd1");
    assert_eq!(fault["source_text"], "    *p = 7;");
    assert!(reports::last_report().unwrap().contains("\n      2 | *p = 7;\n"));
}
