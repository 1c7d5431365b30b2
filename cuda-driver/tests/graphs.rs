//! Images that are linked at run time, and graphs: captured, made of nodes, updated.

#[macro_use]
mod common;

use std::{
    ffi::{CStr, c_char, c_void},
    ptr,
};

use cuda_driver::{EntryPoint, Select};

/// Calls a function of another file, and adds what it returns.
const KERNEL: &CStr = c".version 8.3
.target sm_80
.address_size 64
.extern .func (.param .b32 r) step(.param .b32 k);
.visible .entry add(.param .u64 p, .param .u32 k)
{
    .reg .b32 %r<3>;
    .reg .b64 %a;
    ld.param.u64 %a, [p];
    ld.param.u32 %r1, [k];
    {
        .param .b32 in;
        .param .b32 out;
        st.param.b32 [in], %r1;
        call (out), step, (in);
        ld.param.b32 %r1, [out];
    }
    ld.u32 %r2, [%a];
    add.u32 %r2, %r2, %r1;
    st.u32 [%a], %r2;
    ret;
}
";

const FUNCTION: &CStr = c".version 8.3
.target sm_80
.address_size 64
.visible .func (.param .b32 r) step(.param .b32 k)
{
    .reg .b32 %r;
    ld.param.b32 %r, [k];
    add.u32 %r, %r, 100;
    st.param.b32 [r], %r;
    ret;
}
";

/// A context with the linked kernel and a word of memory.
fn prepared() -> (usize, u64) {
    cuda_driver::init(Select::Emulator).expect("the emulator is always there");
    let (mut context, mut module, mut kernel, mut memory) = (0usize, 0usize, 0usize, 0u64);
    assert_eq!(call!(cuInit(0 => u32)), 0);
    assert_eq!(call!(cuCtxCreate_v2(&mut context => *mut usize, 0 => u32, 0 => i32)), 0);
    let image = linked(&[KERNEL, FUNCTION]).expect("both are there");
    assert_eq!(call!(cuModuleLoadData(&mut module => *mut usize, image.as_ptr() => *const u8)), 0);
    let found = call!(cuModuleGetFunction(
        &mut kernel => *mut usize, module => usize, c"add".as_ptr() => *const c_char
    ));
    assert_eq!(found, 0);
    assert_eq!(call!(cuMemAlloc_v2(&mut memory => *mut u64, 4 => usize)), 0);
    assert_eq!(call!(cuMemsetD32_v2(memory => u64, 1 => u32, 1 => usize)), 0);
    (kernel, memory)
}

/// The linked image, or the status and the message of the call that failed.
fn linked(texts: &[&CStr]) -> Result<Vec<u8>, (i32, String)> {
    let mut message = [0u8; 300];
    let options = [5u32, 6, 9];
    let values = [message.as_mut_ptr() as usize, message.len(), 90];
    let mut link = 0usize;
    let created = call!(cuLinkCreate_v2(
        3 => u32, options.as_ptr() => *const u32, values.as_ptr() => *const usize, &mut link => *mut usize
    ));
    assert_eq!(created, 0);
    for text in texts {
        let added = call!(cuLinkAddData_v2(
            link => usize, 1 => i32, text.as_ptr() => *const c_char, text.count_bytes() => usize,
            c"part".as_ptr() => *const c_char, 0 => u32, ptr::null() => *const u32, ptr::null() => *const usize,
        ));
        assert_eq!(added, 0);
    }
    let (mut image, mut bytes) = (ptr::null::<u8>(), 0usize);
    let status = call!(cuLinkComplete(link => usize, &mut image => *mut *const u8, &mut bytes => *mut usize));
    let result = match status {
        // SAFETY: the image has as many bytes, and the link lives.
        0 => Ok(unsafe { std::slice::from_raw_parts(image, bytes) }.to_vec()),
        _ => {
            let text = CStr::from_bytes_until_nul(&message).expect("a C string");
            Err((status, text.to_string_lossy().into_owned()))
        }
    };
    assert_eq!(call!(cuLinkDestroy(link => usize)), 0);
    assert_eq!(call!(cuLinkDestroy(link => usize)), 400);
    result
}

