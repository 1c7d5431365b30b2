//! Names across units: which definition each of them stands for, by nvlink's rules.

use std::collections::HashMap;

use crate::text::ast::{Function, Linkage, Module, Variable};
use crate::text::types::Space;
use crate::text::{SyntaxError, UnitError, error, printable};

/// A symbol as one unit declares or defines it.
#[derive(Debug)]
pub(crate) struct UnitSymbol<'a> {
    pub kind: SymbolKind<'a>,
    linkage: Linkage,
    /// Whether this unit defines it.
    pub defined: bool,
}

/// What a name stands for in a unit.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SymbolKind<'a> {
    Variable(&'a Variable<'a>),
    /// The definition, or a declaration if there is none.
    Function(&'a Function<'a>),
    /// A second name of a function of the unit.
    Alias(&'a Function<'a>),
}

/// The precedence of a definition among those of other units, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Declared,
    Common,
    InitialisedCommon,
    Weak,
    Strong,
}

impl<'a> UnitSymbol<'a> {
    fn at(&self) -> u32 {
        match self.kind {
            SymbolKind::Variable(v) => v.at,
            SymbolKind::Function(f) | SymbolKind::Alias(f) => f.at,
        }
    }

    /// Whether units share the symbol. A function that is declared without `.extern` is local to its unit:
    /// ptxas rejects one that the unit does not define.
    fn external(&self) -> bool {
        match self.kind {
            SymbolKind::Function(_) => {
                self.linkage != Linkage::Local && (self.defined || self.linkage == Linkage::Extern)
            }
            _ => self.linkage != Linkage::Local,
        }
    }

    fn precedence(&self) -> Precedence {
        match (self.defined, self.linkage, self.kind) {
            (false, ..) => Precedence::Declared,
            // For nvlink, an alias is never weak.
            (_, Linkage::Weak, SymbolKind::Variable(_) | SymbolKind::Function(_)) => Precedence::Weak,
            (_, Linkage::Common, SymbolKind::Variable(v)) if v.initial.is_empty() => Precedence::Common,
            (_, Linkage::Common, _) => Precedence::InitialisedCommon,
            _ => Precedence::Strong,
        }
    }

    /// Bytes of a variable; 0 for an array of unknown length.
    fn size(&self) -> u64 {
        match self.kind {
            SymbolKind::Variable(v) => v.size,
            _ => 0,
        }
    }
}

/// The symbols of a unit.
#[derive(Debug, Default)]
pub(crate) struct UnitSymbols<'a> {
    pub by_name: HashMap<&'a str, UnitSymbol<'a>>,
    /// Their names, in the order in which they appear first: variables, then functions.
    pub order: Vec<&'a str>,
}

/// The definition that a name stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Definition {
    pub unit: usize,
    /// Alignment of a variable.
    pub align: u32,
}

/// All symbols of a program.
#[derive(Debug)]
pub(crate) struct Symbols<'a> {
    pub units: Vec<UnitSymbols<'a>>,
    external: HashMap<&'a str, Definition>,
}

impl<'a> Symbols<'a> {
    /// Where a name of a unit is defined; for a name that no unit defines, the first unit that declares it.
    pub fn definition(&self, unit: usize, name: &str) -> Definition {
        match self.units[unit].by_name.get(name) {
            Some(symbol) if symbol.external() && self.external.contains_key(name) => self.external[name],
            Some(UnitSymbol { kind: SymbolKind::Variable(v), .. }) => Definition { unit, align: v.align },
            _ => Definition { unit, align: 1 },
        }
    }

    /// Whether a unit's definition of a name is the one that is used.
    pub fn is_used(&self, unit: usize, name: &str) -> bool {
        self.definition(unit, name).unit == unit
    }

