//! `warpfold doctor`: lists the tools found and missing on this machine.

use std::path::{Path, PathBuf};

use cuda_driver::settings::code_generator;
use host_rt::{Device, DriverKind};
use installer::VERSION;
use offload_compilers::HostOpenMp;
use serde_json::{Map, Value, json};
use toolchain::{Cache, Finding, Prebuilt, Status, StockClang};

use crate::{error::Error, llvm::LlvmOptions, output};

/// Options of `warpfold doctor`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    llvm: LlvmOptions,
    /// Write one JSON object: to standard output instead of the lines, or to a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    json: Option<Option<PathBuf>>,
}

/// What was found of one thing.
struct Entry {
    /// Its name in JSON, and in front of the text.
    key: &'static str,
    name: String,
    text: String,
    /// The user should do something.
    is_problem: bool,
    path: Option<PathBuf>,
}

impl Entry {
    fn new(key: &'static str, name: impl Into<String>, text: impl Into<String>) -> Entry {
        Entry { key, name: name.into(), text: text.into(), is_problem: false, path: None }
    }

    fn problem(self, is_problem: bool) -> Entry {
        Entry { is_problem, ..self }
    }

    fn at(self, path: impl Into<PathBuf>) -> Entry {
        Entry { path: Some(path.into()), ..self }
    }
}

/// Prints what was found; an error if something is missing that building and running on the emulator need.
pub fn run(options: &Options) -> Result<(), Error> {
    options.llvm.choose();
    let findings = toolchain::inventory();
    let mut entries = entries()?;
    entries.extend(other_llvms(&findings));
    let is_ready = toolchain::is_ready(&findings);
    match &options.json {
        Some(Some(path)) => output::json(path, &as_json(&findings, &entries, is_ready))?,
        Some(None) => output::line(as_json(&findings, &entries, is_ready))?,
        None => {}
    }
    if !matches!(options.json, Some(None)) {
        for finding in &findings {
            output::line(finding)?;
        }
        for Entry { name, text, .. } in &entries {
            output::line(format_args!("{name}: {text}"))?;
        }
        output::line(match is_ready {
            true => "Everything needed for building and running on the emulator was found.",
            false => "Something is missing: run `warpfold setup`, or follow the hints above.",
        })?;
    }
    if is_ready { Ok(()) } else { Err(Error::Unready) }
}

/// What else this program looks for.
fn entries() -> Result<Vec<Entry>, Error> {
    let mut entries = Vec::new();
    if let Some(prebuilt) = Prebuilt::find() {
        let text = format!("prebuilt ({})", prebuilt.prefix().display());
        entries.push(Entry::new("prebuilt_runtime", "device runtime", text).at(prebuilt.prefix()));
    }
    if let Ok(stock) = StockClang::find() {
        let clang = stock.clang.path.display();
        entries.push(runtime(&stock));
        // Where the linked runtime was installed, or where one would be.
        let linked = stock.runtime().and_then(|found| found.prefix().map(Path::to_path_buf));
        let prefix = linked.unwrap_or_else(|| stock.prefix.clone());
        if let Some(state) = installer::state(&prefix) {
            entries.push(
                Entry::new("installed", format!("installed into {}", prefix.display()), state).at(prefix),
            );
        }
        entries.push(cuda(&stock));
        if let Some((other, reason)) = StockClang::unusable_by_name() {
            let text = format!(
                "{} cannot offload with this runtime ({reason}); call {clang} instead",
                other.display()
            );
            entries.push(Entry::new("clang_in_path", "clang in PATH", text).problem(true).at(other));
        }
        entries.extend(HostOpenMp::find(&stock.clang.path).map(host_openmp));
    }
    entries.push(device());
    entries.push(engine());
    let cache = Cache::open()?.root().to_path_buf();
    entries.push(Entry::new("cache", "cache", cache.display().to_string()).at(cache));
    Ok(entries)
}

/// What executes kernels on the emulator.
fn engine() -> Entry {
    let entry = |text: String| Entry::new("engine", "emulated kernels", text);
    match code_generator() {
        Ok(path) => {
            entry(format!("those that run long are compiled for this machine by {}", path.display())).at(path)
        }
        Err(why) => entry(format!("interpreted: {why}")),
    }
}

/// The installed versions of LLVM that are not used.
fn other_llvms(findings: &[Finding]) -> Option<Entry> {
    let others = toolchain::other_llvms(findings);
    let (_, folder) = others.first()?.clone();
    let named = |(version, folder): &(toolchain::Version, PathBuf)| {
        let tried = toolchain::TRIED_LLVM.contains(&version.major);
        let untried = if tried { "" } else { " --llvm-untried" };
        format!("{version} ({}; --llvm {}{untried} uses it)", folder.display(), version.major)
    };
    let text = others.iter().map(named).collect::<Vec<_>>().join(", ");
    Some(Entry::new("other_llvm", "other versions of LLVM", text).at(folder))
}

