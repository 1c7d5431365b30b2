//! Packs tests and benchmarks for a machine with a GPU and its driver, but without Rust and clang.
//!
//! The tests find PTX and programs in the toolchain's cache by keys made of tools and inputs. So they run
//! here on the emulator with a separate cache; the bundle contains this cache and a description of the tools,
//! so that the same tests find the same entries on the other machine. `run.sh` there starts everything,
//! prints a table and writes JSON.

pub mod results;

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use toolchain::{OptLevel, Tools};

use crate::cargo::{cargo, executable};
use crate::{peers, readme::workspace_root, sass, so};

/// Options of `cargo xtask bundle`.
#[derive(clap::Args)]
pub struct Options {
    /// The folder to write; an existing bundle there is replaced
    #[arg(default_value = "target/bundle")]
    folder: PathBuf,
    /// Leave out LLVM's host runtime and the OpenMP programs, which are most of the size
    #[arg(long)]
    no_openmp: bool,
    /// A folder written by `cargo xtask sass --peer`: measure its kernels, too
    #[arg(long, value_name = "DIR")]
    peer: Option<PathBuf>,
}

/// The largest archive, in bytes: it should fit into one transfer.
const LARGEST: u64 = 60 << 20;

/// The PTX test files.
const PTX_FILES: &str = "ptx-emulator/tests/ptx";

/// What a second archive has: parts of `run.sh` that other parts do not need.
const MORE: [&str; 7] = ["loops", "nests", "own", "peer", "peers", "random", "random-loops"];

/// The script that runs the bundle.
const RUN: &str = include_str!("run.sh");

/// Large libraries that LLVM's needs, of which nothing is called here, and the symbol that has to be there.
const UNUSED_LIBRARIES: [(&str, &str); 2] = [("libicudata.so", "icudt72_dat"), ("libz3.so", "unused")];

/// Kinds of cache entries that are needed only to build other entries.
const SPARE: [&str; 4] = ["core", "locks", "tmp", "offload"];

/// Packs the bundle.
pub fn run(options: &Options) -> Result<(), String> {
    let folder = std::path::absolute(&options.folder).map_err(|error| error.to_string())?;
    if folder.exists() && !folder.join("run.sh").exists() {
        return Err(format!("{} exists and is not a bundle", folder.display()));
    }
    let _ = fs::remove_dir_all(&folder);
    let bundle = folder;
    let folder = bundle.join("files");
    for part in ["bin", "cache", "lib", "loops", "nests", "programs", "ptx", "random", "random-loops"] {
        fs::create_dir_all(folder.join(part)).map_err(|error| cannot("create", &folder.join(part), error))?;
    }
    // Written first, so that the next run recognises the folder as a bundle if this run fails.
    let script = bundle.join("run.sh");
    fs::write(&script, RUN).map_err(|error| cannot("write", &script, error))?;
    let home = Tools::find().map_err(|error| error.to_string())?;
    home.save(&folder.join("tools.json")).map_err(|error| error.to_string())?;

    eprintln!("filling the cache: the cases on the emulator");
    let mut cases = cargo(&["test", "--release", "-p", "tests-gpu", "--test", "emulator"]);
    cases.env("WARPFOLD_CACHE", folder.join("cache"));
    if let Ok(ptxas) = home.ptxas() {
        cases.env("WARPFOLD_PTXAS", ptxas.path);
    }
    succeed(&mut cases)?;
    let benches = executable(&["build", "--release", "-p", "benches"], "benches")?;
    reductions(&benches, &folder)?;
    let version = fs::read_dir(folder.join("cache")).ok().and_then(|mut dir| dir.next()?.ok());
    let version = version.ok_or("the cases wrote nothing into the cache")?.path();
    for kind in SPARE {
        let _ = fs::remove_dir_all(version.join(kind));
    }

    eprintln!("programs");
    let cases = executable(&["test", "--release", "--no-run", "-p", "tests-gpu", "--test", "gpu"], "gpu")?;
    let warpfold = executable(&["build", "--release", "--bin", "warpfold"], "warpfold")?;
    for entry in
        fs::read_dir(PTX_FILES).map_err(|error| cannot("read", Path::new(PTX_FILES), error))?.flatten()
    {
        let to = folder.join("ptx").join(entry.file_name());
        fs::copy(entry.path(), &to).map_err(|error| cannot("write", &to, error))?;
    }
    for (from, to) in [(&cases, "cases"), (&benches, "benches")] {
        let to = folder.join("bin").join(to);
        fs::copy(from, &to).map_err(|error| cannot("copy", from, error))?;
        strip(&to)?;
    }
    programs_of_peers(&folder, !options.no_openmp)?;
    random(&folder)?;
    if !options.no_openmp {
        openmp(&folder)?;
        loops(&warpfold, &folder)?;
        random_loops(&warpfold, &folder)?;
        libraries_of_programs(&folder)?;
    }
    kernels(&home, &folder, options.peer.as_deref())?;
    eprintln!("packing");
    let packed = [
        pack(&folder, |name| !MORE.contains(&name), &bundle.join("files.tar.xz"))?,
        pack(&folder, |name| MORE.contains(&name), &bundle.join("more.tar.xz"))?,
    ];
    fs::remove_dir_all(&folder).map_err(|error| cannot("remove", &folder, error))?;
    let mib = |bytes: u64| bytes as f64 / 1048576.0;
    println!(
        "{}: {:.1} and {:.1} MiB; on the other machine: sh run.sh [FOLDER FOR RESULTS]",
        bundle.display(),
        mib(packed[0]),
        mib(packed[1])
    );
    if packed.iter().any(|size| *size > LARGEST) {
        return Err(format!("a file of the bundle is larger than {} MiB", LARGEST >> 20));
    }
    Ok(())
}

