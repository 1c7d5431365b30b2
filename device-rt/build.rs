//! Says where the crate's sources are: `device-library` embeds them. Nothing is compiled here.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    println!("cargo::metadata=root={root}");
}
