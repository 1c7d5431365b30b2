//! Names across units: which definition each of them stands for, by nvlink's rules.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::text::ast::{Function, Linkage, Module, Variable};
use crate::text::types::Space;
use crate::text::{SyntaxError, UnitError, error, printable};

/// A symbol as one unit declares or defines it.
#[derive(Debug)]
pub(crate) struct UnitSymbol<'a> {
    pub name: &'a str,
    pub kind: SymbolKind<'a>,
    linkage: Linkage,
    /// Whether this unit defines it.
    pub defined: bool,
    /// The definition that is used; if no unit defines it, the first unit that declares it.
    pub definition: Definition,
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
#[derive(Debug)]
pub(crate) struct UnitSymbols<'a> {
    /// In the order in which they appear first: variables, then functions.
    pub all: Vec<UnitSymbol<'a>>,
    /// Where each name is in the list.
    by_name: HashMap<&'a str, usize>,
}

impl<'a> UnitSymbols<'a> {
    /// The symbol with a name.
    pub fn get(&self, name: &str) -> Option<&UnitSymbol<'a>> {
        self.by_name.get(name).map(|&at| &self.all[at])
    }

    /// The symbol with this one's name; if there is none, adds this one.
    fn known_or_add(&mut self, symbol: UnitSymbol<'a>) -> Option<(&mut UnitSymbol<'a>, UnitSymbol<'a>)> {
        match self.by_name.entry(symbol.name) {
            Entry::Occupied(at) => Some((&mut self.all[*at.get()], symbol)),
            Entry::Vacant(at) => {
                at.insert(self.all.len());
                self.all.push(symbol);
                None
            }
        }
    }
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
}

impl<'a> Symbols<'a> {
    /// Where a name of a unit is defined; for a name that no unit defines, the first unit that declares it.
    pub fn definition(&self, unit: usize, name: &str) -> Definition {
        self.units[unit].get(name).map_or(Definition { unit, align: 1 }, |symbol| symbol.definition)
    }

    /// Whether a unit's definition of a name is the one that is used.
    pub fn is_used(&self, unit: usize, name: &str) -> bool {
        self.definition(unit, name).unit == unit
    }

    /// A unit's definitions that are used; those that another unit's definition replaces are left out.
    pub fn definitions(&self, unit: usize) -> impl Iterator<Item = &UnitSymbol<'a>> {
        self.units[unit].all.iter().filter(move |symbol| symbol.defined && symbol.definition.unit == unit)
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
    let mut units = Vec::with_capacity(modules.len());
    for (u, module) in modules.iter().enumerate() {
        units.push(read(u, module).map_err(|e| (u, e))?);
    }
    targets(modules, names)?;
    // The names of a single unit stand for its own definitions.
    if units.len() > 1 {
        let external = share(&units, names)?;
        for symbol in units.iter_mut().flat_map(|unit| &mut unit.all).filter(|symbol| symbol.external()) {
            symbol.definition = external[symbol.name];
        }
    }
    Ok(Symbols { units })
}

/// Finds the definition of every name that units share.
fn share<'a>(units: &[UnitSymbols<'a>], names: &[&str]) -> Result<HashMap<&'a str, Definition>, UnitError> {
    let mut external: HashMap<&str, Definition> = HashMap::new();
    for (u, unit) in units.iter().enumerate() {
        for symbol in unit.all.iter().filter(|symbol| symbol.external()) {
            let name = symbol.name;
            let Some(definition) = external.get_mut(name) else {
                external.insert(name, symbol.definition);
                continue;
            };
            let Some(known) = units[definition.unit].get(name) else { continue };
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
    Ok(external)
}

/// The symbols of one unit. Each stands for the unit's own definition.
fn read<'a>(u: usize, module: &'a Module<'a>) -> Result<UnitSymbols<'a>, SyntaxError> {
    let count = module.variables.len() + module.functions.len();
    let mut unit = UnitSymbols { all: Vec::with_capacity(count), by_name: HashMap::with_capacity(count) };
    let twice = |at, name| error(at, format!("`{}` is declared twice", printable(name)));
    for v in &module.variables {
        let dynamic = v.space == Space::Shared && v.size == 0;
        let symbol = UnitSymbol {
            name: v.name,
            kind: SymbolKind::Variable(v),
            linkage: v.linkage,
            defined: v.linkage != Linkage::Extern,
            definition: Definition { unit: u, align: v.align },
        };
        if v.linkage == Linkage::Common && v.space != Space::Global {
            return error(v.at, "only `.global` variables can be `.common`");
        }
        match unit.known_or_add(symbol) {
            Some((known, symbol)) if symbol.defined && known.defined && !dynamic => {
                return twice(v.at, v.name);
            }
            Some((known, symbol)) if symbol.defined => *known = symbol,
            Some(_) | None => {}
        }
    }
    for f in &module.functions {
        let symbol = UnitSymbol {
            name: f.name,
            kind: SymbolKind::Function(f),
            linkage: f.linkage,
            defined: f.body.is_some(),
            definition: Definition { unit: u, align: 1 },
        };
        if let Some((known, symbol)) = unit.known_or_add(symbol) {
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
    for &(second, first, at) in &module.aliases {
        let target = match unit.get(first) {
            Some(UnitSymbol { kind: SymbolKind::Function(f), defined: true, .. }) => *f,
            Some(_) => {
                return error(at, format!("`{}` is not a function that is defined here", printable(first)));
            }
            None => return error(at, format!("`{}` is not declared", printable(first))),
        };
        match unit.by_name.get(second).map(|&at| &mut unit.all[at]) {
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
