//! A CUDA toolkit with the runtime library of this project: what CUDA's compilers and build systems are given.
//!
//! It consists of links to the files of an installed toolkit or of NVIDIA's wheels. Its own are the runtime library
//! and the driver in `lib`, a ptxas that keeps the PTX, and nvcc's profile, which makes nvcc look here. The wheels lack
//! a header of cuRAND that clang includes in every CUDA file; there it is empty.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cache::Key;
use crate::driver_folder::DriverFolder;
use crate::error::IoContext;
use crate::find::find_nvcc;
use crate::offload::ptxas_script;
use crate::purpose::Purpose;
use crate::tool::{NVCC_HINT, missing};
use crate::{Cache, Error, Tool};

/// The compiler's name in its folder.
const NVCC: &str = "nvcc";

/// A header that clang includes before every CUDA file.
const CURAND: &str = "curand_mtgp32_kernel.h";
const CURAND_TEXT: &str = "\
// Empty: cuRAND is not installed, and clang includes this header in every CUDA file. Made by warpfold.
";

/// Headers of CUDA's C++ libraries, below the folder of headers.
const CCCL: &str = "cccl";

/// A toolkit whose programs link and load this project's runtime library.
#[derive(Clone, Debug)]
pub struct CudaToolkit {
    folder: PathBuf,
    nvcc: Tool,
}

impl CudaToolkit {
    /// Makes the toolkit in the cache, with the libraries of the folder `driver`.
    ///
    /// # Errors
    /// [`Error::ToolMissing`] without nvcc and its headers, [`Error::Io`] if files cannot be written.
    pub fn make(cache: &Cache, driver: &Path) -> Result<CudaToolkit, Error> {
        let nvcc = find_nvcc(Some(cache.base()))
            .map_err(|rejected| missing("nvcc with CUDA's headers", Purpose::Cuda, &rejected, NVCC_HINT))?;
        let theirs = nvcc.path.ancestors().nth(2).unwrap_or(Path::new("/"));
        let inputs = [theirs, driver].map(|path| path.to_string_lossy());
        let path =
            Path::new("cuda-toolkit").join(Key::new("toolkit").with_all(inputs.iter().map(|p| &**p)).hex());
        let toolkit = CudaToolkit { folder: cache.root().join(&path), nvcc: nvcc.clone() };
        let folder = &toolkit.folder;
        const OWN: [&str; 5] = ["bin", "include", "lib", "lib64", "targets"];
        link_all(cache, theirs, folder, |name| !OWN.contains(&name))?;
        link_all(cache, &theirs.join("bin"), &folder.join("bin"), |name| {
            !["ptxas", "nvcc.profile"].contains(&name)
        })?;
        cache.script(&path.join("bin/ptxas"), &ptxas_script(&theirs.join("bin/ptxas")))?;
        cache.put(path.join("bin/nvcc.profile"), profile(folder).as_bytes())?;
        link_all(cache, &theirs.join("include"), &folder.join("include"), |_| true)?;
        if !theirs.join("include").join(CURAND).exists() {
            cache.put(path.join("include").join(CURAND), CURAND_TEXT.as_bytes())?;
        }
        let libraries = [theirs.join("lib64"), theirs.join("lib")].into_iter().find(|folder| folder.is_dir());
        if let Some(libraries) = libraries {
            let is_ours =
                |name: &str| ["libcuda.", "libcudart"].iter().any(|prefix| name.starts_with(prefix));
            link_all(cache, &libraries, &toolkit.libraries(), |name| !is_ours(name))?;
        }
        let by_version = [DriverFolder::LINKED, DriverFolder::STATIC];
        link_all(cache, driver, &toolkit.libraries(), |name| !by_version.contains(&name))?;
        // Programs of CUDA 12 load another file.
        let runtime = if nvcc.version.major == 12 { DriverFolder::RUNTIME_12 } else { DriverFolder::RUNTIME };
        cache.link(Path::new(runtime), &toolkit.libraries().join(DriverFolder::LINKED))?;
        cache.put(path.join("lib").join(DriverFolder::STATIC), DriverFolder::script(runtime).as_bytes())?;
        cache.link(Path::new("lib"), &folder.join("lib64"))?;
        Ok(toolkit)
    }

    /// The toolkit's folder, for `CUDA_HOME` and clang's `--cuda-path`.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The compiler, which looks for everything in [`CudaToolkit::folder`].
    pub fn nvcc(&self) -> PathBuf {
        self.folder.join("bin").join(NVCC)
    }

    /// The folders of headers.
    pub fn headers(&self) -> Vec<PathBuf> {
        let headers = self.folder.join("include");
        let more = headers.join(CCCL);
        [headers].into_iter().chain(more.is_dir().then_some(more)).collect()
    }

    /// The folder of the libraries that programs are linked with.
    pub fn libraries(&self) -> PathBuf {
        self.folder.join("lib")
    }

    /// nvcc where it was found.
    pub fn original(&self) -> &Tool {
        &self.nvcc
    }
}

/// Links those entries of a folder whose names are accepted.
fn link_all(cache: &Cache, from: &Path, to: &Path, accept: impl Fn(&str) -> bool) -> Result<(), Error> {
    for entry in fs::read_dir(from).at("read", from)?.flatten() {
        if accept(&entry.file_name().to_string_lossy()) {
            cache.link(&entry.path(), &to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// nvcc's profile: where it finds its parts, headers and libraries.
fn profile(folder: &Path) -> String {
    let folder = folder.display();
    format!(
        "TOP = {folder}\n\
         CICC_PATH = $(TOP)/nvvm/bin\n\
         NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice\n\
         PATH += $(TOP)/nvvm/bin:$(TOP)/bin:\n\
         INCLUDES += \"-I$(TOP)/include\" $(_SPACE_)\n\
         SYSTEM_INCLUDES += \"-isystem\" \"$(TOP)/include/{CCCL}\" $(_SPACE_)\n\
         LIBRARIES =+ $(_SPACE_) \"-L$(TOP)/lib\"\n"
    )
}
