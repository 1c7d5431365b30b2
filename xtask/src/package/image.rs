//! A container file, beside Debian's package that it installs.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::{deb, options::Options, program::write, trial};
use crate::{
    chroot::{Chroot, Network},
    process::call,
};

const CONTAINERFILE: &str = include_str!("Containerfile");

/// The name of the image that a trial makes.
const TRIED: &str = "localhost/warpfold-trial";

/// Writes the container file and the package into a folder, and returns the package: it is what has a size.
pub fn make(options: &Options, out: &Path) -> Result<PathBuf, String> {
    let package = deb::make(options, out)?;
    let name = package.file_name().unwrap_or_default().to_string_lossy().into_owned();
    write(&out.join("Containerfile"), CONTAINERFILE.replace("@PACKAGE@", &name))?;
    Ok(package)
}

/// Builds the image with buildah on a Debian that debootstrap made, as that of a registry, and uses it without network.
pub fn attempt(package: &Path, release: &str, options: &Options) -> Result<(), String> {
    let folder = package.parent().unwrap_or(Path::new("/"));
    let store = tempfile::tempdir_in(options.root.parent().unwrap_or(Path::new("/")))
        .map_err(|e| format!("cannot make a folder: {e}"))?;
    // Neither a daemon nor rights that a container does not have: layers are folders, processes are in a chroot.
    let buildah = |network: Network, arguments: &[&str]| {
        // With this isolation buildah itself leaves the host's network to a process.
        let mut command = Command::new("unshare");
        command
            .args((network == Network::Unreached).then_some("--net"))
            .args(["buildah", "--storage-driver=vfs"]);
        command.arg("--root").arg(store.path().join("images")).arg("--runroot").arg(store.path().join("run"));
        call(command.env("BUILDAH_ISOLATION", "chroot").args(arguments))
    };
    let text = |path: PathBuf| path.to_string_lossy().into_owned();
    let base = Chroot::make(&options.root, release)?;
    let tried = (|| {
        println!("--- {release}: build");
        buildah(Network::Unreached, &["from", "--name", "base", "scratch"])?;
        buildah(Network::Unreached, &["add", "--quiet", "base", &text(base.file("/")), "/"])?;
        buildah(Network::Unreached, &["commit", "--quiet", "base", "localhost/base"])?;
        buildah(Network::Unreached, &["rm", "base"])?;
        let arguments = ["--pull=never", "--build-arg=BASE=localhost/base", "--tag", TRIED];
        buildah(Network::Reached, &[&["bud"][..], &arguments, &[&text(folder.to_path_buf())]].concat())?;
        println!("--- {release}: use");
        let project = store.path().join("project");
        trial::examples(&project)?;
        fs::create_dir(project.join("home")).map_err(|e| format!("{}: {e}", project.display()))?;
        buildah(Network::Unreached, &["from", "--pull=never", "--name", "tried", TRIED])?;
        let volume = format!("{}:/project", project.display());
        let run = ["run", "--env=HOME=/project/home", "--volume", &volume, "tried"];
        let script = format!("cd /project\n{}", trial::USE);
        buildah(Network::Unreached, &[&run[..], &["bash", "-euo", "pipefail", "-c", &script]].concat())
    })();
    base.finish(tried, options.keep)
}
