//! Debian's package, by Debian's own tools.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use toolchain::{DriverFolder, Prebuilt};

use super::{
    options::Options,
    program::{Commit, Program, VERSION, git, output, write},
    trial,
};
use crate::{chroot::copy_into, process::call, readme::workspace_root};

/// The compilers and what belongs to them, by Debian's names. All suites with an LLVM that the program was tried with have
/// this one, and the program wants all of one version.
pub const COMPILERS: &str =
    "clang-22, clang-tools-22, flang-22, libisl23, liboffload-22-dev, libomp-22-dev, llvm-22";

/// The files that describe the package, with placeholders `@NAME@`.
const CONTROL: &str = include_str!("debian/control");
const COPYRIGHT: &str = include_str!("debian/copyright");
const CHANGELOG: &str = include_str!("debian/changelog");
const OVERRIDES: &str = include_str!("debian/lintian-overrides");

/// What programs of MPI are compiled with, beside their library, and how pkg-config names both.
const MPI_FILES: [(&str, &str); 2] = [
    ("warpfold_mpi.h", include_str!("../../../host-rt/mpi/so/include/warpfold_mpi.h")),
    ("warpfold_mpi.f90", include_str!("../../../host-rt/mpi/so/include/warpfold_mpi.f90")),
];
const MPI_PC: &str = include_str!("warpfold-mpi.pc");

/// The examples that the package has.
const EXAMPLES: &str = "examples/openmp";

/// Where shells look for the completions of packages.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "usr/share/bash-completion/completions/warpfold"),
    ("fish", "usr/share/fish/vendor_completions.d/warpfold.fish"),
    ("zsh", "usr/share/zsh/vendor-completions/_warpfold"),
];

