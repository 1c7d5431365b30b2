//! The syntax tree to a linked, decoded program.

mod arith;
mod bits;
mod control;
mod function;
mod memory;
mod mods;
mod moves;
mod operand;
mod sync;

use std::collections::{HashMap, HashSet};

use crate::fault::{SourceLocation, clip};
use crate::op::{CONSTANT, Instruction, Reg};
use crate::program::{Function, GlobalVariable, InitialPart, Kernel, Param, Place, Symbol, Word64};
use crate::system::System;
use crate::text::ast::{self, Initial, Linkage, Statement};
use crate::text::types::{Space, Type};
use crate::text::{SyntaxError, error};

/// Distinct constants a program may have; each takes a row of 32 lanes in a loaded module.
const MAX_CONSTANTS: usize = 1 << 17;
/// Shared memory a program may declare; the launch compares with the machine's limit.
const MAX_SHARED: u64 = 1 << 24;
/// Functions a program may declare; each kernel's calls are followed through all of them.
pub(crate) const MAX_FUNCTIONS: usize = 1 << 14;
/// Instructions, and branch targets in tables, that a program may have.
const MAX_CODE: usize = 1 << 22;

/// Everything that decoding fills in.
#[derive(Debug, Default)]
pub(crate) struct Linked {
    pub kernels: Vec<Kernel>,
    pub kernel_functions: Vec<u32>,
    pub functions: Vec<Function>,
    pub code: Vec<Instruction>,
    pub places: Vec<Place>,
    pub locations: Vec<SourceLocation>,
    pub variables: Vec<GlobalVariable>,
    pub words32: Vec<u32>,
    pub words64: Vec<Word64>,
    pub shared_end: u32,
}

/// What a name outside functions stands for.
#[derive(Clone, Copy, Debug)]
enum Global {
    Variable(u32),
    Shared { offset: u32, end: u32 },
    Function(u32),
}

/// State of the module while its functions are decoded.
struct Linker<'a> {
    out: Linked,
    names: HashMap<&'a str, Global>,
    files: HashMap<u64, &'a str>,
    interned32: HashMap<u32, Reg>,
    interned64: HashMap<Word64, Reg>,
    locations: HashMap<SourceLocation, u32>,
    /// Shared variables inside functions, by where they are declared.
    inner_shared: HashMap<u32, Global>,
    /// Functions whose address is taken: what an indirect call may reach.
    address_taken: Vec<u32>,
    notes: Vec<Notes>,
    /// Branch targets of all tables.
    table_entries: usize,
}

/// What a function uses, for the shared memory of kernels.
#[derive(Clone, Debug, Default)]
struct Notes {
    shared_end: u32,
    calls: Vec<u32>,
    calls_indirectly: bool,
}

/// Links and decodes a module.
pub(crate) fn link(module: &ast::Module<'_>) -> Result<Linked, SyntaxError> {
    let mut linker = Linker {
        out: Linked::default(),
        names: HashMap::new(),
        files: module.files.iter().map(|(n, f)| (*n, f.as_str())).collect(),
        interned32: HashMap::new(),
        interned64: HashMap::new(),
        locations: HashMap::new(),
        inner_shared: HashMap::new(),
        address_taken: Vec::new(),
        notes: Vec::new(),
        table_entries: 0,
    };
    linker.shared(module)?;
    linker.declare(module)?;
    for variable in &module.variables {
        if matches!(variable.space, Space::Global | Space::Const) && variable.linkage != Linkage::Extern {
            linker.initialise(variable)?;
        }
    }
    for function in &module.functions {
        if let Some(body) = &function.body {
            function::decode(&mut linker, function, body)?;
        }
    }
    linker.kernels(module);
    Ok(linker.out)
}

impl<'a> Linker<'a> {
    /// One layout of shared memory for the whole module; dynamic shared memory follows all of it.
    fn shared(&mut self, module: &ast::Module<'a>) -> Result<(), SyntaxError> {
        let inner = module.functions.iter().flat_map(|f| f.body.iter().flatten()).filter_map(|s| match s {
            Statement::Variable(v) if v.space == Space::Shared => Some((v, true)),
            _ => None,
        });
        let outer = module.variables.iter().filter(|v| v.space == Space::Shared).map(|v| (v, false));
        let all: Vec<_> = outer.chain(inner).collect();
        let mut end = 0u64;
        // Variables of unknown length are dynamic shared memory: they come last and all at one place.
        for dynamic in [false, true] {
            for &(v, inside) in all.iter().filter(|(v, _)| (v.size == 0) == dynamic) {
                let offset = end.next_multiple_of(u64::from(v.align.max(if dynamic { 16 } else { 1 })));
                if !dynamic {
                    end = offset + v.size;
                }
                if end > MAX_SHARED {
                    return error(v.at, "too much shared memory");
                }
                let known = self.names.get(v.name);
                if !inside && known.is_some() && v.linkage != Linkage::Extern {
                    return error(v.at, format!("`{}` is declared twice", clip(v.name)));
                }
                let shared = Global::Shared { offset: offset as u32, end: end as u32 };
                if inside {
                    self.inner_shared.insert(v.at, shared);
                } else {
                    self.names.insert(v.name, shared);
                }
            }
            end = end.next_multiple_of(16);
        }
        self.out.shared_end = end as u32;
        Ok(())
    }

