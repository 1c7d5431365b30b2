//! PTX modules, checked, linked to one program and decoded.

use std::collections::HashMap;

use crate::decode::{self, Linked};
use crate::fault::SourceLocation;
use crate::op::Instruction;
use crate::system::System;
use crate::text::ast::Linkage;
use crate::text::{self, Lines, SyntaxError};

/// Longest text that is read.
const MAX_TEXT: usize = 32 << 20;

/// Why PTX text was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[error("{name}:{line}:{column}: {message}")]
pub struct LoadError {
    /// Name of the text as given to [`Program::load`] or [`Program::link`].
    pub name: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What is wrong there, with the instruction's text if it is in one.
    pub message: String,
    /// The name that a text declares and none defines, if that is what is wrong.
    pub undefined: Option<String>,
}

/// A name that a PTX text shares with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The name.
    pub name: String,
    /// Whether the text defines it; else it wants it from another.
    pub defined: bool,
    /// Whether another text's definition goes before it.
    pub weak: bool,
    /// A kernel or function; else a variable.
    pub function: bool,
}

/// The names that a PTX text shares with others, each once.
///
/// # Errors
///
/// What is wrong with the text's syntax. Whether its instructions make sense is for [`Program::link`] to say.
pub fn declarations(name: &str, ptx: &[u8]) -> Result<Vec<Declaration>, LoadError> {
    let text = String::from_utf8_lossy(&ptx[..ptx.len().min(MAX_TEXT)]);
    let module = text::parse(&text).map_err(|error| {
        let (line, column) = Lines::new(&text).position(error.at);
        let (message, undefined) = (error.message, error.undefined);
        LoadError { name: name.to_owned(), line, column, message, undefined }
    })?;
    let functions = module.functions.iter().map(|f| (f.name, f.linkage, f.body.is_some(), true));
    let variables = module.variables.iter().map(|v| (v.name, v.linkage, v.linkage != Linkage::Extern, false));
    let mut known: HashMap<&str, usize> = HashMap::new();
    let mut found: Vec<Declaration> = Vec::new();
    for (name, linkage, defined, function) in functions.chain(variables) {
        // A function that is declared without `.extern` is the text's own.
        if linkage == Linkage::Local || !defined && linkage != Linkage::Extern {
            continue;
        }
        let new = Declaration { name: name.to_owned(), defined, weak: linkage == Linkage::Weak, function };
        match known.get(name) {
            Some(&at) if defined => found[at] = new,
            Some(_) => {}
            None => {
                known.insert(name, found.len());
                found.push(new);
            }
        }
    }
    Ok(found)
}

/// One parameter of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Param {
    /// Byte offset in the parameter block.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// Alignment in bytes.
    pub align: u32,
}

/// A kernel (`.entry`) of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Name of the entry.
    pub name: String,
    /// Its parameters in order.
    pub params: Vec<Param>,
    /// Bytes of the parameter block.
    pub param_bytes: u32,
    /// Bytes of static shared memory for the kernel and everything it can call. All kernels of a program
    /// share one layout, so this may count variables of others that lie before its own.
    pub static_shared_bytes: u32,
    /// Bytes of local memory of the kernel's own frame.
    pub local_bytes: u32,
    /// 32-bit registers for each thread. PTX registers are virtual: until [`Program::set_registers`] says what
    /// a compiler allocated this is a guess, from 16 to 32 and no more than `.maxnreg`.
    pub registers: u32,
    /// The most threads a block may have: `.maxntid`, `.reqntid`, or the machine's limit of 1024.
    pub max_threads: u32,
    /// `.reqntid`, if given: the only block shape allowed.
    pub required_block: Option<[u32; 3]>,
    /// Bytes of the host for the registers and frames of one warp that is in every function it can reach, once
    /// in each.
    pub(crate) warp_bytes: u64,
}

/// A function or kernel as the executor sees it.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub name: String,
    pub entry: bool,
    pub defined: bool,
    /// The system provides it.
    pub system: Option<System>,
    /// First instruction.
    pub start: u32,
    pub params: Vec<Param>,
    pub returns: Vec<Param>,
    /// End of parameters and results in the frame.
    pub param_end: u32,
    /// Bytes of local memory that a call takes.
    pub frame_bytes: u32,
    /// What the frame's place is a multiple of: at least 16.
    pub frame_align: u32,
    /// Register slots of each class.
    pub count32: u32,
    pub count64: u32,
    pub count_pred: u32,
    /// Names of the register slots, for faults: class by class.
    pub names32: Vec<String>,
    pub names64: Vec<String>,
    pub names_pred: Vec<String>,
}

impl Function {
    /// Bytes of the host that a call by a warp takes for registers and local memory.
    pub fn warp_bytes(&self) -> u64 {
        let of_a_lane =
            4 * u64::from(self.count32) + 8 * u64::from(self.count64) + u64::from(self.frame_bytes);
        32 * of_a_lane
    }

