//! The hardware layer, and the check that the build keeps convergent code whole.
//!
//! Both need functions that the runtime does not export: it is built once more with a module of probes in it.

mod common;

use common::{count, instructions, tools};
use device_library::{KERNEL_SOURCES, RUNTIME};
use toolchain::{DeviceCrate, Input, OptLevel, PtxBuild};

const PROBES: &str = r#"
//! Probes.
use crate::abi::callbacks::{InterWarpCopy, List};
use crate::arch::{atomic, block_sync, id, warp};

/// One barrier and one call: exactly those must be left, whatever the branches around them are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn probe_guard(list: List, callback: InterWarpCopy, condition: bool, out: *mut u32) {
    unsafe {
        if condition { out.write(1) }
        block_sync();
        callback(list, 0);
        if condition { out.add(1).write(2) }
    }
}

/// A barrier in a helper that is not inlined.
#[inline(never)]
fn helper(out: *mut u32) {
    block_sync();
    unsafe { out.write(3) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn probe_helper(condition: bool, out: *mut u32) {
    unsafe {
        if condition { out.write(1) }
        helper(out);
        if condition { out.add(1).write(2) }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn probe_shuffle(value: u32, delta: u32) -> u32 {
    unsafe { warp::shuffle_down(warp::ALL_LANES, value, delta) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn probe_vote(mask: u32, holds: bool) -> u32 {
    unsafe { warp::ballot(mask, holds) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn probe_sync_warp(mask: u32) {
    unsafe { warp::sync_warp(mask) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn probe_fences(word: *mut u32) {
    unsafe { word.write(1) };
    atomic::fence(atomic::Scope::Block);
    unsafe { word.add(1).write(1) };
    atomic::fence(atomic::Scope::Device);
    unsafe { word.add(2).write(1) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn probe_words(word: *const atomic::Word, value: u32) -> u32 {
    unsafe {
        let before = atomic::load(word) + atomic::add(word, value) + atomic::or(word, value);
        let after = atomic::and(word, value) + atomic::increment_wrapping_ordered(word, value);
        atomic::store(word, value);
        before + after
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn probe_sync_or(value: bool) -> u32 {
    crate::arch::block_sync_or(value) as u32
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn probe_sync_any(value: bool) -> u32 {
    crate::arch::block_sync_any(value) as u32
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn probe_any_lane(value: bool) -> u32 {
    unsafe { warp::any_lane(value) as u32 }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn probe_ids(out: *mut [u32; 5]) {
    unsafe {
        out.write([id::thread(), id::block_threads(), id::block(), id::grid_blocks(), id::multiprocessor()])
    }
}
"#;

const NAMES: [&str; 11] = [
    "probe_guard",
    "probe_helper",
    "probe_shuffle",
    "probe_vote",
    "probe_sync_warp",
    "probe_fences",
    "probe_words",
    "probe_sync_or",
    "probe_sync_any",
    "probe_any_lane",
    "probe_ids",
];

/// The runtime with `probes` in it, as PTX of sm_90.
fn probes_ptx(probes: &str, names: &[&str]) -> String {
    let sources: Vec<(&str, String)> = KERNEL_SOURCES
        .iter()
        .map(|(path, text)| match *path {
            "src/lib.rs" => (*path, format!("{text}\nmod probes;\n")),
            _ => (*path, text.to_string()),
        })
        .chain([("src/probes.rs", probes.to_string())])
        .collect();
    let sources: Vec<(&str, &str)> = sources.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let krate = DeviceCrate { name: "probes", sources: &sources, exports: names, ..RUNTIME };
    let bitcode = tools().device_bitcode(&krate).unwrap_or_else(|error| panic!("{error}"));
    let build = PtxBuild { modules: &[Input::Bitcode(&bitcode)], keep: names, sm: 90, opt: OptLevel::O3 };
    tools().ptx(&build).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_barrier_and_a_call_stay_one_of_each() {
    let text = probes_ptx(PROBES, &NAMES);
    let guard = instructions(&text, "probe_guard");
    assert_eq!((count(&guard, "bar.sync"), count(&guard, "call")), (1, 1), "{text}");
    // LLVM may inline the helper or not: one barrier or one call of it.
    let helper = instructions(&text, "probe_helper");
    assert_eq!(count(&helper, "bar.sync") + count(&helper, "call"), 1, "{text}");
}

/// The same check on a module whose call is not `convergent`: it must fail there.
#[test]
fn a_call_that_is_not_convergent_is_noticed() {
    const CANARY: &str = r#"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @canary(ptr %callback, i1 %condition, ptr %out) {
  br i1 %condition, label %before, label %join
before:
  store i32 1, ptr %out
  br label %join
join:
  call void %callback() ATTRIBUTE
  br i1 %condition, label %after, label %end
after:
  store i32 2, ptr %out
  br label %end
end:
  ret void
}
"#;
    for (attribute, calls) in [("", 2), ("convergent", 1)] {
        let module = CANARY.replace("ATTRIBUTE", attribute);
        let build = PtxBuild { modules: &[Input::Ir(&module)], keep: &["canary"], sm: 90, opt: OptLevel::O3 };
        let text = tools().ptx(&build).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(count(&instructions(&text, "canary"), "call"), calls, "{attribute}\n{text}");
    }
}

#[test]
fn functions_are_single_instructions() {
    let text = probes_ptx(PROBES, &NAMES);
    let expected = [
        ("probe_shuffle", "shfl.sync.down.b32", 1),
        ("probe_vote", "vote.sync.ballot.b32", 1),
        ("probe_sync_warp", "bar.warp.sync", 1),
        ("probe_fences", "fence.acq_rel.cta", 1),
        ("probe_fences", "fence.acq_rel.gpu", 1),
        ("probe_words", "ld.relaxed.gpu.b32", 1),
        ("probe_words", "atom.add.u32", 1),
        ("probe_words", "atom.or.b32", 1),
        ("probe_words", "atom.and.b32", 1),
        ("probe_words", "atom.acq_rel.gpu.global.inc.u32", 1),
        ("probe_words", "st.relaxed.gpu.b32", 1),
        ("probe_sync_or", "barrier.red.or.pred", 1),
        ("probe_sync_any", "bar.red.or.pred", 1),
        ("probe_any_lane", "vote.sync.ballot.b32", 1),
        ("probe_any_lane", "bar.warp.sync", 1),
    ];
    for (probe, opcode, times) in expected {
        assert_eq!(count(&instructions(&text, probe), opcode), times, "{probe}: {opcode}\n{text}");
    }
    for register in ["%tid.x", "%tid.z", "%ntid.y", "%ctaid.z", "%nctaid.x", "%smid"] {
        assert!(
            instructions(&text, "probe_ids").iter().any(|line| line.contains(register)),
            "{register}\n{text}"
        );
    }
}