    /// Gives every global variable and function a number.
    fn declare(&mut self, module: &ast::Module<'a>) -> Result<(), SyntaxError> {
        let defined: HashSet<&str> =
            module.variables.iter().filter(|v| v.linkage != Linkage::Extern).map(|v| v.name).collect();
        for v in &module.variables {
            if v.space == Space::Shared {
                continue;
            }
            if v.linkage == Linkage::Extern {
                if !defined.contains(v.name) {
                    return error(v.at, format!("`{}` is declared but not defined here", clip(v.name)));
                }
                continue;
            }
            if self.names.contains_key(v.name) {
                return error(v.at, format!("`{}` is declared twice", clip(v.name)));
            }
            let number = self.variable(v);
            self.names.insert(v.name, Global::Variable(number));
        }
        if module.functions.len() > MAX_FUNCTIONS {
            return error(module.functions[MAX_FUNCTIONS].at, "the program has too many functions");
        }
        for f in &module.functions {
            let number = match self.names.get(f.name) {
                Some(&Global::Function(number)) => number,
                Some(_) => return error(f.at, format!("`{}` is declared twice", clip(f.name))),
                None => {
                    let number = self.out.functions.len() as u32;
                    self.names.insert(f.name, Global::Function(number));
                    self.out.functions.push(Function::new(f.name, f.entry));
                    self.notes.push(Notes::default());
                    number
                }
            };
            let known = &mut self.out.functions[number as usize];
            let mut offset = 0u32;
            let mut layout = |list: &[ast::Variable<'a>]| -> Result<Vec<Param>, SyntaxError> {
                list.iter()
                    .map(|p| {
                        // Function parameters live in the frame, in whole words.
                        let align = if f.entry { p.align } else { p.align.max(4) };
                        let size = p.size as u32;
                        offset = offset.next_multiple_of(align);
                        let param = Param { offset, size, align: p.align };
                        offset += if f.entry { size } else { size.next_multiple_of(4) };
                        if offset > 1 << 16 {
                            return error(p.at, "the parameters take more than 64 KiB");
                        }
                        Ok(param)
                    })
                    .collect()
            };
            let (params, returns) = (layout(&f.params)?, layout(&f.returns)?);
            let sizes = |list: &[Param]| list.iter().map(|p| p.size).collect::<Vec<_>>();
            if known.declared
                && (sizes(&known.params) != sizes(&params) || sizes(&known.returns) != sizes(&returns))
            {
                return error(f.at, format!("`{}` is declared with other parameters", clip(f.name)));
            }
            (known.params, known.returns, known.declared) = (params, returns, true);
            known.param_end = offset;
            if f.body.is_some() {
                if known.defined {
                    return error(f.at, format!("`{}` is defined twice", clip(f.name)));
                }
                known.defined = true;
            }
        }
        // A program's own functions of these names come first.
        for (f, known) in module.functions.iter().filter_map(|f| Some((f, self.names.get(f.name)?))) {
            let &Global::Function(number) = known else { continue };
            let known = &mut self.out.functions[number as usize];
            let Some(system) = System::named(f.name).filter(|_| !known.defined) else { continue };
            let sizes = |list: &[Param]| list.iter().map(|p| p.size).collect::<Vec<_>>();
            if (&sizes(&known.returns)[..], &sizes(&known.params)[..]) != system.shape() {
                return error(f.at, format!("the system's `{}` has other parameters", f.name));
            }
            known.system = Some(system);
        }
        for &(second, first, at) in &module.aliases {
            let Some(&target) = self.names.get(first) else {
                return error(at, format!("`{}` is not declared", clip(first)));
            };
            self.names.insert(second, target);
        }
        Ok(())
    }

    fn variable(&mut self, v: &ast::Variable<'a>) -> u32 {
        let number = self.out.variables.len() as u32;
        self.out.variables.push(GlobalVariable {
            name: v.name.to_owned(),
            constant: v.space == Space::Const,
            size: v.size.max(1),
            align: v.align,
            bytes: Vec::new(),
            addresses: Vec::new(),
        });
        number
    }

