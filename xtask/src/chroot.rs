//! A fresh Debian, made by debootstrap and entered by chroot.
//!
//! Only the configuration of package sources is copied from this machine (apt, pip, cargo, certificates, name
//! resolution), so that the same registries are used.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{process::call, readme::workspace_root};

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

/// Debian's own package sources, which name a suite.
const SUITES: &str = "etc/apt/sources.list.d/debian.sources";

/// Whether a script in a chroot reaches the network.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Network {
    Reached,
    Unreached,
}

/// A chroot.
pub struct Chroot {
    root: PathBuf,
}

impl Chroot {
    /// Makes one of a Debian release in a folder that does not exist.
    pub fn make(root: &Path, release: &str) -> Result<Chroot, String> {
        if root.exists() {
            return Err(format!(
                "{} exists already; remove it or choose another with --root",
                root.display()
            ));
        }
        call(Command::new("debootstrap").args(["--variant=minbase", release]).arg(root))?;
        for source in SOURCES {
            copy_into(&Path::new("/").join(source), &root.join(source))?;
        }
        use_suite(&root.join(SUITES), release)?;
        if let Some(home) = std::env::var_os("HOME") {
            for name in ["config.toml", "config"] {
                let from = Path::new(&home).join(".cargo").join(name);
                copy_into(&from, &root.join("root/.cargo").join(name))?;
            }
        }
        Ok(Chroot { root: root.into() })
    }

    /// One that was made before.
    pub fn existing(root: &Path) -> Chroot {
        Chroot { root: root.into() }
    }

    /// A file of the chroot, by its path inside.
    pub fn file(&self, inside: &str) -> PathBuf {
        self.root.join(inside.trim_start_matches('/'))
    }

    /// Runs a script.
    pub fn enter(&self, script: &str, network: Network) -> Result<(), String> {
        // The tools need /proc and /dev. They are always unmounted before the chroot is removed.
        let outer =
            "mount -t proc proc \"$1/proc\" && mount --rbind /dev \"$1/dev\" && mount --make-rslave \"$1/dev\"
            rc=0
            env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb LANG=C.UTF-8 \
                DEBIAN_FRONTEND=noninteractive chroot \"$1\" bash -euo pipefail -c \"$2\" || rc=$?
            umount -R \"$1/dev\" && umount \"$1/proc\"
            exit $rc";
        let mut unshare = Command::new("unshare");
        unshare.arg("--mount").args((network == Network::Unreached).then_some("--net"));
        call(unshare.args(["bash", "-c", outer, "fresh"]).arg(&self.root).arg(script))
    }

    /// Removes it, unless something failed in it and it is to be kept.
    pub fn finish(self, outcome: Result<(), String>, keep: bool) -> Result<(), String> {
        if keep && outcome.is_err() {
            println!("kept: {}", self.root.display());
        } else {
            fs::remove_dir_all(&self.root).map_err(|e| format!("{}: {e}", self.root.display()))?;
        }
        outcome
    }
}

/// Has apt use a release, where this machine is another one.
fn use_suite(file: &Path, release: &str) -> Result<(), String> {
    let Ok(text) = fs::read_to_string(file) else { return Ok(()) };
    let of_release = with_suites(&text, release);
    fs::write(file, of_release).map_err(|e| format!("{}: {e}", file.display()))
}

/// Package sources of another release: `Suites: bookworm bookworm-updates` names trixie's. sid has no updates beside it.
fn with_suites(text: &str, release: &str) -> String {
    let mut stanzas: Vec<String> = Vec::new();
    for stanza in text.split("\n\n") {
        let mut is_used = true;
        let lines = stanza.lines().map(|line| {
            let Some(suites) = line.strip_prefix("Suites:") else { return line.to_string() };
            let suites = suites.split_whitespace().map(|suite| match suite.split_once('-') {
                Some((_, kind)) => format!("{release}-{kind}"),
                None => release.to_string(),
            });
            let suites: Vec<String> = suites.filter(|suite| release != "sid" || suite == release).collect();
            is_used = !suites.is_empty();
            format!("Suites: {}", suites.join(" "))
        });
        let lines: Vec<String> = lines.collect();
        stanzas.extend(is_used.then(|| lines.join("\n")));
    }
    stanzas.join("\n\n") + "\n"
}

/// Copies the workspace: the tracked files and the untracked ones that git does not ignore, in their present state.
pub fn copy_tree(to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(|e| format!("{}: {e}", to.display()))?;
    // An older copy may have files that are gone since; what was built stays.
    let script = "find \"$1\" -mindepth 1 -maxdepth 1 ! -name target -exec rm -r {} +
                  git ls-files -z --cached --others --exclude-standard \
                  | tar --null --ignore-failed-read -T - -cf - | tar -xf - -C \"$1\"";
    call(
        Command::new("bash")
            .args(["-euo", "pipefail", "-c", script, "copy"])
            .arg(to)
            .current_dir(workspace_root()),
    )
}

/// Copies a file or folder, if it exists.
pub fn copy_into(from: &Path, to: &Path) -> Result<(), String> {
    if !from.exists() {
        return Ok(());
    }
    let parent = to.parent().expect("a file has a folder");
    fs::create_dir_all(parent).map_err(|e| format!("{}: {e}", parent.display()))?;
    // -L: name resolution and certificates are often links to paths that the chroot does not have.
    call(Command::new("cp").args(["-rLT", "--"]).args([from, to]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_are_those_of_the_release() {
        let text =
            "Types: deb\nSuites: bookworm bookworm-updates\n\nTypes: deb\nSuites: bookworm-security\nX: y\n";
        assert_eq!(
            with_suites(text, "trixie"),
            "Types: deb\nSuites: trixie trixie-updates\n\nTypes: deb\nSuites: trixie-security\nX: y\n"
        );
        assert_eq!(with_suites(text, "sid"), "Types: deb\nSuites: sid\n");
        assert_eq!(with_suites(text, "bookworm"), text);
    }
}
