//! Installations: what is wanted below a prefix, and what is there.

use std::path::{Path, PathBuf};

use output_files::FileError;
use toolchain::{StockClang, StockCuda, setup};

use crate::{
    change::{Change, Wanted},
    cuda_link::{CUDA_FOLDER, CudaLink, DEFAULT, TOOLKIT_LINK},
    error::Error,
    manifest::{MANIFEST_PATH, Manifest},
    package::{CLANG_CONFIG, Package, VERSION},
    prefix::{Prefix, Source},
};

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

/// Where something is installed.
#[derive(Clone, Debug)]
pub struct Destination {
    prefix: PathBuf,
    trusted: bool,
    cuda_link: PathBuf,
    /// Whether the user names the link.
    names_link: bool,
}

impl Destination {
    /// Below the folder `prefix`, with the link `cuda_link` to CUDA's tools, which without one is `/usr/local/cuda`. For root, only a
    /// folder that no other user can write to, unless it is `trusted`.
    ///
    /// # Errors
    ///
    /// The present folder is not known, and the link is named relative to it.
    pub fn new(prefix: PathBuf, trusted: bool, cuda_link: Option<&Path>) -> Result<Destination, Error> {
        let link = absolute(cuda_link.unwrap_or(Path::new(DEFAULT)))?;
        Ok(Destination { prefix, trusted, cuda_link: link, names_link: cuda_link.is_some() })
    }

    /// The folder.
    pub fn prefix(&self) -> &Path {
        &self.prefix
    }

    /// The link to CUDA's tools.
    pub fn cuda_link(&self) -> &Path {
        &self.cuda_link
    }

    fn open(&self) -> Result<Prefix, Error> {
        Prefix::open(&self.prefix, self.trusted)
    }
}

/// Which of CUDA's tools the user wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CudaChoice {
    /// Those that clang does not find.
    Missing,
    /// Those that clang does not find, or those of an earlier installation again.
    Renewed,
    /// None.
    Without,
}

/// How clang gets CUDA's tools.
pub enum CudaTools {
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

impl CudaTools {
    fn find(choice: CudaChoice, old: &Manifest) -> Result<CudaTools, Error> {
        if choice == CudaChoice::Without {
            return Ok(CudaTools::Unavailable("because of --no-cuda"));
        }
        let installed = old.entries.iter().any(|entry| entry.path.starts_with(CUDA_ROOT));
        if installed && choice == CudaChoice::Missing {
            return Ok(CudaTools::Installed);
        }
        if let Some(found) = toolchain::stock_cuda().filter(|_| !installed) {
            return Ok(CudaTools::Found(found));
        }
        if let Some(named) = toolchain::named_cuda() {
            return Ok(CudaTools::Linked(named));
        }
        Ok(match setup::cuda_plan()? {
            Some(plan) => CudaTools::Downloaded(plan),
            None => CudaTools::Unavailable(
                "NVIDIA's wheels are pinned for x86-64 Linux only: install the CUDA toolkit",
            ),
        })
    }
}

/// A package and CUDA's tools, and where they go.
pub struct Installation {
    destination: Destination,
    version: String,
    cuda: CudaTools,
    wanted: Wanted,
}

impl Installation {
    /// Finds out what is to be done; changes nothing. The package is made or read once it is known that the destination can be
    /// used.
    ///
    /// # Errors
    ///
    /// A folder that is not trusted, a manifest that is none, and those of `package`.
    pub fn new(
        destination: Destination,
        choice: CudaChoice,
        package: impl FnOnce() -> Result<Package, Error>,
    ) -> Result<Installation, Error> {
        let opened = destination.open()?;
        let clang = StockClang::at(&destination.prefix)?;
        let package = package()?;
        let old = Manifest::read(&opened)?.unwrap_or_default();
        let cuda = CudaTools::find(choice, &old)?;
        let files = package.files.into_iter();
        let mut wanted = Wanted::default();
        wanted.files.extend(files.map(|(path, content)| (path.into(), Source::Bytes(content, 0o644))));
        if clang.is_some() {
            let include = Source::Bytes(format!("@../{CLANG_CONFIG}\n").into_bytes(), 0o644);
            wanted.files.extend(CLANG_DEFAULTS.map(|path| (path.into(), include.clone())));
            wanted.unless_present = CLANG_DEFAULTS.map(PathBuf::from).into();
        }
        let link = &destination.cuda_link;
        let mut has_tools = false;
        match &cuda {
            CudaTools::Installed => {
                wanted.keep = Some(CUDA_ROOT.into());
                // A link that only the manifest names is left as it is.
                let named = destination.names_link || old.cuda_link.as_ref() == Some(link);
                wanted.cuda_link = named.then_some(link.clone());
            }
            CudaTools::Linked(cuda) => {
                wanted.files.insert(TOOLKIT_LINK.into(), Source::Link(cuda.folder.clone()));
                wanted.cuda_link = Some(link.clone());
            }
            CudaTools::Downloaded(plan) => has_tools = plan.is_empty(),
            CudaTools::Found(_) | CudaTools::Unavailable(_) => {}
        }
        let mut installation = Installation { destination, version: package.version, cuda, wanted };
        if has_tools {
            installation.add_downloaded()?;
        }
        Ok(installation)
    }