    /// A unit's definitions that are used; those that another unit's definition replaces are left out.
    pub fn definitions(&self, unit: usize) -> impl Iterator<Item = &UnitSymbol<'a>> {
        let symbols = &self.units[unit];
        let used = symbols.order.iter().filter(move |name| self.is_used(unit, name));
        used.map(|name| &symbols.by_name[name]).filter(|symbol| symbol.defined)
    }

    /// The functions among [`Symbols::definitions`].
    pub fn functions(&self, unit: usize) -> impl Iterator<Item = &'a Function<'a>> {
        self.definitions(unit).filter_map(|symbol| match symbol.kind {
            SymbolKind::Function(f) => Some(f),
            _ => None,
        })
    }
}

/// Finds the definition of every name. `names` are the names of the units, for messages.
pub(super) fn resolve<'a>(modules: &'a [Module<'a>], names: &[&str]) -> Result<Symbols<'a>, UnitError> {
    let mut symbols = Symbols { units: Vec::with_capacity(modules.len()), external: HashMap::new() };
    for (u, module) in modules.iter().enumerate() {
        symbols.units.push(read(module).map_err(|e| (u, e))?);
    }
    targets(modules, names)?;
    let Symbols { units, external } = &mut symbols;
    for (u, unit) in units.iter().enumerate() {
        for &name in &unit.order {
            let symbol = &unit.by_name[name];
            if !symbol.external() {
                continue;
            }
            let Some(definition) = external.get_mut(name) else {
                let align = if let SymbolKind::Variable(v) = symbol.kind { v.align } else { 1 };
                external.insert(name, Definition { unit: u, align });
                continue;
            };
            let known = &units[definition.unit].by_name[name];
            let other = names[definition.unit];
            compare(name, symbol, known, other).map_err(|e| (u, e))?;
            let (mine, theirs) = (symbol.precedence(), known.precedence());
            let common = Precedence::Common..=Precedence::InitialisedCommon;
            let larger = mine == Precedence::Common && mine == theirs && symbol.size() > known.size();
            if common.contains(&mine)
                && common.contains(&theirs)
                && let SymbolKind::Variable(v) = symbol.kind
            {
                definition.align = definition.align.max(v.align);
            }
            if mine > theirs || larger {
                definition.unit = u;
                if let SymbolKind::Variable(v) = symbol.kind
                    && !common.contains(&mine)
                {
                    definition.align = v.align;
                }
            }
        }
    }
    Ok(symbols)
}

/// The symbols of one unit.
fn read<'a>(module: &'a Module<'a>) -> Result<UnitSymbols<'a>, SyntaxError> {
    let mut unit = UnitSymbols::default();
    let twice = |at, name| error(at, format!("`{}` is declared twice", printable(name)));
    for v in &module.variables {
        let dynamic = v.space == Space::Shared && v.size == 0;
        let symbol = UnitSymbol {
            kind: SymbolKind::Variable(v),
            linkage: v.linkage,
            defined: v.linkage != Linkage::Extern,
        };
        if v.linkage == Linkage::Common && v.space != Space::Global {
            return error(v.at, "only `.global` variables can be `.common`");
        }
        match unit.by_name.get_mut(v.name) {
            None => {
                unit.order.push(v.name);
                unit.by_name.insert(v.name, symbol);
            }
            Some(known) if symbol.defined && known.defined && !dynamic => return twice(v.at, v.name),
            Some(known) if symbol.defined => *known = symbol,
            Some(_) => {}
        }
    }
    for f in &module.functions {
        let symbol =
            UnitSymbol { kind: SymbolKind::Function(f), linkage: f.linkage, defined: f.body.is_some() };
        match unit.by_name.get_mut(f.name) {
            None => {
                unit.order.push(f.name);
                unit.by_name.insert(f.name, symbol);
            }
            Some(known) => {
                let SymbolKind::Function(first) = known.kind else { return twice(f.at, f.name) };
                if !first.same_shape(f) {
                    return error(f.at, format!("`{}` is declared with other parameters", printable(f.name)));
                }
                if symbol.defined && known.defined {
                    return error(f.at, format!("`{}` is defined twice", printable(f.name)));
                }
                if symbol.defined {
                    *known = symbol;
                }
            }
        }
    }
    for &(second, first, at) in &module.aliases {
        let target = match unit.by_name.get(first) {
            Some(UnitSymbol { kind: SymbolKind::Function(f), defined: true, .. }) => *f,
            Some(_) => {
                return error(at, format!("`{}` is not a function that is defined here", printable(first)));
            }
            None => return error(at, format!("`{}` is not declared", printable(first))),
        };
        match unit.by_name.get_mut(second) {
            Some(known)
                if !known.defined
                    && matches!(known.kind, SymbolKind::Function(f) if f.same_shape(target)) =>
            {
                (known.kind, known.defined) = (SymbolKind::Alias(target), true);
            }
            Some(_) => return twice(at, second),
            None => return error(at, format!("`{}` is not declared", printable(second))),
        }
    }
    Ok(unit)
}

/// Checks that two units agree about a name. Alignments may differ, and nvlink compares sizes of variables,
/// not their types; an `.extern` array may leave its length out.
fn compare(
    name: &str,
    symbol: &UnitSymbol<'_>,
    known: &UnitSymbol<'_>,
    other: &str,
) -> Result<(), SyntaxError> {
    let conflict =
        |text: String| error(symbol.at(), format!("`{}` {text} in {}", printable(name), printable(other)));
    match (symbol.kind, known.kind) {
        (SymbolKind::Variable(a), SymbolKind::Variable(b)) => {
            if a.space != b.space {
                return conflict("is in another state space".into());
            }
            // Common definitions may differ in size; one with an initial value must be as large as the
            // others.
            let commons = [symbol, known].map(|o| o.precedence() == Precedence::Common);
            let fits = match commons {
                [true, true] => true,
                [true, false] => a.size <= b.size || !known.defined,
                [false, true] => b.size <= a.size || !symbol.defined,
                _ => a.size == b.size,
            };
            let open = |o: &UnitSymbol<'_>| !o.defined && o.size() == 0;
            if !fits && !open(symbol) && !open(known) {
                return conflict(format!("has {} bytes here and {}", a.size, b.size));
            }
        }
        (SymbolKind::Variable(_), _) => return conflict("is a variable here and a function".into()),
        (_, SymbolKind::Variable(_)) => return conflict("is a function here and a variable".into()),
        (SymbolKind::Function(a) | SymbolKind::Alias(a), SymbolKind::Function(b) | SymbolKind::Alias(b)) => {
            if a.entry != b.entry {
                let (here, there) = if a.entry { ("kernel", "function") } else { ("function", "kernel") };
                return conflict(format!("is a {here} here and a {there}"));
            }
            if !a.same_shape(b) {
                return conflict("has other parameters".into());
            }
        }
    }
    if symbol.precedence() == Precedence::Strong && known.precedence() == Precedence::Strong {
        return conflict("is defined here and".into());
    }
    Ok(())
}

/// Code for one specific architecture can only be linked with code for the same or earlier ones.
fn targets(modules: &[Module<'_>], names: &[&str]) -> Result<(), UnitError> {
    let Some(specific) = modules.iter().position(|m| m.specific) else { return Ok(()) };
    let only = modules[specific].target_sm;
    for (u, module) in modules.iter().enumerate() {
        if module.target_sm > only || module.specific && module.target_sm != only {
            let text = format!(
                "this text is for sm_{}, and {} only for sm_{only}a",
                module.target_sm, names[specific]
            );
            return Err((u, SyntaxError { at: 0, message: text, undefined: None }));
        }
    }
    Ok(())
}

/// The error for a name that no unit defines, with a suggested fix.
pub(crate) fn undefined<T>(at: u32, name: &str) -> Result<T, SyntaxError> {
    let name = printable(name);
    let message = format!("`{name}` is declared but not defined: link it with the PTX that defines it");
    Err(SyntaxError { at, message, undefined: Some(name) })
}