/// Compresses manual pages and the changelog, makes modes those of packages, and writes the sums.
const FINISH: &str = "
gzip -9n usr/share/man/man1/* usr/share/doc/warpfold/changelog
chmod -R u=rwX,go=rX .
find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums
";

/// Makes the package in a folder.
pub fn make(options: &Options, out: &Path) -> Result<PathBuf, String> {
    let (commit, program) = (Commit::current()?, Program::build()?);
    let scratch = tempfile::tempdir().map_err(|e| format!("cannot make a folder: {e}"))?;
    let tree = scratch.path().join("warpfold");
    install(&program, &tree)?;
    let changelog = CHANGELOG.replace("@COMMIT@", &commit.name).replace("@DATE@", &commit.date);
    let filled_in =
        |text: &str| text.replace("@VERSION@", VERSION).replace("@MAINTAINER@", &options.maintainer);
    write(&tree.join("usr/share/doc/warpfold/changelog"), filled_in(&changelog))?;
    write(&tree.join("usr/share/doc/warpfold/copyright"), COPYRIGHT)?;
    write(&tree.join("usr/share/lintian/overrides/warpfold"), OVERRIDES)?;
    fs::create_dir(tree.join("DEBIAN")).map_err(|e| format!("{}: {e}", tree.display()))?;
    call(Command::new("bash").args(["-euo", "pipefail", "-c", FINISH]).current_dir(&tree))?;
    let size = output(Command::new("du").args(["-sk", "--apparent-size", "usr"]).current_dir(&tree))?;
    let control = filled_in(CONTROL)
        .replace("@LIBRARIES@", &program.libraries()?)
        .replace("@COMPILERS@", COMPILERS)
        .replace("@SIZE@", size.split_whitespace().next().unwrap_or("0"));
    write(&tree.join("DEBIAN/control"), control)?;
    let package = out.join(format!("warpfold_{VERSION}_amd64.deb"));
    let mut dpkg = Command::new("dpkg-deb");
    dpkg.args(["--root-owner-group", "-Zxz", "--build"]).arg(&tree).arg(&package);
    call(dpkg.env("SOURCE_DATE_EPOCH", &commit.seconds))?;
    Ok(package)
}

/// Puts everything below `usr`.
fn install(program: &Program, tree: &Path) -> Result<(), String> {
    let usr = tree.join("usr");
    let text = |path: &Path| path.to_string_lossy().into_owned();
    program.output(&["build", "--out", &text(&usr)])?;
    copy_into(&program.executable, &usr.join("bin/warpfold"))?;
    let driver = usr.join(Prebuilt::DRIVER);
    program.driver.install(&driver)?;
    let mpi = usr.join(Prebuilt::MPI_LIBRARY);
    for (name, text) in MPI_FILES {
        write(&mpi.join(name), text)?;
    }
    write(&usr.join("lib/pkgconfig/warpfold-mpi.pc"), MPI_PC.replace("@VERSION@", VERSION))?;
    let mpi_library = mpi.join("libwarpfold_mpi.so");
    copy_into(&program.mpi_library, &mpi_library)?;
    program.output(&["completions", "--manual-pages", &text(&usr.join("share/man/man1"))])?;
    for (shell, path) in COMPLETIONS {
        write(&tree.join(path), program.output(&["completions", shell])? + "\n")?;
    }
    // Only those of the commit: examples are compiled in their folder, too.
    for file in git(&["ls-files", EXAMPLES])?.lines() {
        let name = file.strip_prefix(EXAMPLES).unwrap_or(file).trim_start_matches('/');
        copy_into(&workspace_root().join(file), &usr.join("share/doc/warpfold/examples").join(name))?;
    }
    // Debian has it so for libraries that are not executed by themselves.
    let names = DriverFolder::FILES;
    let libraries = names.map(|name| driver.join(name));
    libraries.iter().chain([&mpi_library]).try_for_each(|library| {
        fs::set_permissions(library, fs::Permissions::from_mode(0o644))
            .map_err(|e| format!("{}: {e}", library.display()))
    })
}

/// Installs, uses and removes the package on a fresh Debian.
pub fn attempt(package: &Path, release: &str, options: &Options) -> Result<(), String> {
    let name = package.file_name().unwrap_or_default().to_string_lossy();
    let package = [(package.to_path_buf(), format!("/tmp/{name}"))];
    let steps = trial::Steps {
        install: format!(
            "apt-get update -q && apt-get install -qy --no-install-recommends /tmp/{name} pkgconf"
        ),
        more: "zcat /usr/share/man/man1/warpfold-run.1.gz | grep unified
            bash -c '. /usr/share/bash-completion/completions/warpfold && complete -p warpfold'
            test \"$(warpfold config --driver-dir)\" = /usr/lib/warpfold/driver
            test -f \"$(pkg-config --variable=libdir warpfold)/libompdevice.a\"
            test -f /usr/lib/cmake/warpfold/warpfold-config.cmake
            cat >parts.c <<'END'
#include <stdio.h>
#include <warpfold_mpi.h>

int main(void) {
  int numbers[] = {1, 2, 4}, sum = 0;
  warpfold_partial *all;
  if (warpfold_partial_create(numbers, 3, 0, WARPFOLD_I32, WARPFOLD_SUM, &all) || warpfold_partial_finish(all, &sum))
    puts(warpfold_error());
  warpfold_partial_free(all);
  printf(\"%d\\n\", sum);
}
END
            warpfold cc -O2 parts.c $(pkg-config --cflags --libs warpfold-mpi) -o parts
            test \"$(warpfold run ./parts)\" = 7
            test \"$(./parts)\" = 7
            test -f \"$(pkg-config --variable=module warpfold-mpi)\""
            .into(),
        remove: "apt-get purge -qy warpfold".into(),
        lint: format!(
            // The chroot has this machine's configuration of apt, about which dpkg would ask.
            "apt-get install -qy --no-install-recommends -o DPkg::Options::=--force-confold lintian && \
             lintian --allow-root --fail-on error --tag-display-limit 0 /tmp/{name}"
        ),
    };
    trial::run(&steps, &package, release, options)
}
