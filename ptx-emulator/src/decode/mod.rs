//! Syntax trees to a linked, decoded program.

mod arith;
mod bits;
mod control;
mod function;
mod memory;
mod mods;
mod moves;
mod operand;
mod sources;
mod symbols;
mod sync;

use std::collections::HashMap;

use sources::{SourceReader, Sources};

use crate::fault::clip;
use crate::op::{CONSTANT, Instruction, Reg};
use crate::program::{Function, GlobalVariable, InitialPart, Kernel, Param, Place, Symbol, Word64};
use crate::system::System;
use crate::text::ast::{self, Initial, Linkage, Statement};
use crate::text::types::{Space, Type};
use crate::text::{SyntaxError, error};
pub(crate) use symbols::LinkError;
use symbols::{Symbols, What};

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
    /// First instruction of each unit.
    pub unit_starts: Vec<u32>,
    pub sources: Sources,
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

/// State of the program while its functions are decoded.
struct Linker<'a> {
    out: Linked,
    /// The unit that is looked at.
    unit: usize,
    /// What names stand for, unit by unit.
    names: Vec<HashMap<&'a str, Global>>,
    interned32: HashMap<u32, Reg>,
    interned64: HashMap<Word64, Reg>,
    sources: SourceReader<'a>,
    /// Shared variables inside functions, by unit and where they are declared.
    inner_shared: HashMap<(usize, u32), Global>,
    /// Functions whose address is taken: what an indirect call may reach.
    address_taken: Vec<u32>,
    notes: Vec<Notes>,
    /// Where functions that nobody defines are used first: unit and place.
    unresolved: HashMap<u32, (usize, u32)>,
    /// Branch targets of all tables.
    table_entries: usize,
}

/// What a function uses, for the shared memory of kernels and for what must be defined.
#[derive(Clone, Debug, Default)]
struct Notes {
    shared_end: u32,
    calls: Vec<u32>,
    calls_indirectly: bool,
}

