//! Names across units: which definition each of them stands for, as nvlink decides it.

use std::collections::HashMap;

use crate::text::ast::{Function, Linkage, Module, Variable};
use crate::text::types::Space;
use crate::text::{SyntaxError, UnitError, clip, error};

/// What a unit says about a name.
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

/// How much a definition counts among those of other units.
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

    /// Whether other units see it, or it is theirs. A function that is declared without `.extern` is the unit's
    /// own: ptxas refuses one that the unit does not define.
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
            // An alias is never weak to nvlink.
            (_, Linkage::Weak, SymbolKind::Variable(_) | SymbolKind::Function(_)) => Precedence::Weak,
            (_, Linkage::Common, SymbolKind::Variable(v)) if v.initial.is_empty() => Precedence::Common,
            (_, Linkage::Common, _) => Precedence::InitialisedCommon,
            _ => Precedence::Strong,
        }
    }

    /// Bytes of a variable; an array of unknown length has none.
    fn size(&self) -> u64 {
        match self.kind {
            SymbolKind::Variable(v) => v.size,
            _ => 0,
        }
    }
}

/// The names of a unit.
#[derive(Debug, Default)]
pub(crate) struct UnitSymbols<'a> {
    pub own: HashMap<&'a str, UnitSymbol<'a>>,
    /// In the order in which they appear first: variables, then functions.
    pub order: Vec<&'a str>,
}

/// Which unit's definition an external name stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Definition {
    pub unit: usize,
    /// Alignment of a variable.
    pub align: u32,
}

/// All names of a program.
#[derive(Debug)]
pub(crate) struct Symbols<'a> {
    pub units: Vec<UnitSymbols<'a>>,
    external: HashMap<&'a str, Definition>,
}