fn as_json(findings: &[Finding], entries: &[Entry], is_ready: bool) -> Value {
    let tool = |finding: &Finding| {
        let (status, path, version, reason, hint) = match &finding.status {
            Status::Found { path, version } => ("found", Some(path), Some(version.to_string()), None, None),
            Status::Missing { hint } => ("missing", None, None, None, Some(hint)),
            Status::Unusable { path, reason, hint } => {
                ("unusable", Some(path), None, Some(reason), Some(hint))
            }
        };
        json!({
            "name": finding.name,
            "required_for": finding.required_for.to_string(),
            "required": finding.required_for.is_required(),
            "status": status,
            "path": path,
            "version": version,
            "reason": reason,
            "hint": hint,
        })
    };
    let mut object = Map::new();
    object.insert("version".into(), VERSION.into());
    object.insert("ready".into(), is_ready.into());
    object.insert("tools".into(), findings.iter().map(tool).collect());
    for Entry { key, text, is_problem, path, .. } in entries {
        object.insert((*key).into(), json!({ "text": text, "problem": is_problem, "path": path }));
    }
    object.into()
}

/// The runtime that clang links when it is called without `warpfold cc`.
fn runtime(stock: &StockClang) -> Entry {
    let name = format!("OpenMP runtime of plain {}", stock.clang.path.display());
    let entry = |text: String| Entry::new("device_runtime", name, text);
    let Some(found) = stock.runtime() else {
        return entry("none; `warpfold install` installs it (`warpfold cc` does not need it)".into());
    };
    let path = found.bitcode.display();
    let also = match found.has_archive {
        true => "",
        false => "; libompdevice.a is not beside it, so linking will fail: run `warpfold install`",
    };
    let text = match found.version.as_deref() {
        Some(VERSION) => format!("warpfold {VERSION} ({path}){also}"),
        Some(other) => {
            format!(
                "warpfold {other} ({path}), but this program is {VERSION}: `warpfold install` replaces it{also}"
            )
        }
        None => format!(
            "not warpfold's ({path}): `warpfold cc` links warpfold's; LIBRARY_PATH takes precedence{also}"
        ),
    };
    let is_right = found.has_archive && found.version.as_deref() == Some(VERSION);
    entry(text).problem(!is_right).at(found.bitcode)
}

/// The CUDA tools that clang finds without --cuda-path.
fn cuda(stock: &StockClang) -> Entry {
    let entry =
        |text: String| Entry::new("cuda", format!("CUDA of plain {}", stock.clang.path.display()), text);
    match toolchain::stock_cuda() {
        Some(found) if found.is_too_old() => entry(format!(
            "ptxas {} ({}), too old for clang 22: put a newer one first in PATH, or run `warpfold install --with-cuda`",
            found.version,
            found.folder.display()
        ))
        .problem(true)
        .at(found.folder),
        Some(found) => {
            entry(format!("ptxas {} ({})", found.version, found.folder.display())).at(found.folder)
        }
        None => entry(
            "none beside a ptxas in PATH, nor in /usr/local/cuda; `warpfold install --with-cuda` installs it"
                .into(),
        ),
    }
}

/// The OpenMP runtime of the host that programs load.
fn host_openmp(found: HostOpenMp) -> Entry {
    let path = found.path.display();
    let text = match found.is_old {
        false => path.to_string(),
        true => format!(
            "{path}, older than clang 22's omp.h: programs that use memory spaces, such as omp_default_mem_space, abort, \
             on the host too. Use predefined allocators, such as omp_default_mem_alloc, or put the folder of LLVM 22's \
             own libomp.so.5 (package libomp5-22 of apt.llvm.org) on LD_LIBRARY_PATH"
        ),
    };
    Entry::new("host_openmp", "OpenMP runtime of the host", text).problem(found.is_old).at(found.path)
}

/// The device that reductions would run on. Having no GPU is not an error.
fn device() -> Entry {
    let text = match Device::open(cuda_driver::Select::Auto) {
        Ok(device) => match device.kind() {
            DriverKind::Cuda => format!("{} (GPU)", device.name()),
            DriverKind::Emulator => format!("{} (no GPU was found)", device.name()),
        },
        Err(error) => return Entry::new("device", "device", format!("none: {error}")).problem(true),
    };
    Entry::new("device", "device", text)
}