    pub fn new(name: &str, entry: bool) -> Function {
        Function {
            name: name.to_owned(),
            entry,
            defined: false,
            system: None,
            start: 0,
            params: Vec::new(),
            returns: Vec::new(),
            param_end: 0,
            frame_bytes: 0,
            frame_align: 16,
            count32: 0,
            count64: 0,
            count_pred: 0,
            names32: Vec::new(),
            names64: Vec::new(),
            names_pred: Vec::new(),
        }
    }
}

/// A symbol whose address is known once the program is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Symbol {
    Variable(u32),
    Function(u32),
    /// A generic address of shared memory, by offset.
    Shared(u32),
}

/// A 64-bit constant: a value, plus the address of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Word64 {
    pub symbol: Option<Symbol>,
    pub value: u64,
}

/// A part of an initialiser that is an address.
#[derive(Clone, Debug)]
pub(crate) struct InitialPart {
    pub at: u64,
    pub word: Word64,
    /// Bits by which the address is shifted right.
    pub shift: u32,
    /// Bytes written.
    pub size: u32,
}

/// A `.global` or `.const` variable.
#[derive(Clone, Debug)]
pub(crate) struct GlobalVariable {
    pub name: String,
    pub constant: bool,
    pub size: u64,
    pub align: u32,
    /// Initial bytes; the rest is zero.
    pub bytes: Vec<u8>,
    pub addresses: Vec<InitialPart>,
}

/// Where an instruction stands in the text, and number plus one of its source position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub at: u32,
    pub end: u32,
    pub location: u32,
}

/// Source positions of the lines of a PTX text, from elsewhere than its `.loc` directives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineTable {
    files: Vec<String>,
    /// Line of the text, number of the file and line in it, in the order of the text.
    lines: Vec<(u32, u32, u32)>,
}

impl LineTable {
    /// A table of (line of the text, index into `files`, line in that file), lines counted from 1. Of several for a
    /// line of the text the first counts; a file that is not there is none.
    pub fn new(files: Vec<String>, mut lines: Vec<(u32, u32, u32)>) -> LineTable {
        lines.retain(|&(_, file, _)| (file as usize) < files.len());
        lines.sort_by_key(|&(line, _, _)| line);
        lines.dedup_by_key(|&mut (line, _, _)| line);
        LineTable { files, lines }
    }

    /// The position of a line of the text.
    fn find(&self, line: u32) -> Option<SourceLocation> {
        let at = self.lines.binary_search_by_key(&line, |&(line, _, _)| line).ok()?;
        let (_, file, line) = self.lines[at];
        Some(SourceLocation { file: self.files[file as usize].clone(), line, column: 0, function: None })
    }
}

/// A PTX text of a program.
#[derive(Debug)]
struct Unit {
    name: String,
    text: String,
    lines: Lines,
    sources: LineTable,
}

/// A program that machines can load.
#[derive(Debug)]
pub struct Program {
    name: String,
    units: Vec<Unit>,
    target_sm: u32,
    pub(crate) linked: Linked,
}

impl Program {
    /// Reads PTX text; a trailing NUL is allowed. Everything a launch could stumble over is looked at
    /// here: an unknown instruction is refused with its text, line and column.
    pub fn load(name: &str, ptx: &[u8]) -> Result<Program, LoadError> {
        Program::link(name, &[(name, ptx)])
    }

    /// Links PTX texts, each with a name of its own, to one program, by the rules of nvlink:
    ///
    /// - A name without linkage directive belongs to its text.
    /// - `.extern` stands for the definition of another text. What no text defines, and a kernel needs, is
    ///   refused; an `.extern .shared` array without a length is the block's dynamic shared memory.
    /// - A `.visible` definition goes before `.weak` ones, and the first of several `.weak` ones before the others;
    ///   two `.visible` ones are refused.
    /// - `.common` variables are one variable, as large as the largest of them.
    /// - Declarations must agree in state space, size, and sizes of parameters.
    ///
    /// A text that is the same as an earlier one is left out.
    ///
    /// # Errors
    ///
    /// What is wrong, with the name of the text and the line. All texts together may have 32 MiB.
    pub fn link(name: &str, texts: &[(&str, &[u8])]) -> Result<Program, LoadError> {
        let refuse = |name: &str, line, column, message| {
            Err(LoadError { name: name.to_owned(), line, column, message, undefined: None })
        };
        let mut units: Vec<Unit> = Vec::with_capacity(texts.len());
        let mut left = MAX_TEXT;
        for &(name, ptx) in texts {
            match left.checked_sub(ptx.len()) {
                Some(less) => left = less,
                None => return refuse(name, 1, 1, format!("the text is longer than {MAX_TEXT} bytes")),
            }
            let ptx = ptx.split(|&b| b == 0).next().unwrap_or_default();
            let text = String::from_utf8_lossy(ptx).into_owned();
            if units.iter().all(|known| known.text != text) {
                units.push(Unit {
                    name: name.to_owned(),
                    lines: Lines::new(&text),
                    text,
                    sources: LineTable::default(),
                });
            }
        }
        if units.is_empty() {
            return refuse(name, 1, 1, "there is no PTX here".into());
        }
        let names: Vec<&str> = units.iter().map(|u| &u.name[..]).collect();
        let parsed = units.iter().enumerate().map(|(u, unit)| text::parse(&unit.text).map_err(|e| (u, e)));
        let linked = parsed.collect::<Result<Vec<_>, _>>().and_then(|modules| {
            let target_sm = modules.iter().map(|m| m.target_sm).max().unwrap_or(0);
            Ok((target_sm, decode::link(&modules, &names)?))
        });
        match linked {
            Ok((target_sm, linked)) => Ok(Program { name: name.to_owned(), units, target_sm, linked }),
            Err((unit, error)) => {
                let unit = &units[unit];
                let (line, column) = unit.lines.position(error.at);
                let SyntaxError { message, undefined, .. } = error;
                Err(LoadError { name: unit.name.clone(), line, column, message, undefined })
            }
        }
    }

