//! Runs the README's commands on a fresh Debian, made by debootstrap and entered by chroot. The block `test`
//! gets a separate chroot, because it must not depend on the other blocks. With `--llvm NN` it runs the test programs with
//! that LLVM's compilers instead, in steps of which those that are done are not done again.
//!
//! If no chroot can be made, a message is printed and the commands run on this machine with an empty HOME and an empty
//! cache.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    chroot::{Chroot, Network, copy_tree},
    process::call,
    readme,
};

/// Options of `cargo xtask fresh`.
#[derive(clap::Args)]
pub struct Options {
    /// README blocks to run [default: all]
    names: Vec<String>,
    /// The chroot's folder; must not exist, and is removed afterwards (see --keep)
    #[arg(long, default_value = "/var/tmp/warpfold-fresh")]
    root: PathBuf,
    /// Keep the chroot if a command failed
    #[arg(long)]
    keep: bool,
    /// Debian release
    #[arg(long, default_value = "bookworm")]
    release: String,
    /// Run the test programs with this version of LLVM's compilers; the chroot stays, and what is done there is left out
    #[arg(long, value_name = "MAJOR", conflicts_with = "names")]
    llvm: Option<u32>,
}

/// What `--llvm` runs, as names and scripts; NN is the version.
const STEPS_WITH_LLVM: [(&str, &str); 9] = [
    (
        "packages",
        "apt-get update -q && apt-get install -qy --no-install-recommends cargo ca-certificates rustc rust-src gcc g++ \
         libc6-dev python3-pip",
    ),
    ("warpfold", "cargo build --release -p warpfold -p xtask"),
    ("setup", "warpfold setup --yes && warpfold doctor"),
    ("versions", "clang-NN --version && flang-NN --version"),
    (
        "example",
        "warpfold cc -O2 examples/openmp/pi.c -o /tmp/pi && warpfold run /tmp/pi | diff - examples/openmp/pi.out",
    ),
    (
        "plain compilers",
        "warpfold install --yes
        for source in pi.c integral.f90; do
            case $source in *.c) compiler=clang-NN ;; *) compiler=flang-NN ;; esac
            for level in -O0 -O2; do
                $compiler $level -fopenmp --offload-arch=sm_90 examples/openmp/$source -o /tmp/plain
                warpfold run /tmp/plain | diff - \"examples/openmp/${source%.*}.out\"
            done
        done
        warpfold uninstall",
    ),
    ("test programs", "xtask conformance"),
    ("planted faults", "cargo test --release -p tests-gpu --test faults"),
    ("random programs", "xtask openmp-programs --programs 500"),
];

/// The copy of the workspace in the chroot.
const TREE: &str = "/root/warpfold";

/// The README's prerequisites on Debian.
const PREREQUISITES: &str =
    "apt-get update -q && apt-get install -qy --no-install-recommends cargo-web ca-certificates";

/// Runs after the README's block `plain-clang`: calls the compilers in other ways, and uninstalls everything.
const AFTER_PLAIN_CLANG: &str = "
warpfold() { cargo run --release --quiet -- \"$@\"; }
clang-22 -O2 -fopenmp -foffload-lto --offload-arch=sm_90 examples/openmp/pi.c -o pi
warpfold run ./pi | diff - examples/openmp/pi.out
flang-22 -O2 -fopenmp --offload-arch=sm_90 examples/openmp/integral.f90 -o integral
warpfold run ./integral | diff - examples/openmp/integral.out
for program in tests-gpu/programs/*.{c,cpp,f90}; do
    # flang 22 needs a function of its library for the host.
    case $program in */fortran_array.f90) continue;; *.c) compiler=clang-22;; *.cpp) compiler=clang++-22;; *) compiler='flang-22 -cpp';; esac
    for mode in -O0 -O2 '-O0 -foffload-lto' '-O2 -foffload-lto'; do
        case $compiler$mode in flang*lto) continue;; esac
        echo \"$compiler $mode -fopenmp --offload-arch=sm_90 $program -lm -latomic\"
    done
