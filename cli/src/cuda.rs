//! CUDA sources and object files in `warpfold cc` and `c++`: compiled by clang, with the runtime library of `warpfold run`.

use std::{ffi::OsString, fmt::Write as _, process::Command};

use host_rt::{Device, Select};
use offload_compilers::{Arguments, CudaUse};
use terminal_text::quoted;
use toolchain::{CudaToolkit, Language, Tools};

use crate::{driver, error::Error, messages, output};

/// What a command of CUDA alone is made of.
pub struct Compilation<'a> {
    /// C or C++.
    pub language: Language,
    /// The compiler's arguments.
    pub arguments: &'a [OsString],
    /// What they have of CUDA.
    pub uses: CudaUse,
    /// Whether to print the command instead of running it.
    pub show: bool,
}

impl Compilation<'_> {
    /// Runs clang, and returns its exit status; nothing where the command was printed.
    pub fn run(&self) -> Result<Option<i32>, Error> {
        let tools = Tools::find()?;
        let toolkit = driver::cuda_toolkit()?;
        let arguments = Arguments::new(self.arguments);
        let has_gpu = || Device::open(Select::Cuda).is_ok();
        let warnings = arguments.warnings(Some(toolkit.original().version), has_gpu);
        warnings.iter().for_each(|warning| messages::note(format_args!("warpfold: {warning}")));
        let config = tools.cache().put("clang-config/cuda.cfg", configuration(&toolkit).as_bytes())?;
        let mut command = Command::new(tools.offload_compiler(self.language)?);
        command.arg(format!("--config={}", config.display()));
        // clang 22 knows CUDA up to 12.9, and works with the headers of 13. It does not read this option in the file.
        command.arg("-Wno-unknown-cuda-version");
        if self.uses.sources && !arguments.names_target() {
            command.arg("--offload-arch=sm_90");
        }
        command.args(self.arguments);
        if arguments.is_linking() {
            command.args(libraries(&toolkit));
            // Compilers of C do not link it.
            command.args((self.language == Language::C).then_some("-lstdc++"));
        }
        if self.show {
            let words = std::iter::once(command.get_program()).chain(command.get_args()).map(quoted);
            output::line(words.collect::<Vec<_>>().join(" "))?;
            return Ok(None);
        }
        // What there is to say of clang's messages is about OpenMP.
        Ok(Some(offload_compilers::run(self.language, &mut command, &|_| {})?))
    }
}

/// What links a program with the runtime library.
pub fn libraries(toolkit: &CudaToolkit) -> [OsString; 3] {
    ["-L".into(), toolkit.libraries().into(), "-lcudart".into()]
}

/// Where compilers find CUDA's headers after all others.
pub fn headers(toolkit: &CudaToolkit) -> Vec<OsString> {
    toolkit.headers().into_iter().flat_map(|folder| ["-idirafter".into(), folder.into()]).collect()
}

/// clang's options for CUDA, as a configuration file: clang does not say of those that they are not used.
fn configuration(toolkit: &CudaToolkit) -> String {
    let word = |word: &OsString| {
        let text = word.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
        format!("\"{text}\"")
    };
    let mut cuda_path = OsString::from("--cuda-path=");
    cuda_path.push(toolkit.folder());
    // The PTX is what the emulator runs; lines are what its reports name. `warpfold install` turns on OpenMP's whole
    // programs for all that clang compiles.
    let options = "--cuda-include-ptx=all\n-Xarch_device -gline-tables-only\n-fno-offload-lto\n";
    let mut text = format!("{}\n{options}", word(&cuda_path));
    for line in headers(toolkit).chunks(2) {
        let words: Vec<_> = line.iter().map(word).collect();
        let _ = writeln!(text, "{}", words.join(" "));
    }
    text
}
