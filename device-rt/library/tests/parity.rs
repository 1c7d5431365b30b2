//! The Rust interface has names of `cuda_std` with the same signatures.

mod common;

use common::tools;
use device_library::RUNTIME;
use toolchain::DeviceCrate;

/// Compiles if the names are `cuda_std`'s.
mod names {
    use cuda_std as rt;

    include!("parity/names.rs");
}

#[test]
fn device_rt_has_the_names_of_cuda_std() {
    let names = include_str!("parity/names.rs");
    let build = |names: &str| {
        let source = format!(
            "#![no_std]\n#![feature(abi_ptx)]\nuse device_rt as rt;\n{names}\n\
             #[unsafe(no_mangle)]\npub extern \"ptx-kernel\" fn k() {{}}\n"
        );
        tools().device_module(&DeviceCrate {
            name: "names",
            sources: &[("src/lib.rs", &source)],
            exports: &["k"],
            dependencies: &[RUNTIME],
            ..RUNTIME
        })
    };
    build(names).unwrap_or_else(|error| panic!("{error}"));
    // Another signature does not compile, nor does a name that is not there.
    assert!(build("const _: fn() -> u64 = rt::thread::index;").is_err());
    assert!(build("const _: fn() -> u32 = rt::thread::index_4d;").is_err());
}
