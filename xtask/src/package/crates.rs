//! The libraries as crates, checked as for a registry. Nothing is published.
//!
//! In the workspace they have short names, which registries have given to others. Here a copy of the workspace gets the
//! names with `warpfold-` before them; who uses the crates from there imports them by the short ones.

use std::{fs, path::Path};

use toml::{Table, Value};

use super::program::{VERSION, write};
use crate::{chroot::copy_tree, process::call, readme::workspace_root};

/// The folders of the crates. The program and the driver library are not among them: the one embeds the other, whose file
/// cargo names so that the program's build finds it only within a workspace.
const CRATES: [&str; 13] = [
    "cli/sarif",
    "cli/terminal-text",
    "codegen-shim",
    "cuda-driver",
    "cuda-driver/link",
    "device-rt",
    "device-rt/library",
    "host-rt",
    "host-rt/device-code",
    "host-rt/mpi",
    "loop-compiler",
    "ptx-emulator",
    "toolchain",
];

/// Makes the crates, builds each from what is in it and from the others, and has cargo try to publish all.
pub fn make(out: &Path) -> Result<(), String> {
    let copy = out.join("workspace");
    copy_tree(&copy)?;
    let mut names = Vec::new();
    for folder in CRATES {
        names.push(change(&copy.join(folder).join("Cargo.toml"), of_crate)?);
    }
    change(&copy.join("Cargo.toml"), |workspace| of_workspace(workspace, &names))?;
    // Not beside what is built for other purposes: the copy's crates have other names.
    let target = workspace_root().join("target/crates");
    let cargo = |arguments: &[&str]| {
        let mut cargo = crate::cargo::cargo(arguments);
        cargo.args(["--workspace", "--allow-dirty", "--target-dir"]).arg(&target);
        // There it finds the workspace's settings.
        call(cargo.current_dir(&copy))
    };
    cargo(&["publish", "--dry-run"])?;
    // What the dry run makes, it keeps for itself.
    cargo(&["package", "--no-verify"])?;
    for name in &names {
        let file = format!("{}-{VERSION}.crate", published(name));
        let made = target.join("package").join(&file);
        fs::copy(&made, out.join(&file)).map_err(|e| format!("{}: {e}", made.display()))?;
    }
    println!("{}: {} crates", out.display(), names.len());
    Ok(())
}

/// A crate's name in a registry.
fn published(name: &str) -> String {
    format!("warpfold-{name}")
}

/// Changes a manifest.
fn change<T>(path: &Path, by: impl FnOnce(&mut Table) -> Option<T>) -> Result<T, String> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut manifest: Table = toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
    let result =
        by(&mut manifest).ok_or_else(|| format!("{}: not a manifest of this project", path.display()))?;
    write(path, toml::to_string(&manifest).map_err(|e| format!("{}: {e}", path.display()))?)?;
    Ok(result)
}

/// Gives a crate its name in a registry; its library keeps the short one. Returns that.
fn of_crate(manifest: &mut Table) -> Option<String> {
    // Tests use packages that are not published.
    manifest.remove("dev-dependencies");
    manifest.remove("test");
    let package = manifest.get_mut("package")?.as_table_mut()?;
    let name = package.get("name")?.as_str()?.to_string();
    package.insert("name".into(), published(&name).into());
    package.insert("exclude".into(), Value::from(vec!["/tests", "/examples"]));
    package.insert("autotests".into(), false.into());
    package.insert("autoexamples".into(), false.into());
    let library = manifest.entry("lib").or_insert_with(|| Table::new().into()).as_table_mut()?;
    library.entry("name").or_insert_with(|| name.replace('-', "_").into());
    Some(name)
}

/// Leaves only the crates in the workspace, and has them depend on each other by version.
fn of_workspace(manifest: &mut Table, names: &[String]) -> Option<()> {
    // Levels of optimisation, for packages that are gone.
    manifest.remove("profile");
    let workspace = manifest.get_mut("workspace")?.as_table_mut()?;
    workspace.insert("members".into(), Value::from(CRATES.to_vec()));
    workspace.remove("default-members");
    workspace.get_mut("package")?.as_table_mut()?.insert("publish".into(), true.into());
    let dependencies = workspace.get_mut("dependencies")?.as_table_mut()?;
    dependencies.retain(|name, dependency| {
        names.iter().any(|known| known == name) || dependency.get("path").is_none()
    });
    for name in names {
        let dependency = dependencies.get_mut(name)?.as_table_mut()?;
        dependency.insert("package".into(), published(name).into());
        dependency.insert("version".into(), format!("={VERSION}").into());
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_get_names_and_depend_on_each_other_by_version() {
        let mut of_one: Table = toml::from_str(
            "[package]\nname = \"host-rt\"\n[dependencies]\ntoolchain.workspace = true\n[dev-dependencies]\nx = \"1\"\n",
        )
        .unwrap();
        assert_eq!(of_crate(&mut of_one).as_deref(), Some("host-rt"));
        assert_eq!(of_one["package"]["name"].as_str(), Some("warpfold-host-rt"));
        assert_eq!(of_one["lib"]["name"].as_str(), Some("host_rt"));
        assert!(!of_one.contains_key("dev-dependencies"));
        let mut of_all: Table = toml::from_str(
            "[workspace.package]\npublish = false\n[workspace.dependencies]\nhost-rt = { path = \"host-rt\" }\n\
             corpus = { path = \"tests-gpu/corpus\" }\nlibc = \"0.2\"\n",
        )
        .unwrap();
        of_workspace(&mut of_all, &["host-rt".into()]).unwrap();
        let dependencies = &of_all["workspace"]["dependencies"];
        assert_eq!(dependencies["host-rt"]["package"].as_str(), Some("warpfold-host-rt"));
        assert_eq!(dependencies["host-rt"]["version"].as_str(), Some("=0.1.0"));
        assert!(dependencies.get("corpus").is_none() && dependencies.get("libc").is_some());
    }
}
