//! Linker options of the shared library.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // The name that programs which link with `-lcuda` ask for.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libcuda.so.1");
    // Threads and destructors that run at exit may still be inside when a program closes the library.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
}
