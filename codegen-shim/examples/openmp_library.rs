//! Builds the OpenMP device runtime and prints the folder for `LIBRARY_PATH`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let library = codegen_shim::openmp_library(&toolchain::Tools::find()?)?;
    println!("{}", library.display());
    Ok(())
}
