//! Decodes all functions of a program, then describes its kernels.

use std::collections::{BTreeSet, HashMap};

use super::body;
use super::decoder::{Decoder, Signature};
use crate::instruction::mark_blocks;
use crate::link::{Global, Layout, undefined};
use crate::program::{Kernel, LinkedProgram, Param};
use crate::text::{SyntaxError, UnitError, ast};

/// Functions by the sizes of their results and parameters.
type Targets = HashMap<Signature, Vec<u32>>;

/// Adds to a linked program the code of its functions and its kernels.
pub(crate) fn decode<'a>(
    modules: &'a [ast::Module<'a>],
    layout: Layout<'a>,
) -> Result<LinkedProgram, UnitError> {
    let definitions: Vec<Vec<&'a ast::Function<'a>>> =
        (0..modules.len()).map(|u| layout.symbols.functions(u).collect()).collect();
    let mut decoder = Decoder::new(layout);
    decoder.everything(modules, &definitions).map_err(|e| (decoder.unit, e))?;
    decoder.program.sources = decoder.sources.sources;
    let LinkedProgram { code, functions, .. } = &mut decoder.program;
    mark_blocks(code, functions.iter().filter(|f| f.defined).map(|f| f.start));
    Ok(decoder.program)
}

impl<'a> Decoder<'a> {
    fn everything(
        &mut self,
        modules: &'a [ast::Module<'a>],
        definitions: &[Vec<&'a ast::Function<'a>>],
    ) -> Result<(), SyntaxError> {
        for (u, (module, functions)) in modules.iter().zip(definitions).enumerate() {
            self.unit = u;
            self.program.unit_starts.push(self.program.code.len() as u32);
            self.sources.enter_module(module);
            for &f in functions {
                if let Some(body) = &f.body {
                    body::decode(self, module, f, body)?;
                }
            }
        }
        let targets = self.targets();
        for (u, functions) in definitions.iter().enumerate() {
            self.unit = u;
            for f in functions.iter().filter(|f| f.entry) {
                self.kernel(f, &targets)?;
            }
        }
        Ok(())
    }

    /// Adds the description of a kernel, after all functions are decoded.
    fn kernel(&mut self, f: &ast::Function<'a>, targets: &Targets) -> Result<(), SyntaxError> {
        let Some(Global::Function(number)) = self.name(f.name) else { return Ok(()) };
        let (shared, warp_bytes) = self.reach(number)?;
        let function = &self.program.functions[number as usize];
        self.program.kernels.push(Kernel {
            name: f.name.to_owned(),
            params: function.params.clone(),
            param_bytes: function.params.last().map_or(0, |p| p.offset + p.size),
            static_shared_bytes: shared,
            local_bytes: function.frame_bytes,
            recurses: self.recurses(number, targets),
            registers: (function.count32 + 2 * function.count64)
                .clamp(16, 32)
                .min(f.max_registers.unwrap_or(u32::MAX).max(1)),
            registers_known: false,
            max_threads: f.max_threads.map_or(1024, |n| n.min(u64::from(u32::MAX)) as u32),
            required_block: f.required,
            warp_bytes,
        });
        self.program.kernel_functions.push(number);
        Ok(())
    }

    /// The functions whose address is taken, by what a call has to look like.
    fn targets(&self) -> Targets {
        let sizes = |params: &[Param]| params.iter().map(|param| param.size).collect::<Vec<_>>();
        let mut targets = Targets::new();
        for number in self.address_taken.iter().copied().collect::<BTreeSet<u32>>() {
            let callee = &self.program.functions[number as usize];
            targets.entry((sizes(&callee.returns), sizes(&callee.params))).or_default().push(number);
        }
        targets
    }

    /// Whether a function below this one may be called below itself.
    fn recurses(&self, function: u32, targets: &Targets) -> bool {
        // A call through a pointer is a step of its own, so that the steps are as many as calls and functions.
        // Of what was begun whether it has ended.
        let (mut functions, mut pointers) = (HashMap::new(), HashMap::new());
        enum Step<'s> {
            Function(u32),
            Pointer(&'s Signature),
            EndOfFunction(u32),
            EndOfPointer(&'s Signature),
        }
        let mut todo = vec![Step::Function(function)];
        while let Some(step) = todo.pop() {
            match step {
                Step::Function(number) => match functions.insert(number, false) {
                    None => {
                        todo.push(Step::EndOfFunction(number));
                        let uses = &self.uses[number as usize];
                        todo.extend(uses.calls.iter().map(|callee| Step::Function(*callee)));
                        todo.extend(uses.indirect.iter().map(Step::Pointer));
                    }
                    Some(true) => drop(functions.insert(number, true)),
                    Some(false) => return true,
                },
                Step::Pointer(signature) => match pointers.insert(signature, false) {
                    None => {
                        todo.push(Step::EndOfPointer(signature));
                        let callees = targets.get(signature).into_iter().flatten();
                        todo.extend(callees.map(|callee| Step::Function(*callee)));
                    }
                    Some(true) => drop(pointers.insert(signature, true)),
                    Some(false) => return true,
                },
                Step::EndOfFunction(number) => drop(functions.insert(number, true)),
                Step::EndOfPointer(signature) => drop(pointers.insert(signature, true)),
            }
        }
        false
    }

    /// Visits every function that a function can reach. All of them must be defined; nvlink drops what is not
    /// reached, which may be missing. Returns the end of the shared memory that they use, and the bytes that
    /// a warp in all of them takes.
    fn reach(&mut self, function: u32) -> Result<(u32, u64), SyntaxError> {
        let mut seen = vec![false; self.uses.len()];
        let mut todo = vec![function];
        let (mut end, mut bytes) = (0, 0);
        let mut indirect = false;
        while let Some(f) = todo.pop() {
            if std::mem::replace(&mut seen[f as usize], true) {
                continue;
            }
            if let Some(&(unit, at)) = self.unresolved.get(&f) {
                self.unit = unit;
                return undefined(at, &self.program.functions[f as usize].name);
            }
            let uses = &self.uses[f as usize];
            end = end.max(uses.shared_end);
            bytes += self.program.functions[f as usize].warp_bytes();
            todo.extend(&uses.calls);
            if !uses.indirect.is_empty() && !std::mem::replace(&mut indirect, true) {
                todo.extend(&self.address_taken);
            }
        }
        Ok((end, bytes))
    }
}
