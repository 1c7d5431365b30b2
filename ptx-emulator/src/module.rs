//! A program in a machine's memory: its variables and functions have addresses, and its constants have
//! values.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::compile::CompiledFunctions;
use crate::memory::address_space::{CODE_BASE, SHARED_BASE};
use crate::memory::global::Purpose;
use crate::memory::{ConcurrentMemory, MemoryError};
use crate::program::{Constant64, MAX_FUNCTIONS, Program, Symbol};
use crate::semantics::{Aligned, LANES, Plane32, Plane64};

/// Bytes between the addresses of functions.
const FUNCTION_STRIDE: u64 = 16;
/// Function addresses set aside for each module: the most it can have.
const FUNCTIONS_PER_MODULE: u64 = MAX_FUNCTIONS as u64;

fn code_base(module: u64) -> u64 {
    CODE_BASE + module * FUNCTIONS_PER_MODULE * FUNCTION_STRIDE
}

/// The constants of a loaded program as register planes, so that operands are fetched like registers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constants {
    pub b32: Vec<Aligned<Plane32>>,
    pub b64: Vec<Aligned<Plane64>>,
}

/// A program in a machine's memory: its variables have addresses.
#[derive(Clone, Debug)]
pub struct LoadedModule {
    inner: Arc<ModuleData>,
}

#[derive(Debug)]
struct ModuleData {
    program: Arc<Program>,
    /// The module's number in its machine, which determines the addresses of its functions.
    number: u64,
    /// Address and size of each variable of the program.
    variables: Vec<(u64, u64)>,
    constants: Constants,
    compiled: Arc<CompiledFunctions>,
}

impl LoadedModule {
    /// The program that was loaded.
    pub fn program(&self) -> &Arc<Program> {
        &self.inner.program
    }

    /// Address and size in bytes of a `.global` or `.const` variable.
    pub fn global(&self, name: &str) -> Option<(u64, u64)> {
        let at = self.inner.program.linked.variables.iter().position(|v| v.name == name)?;
        Some(self.inner.variables[at])
    }

    /// Address and size in bytes of each managed variable: memory of the host, which the machine frees when the module
    /// is unloaded.
    pub fn managed(&self) -> impl Iterator<Item = (u64, u64)> {
        let declared = self.inner.program.linked.variables.iter();
        declared.zip(&self.inner.variables).filter(|(v, _)| v.managed).map(|(_, &place)| place)
    }

    /// Why functions were not compiled for the host.
    pub fn compilation_failures(&self) -> Vec<String> {
        self.inner.compiled.failures()
    }

    #[inline]
    pub(crate) fn compiled(&self) -> &Arc<CompiledFunctions> {
        &self.inner.compiled
    }

    #[inline]
    pub(crate) fn constants(&self) -> &Constants {
        &self.inner.constants
    }

    /// The number of the function at an address; `None` if none of the module's functions starts there.
    pub(crate) fn function_at(&self, address: u64) -> Option<usize> {
        let offset = address.wrapping_sub(code_base(self.inner.number));
        offset.is_multiple_of(FUNCTION_STRIDE).then_some((offset / FUNCTION_STRIDE) as usize)
    }

    /// Places a program's variables in memory and writes their initial values. `modules` counts the modules
    /// that the machine has loaded.
    pub(crate) fn new(
        program: &Arc<Program>,
        modules: &AtomicU64,
        memory: &ConcurrentMemory,
    ) -> Result<LoadedModule, MemoryError> {
        let linked = &program.linked;
        let mut variables = Vec::with_capacity(linked.variables.len());
        for v in &linked.variables {
            let purpose = if v.constant { Purpose::Constant } else { Purpose::Variable };
            // Bound first: as a scrutinee the lock would be held in the arms, which take it again.
            let allocated = match v.managed {
                true => memory.change().allocate_host(v.size),
                false => memory.change().allocate(v.size, u64::from(v.align), purpose),
            };
            match allocated {
                Ok(address) => variables.push((address, v.size)),
                Err(source) => {
                    variables.iter().for_each(|v| drop(memory.change().free(v.0)));
                    return Err(source);
                }
            }
        }
        let number = modules.fetch_add(1, Ordering::Relaxed);
        let value = |constant: Constant64| {
            let base = match constant.symbol {
                None => 0,
                Some(Symbol::Variable(v)) => variables[v as usize].0,
                Some(Symbol::Function(f)) => code_base(number) + u64::from(f) * FUNCTION_STRIDE,
                Some(Symbol::Shared(offset)) => SHARED_BASE + u64::from(offset),
            };
            base.wrapping_add(constant.value)
        };
        let view = memory.view();
        for (v, &(address, _)) in linked.variables.iter().zip(&variables) {
            let (a, start) = view.locate(address, v.size)?;
            a.region.write(start, &v.bytes);
            for address in &v.addresses {
                let bits = (value(address.value) >> address.shift).to_le_bytes();
                a.region.write(start + address.at as usize, &bits[..address.size as usize]);
            }
        }
        let constants = Constants {
            b32: linked.constants32.iter().map(|&w| Aligned([w; LANES])).collect(),
            b64: linked.constants64.iter().map(|&w| Aligned([value(w); LANES])).collect(),
        };
        let compiled = Arc::new(CompiledFunctions::new(linked.functions.len()));
        let inner = ModuleData { program: program.clone(), number, variables, constants, compiled };
        Ok(LoadedModule { inner: Arc::new(inner) })
    }

    /// Frees the variables.
    pub(crate) fn unload(&self, memory: &ConcurrentMemory) -> Result<(), MemoryError> {
        self.inner.variables.iter().try_for_each(|v| memory.change().free(v.0))
    }
}
