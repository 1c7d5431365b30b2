//! NVIDIA's tools as Python wheels: downloaded by pip with pinned hashes, checked again, unpacked
//! without trusting their paths, and merged into one CUDA folder.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use zip::ZipArchive;

use super::step::{failed, stream};
use crate::cache::{file_sha256, private_dir};
use crate::cuda::CUDA_VERSION;
use crate::error::Error;
use crate::error::IoContext;
use crate::find::{PIP_HINT, find_pip};
use crate::process::command;

/// The folder inside the wheels that holds the toolkit's tree.
const TREE: &str = "nvidia/cu13";

/// The limit of a wheel's unpacked size in bytes; the largest of these has 0.2 GiB.
const LARGEST: u64 = 2 << 30;

/// One pinned wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wheel {
    /// Its name on the package index.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The SHA-256 of its file for x86-64 Linux.
    pub sha256: &'static str,
}

/// ptxas, nvlink, fatbinary and nvcc; NVVM with libdevice; headers, those of C++ libraries among them; cuobjdump and nvdisasm.
pub(super) const WHEELS: &[Wheel] = &[
    Wheel {
        name: "nvidia-cuda-nvcc",
        version: CUDA_VERSION,
        sha256: "f5c4f7ead5d964fb4af42bbf1e6d3ec3c1e6e9d83b53749f691d387e7fcaa3a7",
    },
    Wheel {
        name: "nvidia-nvvm",
        version: CUDA_VERSION,
        sha256: "c41bfa362e407405163f103c2229f0765f8cc2ed7d148b754dc77f228bf7e070",
    },
    Wheel {
        name: "nvidia-cuda-runtime",
        version: CUDA_VERSION,
        sha256: "df2b79a8852f10d1fef8c848489c49eebb5754051bf870202a862831412b179d",
    },
    Wheel {
        name: "nvidia-cuda-crt",
        version: CUDA_VERSION,
        sha256: "e898b7f73d3035fa89915a3f7bf3b54a73e90249746111aed295822c4729bb29",
    },
    // Its versions are its own; the headers of the others need it.
    Wheel {
        name: "nvidia-cuda-cccl",
        version: "13.3.5.0.6",
        sha256: "d5230098fa2df5021e1a00c0c4eee41797671a91119d31e892463e5ccf3ee326",
    },
    Wheel {
        name: "nvidia-cuda-cuobjdump",
        version: CUDA_VERSION,
        sha256: "38780fee50863252a0b8926357faa91615ca1c8346490563f33a06100cd73f58",
    },
    Wheel {
        name: "nvidia-cuda-nvdisasm",
        version: CUDA_VERSION,
        sha256: "d3fdbdd49fa53e2e4aacd3db8259d052bd2b049ececdcb69e92e083c6728e7ca",
    },
];

/// Whether there are pinned wheels for this machine.
pub(super) fn available() -> bool {
    cfg!(all(target_os = "linux", target_arch = "x86_64"))
}

/// Downloads, checks and unpacks; the folder is complete or does not exist.
pub(super) fn install(
    wheels: &[Wheel],
    folder: &Path,
    step: &str,
    report: &mut dyn FnMut(Option<&str>),
) -> Result<(), Error> {
    let parent = folder.parent().unwrap_or(Path::new("/"));
    private_dir(parent)?;
    let scratch = tempfile::TempDir::new_in(parent).at("create a directory in", parent)?;
    let files = download(wheels, scratch.path(), step, report)?;
    let tree = scratch.path().join("tree");
    private_dir(&tree)?;
    for file in &files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        report(Some(&format!("unpacking {name}")));
        unpack(file, &tree)
            .map_err(|reason| failed(step, format!("{name}: {reason}"), String::from(AGAIN)))?;
    }
    // An older folder, complete or not, is replaced.
    if folder.exists() {
        fs::rename(folder, scratch.path().join("old")).at("move away", folder)?;
    }
    fs::rename(&tree, folder).at("rename into", folder)
}

const AGAIN: &str =
    "run setup again; if it fails again, install the CUDA toolkit, or continue without it: it is optional";

/// pip's requirements: every file pinned by version and hash.
fn requirements(wheels: &[Wheel]) -> String {
    let line = |wheel: &Wheel| format!("{}=={} --hash=sha256:{}\n", wheel.name, wheel.version, wheel.sha256);
    wheels.iter().map(line).collect()
}

fn download(
    wheels: &[Wheel],
    scratch: &Path,
    step: &str,
    report: &mut dyn FnMut(Option<&str>),
) -> Result<Vec<PathBuf>, Error> {
    let Ok((python, _)) = find_pip() else {
        return Err(failed(step, String::from("python3 with pip is missing"), PIP_HINT.to_string()));
    };
    let list = scratch.join("requirements.txt");
    fs::write(&list, requirements(wheels)).at("write", &list)?;
    let target = scratch.join("wheels");
    let arguments = [
        "-m",
        "pip",
        "download",
        "--no-deps",
        "--require-hashes",
        "--only-binary",
        ":all:",
        "--no-cache-dir",
    ];
    let options = ["--disable-pip-version-check", "--progress-bar", "off"];
    stream(
        command(python).args(arguments).args(options).arg("-r").arg(&list).arg("-d").arg(&target),
        report,
    )?;

    // Files are identified by their hash, not by their name.
    let mut files = Vec::new();
    for entry in fs::read_dir(&target).at("read", &target)? {
        let path = entry.at("read", &target)?.path();
        let sum = file_sha256(&path)?;
        if !wheels.iter().any(|wheel| wheel.sha256 == sum) {
            let reason = format!("{} has the unexpected SHA-256 {sum}", path.display());
            return Err(failed(step, reason, String::from(AGAIN)));
        }
        files.push(path);
    }
    if files.len() != wheels.len() {
        let reason = format!("{} of {} files were downloaded", files.len(), wheels.len());
        return Err(failed(step, reason, String::from(AGAIN)));
    }
    files.sort();
    Ok(files)
}

