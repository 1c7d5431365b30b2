//! `warpfold doctor`: lists the tools found and missing on this machine.

use std::path::Path;

use host_rt::{Device, DriverKind};
use toolchain::{Cache, Prebuilt, StockClang};

use crate::{error::Error, install, output, package::VERSION};

/// `doctor` takes no options.
#[derive(clap::Args)]
pub struct Options {}

/// Prints what was found; an error if something is missing that building and running on the emulator need.
pub fn run(_: &Options) -> Result<(), Error> {
    let findings = toolchain::inventory();
    for finding in &findings {
        output::line(finding)?;
    }
    if let Some(prebuilt) = Prebuilt::find() {
        output::line(format_args!("device runtime: prebuilt ({})", prebuilt.prefix().display()))?;
    }
    if let Ok(stock) = StockClang::find() {
        output::line(format_args!(
            "OpenMP runtime of plain {}: {}",
            stock.clang.path.display(),
            runtime(&stock)
        ))?;
        // Where the linked runtime was installed, or where one would be.
        let linked = stock.runtime().and_then(|found| found.prefix().map(Path::to_path_buf));
        let prefix = linked.unwrap_or_else(|| stock.prefix.clone());
        if let Some(state) = install::state(&prefix) {
            output::line(format_args!("installed into {}: {state}", prefix.display()))?;
        }
        output::line(format_args!("CUDA of plain {}: {}", stock.clang.path.display(), cuda()))?;
        if let Some((clang, reason)) = StockClang::unusable_by_name() {
            output::line(format_args!(
                "clang in PATH: {} cannot offload with this runtime ({reason}); call {} instead",
                clang.display(),
                stock.clang.path.display()
            ))?;
        }
    }
    output::line(format_args!("device: {}", device()))?;
    output::line(format_args!("cache: {}", Cache::open()?.root().display()))?;
    if toolchain::is_ready(&findings) {
        output::line("Everything needed for building and running on the emulator was found.")
    } else {
        output::line("Something is missing: run `warpfold setup`, or follow the hints above.")?;
        Err(Error::Unready)
    }
}

/// The runtime that clang links when it is called without `warpfold cc`.
fn runtime(stock: &StockClang) -> String {
    let Some(found) = stock.runtime() else {
        return "none; `warpfold install` installs it (`warpfold cc` does not need it)".into();
    };
    let path = found.bitcode.display();
    let also = match found.has_archive {
        true => "",
        false => "; libompdevice.a is not beside it, so linking will fail: run `warpfold install`",
    };
    match found.version.as_deref() {
        Some(VERSION) => format!("warpfold {VERSION} ({path}){also}"),
        Some(other) => {
            format!(
                "warpfold {other} ({path}), but this program is {VERSION}: `warpfold install` replaces it{also}"
            )
        }
        None => format!(
            "not warpfold's ({path}): `warpfold cc` links warpfold's; LIBRARY_PATH takes precedence{also}"
        ),
    }
}

/// The CUDA tools that clang finds without --cuda-path.
fn cuda() -> String {
    match toolchain::stock_cuda() {
        Some(found) if found.is_too_old() => format!(
            "ptxas {} ({}), too old for clang 22: put a newer one first in PATH, or run `warpfold install --with-cuda`",
            found.version,
            found.folder.display()
        ),
        Some(found) => format!("ptxas {} ({})", found.version, found.folder.display()),
        None => {
            "none beside a ptxas in PATH, nor in /usr/local/cuda; `warpfold install --with-cuda` installs it"
                .into()
        }
    }
}

/// The device that reductions would run on. Having no GPU is not an error.
fn device() -> String {
    match Device::open(cuda_driver::Select::Auto) {
        Ok(device) => match device.kind() {
            DriverKind::Cuda => format!("{} (GPU)", device.name()),
            DriverKind::Emulator => format!("{} (no GPU was found)", device.name()),
        },
        Err(error) => format!("none: {error}"),
    }
}
