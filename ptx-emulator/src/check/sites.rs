//! The instructions that access memory.

use std::collections::HashMap;
use std::sync::Arc;

use super::finding::SiteInfo;
use super::values::{FunctionReads, UsePoint, is_certainly_used, swaps};
use crate::instruction::Op;
use crate::memory::{MemoryOrder, Scope};
use crate::observer::{AccessKind, WarpAccess};
use crate::program::Program;

/// The site of the host's accesses.
pub(super) const HOST_SITE: u16 = 0;

/// All sites of all programs.
#[derive(Clone, Debug)]
pub(super) struct Sites {
    list: Vec<SiteInfo>,
    /// The index of each instruction's site, by the address of its program and its pc.
    numbers: HashMap<(usize, u32), u16>,
    /// The sites whose values an instruction may use, and whether they decide which lanes execute it.
    uses: HashMap<(usize, u32), Vec<(u16, bool)>>,
    /// What the instructions of functions read, by the address of the program and the function's first instruction.
    reads: HashMap<(usize, u32), FunctionReads>,
}

impl Default for Sites {
    fn default() -> Sites {
        let host = SiteInfo {
            program: None,
            pc: 0,
            kind: AccessKind::Store,
            strong: false,
            block_scope: false,
            swaps: false,
            size: 0,
            used_at: None,
        };
        Sites { list: vec![host], numbers: HashMap::new(), uses: HashMap::new(), reads: HashMap::new() }
    }
}

impl Sites {
    /// All of them, by index.
    #[inline]
    pub fn all(&self) -> &[SiteInfo] {
        &self.list
    }

    pub fn get(&self, index: u16) -> &SiteInfo {
        &self.list[usize::from(index)]
    }

    /// The site of an instruction.
    pub fn find(&mut self, program: &Arc<Program>, access: &WarpAccess<'_>) -> u16 {
        let key = (Arc::as_ptr(program) as usize, access.pc);
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        // The last index says that there are several readers.
        let number = match u16::try_from(self.list.len()) {
            Ok(number) if number < u16::MAX => number,
            _ => return 1,
        };
        let swaps = swaps(program, access.pc);
        let strong = access.kind == AccessKind::Atomic || access.order != MemoryOrder::Weak || swaps;
        let used_at = if strong { None } else { self.uses_after(program, access.pc) };
        for point in used_at.iter().flatten() {
            self.uses.entry((key.0, point.pc)).or_default().push((number, point.by_guard));
        }
        self.numbers.insert(key, number);
        self.list.push(SiteInfo {
            program: Some(program.clone()),
            pc: access.pc,
            kind: access.kind,
            strong,
            block_scope: strong && access.scope == Scope::Cta && access.order != MemoryOrder::Weak,
            swaps,
            size: access.size,
            used_at: used_at.map(Vec::into_boxed_slice),
        });
        number
    }

    /// Where the value of a load may be used, if some threads may not use it.
    fn uses_after(&mut self, program: &Arc<Program>, pc: u32) -> Option<Vec<UsePoint>> {
        let Op::Load(load) = &program.instruction(pc).op else { return None };
        if is_certainly_used(program, pc, load) {
            return None;
        }
        let function = program.function_range(pc);
        let reads = self.reads.entry((Arc::as_ptr(program) as usize, function.start));
        let reads = reads.or_insert_with(|| FunctionReads::new(program, function));
        Some(reads.uses(program, load))
    }

    /// The sites whose values an instruction may use, and whether they decide which lanes execute it.
    pub fn used_by(&self, program: &Arc<Program>, pc: u32) -> &[(u16, bool)] {
        self.uses.get(&(Arc::as_ptr(program) as usize, pc)).map_or(&[], Vec::as_slice)
    }
}
