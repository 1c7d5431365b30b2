//! `warpfold install` and `uninstall`: put the device runtime and CUDA's tools where clang finds them without
//! options.

use std::path::{Path, PathBuf};

use installer::{
    CLANG_CONFIG, CUDA_FOLDER, CudaChoice, CudaTools, Destination, Installation, Package, clang_prefix,
};
use terminal_text::quoted;
use toolchain::{StockClang, StockCuda, Tools};

use crate::{
    device_runtime,
    error::Error,
    llvm::LlvmOptions,
    messages, output,
    setup::{confirmed, execute},
};

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

/// Shows the changes, asks, and applies them.
pub fn run(options: &Options) -> Result<(), Error> {
    options.llvm.choose();
    let stock = StockClang::find();
    let prefix = clang_prefix(options.prefix.as_deref(), &stock)?;
    let destination = Destination::new(prefix, options.trust_prefix, options.cuda_link.as_deref())?;
    let choice = match (options.no_cuda, options.with_cuda) {
        (true, _) => CudaChoice::Without,
        (false, true) => CudaChoice::Renewed,
        (false, false) => CudaChoice::Missing,
    };
    let mut installation = Installation::new(destination.clone(), choice, || match &options.archive {
        Some(archive) => Package::read(archive),
        None => device_runtime::package(&Tools::find()?),
    })?;
    let (path, link) = (destination.prefix(), destination.cuda_link());
    match installation.cuda() {
        CudaTools::Found(cuda) => print_found(cuda)?,
        CudaTools::Downloaded(plan) if !plan.is_empty() => output::line(format_args!(
            "{plan}\nthen copy the tools that clang needs to {}, and link {} to it",
            path.join(CUDA_FOLDER).display(),
            link.display()
        ))?,
        CudaTools::Unavailable(reason) => output::line(format_args!("CUDA: none; {reason}"))?,
        CudaTools::Installed | CudaTools::Linked(_) | CudaTools::Downloaded(_) => {}
    }
    let mut change = installation.plan()?;
    output::line(format_args!("Runtime {} into {}:\n{change}", installation.version(), path.display()))?;
    if options.dry_run {
        return Ok(());
    }
    let download = matches!(installation.cuda(), CudaTools::Downloaded(plan) if !plan.is_empty());
    if !change.is_empty() || download {
        let confirmed = options.yes || options.with_cuda || confirmed()?;
        if !confirmed {
            return Err(Error::Usage("nothing was changed; `warpfold install --yes` does not ask".into()));
        }
    }
    if let CudaTools::Downloaded(plan) = installation.cuda()
        && download
    {
        execute(plan)?;
        installation.add_downloaded()?;
        change = installation.plan()?;
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
    print_result(path, &stock, link)
}

/// Removes the files that the manifest lists, and the link to CUDA's tools.
pub fn uninstall(options: &UninstallOptions) -> Result<(), Error> {
    options.llvm.choose();
    let prefix = clang_prefix(options.prefix.as_deref(), &StockClang::find())?;
    let destination = Destination::new(prefix, options.trust_prefix, options.cuda_link.as_deref())?;
    let change = installer::removal(&destination)?;
    output::line(format_args!("From {}:\n{change}", destination.prefix().display()))?;
    if options.dry_run {
        return Ok(());
    }
    Ok(change.apply()?)
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