/// Packs the parts of a folder with some names into an archive; its size in bytes.
fn pack(folder: &Path, wanted: impl Fn(&str) -> bool, archive: &Path) -> Result<u64, String> {
    let entries = fs::read_dir(folder).map_err(|error| cannot("read", folder, error))?;
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| wanted(name));
    names.sort();
    let mut tar = Command::new("tar");
    // Most of it is machine code; a dictionary as large as LLVM's library.
    tar.env("XZ_OPT", "--x86 --lzma2=preset=9,dict=192MiB").arg("-cJf").arg(archive);
    succeed(tar.arg("-C").arg(folder).args(names))?;
    fs::metadata(archive).map(|metadata| metadata.len()).map_err(|error| cannot("examine", archive, error))
}

/// Fills the cache with what `benches peers` compiles for its own reductions.
fn reductions(benches: &Path, folder: &Path) -> Result<(), String> {
    eprintln!("filling the cache: the reductions of `benches peers`");
    let mut own = Command::new(benches);
    own.args(["peers", "--only", "ours,typed", "--sizes", "4,10"]).env("WARPFOLD_DEVICE", "emulator");
    succeed(own.env("WARPFOLD_CACHE", folder.join("cache")))
}

/// Adds the peers' programs; those of OpenMP need LLVM's host runtime.
fn programs_of_peers(folder: &Path, openmp: bool) -> Result<(), String> {
    let built = peers::build(&workspace_root().join("target/peers"))?;
    let to = folder.join("peers");
    fs::create_dir_all(&to).map_err(|error| cannot("create", &to, error))?;
    for name in peers::PROGRAMS {
        let from = built.join(name);
        let is_wanted = openmp || !peers::OPENMP_PROGRAMS.contains(&name);
        if is_wanted && from.exists() {
            fs::copy(&from, to.join(name)).map_err(|error| cannot("copy", &from, error))?;
            strip(&to.join(name))?;
        }
    }
    Ok(())
}

/// The kernels of `benches/openmp` as PTX, with this runtime and with the peer's.
fn kernels(tools: &Tools, folder: &Path, peer: Option<&Path>) -> Result<(), String> {
    let library = device_library::openmp_library(tools).map_err(|error| error.to_string())?;
    let write = |subfolder: &str, name: &str, text: &str| {
        let path = folder.join(subfolder).join(name).with_extension("ptx");
        fs::create_dir_all(folder.join(subfolder))
            .map_err(|error| cannot("create", &folder.join(subfolder), error))?;
        fs::write(&path, text).map_err(|error| cannot("write", &path, error))
    };
    for (name, source) in sass::sources()? {
        let ptx = tools.offload_ptx(&format!("{name}.c"), &source, 90, OptLevel::O2, &library);
        write("own", &name, &ptx.map_err(|error| error.to_string())?)?;
        // One is missing: see sass.rs.
        if let Some(ptx) =
            peer.and_then(|peer| fs::read_to_string(peer.join(&name).with_extension("ptx")).ok())
        {
            write("peer", &name, &ptx)?;
        }
    }
    Ok(())
}

/// Adds the OpenMP programs of `tests-gpu/programs` that run with every change, in three build modes, with
/// their output on the emulator.
fn openmp(folder: &Path) -> Result<(), String> {
    let driver = so::build_and_install(None, false)?;
    let programs = folder.join("programs");
    let mut suite = cargo(&["run", "--quiet", "--release", "-p", "tests-gpu", "--bin", "conformance", "--"]);
    suite.arg("--often").arg("--driver").arg(driver).arg("--keep").arg(&programs);
    // Without `-O0 -foffload-lto`: those programs contain the whole runtime and are the largest.
    suite.args([":O0", ":O2", ":O2-lto"]);
    succeed(&mut suite)?;
    Ok(())
}

/// Adds what `warpfold parallelize` makes of all nests and of its examples: programs with their output on the emulator.
fn loops(warpfold: &Path, folder: &Path) -> Result<(), String> {
    let mut nests = cargo(&["test", "--release", "-p", "warpfold", "--test", "nests", "every_nest"]);
    let kept = folder.join("nests");
    succeed(nests.env("NESTS", "all").env("NESTS_KEEP", &kept))?;
    // Those without optimisation are twice as large.
    let entries = fs::read_dir(&kept).map_err(|error| cannot("read", &kept, error))?.flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().contains("-O0")) {
        fs::remove_file(entry.path()).map_err(|error| cannot("remove", &entry.path(), error))?;
    }
    let counts = workspace_root().join("benches/loops/counts.sh");
    succeed(
        Command::new("sh")
            .arg(counts)
            .arg(warpfold)
            .arg(folder.join("loops"))
            .stdout(std::process::Stdio::null()),
    )
}

