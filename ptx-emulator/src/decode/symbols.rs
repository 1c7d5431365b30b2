//! Names across units: which definition each of them stands for, as nvlink decides it.

use std::collections::HashMap;

use crate::fault::clip;
use crate::text::ast::{Function, Linkage, Module, Variable};
use crate::text::types::Space;
use crate::text::{SyntaxError, error};

/// A complaint about the text of a unit.
pub(crate) type LinkError = (usize, SyntaxError);

/// What a unit says about a name.
#[derive(Debug)]
pub(super) struct Own<'a> {
    pub what: What<'a>,
    linkage: Linkage,
    /// Whether this unit defines it.
    pub defined: bool,
}

/// What a name stands for in a unit.
#[derive(Clone, Copy, Debug)]
pub(super) enum What<'a> {
    Variable(&'a Variable<'a>),
    /// The definition, or a declaration if there is none.
    Function(&'a Function<'a>),
    /// A second name of a function of the unit.
    Alias(&'a Function<'a>),
}

/// How much a definition counts among those of other units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Declared,
    Common,
    InitialisedCommon,
    Weak,
    Strong,
}

impl<'a> Own<'a> {
    fn at(&self) -> u32 {
        match self.what {
            What::Variable(v) => v.at,
            What::Function(f) | What::Alias(f) => f.at,
        }
    }

    /// Whether other units see it, or it is theirs. A function that is declared without `.extern` is the unit's
    /// own: ptxas refuses one that the unit does not define.
    fn external(&self) -> bool {
        match self.what {
            What::Function(_) => {
                self.linkage != Linkage::Local && (self.defined || self.linkage == Linkage::Extern)
            }
            _ => self.linkage != Linkage::Local,
        }
    }

    fn strength(&self) -> Strength {
        match (self.defined, self.linkage, self.what) {
            (false, ..) => Strength::Declared,
            // An alias is never weak to nvlink.
            (_, Linkage::Weak, What::Variable(_) | What::Function(_)) => Strength::Weak,
            (_, Linkage::Common, What::Variable(v)) if v.initial.is_empty() => Strength::Common,
            (_, Linkage::Common, _) => Strength::InitialisedCommon,
            _ => Strength::Strong,
        }
    }

    /// Bytes of a variable; an array of unknown length has none.
    fn size(&self) -> u64 {
        match self.what {
            What::Variable(v) => v.size,
            _ => 0,
        }
    }
}

/// The names of a unit.
#[derive(Debug, Default)]
pub(super) struct Unit<'a> {
    pub own: HashMap<&'a str, Own<'a>>,
    /// In the order in which they appear first: variables, then functions.
    pub order: Vec<&'a str>,
}

/// Which unit's definition an external name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Home {
    pub unit: usize,
    /// Alignment of a variable.
    pub align: u32,
}

/// All names of a program.
#[derive(Debug)]
pub(super) struct Symbols<'a> {
    pub units: Vec<Unit<'a>>,
    external: HashMap<&'a str, Home>,
}

impl<'a> Symbols<'a> {
    /// Where a name of a unit is defined; for a name that nobody defines, the first unit that declares it.
    pub fn home(&self, unit: usize, name: &str) -> Home {
        match self.units[unit].own.get(name) {
            Some(own) if own.external() && self.external.contains_key(name) => self.external[name],
            Some(Own { what: What::Variable(v), .. }) => Home { unit, align: v.align },
            _ => Home { unit, align: 1 },
        }
    }

    /// Whether a unit's definition of a name is the one that counts.
    pub fn counts(&self, unit: usize, name: &str) -> bool {
        self.home(unit, name).unit == unit
    }
}

