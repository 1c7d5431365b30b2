//! Tells the program where cargo puts the emulated driver that it carries.

use std::{env, fs, io, path::Path};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // A dependency's shared library lies where all of them do: `deps`, beside the `build` folder that OUT_DIR is
    // three levels below. cargo has no variable for it, and no stable way to depend on such a file (artifact
    // dependencies).
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let profile = Path::new(&out).ancestors().nth(3).expect("OUT_DIR lies in a profile's folder");
    let library = profile.join("deps").join("libwarpfold_cuda.so");
    // `cargo check` builds no library and reads the file all the same: it gets an empty one.
    match fs::File::create_new(&library) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            panic!("cannot write {}: {error}", library.display())
        }
        _ => {}
    }
    println!("cargo:rustc-env=WARPFOLD_DRIVER_LIBRARY={}", library.display());
}
