//! Compiles a program to PTX and to an executable of the host.

use std::{
    ffi::OsStr,
    fmt::Display,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use toolchain::{ClangBuild, DeviceCrate, Error, Input, OptLevel, Tool, Tools};

use crate::program::{KERNEL, Language, Program};

const PRELUDE: &str = include_str!("../programs/prelude.h");
const DRIVER: &str = include_str!("../programs/driver.c");
const RUST_DEVICE: &str = include_str!("../programs/device.rs");
const RUST_HOST: &str = include_str!("../programs/host.rs");

/// Without contraction, which host and device could apply differently.
const C_OPTIONS: &[&str] = &["-ffp-contract=off", "-Werror=implicit-function-declaration"];
const CPP_OPTIONS: &[&str] = &[
    "-ffp-contract=off",
    "-x",
    "c++",
    "-std=c++20",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
];
const FORTRAN_OPTIONS: &[&str] = &["-ffp-contract=off"];
/// Half precision is rounded after every operation, as on the device.
const HOST_OPTIONS: &[&str] = &["-O1", "-fexcess-precision=16"];

impl Program {
    /// Compiles the program to PTX for `sm_<sm>`.
    ///
    /// # Errors
    /// A tool that is missing, such as flang for a Fortran program, or that fails.
    pub fn ptx(&self, tools: &Tools, sm: u32, opt: OptLevel) -> Result<String, Error> {
        ptx(self, tools, sm, opt)
    }

    /// Runs the program on the host, and returns its output for `input`.
    ///
    /// # Errors
    /// As [`Program::ptx`]; [`Error::Command`] if the host program fails.
    pub fn expected(&self, tools: &Tools, input: &[u32]) -> Result<Vec<u32>, Error> {
        expected(self, tools, input)
    }
}

fn ptx(program: &Program, tools: &Tools, sm: u32, opt: OptLevel) -> Result<String, Error> {
    let c = |text: &str, options: &[&str]| {
        let source = format!("{PRELUDE}\n{text}");
        tools.clang_ir(&ClangBuild { source: &source, sm, opt, options })
    };
    let bitcode;
    let ir;
    let item = match program.language {
        Language::C => {
            ir = c(program.source, C_OPTIONS)?;
            Input::Ir(&ir)
        }
        Language::Cpp => {
            ir = c(program.source, CPP_OPTIONS)?;
            Input::Ir(&ir)
        }
        Language::Fortran => {
            ir = fortran_ir(program, tools, sm, opt)?;
            Input::Ir(&ir)
        }
        Language::Rust => {
            bitcode = tools.device_bitcode(&DeviceCrate {
                name: program.name,
                edition: "2024",
                sources: &[("src/lib.rs", RUST_DEVICE), ("src/program.rs", program.source)],
                exports: &["item"],
                dependencies: &[],
            })?;
            Input::Bitcode(&bitcode)
        }
    };
    let driver = c(DRIVER, if program.whole { &["-DWHOLE"] } else { &[] })?;
    let modules = [Input::Ir(&driver), item];
    tools.ptx(&toolchain::PtxBuild { modules: &modules, keep: &[KERNEL], sm, opt })
}

fn expected(program: &Program, tools: &Tools, input: &[u32]) -> Result<Vec<u32>, Error> {
    let bytes: Vec<u8> = input.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let output = run(Command::new(host(program, tools)?), &bytes)?;
    let words = output.stdout.chunks_exact(4);
    Ok(words.map(|word| u32::from_ne_bytes(word.try_into().expect("chunks of four"))).collect())
}

/// Builds the host program in the cache and returns its path.
fn host(program: &Program, tools: &Tools) -> Result<PathBuf, Error> {
    let compilers = match program.language {
        Language::Fortran => vec![tools.clang()?, tools.flang()?],
        Language::Rust => vec![tools.rust()?.rustc.clone()],
        Language::C | Language::Cpp => vec![tools.clang()?],
    };
    let versions = compilers.iter().map(Tool::identity).collect::<String>();
    let texts = [PRELUDE, DRIVER, RUST_HOST, program.name, program.source];
    let options = [C_OPTIONS, CPP_OPTIONS, FORTRAN_OPTIONS, HOST_OPTIONS].concat().join(" ");
    let key: Vec<&str> = texts.into_iter().chain([versions.as_str(), &options]).collect();
    let entry = tools.cache().keep("corpus-host", &key, |dir| {
        let file = |name: &str, text: &str| write(&dir.join(name), text);
        let clang = |arguments: &[&str]| {
            let mut clang = Command::new(&compilers[0].path);
            clang.current_dir(dir).args(HOST_OPTIONS).args(arguments);
            run(clang, &[])
        };
        file("driver.c", &format!("{PRELUDE}\n{DRIVER}"))?;
        let define = if program.whole { "-DWHOLE" } else { "-DITEMS_ALONE" };
        match program.language {
            Language::Rust => {
                file("program.rs", program.source)?;
                file("main.rs", RUST_HOST)?;
                let mut rustc = Command::new(&compilers[0].path);
                rustc.current_dir(dir).args(["--edition=2024", "-Copt-level=1", "main.rs", "-o", "program"]);
                run(rustc, &[])?;
                return Ok(());
            }
            Language::C => {
                file("program.c", &format!("{PRELUDE}\n{}", program.source))?;
                clang(&[C_OPTIONS, &["-c", "program.c"]].concat())?;
            }
            Language::Cpp => {
                file("program.cpp", &format!("{PRELUDE}\n{}", program.source))?;
                clang(&[CPP_OPTIONS, &["-c", "program.cpp"]].concat())?;
            }
            Language::Fortran => {
                file("program.f90", program.source)?;
                let mut flang = Command::new(&compilers[1].path);
                flang.current_dir(dir).args(FORTRAN_OPTIONS).args(["-O1", "-c", "program.f90"]);
                run(flang, &[])?;
            }
        }
        clang(&[C_OPTIONS, &[define, "driver.c", "program.o", "-lm", "-o", "program"]].concat())?;
        Ok(())
    })?;
    Ok(entry.join("program"))
}

/// LLVM IR of a Fortran program, by flang.
fn fortran_ir(program: &Program, tools: &Tools, sm: u32, opt: OptLevel) -> Result<String, Error> {
    let flang = tools.flang()?;
    let feature = format!("+ptx{}", toolchain::ptx_version(sm).unwrap_or_default());
    let cpu = format!("-march=sm_{sm}");
    let level = format!("-{opt}");
    let mut options = vec!["--target=nvptx64-nvidia-cuda", &cpu, "-Xflang", "-target-feature", "-Xflang"];
    options.extend([&feature, level.as_str(), "-S", "-emit-llvm"]);
    options.extend(FORTRAN_OPTIONS);
    let key: Vec<&str> =
        [flang.identity(), program.source].into_iter().chain(options.iter().copied()).collect();
    let entry = tools.cache().keep("corpus-fortran", &key, |dir| {
        write(&dir.join("program.f90"), program.source)?;
        let mut command = Command::new(&flang.path);
        command.current_dir(dir).args(&options).args(["program.f90", "-o", "program.ll"]);
        run(command, &[]).map(drop)
    })?;
    let path = entry.join("program.ll");
    fs::read_to_string(&path).map_err(|source| Error::Io { action: "read", path, source })
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(|source| Error::Io { action: "write", path: path.to_path_buf(), source })
}

/// Runs a program with `input` on its standard input, and waits for its end.
fn run(mut command: Command, input: &[u8]) -> Result<Output, Error> {
    let words: Vec<_> =
        [command.get_program()].into_iter().chain(command.get_args()).map(OsStr::to_string_lossy).collect();
    let line = words.join(" ");
    let failed = |status: &dyn Display, stderr: &str| Error::Command {
        command: line.clone(),
        status: status.to_string(),
        stderr: stderr.to_owned(),
    };
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().map_err(|error| failed(&error, ""))?;
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    // Programs read all input before they write. If one ends early, its status tells why; this error does
    // not.
    let _ = stdin.write_all(input);
    drop(stdin);
    let output = child.wait_with_output().map_err(|error| failed(&error, ""))?;
    match output.status.success() {
        true => Ok(output),
        false => Err(failed(&output.status, &String::from_utf8_lossy(&output.stderr))),
    }
}