    /// How clang gets CUDA's tools.
    pub fn cuda(&self) -> &CudaTools {
        &self.cuda
    }

    /// The version of the package.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Adds CUDA's tools, which were downloaded, as copies: other users cannot read the cache.
    ///
    /// # Errors
    ///
    /// There is no cache.
    pub fn add_downloaded(&mut self) -> Result<(), Error> {
        let (from, to) = (setup::cuda_folder()?, Path::new(CUDA_FOLDER));
        for (source, destination, mode) in CUDA_FILES {
            self.wanted.files.insert(to.join(destination), Source::Copy(from.join(source), mode));
        }
        let ptxas = self.destination.prefix.join(CUDA_FOLDER).join("libexec/ptxas");
        let script = toolchain::ptxas_script(&ptxas);
        self.wanted.files.insert(to.join("bin/ptxas"), Source::Bytes(script.into_bytes(), 0o755));
        self.wanted.cuda_link = Some(self.destination.cuda_link.clone());
        Ok(())
    }

    /// The change that installs it.
    ///
    /// # Errors
    ///
    /// Files that would be overwritten.
    pub fn plan(&self) -> Result<Change, Error> {
        Change::plan(self.destination.open()?, &self.version, self.wanted.clone(), None)
    }
}

/// The change that removes the files that the manifest lists, and the link to CUDA's tools.
///
/// # Errors
///
/// Nothing is installed, and a link that was made elsewhere than the destination has it.
pub fn removal(destination: &Destination) -> Result<Change, Error> {
    let (path, link) = (&destination.prefix, destination.cuda_link.clone());
    let opened = destination.open()?;
    let Some(manifest) = Manifest::read(&opened)? else {
        return Err(Error::Rejected(format!(
            "nothing is installed in {}: it has no {MANIFEST_PATH}",
            path.display()
        )));
    };
    if let Some(made) = manifest.cuda_link.filter(|made| *made != link && !destination.names_link) {
        // A manifest alone does not decide what is removed outside the prefix.
        return Err(Error::Rejected(format!(
            "nothing was changed: the link {} was made outside the prefix; to remove it, too, add `--cuda-link {}`",
            made.display(),
            terminal_text::quoted(&made)
        )));
    }
    let link = CudaLink::new(link, &opened, false);
    let link = link.present()?.is_some_and(|target| link.is_ours(&target)).then_some(link);
    Change::plan(opened, VERSION, Wanted::default(), link)
}

/// Describes the state of what was installed into a folder, in part of a sentence; none if nothing was.
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

/// The folder to install into: the one that is named, or else that of clang.
///
/// # Errors
///
/// There is no clang.
pub fn clang_prefix(
    named: Option<&Path>,
    stock: &Result<StockClang, toolchain::Error>,
) -> Result<PathBuf, Error> {
    match (named, stock) {
        (Some(prefix), _) => absolute(prefix),
        (None, Ok(stock)) => Ok(stock.prefix.clone()),
        (None, Err(error)) => {
            Err(Error::Rejected(format!("{error}\nor give the folder to install into with --prefix")))
        }
    }
}

fn absolute(path: &Path) -> Result<PathBuf, Error> {
    Ok(std::path::absolute(path).map_err(|source| FileError::Read { path: path.into(), source })?)
}