impl<'a> Symbols<'a> {
    /// Where a name of a unit is defined; for a name that nobody defines, the first unit that declares it.
    pub fn definition(&self, unit: usize, name: &str) -> Definition {
        match self.units[unit].own.get(name) {
            Some(own) if own.external() && self.external.contains_key(name) => self.external[name],
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
        used.map(|name| &symbols.own[name]).filter(|symbol| symbol.defined)
    }

    /// The functions among [`Symbols::definitions`].
    pub fn functions(&self, unit: usize) -> impl Iterator<Item = &'a Function<'a>> {
        self.definitions(unit).filter_map(|symbol| match symbol.kind {
            SymbolKind::Function(f) => Some(f),
            _ => None,
        })
    }
}

/// Reads the names of all units. `names` are those of the units, for complaints.
pub(super) fn resolve<'a>(modules: &'a [Module<'a>], names: &[&str]) -> Result<Symbols<'a>, UnitError> {
    let mut symbols = Symbols { units: Vec::with_capacity(modules.len()), external: HashMap::new() };
    for (u, module) in modules.iter().enumerate() {
        symbols.units.push(read(module).map_err(|e| (u, e))?);
    }
    targets(modules, names)?;
    let Symbols { units, external } = &mut symbols;
    for (u, unit) in units.iter().enumerate() {
        for &name in &unit.order {
            let own = &unit.own[name];
            if !own.external() {
                continue;
            }
            let Some(home) = external.get_mut(name) else {
                let align = if let SymbolKind::Variable(v) = own.kind { v.align } else { 1 };
                external.insert(name, Definition { unit: u, align });
                continue;
            };
            let known = &units[home.unit].own[name];
            let other = names[home.unit];
            compare(name, own, known, other).map_err(|e| (u, e))?;
            let (mine, theirs) = (own.precedence(), known.precedence());
            let common = Precedence::Common..=Precedence::InitialisedCommon;
            let larger = mine == Precedence::Common && mine == theirs && own.size() > known.size();
            if common.contains(&mine)
                && common.contains(&theirs)
                && let SymbolKind::Variable(v) = own.kind
            {
                home.align = home.align.max(v.align);
            }
            if mine > theirs || larger {
                home.unit = u;
                if let SymbolKind::Variable(v) = own.kind
                    && !common.contains(&mine)
                {
                    home.align = v.align;
                }
            }
        }
    }
    Ok(symbols)
}

/// The symbols of one unit.
fn read<'a>(module: &'a Module<'a>) -> Result<UnitSymbols<'a>, SyntaxError> {
    let mut unit = UnitSymbols::default();
    let twice = |at, name| error(at, format!("`{}` is declared twice", clip(name)));
    for v in &module.variables {
        let dynamic = v.space == Space::Shared && v.size == 0;
        let own = UnitSymbol {
            kind: SymbolKind::Variable(v),
            linkage: v.linkage,
            defined: v.linkage != Linkage::Extern,
        };
        if v.linkage == Linkage::Common && v.space != Space::Global {
            return error(v.at, "only `.global` variables can be `.common`");
        }
        match unit.own.get_mut(v.name) {
            None => {
                unit.order.push(v.name);
                unit.own.insert(v.name, own);
            }
            Some(known) if own.defined && known.defined && !dynamic => return twice(v.at, v.name),
            Some(known) if own.defined => *known = own,
            Some(_) => {}
        }
    }
    for f in &module.functions {
        let own = UnitSymbol { kind: SymbolKind::Function(f), linkage: f.linkage, defined: f.body.is_some() };
        match unit.own.get_mut(f.name) {
            None => {
                unit.order.push(f.name);
                unit.own.insert(f.name, own);
            }
            Some(known) => {
                let SymbolKind::Function(first) = known.kind else { return twice(f.at, f.name) };
                if !first.same_shape(f) {
                    return error(f.at, format!("`{}` is declared with other parameters", clip(f.name)));
                }
                if own.defined && known.defined {
                    return error(f.at, format!("`{}` is defined twice", clip(f.name)));
                }
                if own.defined {
                    *known = own;
                }
            }
        }
    }
    for &(second, first, at) in &module.aliases {
        let target = match unit.own.get(first) {
            Some(UnitSymbol { kind: SymbolKind::Function(f), defined: true, .. }) => *f,
            Some(_) => return error(at, format!("`{}` is not a function that is defined here", clip(first))),
            None => return error(at, format!("`{}` is not declared", clip(first))),
        };
        match unit.own.get_mut(second) {
            Some(known)
                if !known.defined
                    && matches!(known.kind, SymbolKind::Function(f) if f.same_shape(target)) =>
            {
                (known.kind, known.defined) = (SymbolKind::Alias(target), true);
            }
            Some(_) => return twice(at, second),
            None => return error(at, format!("`{}` is not declared", clip(second))),
        }
    }
    Ok(unit)
}

/// Complains where two units do not mean the same by a name. Alignments may differ, and nvlink compares sizes of
/// variables, not their types; an `.extern` array may leave its length out.
fn compare(name: &str, own: &UnitSymbol<'_>, known: &UnitSymbol<'_>, other: &str) -> Result<(), SyntaxError> {
    let complain = |text: String| error(own.at(), format!("`{}` {text} in {}", clip(name), clip(other)));
    match (own.kind, known.kind) {
        (SymbolKind::Variable(a), SymbolKind::Variable(b)) => {
            if a.space != b.space {
                return complain("is in another state space".into());
            }
            // Common definitions may differ in size; one that has a value must have room for all.
            let commons = [own, known].map(|o| o.precedence() == Precedence::Common);
            let fits = match commons {
                [true, true] => true,
                [true, false] => a.size <= b.size || !known.defined,
                [false, true] => b.size <= a.size || !own.defined,
                _ => a.size == b.size,
            };
            let open = |o: &UnitSymbol<'_>| !o.defined && o.size() == 0;
            if !fits && !open(own) && !open(known) {
                return complain(format!("has {} bytes here and {}", a.size, b.size));
            }
        }
        (SymbolKind::Variable(_), _) | (_, SymbolKind::Variable(_)) => {
            return complain("is a variable here or there, and a function".into());
        }
        (SymbolKind::Function(a) | SymbolKind::Alias(a), SymbolKind::Function(b) | SymbolKind::Alias(b)) => {
            if a.entry != b.entry {
                return complain("is a kernel here or there, and a function".into());
            }
            if !a.same_shape(b) {
                return complain("has other parameters".into());
            }
        }
    }
    if own.precedence() == Precedence::Strong && known.precedence() == Precedence::Strong {
        return complain("is defined here and".into());
    }
    Ok(())
}

/// Code for one architecture only goes with code for the same or earlier ones.
fn targets(modules: &[Module<'_>], names: &[&str]) -> Result<(), UnitError> {
    let Some(specific) = modules.iter().position(|m| m.specific) else { return Ok(()) };
    let only = modules[specific].target_sm;
    for (u, module) in modules.iter().enumerate() {
        if module.target_sm > only || module.specific && module.target_sm != only {
            let text =
                format!("this is for sm_{}, and {} for sm_{only}a alone", module.target_sm, names[specific]);
            return Err((u, SyntaxError { at: 0, message: text, undefined: None }));
        }
    }
    Ok(())
}

/// The complaint about a name that no unit defines, and the way out.
pub(crate) fn undefined<T>(at: u32, name: &str) -> Result<T, SyntaxError> {
    let name = clip(name);
    let message = format!("`{name}` is declared but not defined: link it with the PTX that defines it");
    Err(SyntaxError { at, message, undefined: Some(name) })
}