/// Links and decodes modules. `names` are those of the units, for complaints.
pub(crate) fn link(modules: &[ast::Module<'_>], names: &[&str]) -> Result<Linked, LinkError> {
    let symbols = symbols::resolve(modules, names)?;
    let mut linker = Linker {
        out: Linked::default(),
        unit: 0,
        names: vec![HashMap::new(); modules.len()],
        interned32: HashMap::new(),
        interned64: HashMap::new(),
        sources: SourceReader::default(),
        inner_shared: HashMap::new(),
        address_taken: Vec::new(),
        notes: Vec::new(),
        unresolved: HashMap::new(),
        table_entries: 0,
    };
    linker.everything(modules, &symbols).map_err(|e| (linker.unit, e))?;
    linker.out.sources = linker.sources.sources;
    Ok(linker.out)
}

impl<'a> Linker<'a> {
    fn everything(
        &mut self,
        modules: &'a [ast::Module<'a>],
        symbols: &Symbols<'a>,
    ) -> Result<(), SyntaxError> {
        self.shared(modules, symbols)?;
        self.declare(symbols)?;
        // What a unit defines and another unit's definition replaces is left out.
        let counting = |u: usize| {
            let unit = &symbols.units[u];
            let own = unit.order.iter().filter(move |name| symbols.counts(u, name));
            own.map(|name| &unit.own[name]).filter(|own| own.defined)
        };
        for u in 0..modules.len() {
            self.unit = u;
            for own in counting(u) {
                if let What::Variable(v) = own.what
                    && v.space != Space::Shared
                {
                    self.initialise(v)?;
                }
            }
        }
        for (u, module) in modules.iter().enumerate() {
            self.unit = u;
            self.out.unit_starts.push(self.out.code.len() as u32);
            self.sources.enter_module(module);
            for own in counting(u) {
                if let What::Function(f) = own.what
                    && let Some(body) = &f.body
                {
                    function::decode(self, module, f, body)?;
                }
            }
        }
        for u in 0..modules.len() {
            self.unit = u;
            for own in counting(u) {
                if let What::Function(f) = own.what
                    && f.entry
                {
                    self.kernel(f)?;
                }
            }
        }
        Ok(())
    }

    /// One layout of shared memory for the whole program; dynamic shared memory follows all of it.
    fn shared(&mut self, modules: &'a [ast::Module<'a>], symbols: &Symbols<'a>) -> Result<(), SyntaxError> {
        // Unit, variable, alignment, and whether it is inside a function.
        let mut all = Vec::new();
        for (u, module) in modules.iter().enumerate() {
            for v in module.variables.iter().filter(|v| v.space == Space::Shared) {
                let home = symbols.home(u, v.name);
                if home.unit == u {
                    all.push((u, v, home.align, false));
                }
            }
            let counting = module.functions.iter().filter(|f| symbols.counts(u, f.name));
            for statement in counting.flat_map(|f| f.body.iter().flatten()) {
                if let Statement::Variable(v) = statement
                    && v.space == Space::Shared
                {
                    all.push((u, v, v.align, true));
                }
            }
        }
        let mut end = 0u64;
        // Variables of unknown length are dynamic shared memory: they come last and all at one place.
        for dynamic in [false, true] {
            for &(u, v, align, inside) in all.iter().filter(|(_, v, ..)| (v.size == 0) == dynamic) {
                self.unit = u;
                if !dynamic && v.linkage == Linkage::Extern {
                    if !symbols.units[u].own[v.name].defined {
                        return undefined(v.at, v.name);
                    }
                    continue;
                }
                let offset = end.next_multiple_of(u64::from(align.max(if dynamic { 16 } else { 1 })));
                if !dynamic {
                    end = offset + v.size;
                }
                if end > MAX_SHARED {
                    return error(v.at, "too much shared memory");
                }
                let shared = Global::Shared { offset: offset as u32, end: end as u32 };
                if inside {
                    self.inner_shared.insert((u, v.at), shared);
                } else {
                    self.names[u].insert(v.name, shared);
                }
            }
            end = end.next_multiple_of(16);
        }
        self.out.shared_end = end as u32;
        Ok(())
    }

    /// Gives every global variable and function a number, and every unit its names.
    fn declare(&mut self, symbols: &Symbols<'a>) -> Result<(), SyntaxError> {
        for (u, unit) in symbols.units.iter().enumerate() {
            self.unit = u;
            for &name in unit.order.iter().filter(|name| symbols.counts(u, name)) {
                let own = &unit.own[name];
                let global = match own.what {
                    What::Variable(v) if v.space == Space::Shared => continue,
                    What::Variable(v) if !own.defined => return undefined(v.at, name),
                    What::Variable(v) => {
                        let number = self.variable(v);
                        let variable = &mut self.out.variables[number as usize];
                        variable.align = symbols.home(u, name).align;
                        Global::Variable(number)
                    }
                    What::Function(f) => Global::Function(self.new_function(f)?),
                    // It has the number of what it stands for, which the next round gives it.
                    What::Alias(_) => continue,
                };
                self.names[u].insert(name, global);
            }
        }
        for (u, unit) in symbols.units.iter().enumerate() {
            for &name in &unit.order {
                let home = symbols.home(u, name).unit;
                let named = match symbols.units[home].own[name].what {
                    What::Alias(f) => (symbols.home(home, f.name).unit, f.name),
                    _ => (home, name),
                };
                if (u, name) != named
                    && let Some(&global) = self.names[named.0].get(named.1)
                {
                    self.names[u].insert(name, global);
                }
            }
        }
        Ok(())
    }

    /// A function without its code.
    fn new_function(&mut self, f: &ast::Function<'a>) -> Result<u32, SyntaxError> {
        let number = self.out.functions.len();
        if number == MAX_FUNCTIONS {
            return error(f.at, "the program has too many functions");
        }
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
        let mut function = Function::new(f.name, f.entry);
        function.param_end = offset;
        function.defined = f.body.is_some();
        // A program's own functions of these names come first.
        if let Some(system) = System::named(f.name).filter(|_| !function.defined) {
            let sizes = |list: &[Param]| list.iter().map(|p| p.size).collect::<Vec<_>>();
            if (&sizes(&returns)[..], &sizes(&params)[..]) != system.shape() {
                return error(f.at, format!("the system's `{}` has other parameters", f.name));
            }
            function.system = Some(system);
        }
        let aligns = params.iter().chain(&returns).map(|p| p.align);
        function.frame_align = aligns.fold(16, u32::max);
        (function.params, function.returns) = (params, returns);
        self.out.functions.push(function);
        self.notes.push(Notes::default());
        Ok(number as u32)
    }

    /// What a name stands for in the unit that is looked at.
    fn name(&self, name: &str) -> Option<Global> {
        self.names[self.unit].get(name).copied()
    }

    /// Whether nobody defines a function.
    fn missing(&self, number: u32) -> bool {
        let function = &self.out.functions[number as usize];
        !function.defined && function.system.is_none()
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
        let Some(Global::Variable(number)) = self.name(v.name) else { return Ok(()) };
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
                    let symbol = match self.name(name) {
                        Some(Global::Variable(n)) => Symbol::Variable(n),
                        Some(Global::Function(n)) => {
                            if self.missing(n) {
                                return undefined(v.at, name);
                            }
                            self.address_taken.push(n);
                            Symbol::Function(n)
                        }
                        Some(Global::Shared { offset, .. }) => Symbol::Shared(offset),
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

    fn push(&mut self, instruction: Instruction, place: Place) -> Result<(), SyntaxError> {
        if self.out.code.len() == MAX_CODE {
            return error(place.at, "the program is too long");
        }
        self.out.code.push(instruction);
        self.out.places.push(place);
        Ok(())
    }

    /// Describes a kernel, now that everything is known.
    fn kernel(&mut self, f: &ast::Function<'a>) -> Result<(), SyntaxError> {
        let Some(Global::Function(number)) = self.name(f.name) else { return Ok(()) };
        let (shared, warp_bytes) = self.reach(number)?;
        let function = &self.out.functions[number as usize];
        self.out.kernels.push(Kernel {
            name: f.name.to_owned(),
            params: function.params.clone(),
            param_bytes: function.params.last().map_or(0, |p| p.offset + p.size),
            static_shared_bytes: shared,
            local_bytes: function.frame_bytes,
            registers: (function.count32 + 2 * function.count64)
                .clamp(16, 32)
                .min(f.max_registers.unwrap_or(u32::MAX).max(1)),
            max_threads: f.max_threads.map_or(1024, |n| n.min(u64::from(u32::MAX)) as u32),
            required_block: f.required,
            warp_bytes,
        });
        self.out.kernel_functions.push(number);
        Ok(())
    }

    /// Follows everything that a function can reach, all of which must be defined: what is out of reach may be
    /// missing, as nvlink drops it. Answers with the end of the shared memory that is used, and with the bytes
    /// that a warp in all of these functions takes.
    fn reach(&mut self, function: u32) -> Result<(u32, u64), SyntaxError> {
        let mut seen = vec![false; self.notes.len()];
        let mut todo = vec![function];
        let (mut end, mut bytes) = (0, 0);
        let mut indirect = false;
        while let Some(f) = todo.pop() {
            if std::mem::replace(&mut seen[f as usize], true) {
                continue;
            }
            if let Some(&(unit, at)) = self.unresolved.get(&f) {
                self.unit = unit;
                return undefined(at, &self.out.functions[f as usize].name);
            }
            let notes = &self.notes[f as usize];
            end = end.max(notes.shared_end);
            bytes += self.out.functions[f as usize].warp_bytes();
            todo.extend(&notes.calls);
            if notes.calls_indirectly && !std::mem::replace(&mut indirect, true) {
                todo.extend(&self.address_taken);
            }
        }
        Ok((end, bytes))
    }
}

/// The complaint about a name that no unit defines, and the way out.
fn undefined<T>(at: u32, name: &str) -> Result<T, SyntaxError> {
    let name = clip(name);
    let message = format!("`{name}` is declared but not defined: link it with the PTX that defines it");
    Err(SyntaxError { at, message, undefined: Some(name) })
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
