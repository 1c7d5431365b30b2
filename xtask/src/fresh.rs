//! Runs the README's commands on a fresh Debian, made by debootstrap and entered by chroot. The block `test`
//! gets a separate chroot, because it must not depend on the other blocks. With `--llvm NN` it runs the test programs with
//! that LLVM's compilers instead, in steps of which those that are done are not done again.
//!
//! Only the configuration of package sources is copied from this machine (apt, pip, cargo, certificates, name
//! resolution), so that the same registries are used. If no chroot can be made, a message is printed and the
//! commands run on this machine with an empty HOME and an empty cache.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::readme;

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

/// Configuration of package sources, copied if present.
const SOURCES: &[&str] = &[
    "etc/apt/sources.list",
    "etc/apt/sources.list.d",
    "etc/apt/apt.conf.d",
    "etc/apt/auth.conf.d",
    "etc/pip.conf",
    "etc/resolv.conf",
    "etc/ssl/certs/ca-certificates.crt",
    "usr/share/keyrings",
    "usr/local/share/ca-certificates",
];

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
    if !done.exists() {
        make_chroot(options)?;
        fs::create_dir_all(&done).map_err(|e| format!("{}: {e}", done.display()))?;
    } else {
        copy_tree(&options.root)?;
    }
    for (name, script) in STEPS_WITH_LLVM {
        let file = done.join(format!("{name} {llvm}"));
        println!("--- LLVM {llvm}: {name}{}", if file.exists() { " (done before)" } else { "" });
        // cargo itself knows what is to be built again.
        if file.exists() && name != "warpfold" {
            continue;
        }
        let script = format!(
            "export DEBIAN_FRONTEND=noninteractive WARPFOLD_LLVM={llvm}\ncd /root/warpfold\n\
             warpfold() {{ target/release/warpfold \"$@\"; }}\nxtask() {{ target/release/xtask \"$@\"; }}\n{}",
            script.replace("NN", &llvm.to_string())
        );
        enter(&options.root, &script)?;
        fs::write(&file, "").map_err(|e| format!("{}: {e}", file.display()))?;
    }
    Ok(())
}

fn run_on_fresh_machine(options: &Options, blocks: &[readme::Block]) -> Result<(), String> {
    match make_chroot(options) {
        Ok(()) => {
            let outcome = run_in_chroot(options, blocks);
            if options.keep && outcome.is_err() {
                println!("kept: {}", options.root.display());
            } else {
                fs::remove_dir_all(&options.root).map_err(|e| format!("{}: {e}", options.root.display()))?;
            }
            outcome
        }
        Err(reason) => {
            println!("cannot make a chroot ({reason}): running with an empty HOME and cache instead");
            run_in_empty_home(blocks)
        }
    }
}

fn make_chroot(options: &Options) -> Result<(), String> {
    let root = &options.root;
    if root.exists() {
        return Err(format!("{} exists already; remove it or choose another with --root", root.display()));
    }
    call(Command::new("debootstrap").args(["--variant=minbase", &options.release]).arg(root))?;
    for source in SOURCES {
        copy_into(&Path::new("/").join(source), &root.join(source))?;
    }
    if let Some(home) = std::env::var_os("HOME") {
        for name in ["config.toml", "config"] {
            let from = Path::new(&home).join(".cargo").join(name);
            copy_into(&from, &root.join("root/.cargo").join(name))?;
        }
    }
    copy_tree(root)
}

/// Copies the tracked files and the untracked ones that git does not ignore, in their present state.
fn copy_tree(root: &Path) -> Result<(), String> {
    let top = readme::workspace_root();
    let to = root.join("root/warpfold");
    fs::create_dir_all(&to).map_err(|e| format!("{}: {e}", to.display()))?;
    // An older copy may have files that are gone since; what was built stays.
    let script = "find \"$1\" -mindepth 1 -maxdepth 1 ! -name target -exec rm -r {} +
                  git ls-files -z --cached --others --exclude-standard \
                  | tar --null --ignore-failed-read -T - -cf - | tar -xf - -C \"$1\"";
    call(Command::new("bash").args(["-euo", "pipefail", "-c", script, "copy"]).arg(&to).current_dir(top))
}

fn copy_into(from: &Path, to: &Path) -> Result<(), String> {
    if !from.exists() {
        return Ok(());
    }
    let parent = to.parent().expect("a file has a folder");
    fs::create_dir_all(parent).map_err(|e| format!("{}: {e}", parent.display()))?;
    // -L: name resolution and certificates are often links to paths that the chroot does not have.
    call(Command::new("cp").args(["-rLT", "--"]).args([from, to]))
}

fn run_in_chroot(options: &Options, blocks: &[readme::Block]) -> Result<(), String> {
    let mut script = format!("export DEBIAN_FRONTEND=noninteractive\n{PREREQUISITES}\ncd /root/warpfold\n");
    for block in blocks {
        script.push_str(&format!("echo '--- README: {}'\n{}", block.name, block.script));
        if block.name == "plain-clang" {
            script.push_str(AFTER_PLAIN_CLANG);
        }
    }
    enter(&options.root, &script)
}

/// Runs a script in the chroot.
fn enter(root: &Path, script: &str) -> Result<(), String> {
    // The tools need /proc and /dev. They are always unmounted before the chroot is removed.
    let outer =
        "mount -t proc proc \"$1/proc\" && mount --rbind /dev \"$1/dev\" && mount --make-rslave \"$1/dev\"
        rc=0
        env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb LANG=C.UTF-8 \
            chroot \"$1\" bash -euo pipefail -c \"$2\" || rc=$?
        umount -R \"$1/dev\" && umount \"$1/proc\"
        exit $rc";
    call(Command::new("unshare").args(["--mount", "bash", "-c", outer, "fresh"]).arg(root).arg(script))
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

fn call(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{program} ended with {status}")),
        Err(e) => Err(format!("{program}: {e}")),
    }
}
