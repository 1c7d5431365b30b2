//! Compiling device code in a build script.

use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use device_rt::reduce::op::{Lift, Storable};
use toolchain::{OptLevel, Tools};

use crate::{Items, KernelCrate, Portable, reduction_crate, reduction_source};

/// Architectures of a [`Build`] that does not name any. PTX for one is compiled by the driver for every newer GPU.
const ARCHITECTURES: &[u32] = &[80, 90];

/// Environment variables that choose the tools.
const VARIABLES: &[&str] = &[
    "WARPFOLD_CACHE",
    "WARPFOLD_DEVICE_RUSTC",
    "WARPFOLD_LLVM",
    "WARPFOLD_LLVM_BIN",
    "WARPFOLD_LLVM_UNTRIED",
    "WARPFOLD_PTXAS",
    "WARPFOLD_TOOLS",
];

/// Why a build script stops. `{:?}` gives the message, as `{}` does: it is what Rust prints for a `main` that returns
/// the error.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A tool that is missing or that rejects the code.
    #[error("device code: {0}")]
    Toolchain(#[from] toolchain::Error),
    /// The variable that cargo sets for build scripts is not set.
    #[error("OUT_DIR is not set: a `Build` is for build scripts, which cargo runs")]
    NoOutDir,
    /// A file that cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// Two crates of kernels of one name.
    #[error("two crates of kernels have the name {0}: the files of one would replace those of the other")]
    SameName(String),
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Compiles device code in a build script, for [`embed!`](crate::embed!). For each crate of kernels `OUT_DIR` gets
/// `<name>.sm_<architecture>.ptx` and, not optimised and for any architecture, the bitcode `<name>.bc`.
///
/// ```no_run
/// use device_code::{Build, device_code};
///
/// // In a real crate, `mod` of a file that the program includes, too.
/// device_code! {
///     mod furthest exports Furthest {
///         /// The larger of two distances from zero.
///         #[derive(Clone, Copy)]
///         pub struct Furthest;
///
///         impl Reduce<f64> for Furthest {
///             fn combine(self, a: f64, b: f64) -> f64 {
///                 Max.combine(a, b)
///             }
///         }
///
///         impl Lift<f64> for Furthest {
///             type Value = f64;
///
///             fn lift(self, item: f64, _index: u64) -> f64 {
///                 item.abs()
///             }
///         }
///     }
/// }
///
/// fn main() -> Result<(), device_code::Error> {
///     Build::new().reduction::<f64, furthest::Furthest>()?.embed()
/// }
/// ```
#[derive(Debug)]
pub struct Build {
    architectures: Vec<u32>,
    compiled: Vec<Compiled>,
}

/// One crate of kernels.
#[derive(Debug)]
struct Compiled {
    name: String,
    digest: String,
    bitcode: PathBuf,
    ptx: Vec<(u32, String)>,
}

impl Default for Build {
    fn default() -> Build {
        Build::new()
    }
}

impl Build {
    /// For sm_80 and sm_90: the PTX for sm_80 is also what newer GPUs than these run that have none of their own.
    pub fn new() -> Build {
        Build::for_architectures(ARCHITECTURES)
    }

    /// For these architectures, such as 90 for sm_90. A GPU runs the newest that is not newer than itself.
    pub fn for_architectures(architectures: &[u32]) -> Build {
        let mut architectures = architectures.to_vec();
        architectures.sort_unstable();
        architectures.dedup();
        Build { architectures, compiled: Vec::new() }
    }

    /// Compiles a crate of kernels, which [`KernelCrate::ptx`] then finds in the program.
    ///
    /// # Errors
    ///
    /// [`Error::Toolchain`] for tools that are missing or that reject the code, with their messages;
    /// [`Error::SameName`].
    pub fn kernels(self, krate: &KernelCrate) -> Result<Build, Error> {
        self.compile(krate, krate.name.to_owned())
    }

    /// Compiles the reduction of elements of type `I` by the operator `O` at the highest level, which `TypedReduction`
    /// and `Device::reduce` of `host-rt` then find in the program. Several arrays or operators are tuples, as they are
    /// there.
    ///
    /// # Errors
    ///
    /// As [`Build::kernels`].
    pub fn reduction<I, O>(self) -> Result<Build, Error>
    where
        I: Items,
        O: Lift<I> + Portable,
        O::Value: Storable,
    {
        let name = format!("reduction_{}", self.compiled.len());
        let source = reduction_source::<I, O>();
        self.compile(&reduction_crate(&[("src/lib.rs", &source)], OptLevel::O3), name)
    }

    fn compile(mut self, krate: &KernelCrate, name: String) -> Result<Build, Error> {
        if self.compiled.iter().any(|other| other.name == name) {
            return Err(Error::SameName(name));
        }
        let tools = Tools::of_process()?;
        let mut ptx = Vec::new();
        for &sm in &self.architectures {
            let text = krate.compile(tools, sm)?;
            check(tools, &name, &text, sm)?;
            ptx.push((sm, text));
        }
        let bitcode = tools.device_module(&krate.device_crate())?;
        self.compiled.push(Compiled { name, digest: krate.digest(), bitcode, ptx });
        Ok(self)
    }

    /// Writes the files into cargo's `OUT_DIR`, and what [`embed!`](crate::embed!) includes. Cargo runs the build
    /// script again when its own sources, or the variables that choose tools, change.
    ///
    /// # Errors
    ///
    /// [`Error::NoOutDir`], [`Error::Write`].
    pub fn embed(self) -> Result<(), Error> {
        let folder = env::var_os("OUT_DIR").map(PathBuf::from).ok_or(Error::NoOutDir)?;
        self.write(&folder)?;
        // What the script includes is part of the script, which cargo watches itself.
        println!("cargo::rerun-if-changed=build.rs");
        for variable in VARIABLES {
            println!("cargo::rerun-if-env-changed={variable}");
        }
        Ok(())
    }

    fn write(&self, folder: &Path) -> Result<(), Error> {
        let put = |file: &str, content: &[u8]| {
            let path = folder.join(file);
            fs::write(&path, content).map_err(|source| Error::Write { path, source })
        };
        let mut source = String::new();
        for (at, Compiled { name, digest, bitcode, ptx }) in self.compiled.iter().enumerate() {
            let content = fs::read(bitcode);
            let content = content.map_err(|source| Error::Write { path: bitcode.clone(), source })?;
            put(&format!("{name}.bc"), &content)?;
            // Writing to a string does not fail.
            let _ = write!(
                source,
                "#[::device_code::linkme::distributed_slice(::device_code::EMBEDDED)]\n\
                 #[linkme(crate = ::device_code::linkme)]\n\
                 static DEVICE_CODE_{at}: ::device_code::Embedded = ::device_code::Embedded {{\n\
                 \x20   digest: {digest:?},\n\
                 \x20   ptx: &[\n"
            );
            for (sm, text) in ptx {
                let file = format!("{name}.sm_{sm}.ptx");
                put(&file, text.as_bytes())?;
                let _ = writeln!(source, "        ({sm}, include_str!({file:?})),");
            }
            source.push_str("    ],\n};\n");
        }
        put("device_code.rs", source.as_bytes())
    }
}

/// Assembles the PTX with NVIDIA's ptxas, if there is one. What would make a kernel slow becomes a warning of cargo.
fn check(tools: &Tools, name: &str, ptx: &str, sm: u32) -> Result<(), Error> {
    if tools.ptxas_if_any()?.is_none() {
        return Ok(());
    }
    let report = match tools.ptxas_check(ptx, sm) {
        Ok(report) => report,
        Err(toolchain::Error::Command { stderr, .. })
            if stderr.contains("is not defined for option 'gpu-name'") =>
        {
            println!("cargo::warning={name}: not assembled for sm_{sm}, which this ptxas does not know");
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    for function in report.functions.iter().filter(|function| function.stack > 0) {
        let (kernel, bytes) = (&function.name, function.stack);
        println!("cargo::warning={name}: {kernel} has {bytes} bytes of local memory on sm_{sm}");
    }
    Ok(())
}