/// Adds random programs in LLVM IR as PTX, with hashes of what host and emulator both get.
fn random(folder: &Path) -> Result<(), String> {
    let differential = executable(&["build", "--release", "-p", "random-programs"], "random-programs")?;
    let mut campaign = Command::new(&differential);
    campaign
        .args(["--programs", "2048", "--seed", "500000", "--batch", "16", "--record"])
        .arg(folder.join("random"));
    succeed(&mut campaign)?;
    let to = folder.join("bin/random-programs");
    fs::copy(&differential, &to).map_err(|error| cannot("copy", &differential, error))?;
    strip(&to)
}

/// Adds random loop programs, made parallel for a GPU, with what they print on the emulator.
fn random_loops(warpfold: &Path, folder: &Path) -> Result<(), String> {
    let loops = executable(&["build", "--release", "-p", "random-loops"], "random-loops")?;
    let scratch = workspace_root().join("target/bundle-loops");
    let _ = fs::remove_dir_all(&scratch);
    let mut campaign = Command::new(loops);
    campaign.args(["12000", "--only", "gpu", "--seed", "700000", "--folder"]).arg(&scratch);
    campaign.arg("--warpfold").arg(warpfold).arg("--keep").arg(folder.join("random-loops"));
    succeed(&mut campaign)
}

/// Strips the programs, and adds the shared libraries that they need.
fn libraries_of_programs(folder: &Path) -> Result<(), String> {
    let mut needed = BTreeSet::new();
    for part in ["programs", "nests", "loops", "peers", "random-loops"] {
        let path = folder.join(part);
        let entries = fs::read_dir(&path).map_err(|error| cannot("read", &path, error))?.flatten();
        for program in entries.map(|entry| entry.path()).filter(|path| path.extension().is_none()) {
            strip(&program)?;
            needed.extend(libraries(&program)?);
        }
    }
    // libomp opens libomptarget by its name, so the libraries that the programs list are not all.
    for library in needed.clone() {
        needed.extend(libraries(&library)?);
    }
    for library in needed {
        let name = library.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let to = folder.join("lib").join(&name);
        match UNUSED_LIBRARIES.iter().find(|(unused, _)| name.starts_with(unused)) {
            Some((_, symbol)) => empty_library(&to, &name, symbol)?,
            None => drop(fs::copy(&library, &to).map_err(|error| cannot("copy", &library, error))?),
        }
    }
    // libomptarget also opens libomp by this name, and must find the same copy.
    let link = folder.join("lib/libomp.so");
    symlink("libomp.so.5", &link).map_err(|error| cannot("link", &link, error))?;
    Ok(())
}

/// Makes a library with one symbol in the place of another one.
fn empty_library(to: &Path, name: &str, symbol: &str) -> Result<(), String> {
    let source = to.with_extension("c");
    fs::write(&source, format!("const char {symbol}[64] = {{0}};\n"))
        .map_err(|error| cannot("write", &source, error))?;
    let clang = Tools::find().and_then(|tools| tools.clang()).map_err(|error| error.to_string())?;
    let mut command = Command::new(clang.path);
    command.args(["-shared", "-fPIC"]).arg(format!("-Wl,-soname,{name}")).arg(&source).arg("-o").arg(to);
    succeed(&mut command)?;
    fs::remove_file(&source).map_err(|error| cannot("remove", &source, error))
}

/// The shared libraries that a file needs, except those of the C library and the driver, which must be the other
/// machine's.
fn libraries(file: &Path) -> Result<Vec<PathBuf>, String> {
    const OTHERS: [&str; 8] = [
        "libc.so",
        "libm.so",
        "ld-linux",
        "libpthread.so",
        "libdl.so",
        "librt.so",
        "linux-vdso",
        "libcuda.so",
    ];
    let output = Command::new("ldd").arg(file).output().map_err(|error| cannot("examine", file, error))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text
        .lines()
        .filter_map(|line| line.split_once(" => "))
        .filter(|(name, _)| !OTHERS.iter().any(|prefix| name.trim().starts_with(prefix)))
        .filter_map(|(_, path)| path.split_whitespace().next())
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .collect())
}

/// Removes the symbols from a program. The tables of device code are in sections that stay.
fn strip(program: &Path) -> Result<(), String> {
    succeed(Command::new("strip").arg("--strip-all").arg(program))
}

fn succeed(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name} ended with {status}")),
        Err(error) => Err(format!("cannot run {name}: {error}")),
    }
}

fn cannot(action: &str, path: &Path, error: impl std::fmt::Display) -> String {
    format!("cannot {action} {}: {error}", path.display())
}
