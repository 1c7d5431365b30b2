//! A wheel for pip: the program with the files that it needs, and a fixture of pytest.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use super::{
    options::Options,
    program::{Commit, Program, VERSION, write},
    trial,
};
use crate::{chroot::copy_into, process::call};

/// The files of the Python package, and those that describe the wheel, with placeholders `@NAME@`.
const MODULES: [(&str, &str); 2] = [
    ("warpfold/__init__.py", include_str!("python/warpfold/__init__.py")),
    ("warpfold/pytest_plugin.py", include_str!("python/warpfold/pytest_plugin.py")),
];
const INFORMATION: [(&str, &str); 3] = [
    ("METADATA", include_str!("python/METADATA")),
    ("WHEEL", include_str!("python/WHEEL")),
    ("entry_points.txt", include_str!("python/entry_points.txt")),
];
const PACK: &str = include_str!("python/pack.py");

/// Tests that the trial gives to pytest.
const TESTS: &str = include_str!("python/trial.py");

/// Makes the wheel in a folder.
pub fn make(out: &Path) -> Result<PathBuf, String> {
    let (commit, program) = (Commit::current()?, Program::build()?);
    let scratch = tempfile::tempdir().map_err(|e| format!("cannot make a folder: {e}"))?;
    let folder = scratch.path();
    // The program finds the files below the folder that its own lies in.
    let prefix = folder.join("warpfold/prefix");
    program.output(&["build", "--out", &prefix.to_string_lossy()])?;
    copy_into(&program.executable, &prefix.join("bin/warpfold"))?;
    for (path, text) in MODULES {
        write(&folder.join(path), text)?;
    }
    let tag = format!("py3-none-manylinux_{}_x86_64", program.glibc()?.replace('.', "_"));
    let information = format!("warpfold-{VERSION}.dist-info");
    for (name, text) in INFORMATION {
        let text = text.replace("@VERSION@", VERSION).replace("@TAG@", &tag);
        write(&folder.join(&information).join(name), text)?;
    }
    let wheel = out.join(format!("warpfold-{VERSION}-{tag}.whl"));
    let mut python = Command::new("python3");
    python.args(["-c", PACK]).arg(folder).arg(information).arg(&wheel).arg(&commit.seconds);
    call(&mut python)?;
    Ok(wheel)
}

/// Installs, uses and removes the wheel on a fresh Debian that has the compilers.
pub fn attempt(wheel: &Path, release: &str, options: &Options) -> Result<(), String> {
    let name = wheel.file_name().unwrap_or_default().to_string_lossy();
    let compilers = super::deb::COMPILERS.replace(',', "");
    let steps = trial::Steps {
        install: format!(
            "apt-get update -q
            apt-get install -qy --no-install-recommends {compilers} python3-venv
            python3 -m venv /tmp/venv
            python3 -m venv /tmp/checks
            /tmp/venv/bin/pip install pytest
            /tmp/checks/bin/pip install twine auditwheel
            find /tmp/venv | sort >/tmp/before
            /tmp/venv/bin/pip install /tmp/{name}
            ln -s /tmp/venv/bin/warpfold /usr/bin/warpfold"
        ),
        more: format!(
            "cat >test_trial.py <<'END'
{TESTS}END
            export PYTHONDONTWRITEBYTECODE=1
            pytest() {{ /tmp/venv/bin/python -m pytest test_trial.py -k \"$1\" | tee tested; }}
            pytest program
            if pytest faulty; then exit 1; fi
            grep 'ERROR at teardown of test_faulty_kernel' tested
            grep 'near the null address' tested"
        ),
        remove: "rm /usr/bin/warpfold
            /tmp/venv/bin/pip uninstall --yes warpfold
            find /tmp/venv | sort | diff /tmp/before -"
            .into(),
        lint: format!(
            "/tmp/checks/bin/twine check --strict /tmp/{name}
            /tmp/checks/bin/auditwheel show /tmp/{name} | tee /tmp/shown
            grep -F '\"{tag}\"' /tmp/shown",
            tag = name.trim_end_matches(".whl").rsplit('-').next().unwrap_or_default()
        ),
    };
    trial::run(&steps, &[(wheel.to_path_buf(), format!("/tmp/{name}"))], release, options)
}
