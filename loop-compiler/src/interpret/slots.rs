//! The memory that a region needs: a slot for each variable, or for each member of a structure.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::ir::located::Located;
use crate::ir::types::Scalar;
use crate::ir::{Expression, ExpressionKind, Node, Reference, Region, Step, VariableId, walk};

/// A variable, or the scalars of all elements of a structure that the same members lead to.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    pub variable: VariableId,
    pub members: Vec<String>,
    pub scalar: Scalar,
    /// Subscripts of a reference, those of members included.
    pub rank: usize,
}

impl Slot {
    pub fn key(&self) -> (VariableId, Vec<String>) {
        (self.variable, self.members.clone())
    }
}

/// The slots of a region, in the order of its variables.
pub struct Slots {
    pub list: Vec<Slot>,
    index: HashMap<(VariableId, Vec<String>), usize>,
}

impl Slots {
    pub fn of(region: &Region) -> Result<Slots, Located> {
        let extents = region.variables.iter().flat_map(|variable| variable.extents.iter().flatten());
        let in_extents = extents.flat_map(Expression::reads);
        let inits = walk(&region.body).filter_map(Node::init).flat_map(Expression::reads);
        let references = in_extents.chain(walk(&region.body).flat_map(Node::references)).chain(inits);
        let mut found: HashMap<(VariableId, Vec<String>), Slot> = HashMap::new();
        for reference in references {
            let Some(variable) = region.variables.get(reference.variable.0) else {
                return Err(Located::new(
                    reference.at,
                    "a reference's variable does not exist",
                    "verify the tree",
                ));
            };
            let members: Vec<String> = reference.members().map(str::to_owned).collect();
            let rank = reference.subscripts().count();
            let first = reference.path.iter().position(|step| matches!(step, Step::Member(_)));
            let slot = Slot {
                variable: reference.variable,
                members: members.clone(),
                scalar: reference.scalar,
                rank,
            };
            let known = found.entry((reference.variable, members)).or_insert_with(|| slot.clone());
            let leading = first.unwrap_or(rank);
            let whole = first.is_some() || reference.scalar == variable.scalar;
            if *known != slot || leading != variable.extents.len() || !whole {
                let what = format!("`{}` is not of this type or rank", variable.name);
                return Err(Located::new(reference.at, what, "verify the tree"));
            }
        }
        let used: HashSet<VariableId> = found.keys().map(|(variable, _)| *variable).collect();
        for (index, variable) in region.variables.iter().enumerate() {
            let variable_id = VariableId(index);
            if !used.contains(&variable_id) {
                let (scalar, rank) = (variable.scalar, variable.extents.len());
                let slot = Slot { variable: variable_id, members: Vec::new(), scalar, rank };
                found.insert((variable_id, Vec::new()), slot);
            }
        }
        let mut list: Vec<Slot> = found.into_values().collect();
        list.sort_by(|a, b| (a.variable, &a.members).cmp(&(b.variable, &b.members)));
        let index = list.iter().enumerate();
        let index = index.map(|(index, slot)| ((slot.variable, slot.members.clone()), index)).collect();
        Ok(Slots { list, index })
    }

    /// The slot of a reference.
    pub fn find(&self, reference: &Reference) -> Option<usize> {
        let members: Vec<String> = reference.members().map(str::to_owned).collect();
        self.index.get(&(reference.variable, members)).copied()
    }

    /// The slot of a variable that is no structure.
    pub fn whole(&self, variable: VariableId) -> Option<usize> {
        self.index.get(&(variable, Vec::new())).copied()
    }

    /// All slots of a variable: they are beside each other.
    pub fn of_variable(&self, variable: VariableId) -> Range<usize> {
        let before = |id: VariableId| self.list.partition_point(|slot| slot.variable < id);
        before(variable)..before(VariableId(variable.0 + 1))
    }
}

/// Whether a reduction begins with what its target holds: its initial value is the target itself.
pub fn accumulates(target: &Reference, init: &Expression) -> bool {
    let same = |read: &Reference| {
        read.variable == target.variable
            && read.path.len() == target.path.len()
            && read.path.iter().zip(&target.path).all(|(a, b)| match (a, b) {
                (Step::Index(a), Step::Index(b)) => same_value(a, b),
                (Step::Member(a), Step::Member(b)) => a == b,
                _ => false,
            })
    };
    matches!(&init.kind, ExpressionKind::Read(read) if same(read))
}

/// Whether two expressions are the same apart from positions.
fn same_value(a: &Expression, b: &Expression) -> bool {
    use ExpressionKind as E;
    a.scalar == b.scalar
        && match (&a.kind, &b.kind) {
            (E::Read(a), E::Read(b)) => {
                a.variable == b.variable
                    && a.path.len() == b.path.len()
                    && a.subscripts().zip(b.subscripts()).all(|(a, b)| same_value(a, b))
                    && a.members().eq(b.members())
            }
            (E::Unary(x, a), E::Unary(y, b)) => x == y && same_value(a, b),
            (E::Cast(a), E::Cast(b)) => same_value(a, b),
            (E::Binary(x, a, b), E::Binary(y, c, d)) => x == y && same_value(a, c) && same_value(b, d),
            (E::Select(a, b, c), E::Select(d, e, f)) => {
                same_value(a, d) && same_value(b, e) && same_value(c, f)
            }
            (E::Call(f, a), E::Call(g, b)) => {
                f == g && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_value(a, b))
            }
            (a, b) => a == b,
        }
}
