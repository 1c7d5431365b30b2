//! `warpfold install` and `uninstall`: put the device runtime and CUDA's tools where clang finds them without
//! options.

mod change;
mod cuda_link;
mod manifest;
mod prefix;

use std::path::{Path, PathBuf};

use toolchain::{StockClang, StockCuda, Tools, setup};

use crate::{
    cc::quoted,
    error::Error,
    llvm::LlvmOptions,
    messages, output,
    package::{CLANG_CONFIG, Package, VERSION},
    setup::{confirmed, execute},
};
use change::{Change, Wanted};
use cuda_link::{CUDA_FOLDER, CudaLink, TOOLKIT_LINK};
use manifest::Manifest;
use prefix::{Prefix, Source};

/// The folder of everything of CUDA's below the prefix.
const CUDA_ROOT: &str = "lib/warpfold";

/// The files of NVIDIA's toolkit that clang and flang use for OpenMP: source, destination, mode. ptxas is
/// installed under another name; see [`toolchain::ptxas_script`].
const CUDA_FILES: [(&str, &str, u32); 5] = [
    ("bin/ptxas", "libexec/ptxas", 0o755),
    ("bin/nvlink", "bin/nvlink", 0o755),
    ("bin/fatbinary", "bin/fatbinary", 0o755),
    ("include/cuda.h", "include/cuda.h", 0o644),
    ("nvvm/libdevice/libdevice.10.bc", "nvvm/libdevice/libdevice.10.bc", 0o644),
];

/// clang's default configuration files, beside the program; they include [`CLANG_CONFIG`].
const CLANG_DEFAULTS: [&str; 2] = ["bin/clang.cfg", "bin/clang++.cfg"];

/// Options of `warpfold install`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    llvm: LlvmOptions,
    /// The folder that clang is installed in [default: clang's]
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
    /// Where clang looks for CUDA; this becomes a link to the tools [default: /usr/local/cuda]
    #[arg(long, value_name = "PATH")]
    cuda_link: Option<PathBuf>,
    /// As root, install into a folder that other users can write to
    #[arg(long)]
    trust_prefix: bool,
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
    #[command(flatten)]
    llvm: LlvmOptions,
    /// The folder that was installed into [default: clang's]
    #[arg(long, value_name = "DIR")]
    prefix: Option<PathBuf>,
    /// The link to CUDA's tools that was made; it is removed, too [default: /usr/local/cuda]
    #[arg(long, value_name = "PATH")]
    cuda_link: Option<PathBuf>,
    /// As root, remove from a folder that other users can write to
    #[arg(long)]
    trust_prefix: bool,
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
    options.llvm.choose();
    let stock = StockClang::find();
    let path = prefix(options.prefix.as_deref(), &stock)?;
    let open = || Prefix::open(&path, options.trust_prefix);
    let opened = open()?;
    let clang = StockClang::at(&path)?;
    let package = match &options.archive {
        Some(archive) => Package::read(archive)?,
        None => Package::build(&Tools::find()?)?,
    };
    let old = Manifest::read(&opened)?.unwrap_or_default();
    let cuda = cuda(options, &old)?;

    let link = absolute(options.cuda_link.as_deref().unwrap_or(Path::new(cuda_link::DEFAULT)))?;
    let mut wanted = Wanted::default();
    wanted.files.extend(
        package.files.iter().map(|(path, content)| (path.into(), Source::Bytes(content.clone(), 0o644))),
    );
    if clang.is_some() {
        let include = Source::Bytes(format!("@../{CLANG_CONFIG}\n").into_bytes(), 0o644);
        wanted.files.extend(CLANG_DEFAULTS.map(|path| (path.into(), include.clone())));
        wanted.unless_present = CLANG_DEFAULTS.map(PathBuf::from).into();
    }
    match &cuda {
        Cuda::Found(cuda) => print_found(cuda)?,
        Cuda::Installed => {
            wanted.keep = Some(CUDA_ROOT.into());
            // A link that only the manifest names is left as it is.
            let named = options.cuda_link.is_some() || old.cuda_link.as_ref() == Some(&link);
            wanted.cuda_link = named.then_some(link.clone());
        }
        Cuda::Linked(cuda) => {
            wanted.files.insert(TOOLKIT_LINK.into(), Source::Link(cuda.folder.clone()));
            wanted.cuda_link = Some(link.clone());
        }
        Cuda::Downloaded(plan) if plan.is_empty() => add_cuda(&path, &link, &mut wanted)?,
        Cuda::Downloaded(plan) => output::line(format_args!(
            "{plan}\nthen copy the tools that clang needs to {}, and link {} to it",
            path.join(CUDA_FOLDER).display(),
            link.display()
        ))?,
        Cuda::Unavailable(reason) => output::line(format_args!("CUDA: none; {reason}"))?,
    }
    let mut change = Change::plan(opened, &package.version, wanted.clone(), None)?;
    output::line(format_args!("Runtime {} into {}:\n{change}", package.version, path.display()))?;
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
        add_cuda(&path, &link, &mut wanted)?;
        change = Change::plan(open()?, &package.version, wanted, None)?;
    }
    for path in change.kept() {
        messages::note(format_args!(
            "warpfold: {} was changed since it was installed and is kept",
            path.display()
        ));
    }
    for defaults in change.left_out() {
        messages::note(format_args!(
            "warpfold: {} was not made by warpfold and is kept; LLVM 22 makes wrong device code of some programs \
             (docs/pitfalls.md) without this line in it: @{}",
            defaults.display(),
            path.join(CLANG_CONFIG).display()
        ));
    }
    if !change.is_empty() {
        change.apply()?;
    }
    print_result(&path, &stock, &link)
}

