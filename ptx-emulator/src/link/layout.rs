//! The layout of a program: numbers of functions and variables, offsets in shared memory, bytes of
//! initialisers.

use std::collections::HashMap;

use super::symbols::{SymbolKind, Symbols, resolve, undefined};
use crate::program::{
    Constant64, Function, GlobalVariable, InitialAddress, LinkedProgram, MAX_FUNCTIONS, Param, Symbol,
};
use crate::system_call::SystemCall;
use crate::text::ast::{self, Initial, Linkage, Statement};
use crate::text::types::Space;
use crate::text::{SyntaxError, UnitError, error, printable};

/// Shared memory that a program may declare; the launch compares with the machine's limit.
const MAX_SHARED: u64 = 1 << 24;

/// What a name outside functions stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Global {
    Variable(u32),
    Shared { offset: u32, end: u32 },
    Function(u32),
}

/// A linked program whose functions have no code yet.
pub(crate) struct Layout<'a> {
    pub program: LinkedProgram,
    pub symbols: Symbols<'a>,
    /// What each name of each unit stands for.
    pub names: Vec<HashMap<&'a str, Global>>,
    /// Shared variables inside functions, by unit and by offset of the declaration in its text.
    pub function_shared: HashMap<(usize, u32), Global>,
    /// Functions whose address is in an initialiser.
    pub address_taken: Vec<u32>,
}

/// Links modules. `names` are those of the units, for messages.
pub(crate) fn link<'a>(modules: &'a [ast::Module<'a>], names: &[&str]) -> Result<Layout<'a>, UnitError> {
    let symbols = resolve(modules, names)?;
    let mut linker = Linker {
        out: LinkedProgram::default(),
        unit: 0,
        names: vec![HashMap::new(); modules.len()],
        function_shared: HashMap::new(),
        address_taken: Vec::new(),
    };
    linker.everything(modules, &symbols).map_err(|e| (linker.unit, e))?;
    let Linker { out: program, names, function_shared, address_taken, .. } = linker;
    Ok(Layout { program, symbols, names, function_shared, address_taken })
}

struct Linker<'a> {
    out: LinkedProgram,
    /// The unit that is being laid out.
    unit: usize,
    names: Vec<HashMap<&'a str, Global>>,
    function_shared: HashMap<(usize, u32), Global>,
    address_taken: Vec<u32>,
}