fn word(address: u64) -> u32 {
    let mut word = 0u32;
    assert_eq!(call!(cuMemcpyDtoH_v2(&mut word => *mut u32, address => u64, 4 => usize)), 0);
    word
}

fn stream() -> usize {
    let mut stream = 0usize;
    assert_eq!(call!(cuStreamCreate(&mut stream => *mut usize, 1 => u32)), 0);
    stream
}

/// `CUDA_KERNEL_NODE_PARAMS`.
#[repr(C)]
struct Parameters {
    kernel: usize,
    shape: [u32; 7],
    parameters: *const *const c_void,
    extra: *const c_void,
    unused: [usize; 2],
}

#[test]
fn what_is_missing_in_a_link_is_told() {
    cuda_driver::init(Select::Emulator).expect("the emulator is always there");
    assert_eq!(call!(cuInit(0 => u32)), 0);
    let (status, message) = linked(&[KERNEL]).expect_err("the function is missing");
    assert_eq!(status, 218);
    assert!(message.contains("`step` is declared but not defined"), "{message}");
}

#[test]
fn captured_and_built_graphs_do_their_work_at_each_launch() {
    let (kernel, memory) = prepared();
    let (first, second) = (stream(), stream());
    let mut events = [0usize; 2];
    for event in &mut events {
        assert_eq!(call!(cuEventCreate(event => *mut usize, 2 => u32)), 0);
    }
    let step = 7u32;
    let arguments: [*const c_void; 2] = [(&raw const memory).cast(), (&raw const step).cast()];
    let launch = |stream: usize| {
        call!(cuLaunchKernel(
            kernel => usize, 1 => u32, 1 => u32, 1 => u32, 1 => u32, 1 => u32, 1 => u32, 0 => u32,
            stream => usize, arguments.as_ptr() => *const *const c_void, ptr::null() => *const *const c_void,
        ))
    };
    let record = |event: usize, stream: usize| call!(cuEventRecord(event => usize, stream => usize));
    let wait =
        |stream: usize, event: usize| call!(cuStreamWaitEvent(stream => usize, event => usize, 0 => u32));

    // Both streams take part, and the second is joined again.
    assert_eq!(call!(cuStreamBeginCapture_v2(first => usize, 0 => i32)), 0);
    assert_eq!(launch(first), 0);
    assert_eq!((record(events[0], first), wait(second, events[0]), launch(second)), (0, 0, 0));
    assert_eq!((record(events[1], second), wait(first, events[1])), (0, 0));
    let (mut status, mut graph, mut ready) = (0i32, 0usize, 0usize);
    assert_eq!(call!(cuStreamIsCapturing(second => usize, &mut status => *mut i32)), 0);
    assert_eq!(status, 1);
    assert_eq!(call!(cuStreamEndCapture(first => usize, &mut graph => *mut usize)), 0);
    assert_eq!(word(memory), 1);
    let instantiate = |ready: &mut usize, graph: usize| call!(cuGraphInstantiateWithFlags(ready => *mut usize, graph => usize, 0 => u64));
    assert_eq!(instantiate(&mut ready, graph), 0);
    let run = |ready: usize| {
        assert_eq!(call!(cuGraphLaunch(ready => usize, first => usize)), 0);
        assert_eq!(call!(cuStreamSynchronize(first => usize)), 0);
        word(memory)
    };
    assert_eq!([run(ready), run(ready)], [215, 429]);

    // Nodes: the second one depends on the first, which is added later.
    let (mut built, mut late, mut early) = (0usize, 0usize, 0usize);
    assert_eq!(call!(cuGraphCreate(&mut built => *mut usize, 0 => u32)), 0);
    let mut parameters = Parameters {
        kernel,
        shape: [1, 1, 1, 1, 1, 1, 0],
        parameters: arguments.as_ptr(),
        extra: ptr::null(),
        unused: [0; 2],
    };
    let added = call!(cuGraphAddKernelNode_v2(
        &mut late => *mut usize, built => usize, ptr::null() => *const usize, 0 => usize,
        &parameters => *const Parameters,
    ));
    assert_eq!(added, 0);
    /// `CUDA_MEMSET_NODE_PARAMS`.
    #[repr(C)]
    struct Fill(u64, usize, u32, u32, usize, usize);
    let fill = Fill(memory, 0, 1000, 4, 1, 1);
    let added = call!(cuGraphAddMemsetNode(
        &mut early => *mut usize, built => usize, ptr::null() => *const usize, 0 => usize, &fill => *const Fill,
        0 => usize,
    ));
    assert_eq!(added, 0);
    let depend = |from: usize, to: usize| call!(cuGraphAddDependencies(built => usize, &from => *const usize, &to => *const usize, 1 => usize));
    assert_eq!((depend(early, late), depend(early, late)), (0, 1));
    let mut other = 0usize;
    assert_eq!(instantiate(&mut other, built), 0);
    assert_eq!(run(other), 1107);
    // A circle cannot be launched.
    assert_eq!((depend(late, early), instantiate(&mut other, built)), (0, 1));

    // Another parameter for one node of the graph that is ready.
    let more = 50u32;
    let others: [*const c_void; 2] = [(&raw const memory).cast(), (&raw const more).cast()];
    parameters.parameters = others.as_ptr();
    let changed = call!(cuGraphExecKernelNodeSetParams_v2(
        other => usize, late => usize, &parameters => *const Parameters
    ));
    assert_eq!((changed, run(other)), (0, 1150));
    let enable = |on: u32| call!(cuGraphNodeSetEnabled(other => usize, early => usize, on => u32));
    assert_eq!((enable(0), run(other)), (0, 1300));
    // It has other nodes.
    let updated = call!(cuGraphExecUpdate_v2(other => usize, graph => usize, ptr::null_mut() => *mut c_void));
    assert_eq!(updated, 910);

    // What a capture does not allow ends it.
    assert_eq!(call!(cuStreamBeginCapture_v2(first => usize, 0 => i32)), 0);
    assert_eq!(call!(cuStreamSynchronize(first => usize)), 900);
    assert_eq!(call!(cuStreamEndCapture(first => usize, &mut graph => *mut usize)), 901);
    assert_eq!(graph, 0);
    assert_eq!(call!(cuStreamBeginCapture_v2(first => usize, 0 => i32)), 0);
    assert_eq!((record(events[0], first), wait(second, events[0]), launch(second)), (0, 0, 0));
    assert_eq!(call!(cuEventSynchronize(events[0] => usize)), 907);
    assert_eq!(call!(cuStreamEndCapture(first => usize, &mut graph => *mut usize)), 904);
    assert_eq!((launch(second), call!(cuStreamSynchronize(second => usize)), word(memory)), (0, 0, 1407));
}

