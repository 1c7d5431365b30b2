//! The program as packages hold it: without symbols, and without paths of the machine that builds it.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    cargo::{executable, shared_library},
    readme::workspace_root,
    so::Libraries,
};

/// The version of the workspace.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit that packages are made of.
pub struct Commit {
    /// Its hash, or that and `with changes`.
    pub name: String,
    /// Its time, in seconds since 1970: that of every file of a package.
    pub seconds: String,
    /// Its time as changelogs have it.
    pub date: String,
}

impl Commit {
    /// The one that is checked out.
    pub fn current() -> Result<Commit, String> {
        let changes = git(&["status", "--porcelain"])?;
        let hash = git(&["rev-parse", "HEAD"])?;
        Ok(Commit {
            name: if changes.is_empty() { hash } else { format!("{hash} with changes") },
            seconds: git(&["log", "-1", "--format=%ct"])?,
            date: git(&["log", "-1", "--format=%cd", "--date=rfc-local"])?,
        })
    }
}

/// What git prints of this clone.
pub fn git(arguments: &[&str]) -> Result<String, String> {
    let hint = "packages are made in a clone, and have the time of its commit";
    output(Command::new("git").args(arguments).env("TZ", "UTC").current_dir(workspace_root()))
        .map_err(|error| format!("{error}; {hint}"))
}

/// The files that are built for packages.
pub struct Program {
    /// `warpfold`.
    pub executable: PathBuf,
    /// The emulated driver and CUDA's runtime library.
    pub driver: Libraries,
    /// The library for programs of MPI.
    pub mpi_library: PathBuf,
}

impl Program {
    /// Builds them.
    pub fn build() -> Result<Program, String> {
        let flags = format!("build.rustflags={:?}", flags());
        let packages = ["--package", "warpfold", "--package", "mpi-rt-so"];
        let arguments = [&["build", "--profile", "dist", "--config", &flags], &packages[..]].concat();
        Ok(Program {
            executable: executable(&arguments, "warpfold")?,
            driver: Libraries::build(&arguments)?,
            mpi_library: shared_library(&arguments, "warpfold_mpi")?,
        })
    }

    /// What a command of the program prints.
    pub fn output(&self, arguments: &[&str]) -> Result<String, String> {
        output(Command::new(&self.executable).args(arguments))
    }

    /// Debian's packages of the libraries that the files are linked with, as dependencies.
    pub fn libraries(&self) -> Result<String, String> {
        let scratch = tempfile::tempdir().map_err(|e| format!("cannot make a folder: {e}"))?;
        // It reads the names of packages there.
        let control = "Source: warpfold\n\nPackage: warpfold\nArchitecture: amd64\n";
        write(&scratch.path().join("debian/control"), control)?;
        let mut shlibdeps = Command::new("dpkg-shlibdeps");
        shlibdeps.args(["-O", "-e"]).arg(&self.executable).arg("-e").arg(&self.driver.driver);
        shlibdeps.arg("-e").arg(&self.driver.runtime).arg("-e").arg(&self.driver.linker);
        shlibdeps.arg("-e").arg(&self.mpi_library);
        let found = output(shlibdeps.current_dir(&scratch))
            .map_err(|error| format!("{error}; `apt-get install dpkg-dev` installs it"))?;
        let libraries = found.lines().find_map(|line| line.strip_prefix("shlibs:Depends="));
        Ok(libraries.ok_or("dpkg-shlibdeps names no library")?.to_string())
    }

    /// The oldest glibc that the files can be run with, such as `2.34`.
    pub fn glibc(&self) -> Result<String, String> {
        let libraries = self.libraries()?;
        let version = libraries.split("libc6 (>= ").nth(1).and_then(|rest| rest.split(')').next());
        version.map(String::from).ok_or(format!("no version of glibc in `{libraries}`"))
    }
}

/// rustc's flags with which no path of this machine gets into the program.
fn flags() -> Vec<String> {
    let cargo_home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo_home = cargo_home.or_else(|| Some(Path::new(&env::var_os("HOME")?).join(".cargo")));
    let folders = [(Some(workspace_root().to_path_buf()), "/warpfold"), (cargo_home, "/cargo")];
    let flag = |folder: PathBuf, name| format!("--remap-path-prefix={}={name}", folder.display());
    folders.into_iter().filter_map(|(folder, name)| Some(flag(folder?, name))).collect()
}

/// What a program prints; an error unless it succeeds.
pub fn output(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{program}: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "{program} ended with {}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim_end_matches('\n').to_string())
}

/// Writes a file of a package, and the folders it lies in.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, content));
    written.map_err(|e| format!("{}: {e}", path.display()))
}
