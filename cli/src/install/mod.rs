//! `warpfold install` and `uninstall`: the device runtime and CUDA's tools where clang finds them without options.

mod change;
mod manifest;

use std::path::{Path, PathBuf};

use toolchain::{StockClang, StockCuda, Tools, setup};

use crate::{
    cc::quoted,
    error::Error,
    output,
    package::{Package, VERSION},
    setup::{agreed, carry_out},
};
use change::{Change, Source, Wanted};
use manifest::Manifest;

/// Where CUDA's tools go below the prefix.
const CUDA_FOLDER: &str = "lib/warpfold/cuda";

/// The files of NVIDIA's toolkit that clang and flang use for OpenMP, and their modes. ptxas is among them under
/// another name: see [`toolchain::ptxas_script`].
const CUDA_FILES: [(&str, &str, u32); 5] = [
    ("bin/ptxas", "libexec/ptxas", 0o755),
    ("bin/nvlink", "bin/nvlink", 0o755),
    ("bin/fatbinary", "bin/fatbinary", 0o755),
    ("include/cuda.h", "include/cuda.h", 0o644),
    ("nvvm/libdevice/libdevice.10.bc", "nvvm/libdevice/libdevice.10.bc", 0o644),
];

/// What is installed, and where.
#[derive(clap::Args)]
pub struct Options {
    /// The folder that clang is installed in [default: that of clang 22]
    #[arg(long, value_name = "DIR")]
    prefix: Option<PathBuf>,
    /// Install what `warpfold build --archive` packed instead of building: no Rust is needed
    #[arg(long, value_name = "FILE.tar.gz")]
    archive: Option<PathBuf>,
    /// Bring NVIDIA's assembler and linker where clang finds none, or once more, and do not ask
    #[arg(long, conflicts_with = "no_cuda")]
    with_cuda: bool,
    /// Leave CUDA's tools alone
    #[arg(long)]
    no_cuda: bool,
    /// Where clang looks for CUDA: this becomes a link to the tools that are brought
    #[arg(long, value_name = "PATH", default_value = "/usr/local/cuda")]
    cuda_link: PathBuf,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// Only show what would be done
    #[arg(long)]
    dry_run: bool,
}

/// What is uninstalled.
#[derive(clap::Args)]
pub struct UninstallOptions {
    /// The folder that was installed into [default: that of clang 22]
    #[arg(long, value_name = "DIR")]
    prefix: Option<PathBuf>,
    /// Only show what would be done
    #[arg(long)]
    dry_run: bool,
}

/// How clang comes to CUDA's tools.
enum Cuda {
    /// It finds these, and nothing has to be done.
    Found(StockCuda),
    /// It finds what an earlier installation brought, which stays.
    Ours,
    /// There is a toolkit elsewhere, which is linked.
    Linked(StockCuda),
    /// NVIDIA's wheels, which are in the cache after this plan.
    Brought(setup::Plan),
    /// Not at all.
    Absent(&'static str),
}

/// Shows the plan, asks, and carries it out.
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

    let mut wanted: Wanted = package
        .files
        .iter()
        .map(|(place, content)| (PathBuf::from(place), Source::Bytes(content.clone(), 0o644)))
        .collect();
    match &cuda {
        Cuda::Found(cuda) => say_found(cuda)?,
        Cuda::Ours => keep_cuda(&old, &prefix, &mut wanted),
        Cuda::Linked(cuda) => {
            wanted.insert(absolute(&options.cuda_link)?, Source::Link(cuda.folder.clone()));
        }
        Cuda::Brought(plan) if plan.is_empty() => want_cuda(options, &prefix, &mut wanted)?,
        Cuda::Brought(plan) => output::line(format_args!(
            "{plan}\nthen copy what clang needs of it to {}, and link {} to it",
            prefix.join(CUDA_FOLDER).display(),
            options.cuda_link.display()
        ))?,
        Cuda::Absent(why) => output::line(format_args!("CUDA: none; {why}"))?,
    }
    let mut change = Change::plan(&prefix, &package.version, wanted.clone())?;
    output::line(format_args!("Runtime {} into {}:\n{change}", package.version, prefix.display()))?;
    if options.dry_run {
        return Ok(());
    }
    let download = matches!(&cuda, Cuda::Brought(plan) if !plan.is_empty());
    if !change.is_nothing() || download {
        let agreed = options.yes || options.with_cuda || agreed()?;
        if !agreed {
            return Err(Error::Usage("nothing was done; `warpfold install --yes` does not ask".into()));
        }
    }
    if let Cuda::Brought(plan) = &cuda
        && download
    {
        carry_out(plan)?;
        want_cuda(options, &prefix, &mut wanted)?;
        change = Change::plan(&prefix, &package.version, wanted)?;
    }
    for path in change.left() {
        output::note(format_args!(
            "warpfold: {} was changed since it was installed, and stays",
            path.display()
        ));
    }
    if !change.is_nothing() {
        change.apply()?;
    }
    say_ready(&prefix, &stock, &options.cuda_link)
}