/// Unpacks the entries below [`TREE`] in `wheel` into `tree`. Entries whose path leaves the tree, and links,
/// are rejected; programs below `bin/` become executable.
fn unpack(wheel: &Path, tree: &Path) -> Result<(), String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let file = File::open(wheel).map_err(|error| text(&error))?;
    let mut archive = ZipArchive::new(file).map_err(|error| text(&error))?;
    let mut total = 0u64;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| text(&error))?;
        let Some(path) = entry.enclosed_name() else {
            return Err(format!("the path of entry {index} leads out of the archive"));
        };
        let Ok(inside) = path.strip_prefix(TREE) else { continue };
        if entry.is_dir() || inside.as_os_str().is_empty() {
            continue;
        }
        if !entry.is_file() {
            return Err(format!("`{}` is neither a file nor a directory", inside.display()));
        }
        total = total.saturating_add(entry.size());
        if total > LARGEST {
            return Err(format!("it unpacks to more than {LARGEST} bytes"));
        }
        let target = tree.join(inside);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(|error| text(&error))?;
        }
        let program = inside.starts_with("bin") || inside.starts_with("nvvm/bin");
        let mode = entry.unix_mode().map_or(0o644, |mode| mode & 0o755) | if program { 0o755 } else { 0o600 };
        let size = entry.size();
        let mut output = File::create(&target).map_err(|error| text(&error))?;
        // The size comes from the archive, which may be wrong: no more is read.
        let written =
            io::copy(&mut io::Read::take(&mut entry, size), &mut output).map_err(|error| text(&error))?;
        if written != size {
            return Err(format!("`{}` is truncated", inside.display()));
        }
        fs::set_permissions(&target, fs::Permissions::from_mode(mode)).map_err(|error| text(&error))?;
    }
    if total == 0 {
        return Err(format!("it has no {TREE}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use zip::write::{SimpleFileOptions, ZipWriter};

    fn wheel(entries: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("w.whl");
        let mut writer = ZipWriter::new(File::create(&path).unwrap());
        for (name, text) in entries {
            writer.start_file(*name, SimpleFileOptions::default().unix_permissions(0o644)).unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        writer.finish().unwrap();
        (dir, path)
    }

    #[test]
    fn the_tree_is_unpacked_and_programs_can_run() {
        let (dir, path) = wheel(&[
            ("nvidia/cu13/bin/ptxas", "program"),
            ("nvidia/cu13/include/cuda.h", "header"),
            ("nvidia_cuda_nvcc-13.dist-info/METADATA", "left out"),
        ]);
        let tree = dir.path().join("tree");
        unpack(&path, &tree).unwrap();
        let mode = |name: &str| fs::metadata(tree.join(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode("bin/ptxas"), 0o755);
        assert_eq!(mode("include/cuda.h") & 0o111, 0);
        assert_eq!(fs::read_to_string(tree.join("include/cuda.h")).unwrap(), "header");
        assert_eq!(fs::read_dir(&tree).unwrap().count(), 2);
    }

    #[test]
    fn paths_that_lead_out_are_rejected() {
        for name in ["nvidia/cu13/../../../evil", "../evil", "/nvidia/cu13/evil"] {
            let (dir, path) = wheel(&[(name, "x"), ("nvidia/cu13/bin/a", "x")]);
            let tree = dir.path().join("a/b/tree");
            let result = unpack(&path, &tree);
            // An absolute name is either rejected or taken as relative; nothing is written outside.
            assert!(result.is_err() || !name.contains(".."), "{name}: {result:?}");
            assert!(!dir.path().join("evil").exists() && !Path::new("/nvidia/cu13/evil").exists());
        }
    }

    #[test]
    fn an_empty_or_broken_wheel_is_rejected() {
        let (dir, path) = wheel(&[("other/file", "x")]);
        assert!(unpack(&path, dir.path()).unwrap_err().contains(TREE));
        fs::write(&path, "no archive").unwrap();
        assert!(unpack(&path, dir.path()).is_err());
    }

    #[test]
    fn every_wheel_is_pinned() {
        let text = requirements(WHEELS);
        assert_eq!(text.lines().count(), WHEELS.len());
        for line in text.lines() {
            let (name, hash) = line.split_once(" --hash=sha256:").unwrap();
            assert!(name.contains("==13.") && hash.len() == 64, "{line}");
            assert!(hash.chars().all(|c| c.is_ascii_hexdigit()), "{line}");
        }
    }
}
