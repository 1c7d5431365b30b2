//! The machine code of a kernel: registers as its program's code states them, or as ptxas allocates them, and the
//! instructions that a launch executes.

use std::collections::HashMap;

use cuda_driver::profiles::{KernelProfile, Profiles};
use toolchain::{MachineCode, Tool, Tools};

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

/// What is known of a kernel's machine code.
pub struct Code {
    pub registers: Registers,
    /// The instructions that one launch executes, by warps; see [`MachineCode::executed`].
    pub instructions: Option<f64>,
}

/// Finds what is known of the machine code of kernels. Each text is assembled once.
pub struct Finder<'p> {
    profiles: &'p Profiles,
    /// The architecture to assemble for.
    sm: u32,
    tools: Option<Result<(Tools, Tool), String>>,
    /// The machine code of each text, or why there is none.
    known: HashMap<(usize, usize), Result<MachineCode, String>>,
}

impl<'p> Finder<'p> {
    pub fn new(profiles: &'p Profiles, sm: u32) -> Finder<'p> {
        Finder { profiles, sm, tools: None, known: HashMap::new() }
    }

    /// The machine code of a kernel.
    pub fn find(&mut self, kernel: &KernelProfile) -> Code {
        let assembled = self.assembled(kernel);
        let executed = assembled.as_ref().ok().and_then(|assembled| assembled.1);
        let instructions = executed.map(|executed| executed / kernel.launches.max(1) as f64);
        let registers = match (kernel.sum.registers, assembled) {
            (Some(count), _) => Registers::MachineCode(count),
            (None, Ok((registers, _))) => registers,
            (None, Err(why)) => Registers::Unknown(why),
        };
        Code { registers, instructions }
    }

    /// What ptxas makes of the kernel: registers, and the instructions of all launches if all texts of its program are
    /// assembled.
    fn assembled(&mut self, kernel: &KernelProfile) -> Result<(Registers, Option<f64>), String> {
        let tools = self.tools.get_or_insert_with(find_tools).as_ref().map_err(|error| first_line(error))?;
        let texts = self.profiles.programs.get(kernel.program).map_or(&[][..], Vec::as_slice);
        let (mut registers, mut executed, mut failure) = (None, 0.0, None);
        for (number, text) in texts.iter().enumerate() {
            let assemble = || tools.0.machine_code(text, self.sm, texts.len() > 1);
            let code = self.known.entry((kernel.program, number));
            match code.or_insert_with(|| assemble().map_err(|error| first_line(&error.to_string()))) {
                Ok(code) => {
                    executed += code.executed(&kernel.text_lines(number));
                    let found = code.report.function(&kernel.sum.kernel);
                    registers = registers.or(found.map(|found| found.registers).filter(|count| *count != 0));
                }
                Err(error) => failure = Some(error.clone()),
            }
        }
        match registers {
            Some(count) => {
                let executed = failure.is_none().then_some(executed);
                Ok((Registers::Ptxas(count, tools.1.version.to_string()), executed))
            }
            None => Err(failure.unwrap_or_else(|| "no PTX of the kernel".to_owned())),
        }
    }
}

fn find_tools() -> Result<(Tools, Tool), String> {
    let tools = Tools::find().map_err(|error| error.to_string())?;
    let ptxas = tools.ptxas_if_any().map_err(|error| error.to_string())?;
    Ok((tools, ptxas.ok_or("there is no ptxas; `warpfold setup` installs it")?))
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
