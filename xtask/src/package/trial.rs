//! Tries a package on a fresh Debian: installs, uses and removes it.

use std::path::{Path, PathBuf};

use super::{options::Options, program::write};
use crate::{
    chroot::{Chroot, Network, copy_into},
    readme::workspace_root,
};

/// What differs between packages, as scripts.
pub struct Steps {
    /// Installs the package and what it depends on.
    pub install: String,
    /// Uses what only packages of this kind have.
    pub more: String,
    /// Removes the package.
    pub remove: String,
    /// Has the tools of the package's kind examine it.
    pub lint: String,
}

/// What everybody does with the program, in the folder of the examples.
pub const USE: &str = r#"
if command -v rustc cargo; then exit 1; fi
test "$(grep -c : /proc/net/dev)" = 1
seq 1 1000000 | warpfold reduce --op sum,min,max --type i64 --format csv - >reduced
diff reduced - <<'END'
sum 500000500000
min 1
max 1000000
END
warpfold cc -O2 openmp/pi.c -o pi 2>messages
grep 'found no ptxas: the program will run on the emulator only' messages
warpfold run ./pi | diff - openmp/pi.out
warpfold run --check ./pi | diff - openmp/pi.out
warpfold c++ -O2 openmp/moments.cpp -o moments
warpfold run ./moments | diff - openmp/moments.out
warpfold fc -O2 openmp/integral.f90 -o integral
warpfold run ./integral | diff - openmp/integral.out
warpfold parallelize sum.c | tee report
grep 'a `+` reduction into `s`' report
warpfold parallelize --target cpu --order free sum.c -o parallel.c
grep 'pragma omp .*reduction' parallel.c
warpfold doctor | tee doctor
"#;

/// A loop for `warpfold parallelize`.
const LOOP: &str = "
double sum(int n, const double *a) {
  double s = 0;
#pragma scop
  for (int i = 0; i < n; i++)
    s += a[i];
#pragma endscop
  return s;
}
";

/// Writes what the trial compiles into a folder.
pub fn examples(folder: &Path) -> Result<(), String> {
    copy_into(&workspace_root().join("examples/openmp"), &folder.join("openmp"))?;
    write(&folder.join("sum.c"), LOOP)
}

/// What is left of the package: nothing but what it wrote for the user who ran it.
const REST: &str = r#"
rest=$(find / -xdev -iname '*warpfold*' ! -path '/proc/*' ! -path '/root/*' ! -path '/tmp/*')
if [ -n "$rest" ]; then
    echo "removal leaves: $rest"
    exit 1
fi
"#;

/// Runs the steps in a chroot of a release, with these files copied into it.
pub fn run(
    steps: &Steps,
    files: &[(PathBuf, String)],
    release: &str,
    options: &Options,
) -> Result<(), String> {
    let chroot = Chroot::make(&options.root, release)?;
    let outcome = (|| {
        for (from, inside) in files {
            copy_into(from, &chroot.file(inside))?;
        }
        examples(&chroot.file("/root/examples"))?;
        let scripts = [
            ("install", &*steps.install, Network::Reached),
            ("use", &*format!("cd /root/examples\n{USE}{}", steps.more), Network::Unreached),
            ("remove", &steps.remove, Network::Unreached),
            ("what is left", REST, Network::Unreached),
            ("lint", &steps.lint, Network::Reached),
        ];
        for (name, script, network) in scripts {
            println!("--- {release}: {name}");
            chroot.enter(script, network).map_err(|error| format!("{release}: {name}: {error}"))?;
        }
        Ok(())
    })();
    chroot.finish(outcome, options.keep)
}