impl<'a> Linker<'a> {
    fn everything(
        &mut self,
        modules: &'a [ast::Module<'a>],
        symbols: &Symbols<'a>,
    ) -> Result<(), SyntaxError> {
        self.shared(modules, symbols)?;
        self.declare(symbols)?;
        for u in 0..modules.len() {
            self.unit = u;
            for symbol in symbols.definitions(u) {
                if let SymbolKind::Variable(v) = symbol.kind
                    && v.space != Space::Shared
                {
                    self.initialise(v)?;
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
                let definition = symbols.definition(u, v.name);
                if definition.unit == u {
                    all.push((u, v, definition.align, false));
                }
            }
            let used = module.functions.iter().filter(|f| symbols.is_used(u, f.name));
            for statement in used.flat_map(|f| f.body.iter().flatten()) {
                if let Statement::Variable(v) = statement
                    && v.space == Space::Shared
                {
                    all.push((u, v, v.align, true));
                }
            }
        }
        let mut end = 0u64;
        // Variables of unknown length are dynamic shared memory: they come last, all at the same offset.
        for dynamic in [false, true] {
            for &(u, v, align, inside) in all.iter().filter(|(_, v, ..)| (v.size == 0) == dynamic) {
                self.unit = u;
                if !dynamic && v.linkage == Linkage::Extern {
                    if !symbols.units[u].get(v.name).is_some_and(|symbol| symbol.defined) {
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
                    self.function_shared.insert((u, v.at), shared);
                } else {
                    self.names[u].insert(v.name, shared);
                }
            }
            end = end.next_multiple_of(16);
        }
        self.out.shared_end = end as u32;
        Ok(())
    }

    /// Numbers the global variables and functions, and finds what each name of each unit stands for.
    fn declare(&mut self, symbols: &Symbols<'a>) -> Result<(), SyntaxError> {
        for (u, unit) in symbols.units.iter().enumerate() {
            self.unit = u;
            self.names[u].reserve(unit.all.len());
            for symbol in unit.all.iter().filter(|symbol| symbol.definition.unit == u) {
                let name = symbol.name;
                let global = match symbol.kind {
                    SymbolKind::Variable(v) if v.space == Space::Shared => continue,
                    SymbolKind::Variable(v) if !symbol.defined => return undefined(v.at, name),
                    SymbolKind::Variable(v) => {
                        let number = self.variable(v);
                        let variable = &mut self.out.variables[number as usize];
                        variable.align = symbol.definition.align;
                        Global::Variable(number)
                    }
                    SymbolKind::Function(f) => Global::Function(self.new_function(f)?),
                    // It gets the number of its function in the second loop.
                    SymbolKind::Alias(_) => continue,
                };
                self.names[u].insert(name, global);
            }
        }
        for (u, unit) in symbols.units.iter().enumerate() {
            for symbol in &unit.all {
                let (name, definition) = (symbol.name, symbol.definition.unit);
                let defined =
                    if definition == u { Some(symbol) } else { symbols.units[definition].get(name) };
                let named = match defined.map(|defined| defined.kind) {
                    Some(SymbolKind::Alias(f)) => (symbols.definition(definition, f.name).unit, f.name),
                    _ => (definition, name),
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
        // A definition in the program takes precedence over the system call of that name.
        if let Some(system) = SystemCall::named(f.name).filter(|_| !function.defined) {
            let sizes = |list: &[Param]| list.iter().map(|p| p.size).collect::<Vec<_>>();
            if (&sizes(&returns)[..], &sizes(&params)[..]) != system.shape() {
                return error(f.at, format!("the system call `{}` has other parameters", f.name));
            }
            function.system = Some(system);
        }
        let aligns = params.iter().chain(&returns).map(|p| p.align);
        function.frame_align = aligns.fold(16, u32::max);
        (function.params, function.returns) = (params, returns);
        self.out.functions.push(function);
        Ok(number as u32)
    }

    fn variable(&mut self, v: &ast::Variable<'a>) -> u32 {
        let number = self.out.variables.len() as u32;
        self.out.variables.push(GlobalVariable {
            name: v.name.to_owned(),
            constant: v.space == Space::Const,
            managed: v.managed,
            size: v.size.max(1),
            align: v.align,
            bytes: Vec::new(),
            addresses: Vec::new(),
        });
        number
    }

    /// Turns an initialiser into bytes and addresses.
    fn initialise(&mut self, v: &ast::Variable<'a>) -> Result<(), SyntaxError> {
        if v.initial.is_empty() {
            return Ok(());
        }
        let Some(Global::Variable(number)) = self.names[self.unit].get(v.name).copied() else {
            return Ok(());
        };
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
                    let symbol = match self.names[self.unit].get(name).copied() {
                        Some(Global::Variable(n)) => Symbol::Variable(n),
                        Some(Global::Function(n)) => {
                            if self.out.functions[n as usize].is_missing() {
                                return undefined(v.at, name);
                            }
                            self.address_taken.push(n);
                            Symbol::Function(n)
                        }
                        Some(Global::Shared { offset, .. }) => Symbol::Shared(offset),
                        None => return error(v.at, format!("`{}` is not declared", printable(name))),
                    };
                    let shift = mask.map_or(0, |m| if m == 0 { 0 } else { m.trailing_zeros() });
                    // Zeros follow an address in a word of 16 bytes.
                    let size = if mask.is_some() { 1 } else { element.min(8) };
                    addresses.push(InitialAddress {
                        at: bytes.len() as u64,
                        value: Constant64 { symbol: Some(symbol), value: addend },
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
}
