//! Programs that tests compile and execute.

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
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn compiled(compiler: &str, options: &[&str], source: &Path) -> PathBuf {
    let program = source.with_extension(compiler);
    let mut command = Command::new(compiler);
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