#[test]
fn a_name_stands_for_the_function_of_the_version() {
    cuda_driver::init(Select::Emulator).expect("the emulator is always there");
    assert_eq!(call!(cuInit(0 => u32)), 0);
    let find = |name: &CStr, version: i32| {
        let mut address = ptr::null_mut::<()>();
        let status = call!(cuGetProcAddress(
            name.as_ptr() => *const c_char, &mut address => *mut *mut (), version => i32, 0 => u64
        ));
        assert_eq!(status, 0, "{name:?}");
        address
    };
    for (name, version, wanted) in [
        (c"cuMemAdvise", 12000, EntryPoint::cuMemAdvise),
        (c"cuMemAdvise", 13000, EntryPoint::cuMemAdvise_v2),
        (c"cuGraphInstantiate", 11040, EntryPoint::cuGraphInstantiate_v2),
        (c"cuGraphInstantiate", 12000, EntryPoint::cuGraphInstantiateWithFlags),
        (c"cuGraphExecUpdate", 11040, EntryPoint::cuGraphExecUpdate),
        (c"cuGraphExecUpdate", 12000, EntryPoint::cuGraphExecUpdate_v2),
        (c"cuMemAlloc", 13000, EntryPoint::cuMemAlloc_v2),
    ] {
        assert_eq!(find(name, version), wanted.address(), "{name:?} {version}");
    }
}
