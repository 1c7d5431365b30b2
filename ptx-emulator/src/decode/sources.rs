//! Source positions from `.file` and `.loc` directives.

use std::collections::HashMap;

use crate::source::{SourcePosition, SourcePositions};
use crate::text::ast::{Inlined, Module, Position};

/// The most bytes of a function's name: many labels may point into one long string.
const MAX_NAME: usize = 256;

/// The state while positions are read.
#[derive(Debug, Default)]
pub(super) struct SourceReader<'a> {
    pub sources: SourcePositions,
    numbers: HashMap<SourcePosition, u32>,
    /// Of the current module: its files, and the names of inlined functions by label and offset.
    files: HashMap<u64, u32>,
    functions: HashMap<(&'a str, u64), u32>,
    /// Of the current function: the last number of each position.
    latest: HashMap<Position, u32>,
}

impl<'a> SourceReader<'a> {
    /// Starts a module.
    pub fn enter_module(&mut self, module: &Module<'a>) {
        self.functions.clear();
        self.files.clear();
        for (number, name) in &module.files {
            self.files.insert(*number, self.sources.files.len() as u32 + 1);
            self.sources.files.push(name.clone());
        }
    }

    /// Starts a function.
    pub fn enter_function(&mut self) {
        self.latest.clear();
    }

    /// The number of a position, from 1.
    pub fn position(&mut self, module: &Module<'a>, at: Position, inlined: Option<&Inlined<'a>>) -> u32 {
        let inlined_at = match inlined.and_then(|inlined| inlined.at) {
            None => 0,
            Some(at) => match self.latest.get(&at) {
                Some(&known) => known,
                None => self.number(at, 0, 0),
            },
        };
        let function = inlined.and_then(|inlined| inlined.function);
        let function = function.map_or(0, |name| self.function(module, name));
        let number = self.number(at, function, inlined_at);
        self.latest.insert(at, number);
        number
    }

    fn number(&mut self, (file, line, column): Position, function: u32, inlined_at: u32) -> u32 {
        let file = self.files.get(&file).copied().unwrap_or(0);
        let position = SourcePosition { file, line, column, function, inlined_at };
        let positions = &mut self.sources.positions;
        *self.numbers.entry(position).or_insert_with(|| {
            positions.push(position);
            positions.len() as u32
        })
    }

    /// The number of an inlined function's name, from 1; the label itself stands for a missing name.
    fn function(&mut self, module: &Module<'a>, (label, offset): (&'a str, u64)) -> u32 {
        let functions = &mut self.sources.functions;
        *self.functions.entry((label, offset)).or_insert_with(|| {
            let start = module.string_labels.get(label).map(|&at| at as u64);
            let start = start.and_then(|at| usize::try_from(at.checked_add(offset)?).ok());
            let bytes = start.and_then(|at| module.strings.get(at..)).unwrap_or(label.as_bytes());
            let bytes = &bytes[..bytes.len().min(MAX_NAME)];
            let name = bytes.split(|&b| b == 0).next().unwrap_or_default();
            functions.push(String::from_utf8_lossy(name).into_owned());
            functions.len() as u32
        })
    }
}
