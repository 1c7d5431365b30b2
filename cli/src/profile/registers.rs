//! The registers of a kernel: as its machine code states them, or as ptxas allocates them.

use std::collections::HashMap;

use cuda_driver::profiles::{KernelProfile, Profiles};
use toolchain::{PtxasReport, Tool, Tools};

/// The registers of a thread, and how they are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Registers {
    /// The program's machine code states them.
    MachineCode(u32),
    /// ptxas of this version allocates them for the PTX.
    Ptxas(u32, String),
    /// They are not known, for this reason: they do not count for the occupancy.
    Unknown(String),
}

impl Registers {
    pub fn count(&self) -> Option<u32> {
        match self {
            Registers::MachineCode(count) | Registers::Ptxas(count, _) => Some(*count),
            Registers::Unknown(_) => None,
        }
    }
}

/// Finds the registers of kernels. Each text is assembled once.
pub struct Finder<'p> {
    profiles: &'p Profiles,
    /// The architecture to assemble for.
    sm: u32,
    tools: Option<Result<(Tools, Tool), String>>,
    reports: HashMap<(usize, usize), Result<PtxasReport, String>>,
}

impl<'p> Finder<'p> {
    pub fn new(profiles: &'p Profiles, sm: u32) -> Finder<'p> {
        Finder { profiles, sm, tools: None, reports: HashMap::new() }
    }

    /// The registers of a kernel.
    pub fn find(&mut self, kernel: &KernelProfile) -> Registers {
        match kernel.sum.registers {
            Some(count) => Registers::MachineCode(count),
            None => self.assembled(kernel).unwrap_or_else(Registers::Unknown),
        }
    }

    fn assembled(&mut self, kernel: &KernelProfile) -> Result<Registers, String> {
        let name = &kernel.sum.kernel;
        let texts = self.profiles.programs.get(kernel.program).map_or(&[][..], Vec::as_slice);
        let defines = |text: &String| {
            let mut entries = text.split(".entry").skip(1).map(str::trim_start);
            entries.any(|entry| {
                entry.strip_prefix(&**name).is_some_and(|rest| rest.starts_with(['(', ' ', '\n', '{', '\t']))
            })
        };
        let Some((at, text)) = texts.iter().enumerate().find(|(_, text)| defines(text)) else {
            return Err("no PTX of the kernel".into());
        };
        let tools = self.tools.get_or_insert_with(|| {
            let tools = Tools::find().map_err(|error| error.to_string())?;
            let ptxas = tools.ptxas_if_any().map_err(|error| error.to_string())?;
            Ok((tools, ptxas.ok_or("there is no ptxas; `warpfold setup` installs it")?))
        });
        let (tools, ptxas) = tools.as_ref().map_err(|error| first_line(error))?;
        let sm = self.sm;
        let assemble = || tools.ptxas_check(text, sm).map_err(|error| first_line(&error.to_string()));
        let report = self.reports.entry((kernel.program, at)).or_insert_with(assemble);
        let found = report.as_ref().map_err(Clone::clone)?.function(name);
        let found = found.filter(|found| found.registers != 0).ok_or("ptxas does not say them")?;
        Ok(Registers::Ptxas(found.registers, ptxas.version.to_string()))
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
