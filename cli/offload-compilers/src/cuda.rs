//! What of CUDA a compiler's arguments have.

use std::{ffi::OsString, fs, path::Path};

use object::read::{Object, ObjectSection, ObjectSymbol, elf::ElfFile64};

use crate::arguments::takes_word;

/// The function that object files of CUDA call to register their kernels.
const REGISTERS: &str = "__cudaRegisterFatBinary";

/// The section in which object files have device code that is linked with that of others.
const LINKED: &str = ".llvm.offloading";

/// Names of a runtime library among the options.
const LIBRARIES: [&str; 2] = ["cudart", "cudart_static"];

/// What of CUDA the arguments of a compiler have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CudaUse {
    /// A source file of CUDA.
    pub sources: bool,
    /// Object files of CUDA, or a name of the runtime library.
    pub library: bool,
    /// A source file of C or C++ that includes a header of CUDA.
    pub headers: bool,
    /// Source files of other languages, or object files with device code that has to be linked.
    offloading: bool,
}

impl CudaUse {
    /// What these arguments have.
    pub fn of(arguments: &[OsString]) -> CudaUse {
        let mut found = CudaUse::default();
        let mut language = String::new();
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let name = word.to_str().unwrap_or_default();
            let mut value =
                || words.next().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
            match name {
                "-x" => language = value(),
                "-l" => found.library |= LIBRARIES.contains(&&*value()),
                "-o" | "-L" | "-MF" | "-MT" | "-MQ" => drop(value()),
                option if takes_word(option) => drop(value()),
                option if option.starts_with('-') => {
                    if let Some(named) = option.strip_prefix("-x") {
                        language = named.into();
                    }
                    found.library |= option.strip_prefix("-l").is_some_and(|name| LIBRARIES.contains(&name));
                }
                _ => found.add_file(Path::new(word), &language),
            }
        }
        found
    }

    /// Whether the command is one of CUDA alone, which OpenMP's offloading has no part in.
    pub fn is_alone(self) -> bool {
        self.sources || (self.library && !self.offloading)
    }

    fn add_file(&mut self, path: &Path, language: &str) {
        let ending = path.extension().unwrap_or_default().to_str().unwrap_or_default();
        let is_source = !language.is_empty() && language != "none";
        match ending {
            _ if language == "cuda" => self.sources = true,
            "cu" if !is_source => self.sources = true,
            "o" | "obj" if !is_source => {
                let object = fs::read(path).ok().and_then(|bytes| CudaUse::of_object(&bytes));
                let CudaUse { library, offloading, .. } = object.unwrap_or_default();
                self.library |= library;
                self.offloading |= offloading;
            }
            // Libraries have no device code that is to be linked, or it is said with an option.
            "a" | "so" if !is_source => {}
            _ => {
                self.offloading = true;
                self.headers |=
                    fs::read(path).is_ok_and(|bytes| includes_cuda(&String::from_utf8_lossy(&bytes)));
            }
        }
    }

    fn of_object(bytes: &[u8]) -> Option<CudaUse> {
        let file = ElfFile64::<object::LittleEndian>::parse(bytes).ok()?;
        let mut symbols = file.symbols().filter(|symbol| symbol.is_undefined());
        let library = symbols.any(|symbol| symbol.name().is_ok_and(is_of_runtime));
        let offloading = file.sections().any(|section| section.name() == Ok(LINKED));
        Some(CudaUse { library, offloading, ..CudaUse::default() })
    }
}

/// Whether a function is one of CUDA's runtime library: `cudaMalloc`, and those that compilers call.
fn is_of_runtime(name: &str) -> bool {
    let rest = name.strip_prefix("cuda");
    name == REGISTERS || rest.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_uppercase()))
}

/// Whether a source file includes a header whose name starts with `cuda`.
fn includes_cuda(text: &str) -> bool {
    text.lines().any(|line| {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        let file = directive.and_then(|directive| directive.strip_prefix("include")).map(str::trim_start);
        file.is_some_and(|file| file.starts_with("<cuda") || file.starts_with("\"cuda"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &str) -> CudaUse {
        CudaUse::of(&words.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn sources_of_cuda_are_told_by_their_name_or_by_an_option() {
        for words in ["a.cu", "-O2 b.cpp a.cu -o a", "-x cuda a.cpp", "-xcuda a.cpp", "-c a.cu"] {
            assert!(of(words).sources && of(words).is_alone(), "{words}");
        }
        for words in ["a.c", "-o a.cu a.c", "-include a.cu a.c", "-x c++ a.cu", "-xc a.cu"] {
            assert!(!of(words).sources && !of(words).is_alone(), "{words}");
        }
        assert!(of("-x c++ a.cpp -x none b.cu").sources);
    }

    #[test]
    fn the_runtime_library_is_told_by_its_options() {
        for words in ["a.o -lcudart", "a.o -l cudart_static"] {
            assert!(of(words).library && of(words).is_alone(), "{words}");
        }
        let with_source = of("a.cpp -lcudart");
        assert!(with_source.library && !with_source.is_alone());
        assert!(!of("a.o -lcuda -o b").library);
    }

    #[test]
    fn headers_of_cuda_are_found_in_sources() {
        for text in
            ["#include <cuda_runtime.h>\n", "int x;\n  #  include \"cuda.h\"\n", "#include<cuda/std/array>"]
        {
            assert!(includes_cuda(text), "{text}");
        }
        for text in ["// #include <cuda.h>\n", "#include <stdio.h>\n#define cuda\n", "#include <barracuda.h>"]
        {
            assert!(!includes_cuda(text), "{text}");
        }
    }

    #[test]
    fn functions_of_the_runtime_are_told_from_those_of_the_driver() {
        assert!(is_of_runtime("cudaMalloc") && is_of_runtime("__cudaRegisterFatBinary"));
        assert!(!is_of_runtime("cuMemAlloc_v2") && !is_of_runtime("cudart") && !is_of_runtime("main"));
    }
}