    /// The name given to [`Program::load`] or [`Program::link`].
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The kernels in the order of the texts.
    pub fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        self.linked.kernels.iter()
    }

    /// The kernel of this name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.linked.kernels.iter().find(|k| k.name == name)
    }

    /// The bytes that the `.global` or `.const` variable of this name has at first, with zeros in place of addresses and
    /// without zeros at the end; if there are several of that name, the first one's.
    pub fn initial_bytes(&self, variable: &str) -> Option<&[u8]> {
        self.linked.variables.iter().find(|known| known.name == variable).map(|known| &known.bytes[..])
    }

    /// Sets the registers of a thread of a kernel, where a compiler has told them. False if there is no such
    /// kernel.
    pub fn set_registers(&mut self, kernel: &str, registers: u32) -> bool {
        let found = self.linked.kernels.iter_mut().find(|k| k.name == kernel);
        found.map(|kernel| kernel.registers = registers).is_some()
    }

    /// Gives source positions to a text, by its name, for its instructions that no `.loc` precedes. False if there is
    /// no such text, or it was left out.
    pub fn set_sources(&mut self, unit: &str, sources: LineTable) -> bool {
        let found = self.units.iter_mut().find(|known| known.name == unit);
        found.map(|unit| unit.sources = sources).is_some()
    }

    /// The number in `.target sm_…`, the highest of several.
    pub fn target_sm(&self) -> u32 {
        self.target_sm
    }

    /// The text that an instruction stands in.
    fn unit(&self, pc: u32) -> &Unit {
        let after = self.linked.unit_starts.partition_point(|&start| start <= pc);
        &self.units[after - 1]
    }

    /// Line and text of an instruction.
    pub(crate) fn instruction_text(&self, pc: u32) -> (u32, &str) {
        let (place, unit) = (self.linked.places[pc as usize], self.unit(pc));
        (unit.lines.position(place.at).0, &unit.text[place.at as usize..place.end as usize])
    }

    /// Name of the text that an instruction stands in, if the program has several.
    pub(crate) fn unit_name(&self, pc: u32) -> Option<&str> {
        (self.units.len() > 1).then(|| &self.unit(pc).name[..])
    }

    /// Source position of an instruction, and where it was inlined, innermost first.
    pub(crate) fn source(&self, pc: u32) -> (Option<SourceLocation>, Vec<SourceLocation>) {
        let place = self.linked.places[pc as usize];
        match self.linked.sources.find(place.location) {
            (None, _) => {
                let unit = self.unit(pc);
                (unit.sources.find(unit.lines.position(place.at).0), Vec::new())
            }
            found => found,
        }
    }

    /// The instruction at a pc.
    #[inline]
    pub(crate) fn instruction(&self, pc: u32) -> &Instruction {
        &self.linked.code[pc as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_texts_share() {
        let ptx = ".version 8.3\n.target sm_90\n.address_size 64\n\
            .extern .func wanted;\n.extern .global .b32 there;\n.visible .func both;\n.func own;\n\
            .weak .global .b32 here = 1;\n.global .b32 mine;\n\
            .visible .func both { ret; }\n.func own { ret; }\n.weak .entry k() { ret; }\n";
        let found = declarations("x", ptx.as_bytes()).unwrap();
        let has = |name: &str, defined, weak, function| {
            found.contains(&Declaration { name: name.to_owned(), defined, weak, function })
        };
        assert!(has("wanted", false, false, true) && has("there", false, false, false), "{found:?}");
        assert!(has("both", true, false, true) && has("k", true, true, true), "{found:?}");
        assert!(has("here", true, true, false) && found.len() == 5, "{found:?}");
        assert_eq!(declarations("x", b".version 8.3\n.target\n{").unwrap_err().line, 3);
    }
}
