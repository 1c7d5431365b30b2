//! The installed library, and programs and images for it.
#![allow(dead_code, reason = "not every test file needs all of it")]

use std::{
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::LazyLock,
};

use tempfile::TempDir;
use toolchain::Tools;

/// PTX of the kernel that `run.c` runs.
pub const PTX: &str = include_str!("../programs/fill.ptx");

/// The output of `run.c` without errors, exit included.
pub const RAN: &str = "table: 12 bytes\nfound: 1 0\nexport table: 801\nno such entry: 801\nat exit: 0\n\
    destructor unloads: 0\ndestructor releases: 0\ndestructor after release: 1\n";

/// The library as cargo built it for these tests.
pub fn library() -> PathBuf {
    let test = env::current_exe().expect("the test knows itself");
    test.with_file_name("libwarpfold_cuda.so")
}

/// A folder with the library under the names that programs look for, and the test's own files.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        let folder = TempDir::new().expect("there is room for files");
        symlink(library(), folder.path().join("libcuda.so.1")).expect("links can be made");
        symlink("libcuda.so.1", folder.path().join("libcuda.so")).expect("links can be made");
        Folder(folder)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file.
    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, bytes).expect("files can be written");
        path
    }

    /// Compiles `run.c`.
    pub fn program(&self, arguments: &[&str]) -> PathBuf {
        let program = self.path().join("run");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/run.c");
        let mut compiler = Command::new("clang-22");
        compiler.args(["-O1", "-Wall", "-Werror", "-o"]).arg(&program).arg(source).arg("-L").arg(self.path());
        succeed(compiler.args(arguments));
        program
    }

    /// A command that finds the library.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env("LD_LIBRARY_PATH", self.path());
        for variable in ["WARPFOLD_DEVICE", "WARPFOLD_LOG", "WARPFOLD_MACHINE", "WARPFOLD_SEED"] {
            command.env_remove(variable);
        }
        command
    }

    /// Assembles a PTX text with ptxas.
    pub fn cubin(&self, name: &str, ptx: &str, arguments: &[&str]) -> PathBuf {
        let (source, image) = (self.file(&format!("{name}.ptx"), ptx), self.path().join(name));
        succeed(
            cuda_tool("ptxas")
                .args(["--gpu-name", "sm_90"])
                .args(arguments)
                .arg("-o")
                .arg(&image)
                .arg(source),
        );
        image
    }
}

/// A program of CUDA's toolkit.
pub fn cuda_tool(name: &str) -> Command {
    static PTXAS: LazyLock<PathBuf> = LazyLock::new(|| {
        let ptxas = Tools::find().and_then(|tools| tools.ptxas());
        ptxas.unwrap_or_else(|error| panic!("{error}")).path
    });
    Command::new(PTXAS.with_file_name(name))
}

/// Runs a command that has to succeed.
pub fn succeed(command: &mut Command) -> Output {
    let output = run(command);
    assert!(output.status.success(), "{command:?}: {}\n{}", output.status, text(&output));
    output
}

/// Runs a command.
pub fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// The output of a command, standard output first.
pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}
