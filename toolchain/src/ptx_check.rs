//! Checks PTX with NVIDIA's assembler, and reports the resources that each function uses.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::IoContext;
use crate::find::{NO_TOOL, PTXAS_VARIABLE, find_ptxas};
use crate::process::{command, run};
use crate::tool::{PTXAS_HINT, missing};
use crate::{Error, Purpose, Tool, Tools};

/// The report of `ptxas -v` on a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PtxasReport {
    /// Kernels, and functions that were not inlined.
    pub functions: Vec<FunctionUse>,
    /// Warnings.
    pub warnings: Vec<String>,
}

impl PtxasReport {
    /// The function or kernel of this name.
    pub fn function(&self, name: &str) -> Option<&FunctionUse> {
        self.functions.iter().find(|function| function.name == name)
    }
}

/// Resources of one function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionUse {
    /// Its symbol.
    pub name: String,
    /// 32-bit registers per thread (kernels only).
    pub registers: u32,
    /// Barriers in use (kernels only).
    pub barriers: u32,
    /// Static shared memory in bytes (kernels only).
    pub shared: u32,
    /// Stack frame per thread in bytes.
    pub stack: u32,
    /// Spilled bytes stored.
    pub spill_stores: u32,
    /// Spilled bytes loaded.
    pub spill_loads: u32,
}

impl Tools {
    /// Finds ptxas.
    ///
    /// # Errors
    /// [`Error::ToolMissing`] with every candidate.
    pub fn ptxas(&self) -> Result<Tool, Error> {
        if let Some(saved) = &self.saved
            && let Some(ptxas) = &saved.ptxas
        {
            return Ok(ptxas.clone());
        }
        find_ptxas(Some(self.cache.base()))
            .map_err(|rejected| missing("ptxas", Purpose::PtxCheck, &rejected, PTXAS_HINT))
    }

    /// Finds ptxas; `None` if there is none or with `WARPFOLD_PTXAS=none`.
    ///
    /// # Errors
    /// [`Error::ToolMissing`] if `WARPFOLD_PTXAS` names an unusable program.
    pub fn ptxas_if_any(&self) -> Result<Option<Tool>, Error> {
        let named = std::env::var_os(PTXAS_VARIABLE).is_some_and(|path| !path.is_empty() && path != NO_TOOL);
        match self.ptxas() {
            Ok(ptxas) => Ok(Some(ptxas)),
            Err(error) if named => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// The CUDA folder of ptxas, as clang expects it for `--cuda-path`.
    ///
    /// # Errors
    /// As [`Tools::ptxas`].
    pub fn cuda_dir(&self) -> Result<PathBuf, Error> {
        let ptxas = self.ptxas()?.path;
        Ok(ptxas.parent().and_then(Path::parent).unwrap_or(Path::new("/")).to_path_buf())
    }

    /// Assembles `ptx` for `sm_<sm>` at ptxas's default level (-O3), discards the code and returns the
    /// report.
    ///
    /// ptxas of CUDA 13 supports sm_75 and newer only.
    ///
    /// # Errors
    /// [`Error::ToolMissing`] without ptxas, [`Error::Command`] if it rejects the PTX.
    pub fn ptxas_check(&self, ptx: &str, sm: u32) -> Result<PtxasReport, Error> {
        let ptxas = self.ptxas()?;
        let scratch = self.cache.scratch()?;
        let source = scratch.path().join("module.ptx");
        fs::write(&source, ptx).at("write", &source)?;
        let output = run(command(&ptxas.path)
            .args(["-v", &format!("-arch=sm_{sm}"), "-o"])
            .arg(scratch.path().join("module.cubin"))
            .arg(&source))?;
        Ok(parse(&String::from_utf8_lossy(&output.stderr)))
    }
}

/// Reads what `ptxas -v` prints.
pub(crate) fn parse(text: &str) -> PtxasReport {
    let mut report = PtxasReport::default();
    let mut current: Option<usize> = None;
    for line in text.lines() {
        if line.contains("warning") {
            report.warnings.push(line.trim().to_string());
        } else if let Some(name) = name_after(line, "entry function '").or_else(|| properties_of(line)) {
            let known = report.functions.iter().position(|function| function.name == name);
            current = Some(known.unwrap_or_else(|| {
                report.functions.push(FunctionUse { name: name.to_string(), ..FunctionUse::default() });
                report.functions.len() - 1
            }));
        } else if let Some(function) = current.and_then(|index| report.functions.get_mut(index)) {
            read_uses(line, function);
        }
    }
    report
}

fn name_after<'a>(line: &'a str, marker: &str) -> Option<&'a str> {
    line.split_once(marker)?.1.split('\'').next()
}

fn properties_of(line: &str) -> Option<&str> {
    line.split_once("Function properties for ").map(|(_, name)| name.trim())
}

/// Parses `Used 10 registers, used 1 barriers, 128 bytes smem` and `0 bytes stack frame, 0 bytes spill stores, …`.
fn read_uses(line: &str, function: &mut FunctionUse) {
    let line = line.trim_start_matches("ptxas info").trim_start_matches([' ', ':']);
    for entry in line.split(',') {
        let entry = entry.trim().trim_start_matches("Used ").trim_start_matches("used ");
        let Some((number, resource)) = entry.split_once(' ') else { continue };
        let Ok(number) = number.parse() else { continue };
        match resource {
            "registers" => function.registers = number,
            "barriers" => function.barriers = number,
            "bytes smem" => function.shared = number,
            "bytes stack frame" => function.stack = number,
            "bytes spill stores" => function.spill_stores = number,
            "bytes spill loads" => function.spill_loads = number,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_ptxas_prints() {
        let report = parse(
            "ptxas info    : 0 bytes gmem\n\
             ptxas info    : Compiling entry function 'k' for 'sm_90'\n\
             ptxas info    : Function properties for k\n    \
                 8 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n\
             ptxas info    : Used 10 registers, used 1 barriers, 128 bytes smem, 400 bytes cmem[0]\n\
             ptxas info    : Function properties for helper\n    \
                 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n\
             ptxas warning : something odd\n",
        );
        let k = FunctionUse {
            name: "k".into(),
            registers: 10,
            barriers: 1,
            shared: 128,
            stack: 8,
            spill_stores: 12,
            spill_loads: 16,
        };
        assert_eq!(report.function("k"), Some(&k));
        assert_eq!(report.functions.len(), 2);
        assert_eq!(report.warnings, ["ptxas warning : something odd"]);
    }
}