done | xargs -d '\\n' -n 1 -P \"$(nproc)\" sh -ec 'echo \"$0\"; out=$(mktemp); $0 -o \"$out\"; rm \"$out\"'
warpfold doctor | grep 'OpenMP runtime of plain .*: warpfold '
warpfold uninstall
test ! -e /usr/lib/llvm-22/lib/nvptx64-nvidia-cuda && test ! -e /usr/local/cuda
if clang-22 -O2 -fopenmp --offload-arch=sm_90 examples/openmp/pi.c -o pi; then exit 1; fi
";

/// Runs the README's commands on a fresh Debian.
pub fn run(options: &Options) -> Result<(), String> {
    if let Some(llvm) = options.llvm {
        return with_llvm(options, llvm);
    }
    // The other blocks build on the first one; `test` must not depend on any.
    let blocks = readme::read(&options.names)?;
    let (tests, others): (Vec<_>, Vec<_>) = blocks.into_iter().partition(|block| block.name == "test");
    for blocks in [others, tests] {
        if !blocks.is_empty() {
            run_on_fresh_machine(options, &blocks)?;
        }
    }
    Ok(())
}

/// Runs the steps in a chroot that stays; a step that is done has a file there.
fn with_llvm(options: &Options, llvm: u32) -> Result<(), String> {
    let done = options.root.join("root/done");
    let chroot = if done.exists() {
        Chroot::existing(&options.root)
    } else {
        let chroot = Chroot::make(&options.root, &options.release)?;
        fs::create_dir_all(&done).map_err(|e| format!("{}: {e}", done.display()))?;
        chroot
    };
    copy_tree(&chroot.file(TREE))?;
    for (name, script) in STEPS_WITH_LLVM {
        let file = done.join(format!("{name} {llvm}"));
        println!("--- LLVM {llvm}: {name}{}", if file.exists() { " (done before)" } else { "" });
        // cargo itself knows what is to be built again.
        if file.exists() && name != "warpfold" {
            continue;
        }
        let script = format!(
            "export WARPFOLD_LLVM={llvm}\ncd {TREE}\n\
             warpfold() {{ target/release/warpfold \"$@\"; }}\nxtask() {{ target/release/xtask \"$@\"; }}\n{}",
            script.replace("NN", &llvm.to_string())
        );
        chroot.enter(&script, Network::Reached)?;
        fs::write(&file, "").map_err(|e| format!("{}: {e}", file.display()))?;
    }
    Ok(())
}

fn run_on_fresh_machine(options: &Options, blocks: &[readme::Block]) -> Result<(), String> {
    match Chroot::make(&options.root, &options.release) {
        Ok(chroot) => {
            let outcome = copy_tree(&chroot.file(TREE)).and_then(|()| run_in_chroot(&chroot, blocks));
            chroot.finish(outcome, options.keep)
        }
        Err(reason) => {
            println!("cannot make a chroot ({reason}): running with an empty HOME and cache instead");
            run_in_empty_home(blocks)
        }
    }
}

fn run_in_chroot(chroot: &Chroot, blocks: &[readme::Block]) -> Result<(), String> {
    let mut script = format!("{PREREQUISITES}\ncd {TREE}\n");
    for block in blocks {
        script.push_str(&format!("echo '--- README: {}'\n{}", block.name, block.script));
        if block.name == "plain-clang" {
            script.push_str(AFTER_PLAIN_CLANG);
        }
    }
    chroot.enter(&script, Network::Reached)
}

fn run_in_empty_home(blocks: &[readme::Block]) -> Result<(), String> {
    let home = std::env::temp_dir().join(format!("warpfold-home-{}", std::process::id()));
    fs::create_dir(&home).map_err(|e| format!("{}: {e}", home.display()))?;
    let cargo_home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|h| Path::new(&h).join(".cargo")));
    let mut outcome = Ok(());
    for block in blocks {
        println!("--- README: {}", block.name);
        let mut bash = Command::new("bash");
        bash.args(["-euo", "pipefail", "-c", &block.script]).current_dir(readme::workspace_root());
        bash.env("HOME", &home).env_remove("XDG_CACHE_HOME").env("CARGO_TARGET_DIR", home.join("target"));
        if let Some(cargo_home) = &cargo_home {
            bash.env("CARGO_HOME", cargo_home);
        }
        outcome = call(&mut bash);
        if outcome.is_err() {
            break;
        }
    }
    fs::remove_dir_all(&home).map_err(|e| format!("{}: {e}", home.display()))?;
    outcome
}
