//! A program that is run on the emulator: the command for it, and what its device images are for.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs,
    path::Path,
    process::Command,
};

use cuda_driver::{
    image::{self, Embedded},
    settings::GpuModel,
};
use object::{LittleEndian, Object, ObjectSection, read::elf::ElfFile64};
use toolchain::{Cache, DriverFolder, prepended};

use crate::{error::Error, source_folders};

/// The driver's variable of folders whose source files its reports quote.
const SOURCE_PATH: &str = "WARPFOLD_SOURCE_PATH";

/// LLVM's host runtime: the bytes up to which it manages memory by itself; 0 for none.
const MEMORY_MANAGER: &str = "LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD";

/// LLVM's host runtime: whether target regions may run on the host.
const OFFLOAD: &str = "OMP_TARGET_OFFLOAD";

/// A part of the name of AddressSanitizer's library.
const ASAN: &[u8] = b"libasan.so";

/// The section in which programs have CUDA's device code.
const FATBINS: &str = ".nv_fatbin";

/// Whether the user has LLVM's host runtime run target regions on the host.
pub fn is_offload_disabled() -> bool {
    env::var(OFFLOAD).is_ok_and(|value| value.eq_ignore_ascii_case("disabled"))
}

/// What of warpfold programs need.
#[derive(Clone, Copy, Debug)]
pub struct Installed<'a> {
    /// The folder of the emulated driver, `libcuda.so.1`.
    pub driver: &'a Path,
    /// The program `warpfold`, which acts as ptxas.
    pub program: &'a Path,
}

/// A program with its arguments.
pub struct Program<'a> {
    path: &'a OsStr,
    arguments: &'a [OsString],
    bytes: Vec<u8>,
    images: Vec<Embedded>,
}

impl<'a> Program<'a> {
    /// Looks at a program's file.
    pub fn new(path: &'a OsStr, arguments: &'a [OsString]) -> Program<'a> {
        let bytes = bytes(path);
        Program { path, arguments, images: image::embedded(&bytes), bytes }
    }

    /// The command that runs it, with these variables for the driver.
    ///
    /// # Errors
    ///
    /// A cache that cannot be written, and a path that no variable can list.
    pub fn command(
        &self,
        installed: Installed<'_>,
        variables: Vec<(&'static str, OsString)>,
    ) -> Result<Command, Error> {
        let mut command = Command::new(self.path);
        if self.images.iter().any(|image| image.bitcode) {
            // LLVM's host runtime compiles these images and calls the first ptxas in PATH.
            let bin = Cache::open()?.stand_in_bin(installed.program)?;
            command.env("PATH", prepended("PATH", &bin)?);
        }
        command
            .args(self.arguments)
            .env("LD_LIBRARY_PATH", prepended("LD_LIBRARY_PATH", installed.driver)?)
            .envs(variables);
        let linker = installed.driver.join(DriverFolder::LINKER);
        // The dynamic linker splits its list at blanks, too.
        if self.may_start_python() && !linker.as_os_str().as_encoded_bytes().contains(&b' ') {
            // Packages of Python look for CUDA's libraries in their own folders, but for loaded ones before.
            command.env("LD_PRELOAD", prepended("LD_PRELOAD", &linker)?);
        }
        if let Some(path) = source_path(&self.bytes) {
            command.env(SOURCE_PATH, path);
        }
        if env::var_os(MEMORY_MANAGER).is_none() {
            // LLVM's host runtime keeps small pieces of memory that the program frees, so that their use would stay
            // unseen.
            command.env(MEMORY_MANAGER, "0");
        }
        if env::var_os(OFFLOAD).is_none() {
            // Otherwise LLVM's host runtime runs a target region on the host where the device fails.
            command.env(OFFLOAD, "MANDATORY");
        }
        Ok(command)
    }

    /// Whether it may be Python or start it: all but programs that have device code themselves, and programs with
    /// AddressSanitizer, whose library has to be the first that is loaded.
    fn may_start_python(&self) -> bool {
        let Ok(file) = ElfFile64::<LittleEndian>::parse(&*self.bytes) else { return true };
        let names =
            file.section_by_name(".dynstr").and_then(|section| section.data().ok()).unwrap_or_default();
        let has_asan = names.windows(ASAN.len()).any(|part| part == ASAN);
        self.images.is_empty() && !self.is_of_cuda() && !has_asan
    }

    /// What to ask about a program that launched nothing on these emulated GPUs: the end of a sentence; nothing where it may
    /// mean to.
    pub fn why_nothing_was_launched(&self, gpus: &[GpuModel]) -> String {
        let sm = first(gpus).architecture();
        // LLVM's host runtime silently ignores images for another architecture, also in libraries.
        match self.is_of_cuda() || gpus.iter().any(|model| self.runs_on(*model)) {
            true => String::new(),
            false => format!(
                ": is it compiled for {sm} (`warpfold cc`, or clang with -fopenmp --offload-arch={sm})? `--sm` \
                 emulates another GPU"
            ),
        }
    }

    /// Whether it has code that CUDA's compilers put into it.
    fn is_of_cuda(&self) -> bool {
        let file = ElfFile64::<LittleEndian>::parse(&*self.bytes);
        file.is_ok_and(|file| file.section_by_name(FATBINS).is_some())
    }

    /// Whether one of the images has code for a GPU.
    fn runs_on(&self, model: GpuModel) -> bool {
        self.images.iter().any(|image| image.runs_on(model.sm()))
    }

    /// Compares its device images with the emulated GPUs.
    ///
    /// # Errors
    ///
    /// The program has images that it must use, but none for one of the GPUs.
    pub fn check_architecture(&self, gpus: &[GpuModel]) -> Result<(), Error> {
        let offload = env::var(OFFLOAD).ok();
        let is_mandatory = offload.as_deref().is_none_or(|value| value.eq_ignore_ascii_case("mandatory"));
        let runs = gpus.iter().any(|model| self.runs_on(*model));
        if !is_mandatory || self.images.is_empty() || runs {
            return Ok(());
        }
        let sm = first(gpus).architecture();
        let other = GpuModel::ALL.into_iter().find(|other| self.runs_on(*other));
        let run =
            other.map_or(String::new(), |other| format!("run it with `--sm {}`, or ", other.architecture()));
        let mut found: Vec<&str> = self.images.iter().map(|image| &*image.architecture).collect();
        found.sort_unstable();
        found.dedup();
        Err(Error::OtherArchitecture {
            program: self.path.to_string_lossy().into_owned(),
            found: found.join(", "),
            hint: format!("{run}compile it with `--offload-arch={sm}`"),
            sm,
        })
    }
}

/// Device 0.
fn first(gpus: &[GpuModel]) -> GpuModel {
    gpus.first().copied().unwrap_or_default()
}

/// The folders of source files that reports may quote: the user's, and those that the program was compiled in.
fn source_path(program: &[u8]) -> Option<OsString> {
    let user = env::var_os(SOURCE_PATH).filter(|path| !path.is_empty());
    let user = user.iter().flat_map(env::split_paths);
    let compiled = source_folders::read(program).into_iter();
    // A name with a colon cannot be listed.
    let compiled = compiled.filter(|folder| !folder.as_os_str().as_encoded_bytes().contains(&b':'));
    env::join_paths(user.chain(compiled)).ok().filter(|path| !path.is_empty())
}

/// A program's bytes; none if it cannot be read or is very large.
fn bytes(program: &OsStr) -> Vec<u8> {
    const LARGEST: u64 = 1 << 28;
    let small = fs::metadata(program).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= LARGEST);
    if small { fs::read(program).unwrap_or_default() } else { Vec::new() }
}