    /// Turns an initialiser into bytes and places where addresses go.
    fn initialise(&mut self, v: &ast::Variable<'a>) -> Result<(), SyntaxError> {
        let Some(&Global::Variable(number)) = self.names.get(v.name) else { return Ok(()) };
        let element = v.element as usize;
        let mut bytes = Vec::with_capacity(v.initial.len() * element);
        let mut addresses = Vec::new();
        for initial in &v.initial {
            let bits = match *initial {
                Initial::Bits(bits) => bits,
                Initial::F32(bits) if element == 8 => f64::from(f32::from_bits(bits)).to_bits(),
                Initial::F32(bits) => u64::from(bits),
                Initial::F64(bits) if element == 4 => u64::from((f64::from_bits(bits) as f32).to_bits()),
                Initial::F64(bits) => bits,
                Initial::Address { name, addend, mask } => {
                    let symbol = match self.names.get(name) {
                        Some(&Global::Variable(n)) => Symbol::Variable(n),
                        Some(&Global::Function(n)) => {
                            self.address_taken.push(n);
                            Symbol::Function(n)
                        }
                        Some(&Global::Shared { offset, .. }) => Symbol::Shared(offset),
                        None => return error(v.at, format!("`{}` is not declared", clip(name))),
                    };
                    let shift = mask.map_or(0, |m| if m == 0 { 0 } else { m.trailing_zeros() });
                    let size = if mask.is_some() { 1 } else { element };
                    addresses.push(InitialPart {
                        at: bytes.len() as u64,
                        word: Word64 { symbol: Some(symbol), value: addend },
                        shift,
                        size: size as u32,
                    });
                    0
                }
            };
            bytes.extend(bits.to_le_bytes().iter().chain(&[0; 8]).take(element));
        }
        let known = &mut self.out.variables[number as usize];
        (known.bytes, known.addresses) = (bytes, addresses);
        Ok(())
    }

    fn constant32(&mut self, value: u32, at: u32) -> Result<Reg, SyntaxError> {
        let next = self.out.words32.len();
        let reg = *self.interned32.entry(value).or_insert(CONSTANT | next as u32);
        if reg == CONSTANT | next as u32 {
            if next == MAX_CONSTANTS {
                return error(at, "the program has too many distinct constants");
            }
            self.out.words32.push(value);
        }
        Ok(reg)
    }

    fn constant64(&mut self, value: Word64, at: u32) -> Result<Reg, SyntaxError> {
        let next = self.out.words64.len();
        let reg = *self.interned64.entry(value).or_insert(CONSTANT | next as u32);
        if reg == CONSTANT | next as u32 {
            if next == MAX_CONSTANTS {
                return error(at, "the program has too many distinct constants");
            }
            self.out.words64.push(value);
        }
        Ok(reg)
    }

    /// Number of a source position, plus one.
    fn location(&mut self, file: u64, line: u32, column: u32) -> u32 {
        let file = self.files.get(&file).copied().unwrap_or("?").to_owned();
        let next = self.out.locations.len() as u32;
        let location = SourceLocation { file, line, column };
        let number = *self.locations.entry(location.clone()).or_insert(next);
        if number == next {
            self.out.locations.push(location);
        }
        number + 1
    }

    fn push(&mut self, instruction: Instruction, place: Place) -> Result<(), SyntaxError> {
        if self.out.code.len() == MAX_CODE {
            return error(place.at, "the program is too long");
        }
        self.out.code.push(instruction);
        self.out.places.push(place);
        Ok(())
    }

    /// Describes the kernels, now that everything is known.
    fn kernels(&mut self, module: &ast::Module<'a>) {
        for f in module.functions.iter().filter(|f| f.entry && f.body.is_some()) {
            let Some(&Global::Function(number)) = self.names.get(f.name) else { continue };
            let function = &self.out.functions[number as usize];
            self.out.kernels.push(Kernel {
                name: f.name.to_owned(),
                params: function.params.clone(),
                param_bytes: function.params.last().map_or(0, |p| p.offset + p.size),
                static_shared_bytes: self.shared_of(number),
                local_bytes: function.frame_bytes,
                registers: (function.count32 + 2 * function.count64).clamp(16, 32),
                max_threads: f.max_threads.map_or(1024, |n| n.min(u64::from(u32::MAX)) as u32),
                required_block: f.required,
            });
            self.out.kernel_functions.push(number);
        }
    }

    /// End of the shared memory that a function and everything it can reach use.
    fn shared_of(&self, function: u32) -> u32 {
        let mut seen = vec![false; self.notes.len()];
        let mut todo = vec![function];
        let mut end = 0;
        let mut indirect = false;
        while let Some(f) = todo.pop() {
            if std::mem::replace(&mut seen[f as usize], true) {
                continue;
            }
            let notes = &self.notes[f as usize];
            end = end.max(notes.shared_end);
            todo.extend(&notes.calls);
            if notes.calls_indirectly && !std::mem::replace(&mut indirect, true) {
                todo.extend(&self.address_taken);
            }
        }
        end
    }
}

/// Register classes: how a register of a type is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Pred,
    Word,
    Double,
}

impl Class {
    fn of(ty: Type) -> Option<Class> {
        match ty {
            Type::Pred => Some(Class::Pred),
            Type::B128 => None,
            _ if ty.size() == 8 => Some(Class::Double),
            _ => Some(Class::Word),
        }
    }
}
