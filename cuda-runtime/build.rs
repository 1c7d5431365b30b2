//! Linker options of the shared library.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libcudart.so.13");
    // The driver keeps addresses of the program's callbacks, and threads may be inside when a program closes it.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
}
