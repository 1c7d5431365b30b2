//! `warpfold install` and `uninstall`: put the device runtime and CUDA's tools where clang finds them without
//! options.

mod change;
mod manifest;

use std::path::{Path, PathBuf};

use toolchain::{StockClang, StockCuda, Tools, setup};

use crate::{
    cc::quoted,
    error::Error,
    output,
    package::{Package, VERSION},
    setup::{confirmed, execute},
};
use change::{Change, Source, WantedFiles};
use manifest::Manifest;

/// The folder of CUDA's tools below the prefix.
const CUDA_FOLDER: &str = "lib/warpfold/cuda";

/// The files of NVIDIA's toolkit that clang and flang use for OpenMP: source, destination, mode. ptxas is
/// installed under another name; see [`toolchain::ptxas_script`].
const CUDA_FILES: [(&str, &str, u32); 5] = [
    ("bin/ptxas", "libexec/ptxas", 0o755),
    ("bin/nvlink", "bin/nvlink", 0o755),
    ("bin/fatbinary", "bin/fatbinary", 0o755),
    ("include/cuda.h", "include/cuda.h", 0o644),
    ("nvvm/libdevice/libdevice.10.bc", "nvvm/libdevice/libdevice.10.bc", 0o644),
];

/// Options of `warpfold install`.
#[derive(clap::Args)]
pub struct Options {
    /// The folder that clang is installed in [default: clang 22's]
    #[arg(long, value_name = "DIR")]
    prefix: Option<PathBuf>,
    /// Install an archive made by `warpfold build --archive` instead of building; needs no Rust
    #[arg(long, value_name = "FILE.tar.gz")]
    archive: Option<PathBuf>,
    /// Download NVIDIA's assembler and linker if clang finds none (or again), without asking
    #[arg(long, conflicts_with = "no_cuda")]
    with_cuda: bool,
    /// Do not install CUDA's tools
    #[arg(long)]
    no_cuda: bool,
    /// Where clang looks for CUDA; this becomes a link to the tools
    #[arg(long, value_name = "PATH", default_value = "/usr/local/cuda")]
    cuda_link: PathBuf,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
    /// Only show the changes
    #[arg(long)]
    dry_run: bool,
}

/// Options of `warpfold uninstall`.
#[derive(clap::Args)]
pub struct UninstallOptions {
    /// The folder that was installed into [default: clang 22's]
    #[arg(long, value_name = "DIR")]
    prefix: Option<PathBuf>,
    /// Only show the changes
    #[arg(long)]
    dry_run: bool,
}