/// Removes what the manifest lists.
pub fn uninstall(options: &UninstallOptions) -> Result<(), Error> {
    let prefix = prefix(options.prefix.as_deref(), &StockClang::find())?;
    let change = Change::plan(&prefix, VERSION, Wanted::new())?;
    if Manifest::read(&prefix)?.is_none() {
        return Err(Error::Usage(format!(
            "nothing is installed in {}: it has no {}",
            prefix.display(),
            manifest::PLACE
        )));
    }
    output::line(format_args!("From {}:\n{change}", prefix.display()))?;
    if options.dry_run {
        return Ok(());
    }
    change.apply()
}

/// How it stands with what was installed into a folder, in words; none where nothing was.
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
    let first = |what: &str, paths: &[PathBuf]| {
        let path = paths.first()?;
        let more = if paths.len() > 1 { format!(" and {} more", paths.len() - 1) } else { String::new() };
        Some(format!("{} {what}{more}", path.display()))
    };
    let faults: Vec<String> =
        [first("is missing", &missing), first("was changed", &changed)].into_iter().flatten().collect();
    Some(match (faults.is_empty(), changed.is_empty()) {
        (true, _) => format!("warpfold {version}, {entries} files, all as they were installed"),
        (false, true) => {
            format!("warpfold {version}, but {}; `warpfold install` brings it back", faults.join(", "))
        }
        (false, false) => format!(
            "warpfold {version}, but {}; move what was changed away, then `warpfold install`",
            faults.join(", ")
        ),
    })
}

fn prefix(given: Option<&Path>, stock: &Result<StockClang, toolchain::Error>) -> Result<PathBuf, Error> {
    match (given, stock) {
        (Some(prefix), _) => absolute(prefix),
        (None, Ok(stock)) => Ok(stock.prefix.clone()),
        (None, Err(error)) => {
            Err(Error::Usage(format!("{error}\n--prefix names the folder to install into")))
        }
    }
}

fn absolute(path: &Path) -> Result<PathBuf, Error> {
    std::path::absolute(path).map_err(|source| Error::Read { path: path.into(), source })
}

fn cuda(options: &Options, old: &Manifest) -> Result<Cuda, Error> {
    if options.no_cuda {
        return Ok(Cuda::Absent("--no-cuda"));
    }
    let ours = old.entries.iter().any(|entry| matches!(entry.content, manifest::Content::Link(_)));
    if ours && !options.with_cuda {
        return Ok(Cuda::Ours);
    }
    if let Some(found) = toolchain::stock_cuda().filter(|_| !ours) {
        return Ok(Cuda::Found(found));
    }
    if let Some(named) = toolchain::named_cuda() {
        return Ok(Cuda::Linked(named));
    }
    Ok(match setup::cuda_plan()? {
        Some(plan) => Cuda::Brought(plan),
        None => Cuda::Absent("NVIDIA's wheels are pinned for x86-64 Linux only: install the CUDA toolkit"),
    })
}

/// NVIDIA's files of the cache, where other users can read them too.
fn want_cuda(options: &Options, prefix: &Path, wanted: &mut Wanted) -> Result<(), Error> {
    let (from, to) = (setup::cuda_folder()?, Path::new(CUDA_FOLDER));
    for (source, place, mode) in CUDA_FILES {
        wanted.insert(to.join(place), Source::Copy(from.join(source), mode));
    }
    let script = toolchain::ptxas_script(&prefix.join(CUDA_FOLDER).join("libexec/ptxas"));
    wanted.insert(to.join("bin/ptxas"), Source::Bytes(script.into_bytes(), 0o755));
    wanted.insert(absolute(&options.cuda_link)?, Source::Link(prefix.join(CUDA_FOLDER)));
    Ok(())
}

/// What an earlier installation brought.
fn keep_cuda(old: &Manifest, prefix: &Path, wanted: &mut Wanted) {
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

fn say_found(cuda: &StockCuda) -> Result<(), Error> {
    output::line(format_args!("CUDA: clang finds {} (ptxas {})", cuda.folder.display(), cuda.version))
}

/// What works now, and what does not without more.
fn say_ready(prefix: &Path, stock: &Result<StockClang, toolchain::Error>, link: &Path) -> Result<(), Error> {
    let runtime = match stock {
        Ok(stock) if stock.prefix == prefix => {
            format!("{} links it without options", stock.clang.path.display())
        }
        _ => format!(
            "a clang that is installed elsewhere finds it with LIBRARY_PATH={}",
            quoted(prefix.join(toolchain::RUNTIME_FOLDER))
        ),
    };
    output::line(format_args!("The runtime is installed: {runtime}."))?;
    match toolchain::stock_cuda() {
        Some(_) => {
            output::line("Try: clang-22 -O2 -fopenmp --offload-arch=sm_90 program.c && warpfold run ./a.out")
        }
        None if link.join("bin/ptxas").exists() => output::line(format_args!(
            "clang finds CUDA's tools once PATH has {}.",
            quoted(absolute(link)?.join("bin"))
        )),
        None => output::line(
            "clang finds no CUDA tools: `warpfold install --with-cuda` brings them, or install the CUDA toolkit",
        ),
    }
}
