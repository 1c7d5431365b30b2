//! Passes the program the paths of the libraries that it embeds: the emulated driver, CUDA's runtime library and its
//! linker.

use std::{env, fs, io, path::Path};

const LIBRARIES: [(&str, &str); 3] = [
    ("DRIVER", "libwarpfold_cuda.so"),
    ("RUNTIME", "libwarpfold_cudart.so"),
    ("LINKER", "libwarpfold_jit_link.so"),
];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // cargo writes a dependency's shared library to `deps`, beside the `build` folder; OUT_DIR is three
    // levels below the folder of both. cargo has no variable for it, and artifact dependencies are not
    // stable.
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let profile = Path::new(&out).ancestors().nth(3).expect("OUT_DIR lies in a profile's folder");
    for (role, name) in LIBRARIES {
        let library = profile.join("deps").join(name);
        // `cargo check` builds no library but reads the file: it gets an empty one.
        match fs::File::create_new(&library) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                panic!("cannot write {}: {error}", library.display())
            }
            _ => {}
        }
        println!("cargo:rustc-env=WARPFOLD_{role}_LIBRARY={}", library.display());
    }
}