/// Removes the files that the manifest lists, and the link to CUDA's tools.
pub fn uninstall(options: &UninstallOptions) -> Result<(), Error> {
    options.llvm.choose();
    let path = prefix(options.prefix.as_deref(), &StockClang::find())?;
    let opened = Prefix::open(&path, options.trust_prefix)?;
    let Some(manifest) = Manifest::read(&opened)? else {
        return Err(Error::Usage(format!(
            "nothing is installed in {}: it has no {}",
            path.display(),
            manifest::MANIFEST_PATH
        )));
    };
    let link = absolute(options.cuda_link.as_deref().unwrap_or(Path::new(cuda_link::DEFAULT)))?;
    if let Some(made) = manifest.cuda_link.filter(|made| *made != link && options.cuda_link.is_none()) {
        // A manifest alone does not decide what is removed outside the prefix.
        return Err(Error::Usage(format!(
            "nothing was changed: the link {} was made outside the prefix; to remove it, too, add `--cuda-link {}`",
            made.display(),
            quoted(&made)
        )));
    }
    let link = CudaLink::new(link, &opened, false);
    let link = link.present()?.is_some_and(|target| link.is_ours(&target)).then_some(link);
    let change = Change::plan(opened, VERSION, Wanted::default(), link)?;
    output::line(format_args!("From {}:\n{change}", path.display()))?;
    if options.dry_run {
        return Ok(());
    }
    change.apply()
}

/// Describes the state of what was installed into a folder; none if nothing was.
pub fn state(prefix: &Path) -> Option<String> {
    // Nothing is run or changed here, whoever can write to the folder.
    let read =
        Prefix::open(prefix, true).and_then(|prefix| Ok(Manifest::read(&prefix)?.map(|read| (prefix, read))));
    let (prefix, manifest) = match read {
        Ok(read) => read?,
        Err(error) => return Some(error.to_string()),
    };
    let (missing, changed) = match manifest.differences(&prefix) {
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
    let installed = old.entries.iter().any(|entry| entry.path.starts_with(CUDA_ROOT));
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
fn add_cuda(prefix: &Path, link: &Path, wanted: &mut Wanted) -> Result<(), Error> {
    let (from, to) = (setup::cuda_folder()?, Path::new(CUDA_FOLDER));
    for (source, destination, mode) in CUDA_FILES {
        wanted.files.insert(to.join(destination), Source::Copy(from.join(source), mode));
    }
    let script = toolchain::ptxas_script(&prefix.join(CUDA_FOLDER).join("libexec/ptxas"));
    wanted.files.insert(to.join("bin/ptxas"), Source::Bytes(script.into_bytes(), 0o755));
    wanted.cuda_link = Some(link.into());
    Ok(())
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
            "a clang installed elsewhere finds it with LIBRARY_PATH={}, and makes right code with --config={}",
            quoted(prefix.join(toolchain::RUNTIME_FOLDER)),
            quoted(prefix.join(CLANG_CONFIG))
        ),
    };
    output::line(format_args!("The runtime is installed: {runtime}."))?;
    match toolchain::stock_cuda() {
        Some(_) => {
            let clang = stock
                .as_ref()
                .map_or("clang".into(), |stock| terminal_text::name(stock.clang.path.display()));
            output::line(format_args!(
                "Try: {clang} -O2 -fopenmp --offload-arch=sm_90 program.c && warpfold run ./a.out"
            ))
        }
        None if link.join("bin/ptxas").exists() => output::line(format_args!(
            "clang finds CUDA's tools once PATH contains {}.",
            quoted(link.join("bin"))
        )),
        None => output::line(
            "clang finds no CUDA tools: run `warpfold install --with-cuda`, or install the CUDA toolkit",
        ),
    }
}