/// How clang gets CUDA's tools.
enum Cuda {
    /// It finds these; nothing has to be done.
    Found(StockCuda),
    /// An earlier installation provides them; they stay.
    Installed,
    /// There is a toolkit elsewhere, to which a link is made.
    Linked(StockCuda),
    /// NVIDIA's wheels; this plan downloads them into the cache.
    Downloaded(setup::Plan),
    /// No tools, for this reason.
    Unavailable(&'static str),
}

/// Shows the changes, asks, and applies them.
pub fn run(options: &Options) -> Result<(), Error> {
    let stock = StockClang::find();
    let prefix = prefix(options.prefix.as_deref(), &stock)?;
    StockClang::at(&prefix)?;
    let package = match &options.archive {
        Some(archive) => Package::read(archive)?,
        None => Package::build(&Tools::find()?)?,
    };
    let old = Manifest::read(&prefix)?.unwrap_or_default();
    let cuda = cuda(options, &old)?;

    let mut wanted: WantedFiles = package
        .files
        .iter()
        .map(|(path, content)| (PathBuf::from(path), Source::Bytes(content.clone(), 0o644)))
        .collect();
    match &cuda {
        Cuda::Found(cuda) => print_found(cuda)?,
        Cuda::Installed => keep_cuda(&old, &prefix, &mut wanted),
        Cuda::Linked(cuda) => {
            wanted.insert(absolute(&options.cuda_link)?, Source::Link(cuda.folder.clone()));
        }
        Cuda::Downloaded(plan) if plan.is_empty() => add_cuda(options, &prefix, &mut wanted)?,
        Cuda::Downloaded(plan) => output::line(format_args!(
            "{plan}\nthen copy the tools that clang needs to {}, and link {} to it",
            prefix.join(CUDA_FOLDER).display(),
            options.cuda_link.display()
        ))?,
        Cuda::Unavailable(reason) => output::line(format_args!("CUDA: none; {reason}"))?,
    }
    let mut change = Change::plan(&prefix, &package.version, wanted.clone())?;
    output::line(format_args!("Runtime {} into {}:\n{change}", package.version, prefix.display()))?;
    if options.dry_run {
        return Ok(());
    }
    let download = matches!(&cuda, Cuda::Downloaded(plan) if !plan.is_empty());
    if !change.is_empty() || download {
        let confirmed = options.yes || options.with_cuda || confirmed()?;
        if !confirmed {
            return Err(Error::Usage("nothing was changed; `warpfold install --yes` does not ask".into()));
        }
    }
    if let Cuda::Downloaded(plan) = &cuda
        && download
    {
        execute(plan)?;
        add_cuda(options, &prefix, &mut wanted)?;
        change = Change::plan(&prefix, &package.version, wanted)?;
    }
    for path in change.kept() {
        output::note(format_args!(
            "warpfold: {} was changed since it was installed and is kept",
            path.display()
        ));
    }
    if !change.is_empty() {
        change.apply()?;
    }
    print_result(&prefix, &stock, &options.cuda_link)
}

/// Removes the files that the manifest lists.
pub fn uninstall(options: &UninstallOptions) -> Result<(), Error> {
    let prefix = prefix(options.prefix.as_deref(), &StockClang::find())?;
    let change = Change::plan(&prefix, VERSION, WantedFiles::new())?;
    if Manifest::read(&prefix)?.is_none() {
        return Err(Error::Usage(format!(
            "nothing is installed in {}: it has no {}",
            prefix.display(),
            manifest::MANIFEST_PATH
        )));
    }
    output::line(format_args!("From {}:\n{change}", prefix.display()))?;
    if options.dry_run {
        return Ok(());
    }
    change.apply()
}

/// Describes the state of what was installed into a folder; none if nothing was.
pub fn state(prefix: &Path) -> Option<String> {
    let manifest = match Manifest::read(prefix) {
        Ok(manifest) => manifest?,
        Err(error) => return Some(error.to_string()),
    };
    let (missing, changed) = match manifest.differences(prefix) {
        Ok(differences) => differences,
        Err(error) => return Some(error.to_string()),
    };
    let (version, entries) = (&manifest.version, manifest.entries.len());
    let first = |problem: &str, paths: &[PathBuf]| {
        let path = paths.first()?;
        let more = if paths.len() > 1 { format!(" and {} more", paths.len() - 1) } else { String::new() };
        Some(format!("{} {problem}{more}", path.display()))
    };
    let problems: Vec<String> =
        [first("is missing", &missing), first("was changed", &changed)].into_iter().flatten().collect();
    Some(match (problems.is_empty(), changed.is_empty()) {
        (true, _) => format!("warpfold {version}, {entries} files, all unchanged"),
        (false, true) => {
            format!("warpfold {version}, but {}; run `warpfold install` to restore it", problems.join(", "))
        }
        (false, false) => format!(
            "warpfold {version}, but {}; move the changed files away, then run `warpfold install`",
            problems.join(", ")
        ),
    })
}

fn prefix(option: Option<&Path>, stock: &Result<StockClang, toolchain::Error>) -> Result<PathBuf, Error> {
    match (option, stock) {
        (Some(prefix), _) => absolute(prefix),
        (None, Ok(stock)) => Ok(stock.prefix.clone()),
        (None, Err(error)) => {
            Err(Error::Usage(format!("{error}\nor give the folder to install into with --prefix")))
        }
    }
}

fn absolute(path: &Path) -> Result<PathBuf, Error> {
    std::path::absolute(path).map_err(|source| Error::Read { path: path.into(), source })
}

fn cuda(options: &Options, old: &Manifest) -> Result<Cuda, Error> {
    if options.no_cuda {
        return Ok(Cuda::Unavailable("because of --no-cuda"));
    }
    let installed = old.entries.iter().any(|entry| matches!(entry.content, manifest::Content::Link(_)));
    if installed && !options.with_cuda {
        return Ok(Cuda::Installed);
    }
    if let Some(found) = toolchain::stock_cuda().filter(|_| !installed) {
        return Ok(Cuda::Found(found));
    }
    if let Some(named) = toolchain::named_cuda() {
        return Ok(Cuda::Linked(named));
    }
    Ok(match setup::cuda_plan()? {
        Some(plan) => Cuda::Downloaded(plan),
        None => {
            Cuda::Unavailable("NVIDIA's wheels are pinned for x86-64 Linux only: install the CUDA toolkit")
        }
    })
}

/// Adds NVIDIA's files, as copies: other users cannot read the cache.
fn add_cuda(options: &Options, prefix: &Path, wanted: &mut WantedFiles) -> Result<(), Error> {
    let (from, to) = (setup::cuda_folder()?, Path::new(CUDA_FOLDER));
    for (source, destination, mode) in CUDA_FILES {
        wanted.insert(to.join(destination), Source::Copy(from.join(source), mode));
    }
    let script = toolchain::ptxas_script(&prefix.join(CUDA_FOLDER).join("libexec/ptxas"));
    wanted.insert(to.join("bin/ptxas"), Source::Bytes(script.into_bytes(), 0o755));
    wanted.insert(absolute(&options.cuda_link)?, Source::Link(prefix.join(CUDA_FOLDER)));
    Ok(())
}

/// Adds the tools of an earlier installation.
fn keep_cuda(old: &Manifest, prefix: &Path, wanted: &mut WantedFiles) {
    for entry in old.entries.iter() {
        let path = prefix.join(&entry.path);
        match &entry.content {
            manifest::Content::Link(target) => {
                wanted.insert(entry.path.clone(), Source::Link(target.clone()));
            }
            _ if entry.path.starts_with(CUDA_FOLDER) && path.is_file() => {
                let program =
                    ["bin", "libexec"].iter().any(|dir| path.parent().is_some_and(|to| to.ends_with(dir)));
                let mode = if program { 0o755 } else { 0o644 };
                wanted.insert(entry.path.clone(), Source::Copy(path, mode));
            }
            _ => {}
        }
    }
}

fn print_found(cuda: &StockCuda) -> Result<(), Error> {
    output::line(format_args!("CUDA: clang finds {} (ptxas {})", cuda.folder.display(), cuda.version))
}

/// Prints what works now, and what else is needed.
fn print_result(
    prefix: &Path,
    stock: &Result<StockClang, toolchain::Error>,
    link: &Path,
) -> Result<(), Error> {
    let runtime = match stock {
        Ok(stock) if stock.prefix == prefix => {
            format!("{} links it without further options", stock.clang.path.display())
        }
        _ => format!(
            "a clang installed elsewhere finds it with LIBRARY_PATH={}",
            quoted(prefix.join(toolchain::RUNTIME_FOLDER))
        ),
    };
    output::line(format_args!("The runtime is installed: {runtime}."))?;
    match toolchain::stock_cuda() {
        Some(_) => {
            output::line("Try: clang-22 -O2 -fopenmp --offload-arch=sm_90 program.c && warpfold run ./a.out")
        }
        None if link.join("bin/ptxas").exists() => output::line(format_args!(
            "clang finds CUDA's tools once PATH contains {}.",
            quoted(absolute(link)?.join("bin"))
        )),
        None => output::line(
            "clang finds no CUDA tools: run `warpfold install --with-cuda`, or install the CUDA toolkit",
        ),
    }
}
