//! Programs that tests compile and execute.

#![allow(dead_code, reason = "each test uses a part")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let folder = env::temp_dir().join(format!("loop-compiler-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What a test that fails has made can be looked at.
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}

/// Whether clang has its sanitizers' libraries; says where they are from if not.
fn has_sanitizers() -> bool {
    let library = format!("libclang_rt.asan-{}.a", env::consts::ARCH);
    let found = |name: &str| {
        let output = Command::new("clang-22").arg(format!("-print-file-name={name}")).output().unwrap();
        Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_absolute()
    };
    let found = found(&library) || found("libclang_rt.asan.a");
    if !found {
        println!("skipped: sanitizers, as clang has no {library} (`apt-get install libclang-rt-22-dev`)");
    }
    found
}

/// Compiles a program; with sanitizers among the options only where clang has them.
pub fn compiled(compiler: &str, options: &[&str], source: &Path) -> PathBuf {
    let program = source.with_extension(compiler);
    let mut command = Command::new(compiler);
    let is_sanitizers =
        |option: &&str| option.starts_with("-fsanitize=") || option.starts_with("-fno-sanitize");
    let leaves_out = options.iter().any(is_sanitizers) && !has_sanitizers();
    let options = options.iter().filter(|option| !(leaves_out && is_sanitizers(option)));
    let output = command.args(options).arg(source).arg("-o").arg(&program).arg("-lm").output().unwrap();
    let messages = String::from_utf8_lossy(&output.stderr);
    let text = fs::read_to_string(source).unwrap();
    assert!(output.status.success(), "{compiler} {}: {messages}\n{text}", source.display());
    program
}

pub fn printed(program: &Path, threads: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(program);
    let output = command.env("OMP_NUM_THREADS", threads).args(arguments).output().unwrap();
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{} with {threads} threads: {messages}", program.display());
    String::from_utf8(output.stdout).unwrap()
}