/// Reads the names of all units. `names` are those of the units, for complaints.
pub(super) fn resolve<'a>(modules: &'a [Module<'a>], names: &[&str]) -> Result<Symbols<'a>, LinkError> {
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
                let align = if let What::Variable(v) = own.what { v.align } else { 1 };
                external.insert(name, Home { unit: u, align });
                continue;
            };
            let known = &units[home.unit].own[name];
            let other = names[home.unit];
            compare(name, own, known, other).map_err(|e| (u, e))?;
            let (mine, theirs) = (own.strength(), known.strength());
            let common = Strength::Common..=Strength::InitialisedCommon;
            let larger = mine == Strength::Common && mine == theirs && own.size() > known.size();
            if common.contains(&mine)
                && common.contains(&theirs)
                && let What::Variable(v) = own.what
            {
                home.align = home.align.max(v.align);
            }
            if mine > theirs || larger {
                home.unit = u;
                if let What::Variable(v) = own.what
                    && !common.contains(&mine)
                {
                    home.align = v.align;
                }
            }
        }
    }
    Ok(symbols)
}

/// What one unit says.
fn read<'a>(module: &'a Module<'a>) -> Result<Unit<'a>, SyntaxError> {
    let mut unit = Unit::default();
    let twice = |at, name| error(at, format!("`{}` is declared twice", clip(name)));
    for v in &module.variables {
        let dynamic = v.space == Space::Shared && v.size == 0;
        let own = Own { what: What::Variable(v), linkage: v.linkage, defined: v.linkage != Linkage::Extern };
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
        let own = Own { what: What::Function(f), linkage: f.linkage, defined: f.body.is_some() };
        match unit.own.get_mut(f.name) {
            None => {
                unit.order.push(f.name);
                unit.own.insert(f.name, own);
            }
            Some(known) => {
                let What::Function(first) = known.what else { return twice(f.at, f.name) };
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
            Some(Own { what: What::Function(f), defined: true, .. }) => *f,
            Some(_) => return error(at, format!("`{}` is not a function that is defined here", clip(first))),
            None => return error(at, format!("`{}` is not declared", clip(first))),
        };
        match unit.own.get_mut(second) {
            Some(known)
                if !known.defined && matches!(known.what, What::Function(f) if f.same_shape(target)) =>
            {
                (known.what, known.defined) = (What::Alias(target), true);
            }
            Some(_) => return twice(at, second),
            None => return error(at, format!("`{}` is not declared", clip(second))),
        }
    }
    Ok(unit)
}

/// Complains where two units do not mean the same by a name. Alignments may differ, and nvlink compares sizes of
/// variables, not their types; an `.extern` array may leave its length out.
fn compare(name: &str, own: &Own<'_>, known: &Own<'_>, other: &str) -> Result<(), SyntaxError> {
    let complain = |text: String| error(own.at(), format!("`{}` {text} in {}", clip(name), clip(other)));
    match (own.what, known.what) {
        (What::Variable(a), What::Variable(b)) => {
            if a.space != b.space {
                return complain("is in another state space".into());
            }
            // Common definitions may differ in size; one that has a value must have room for all.
            let commons = [own, known].map(|o| o.strength() == Strength::Common);
            let fits = match commons {
                [true, true] => true,
                [true, false] => a.size <= b.size || !known.defined,
                [false, true] => b.size <= a.size || !own.defined,
                _ => a.size == b.size,
            };
            let open = |o: &Own<'_>| !o.defined && o.size() == 0;
            if !fits && !open(own) && !open(known) {
                return complain(format!("has {} bytes here and {}", a.size, b.size));
            }
        }
        (What::Variable(_), _) | (_, What::Variable(_)) => {
            return complain("is a variable here or there, and a function".into());
        }
        (What::Function(a) | What::Alias(a), What::Function(b) | What::Alias(b)) => {
            if a.entry != b.entry {
                return complain("is a kernel here or there, and a function".into());
            }
            if !a.same_shape(b) {
                return complain("has other parameters".into());
            }
        }
    }
    if own.strength() == Strength::Strong && known.strength() == Strength::Strong {
        return complain("is defined here and".into());
    }
    Ok(())
}

/// Code for one architecture only goes with code for the same or earlier ones.
fn targets(modules: &[Module<'_>], names: &[&str]) -> Result<(), LinkError> {
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
