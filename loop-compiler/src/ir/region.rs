//! Regions and their variables.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    expression::Expression,
    names::{Position, VariableId},
    node::{LoopId, Node},
    rewrite::{for_each_loop_mut, for_each_mut},
    visit::walk,
};
use crate::ir::types::Scalar;

/// A piece of a program that is analysed as one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// The function around it.
    pub function: String,
    /// Where it begins.
    pub at: Position,
    /// What [`VariableId`]s stand for.
    pub variables: Vec<Variable>,
    /// What is executed, in order.
    pub body: Vec<Node>,
    /// Variables that it declares and that the function uses after it.
    pub used_after: BTreeSet<VariableId>,
    /// Scalars of the function that nothing uses outside of the region.
    pub unused_outside: BTreeSet<VariableId>,
    /// Variables whose values nobody reads behind a loop, where that is known of the source.
    pub dead_behind: BTreeSet<(LoopId, VariableId)>,
    /// Variables of the function that the source changes and whose values nobody uses after the region, with their types: the
    /// region may leave them as they are, or not have them at all.
    pub changed_for_nobody: Vec<(String, String)>,
    /// Whether functions whose code it has in place of calls use variables of the file.
    pub calls_use_globals: bool,
    /// Variables that exist for the region alone, with what they are before it, as C.
    pub defined: Vec<(VariableId, String)>,
    /// Variables, of those, that say whether pointers are not null: variables, or members of structures.
    pub null_tests: BTreeMap<(VariableId, Vec<String>), VariableId>,
    /// Statements behind the region, as C: pointers that it moves.
    pub set_behind: Vec<String>,
    /// Where the source returns from the function.
    pub returned: Option<Returned>,
    /// Whether it is what the source does only where pointers do not overlap and what is assumed holds: elsewhere the source's text
    /// has to stand for it.
    pub is_conditional: bool,
    /// Conditions on its parameters that the analyses rely on, and that its parallel form tests.
    pub assumed: Vec<Expression>,
    /// Pointers that the function declares before the region with a value on which the region relies: name, type and value, as the
    /// source has them.
    pub defined_before: Vec<(String, String, String)>,
    /// Pairs of arrays, by name, that are taken not to overlap although nothing says so. `&p` is the pointer `p` itself, `&p[]`
    /// are pointers that it points to; a pair of an array with itself are its rows, to which it has pointers.
    pub overlaps: Vec<(String, String)>,
    /// Pairs of which C's rule of types says that they do not overlap, if what is stored as one is not loaded as the other.
    pub apart_by_type: Vec<(String, String)>,
    /// Pairs that only matter if they are moved to a device, and whether one of them is written: what is moved may overlap
    /// although what is accessed does not, or is not written.
    pub moved_together: Vec<(String, String, bool)>,
    /// Arrays that are reached through pointers in memory, with the number of steps of a reference that lead to the pointer.
    pub loaded: BTreeMap<(VariableId, Vec<String>), usize>,
    /// The number of elements, or of rows, with which parameters are declared. C takes it for a comment: there may be others.
    pub declared_lengths: BTreeMap<VariableId, Expression>,
    /// Structures with what threads have found, each of which a reduction of its own combines.
    pub searches: BTreeMap<VariableId, Search>,
}

/// A `return` inside a region: [`Region::defined`] variables that it sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Returned {
    /// Set to 1 if the function returns.
    pub flag: VariableId,
    /// What it returns.
    pub value: Option<VariableId>,
}

/// How two threads' structures with what they have found are combined.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// The members of the structure, and what they are where nothing is found.
    pub members: Vec<(String, Scalar, Expression)>,
    /// Whether `omp_in` is better than `omp_out`, which are structures of this kind.
    pub is_better: Expression,
}

/// A scalar, an array or the iterator of a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name, which no other variable of the region has.
    pub name: String,
    /// The type of an element. Of a structure's members each has its own type, see [`Reference::scalar`](super::Reference::scalar).
    pub scalar: Scalar,
    /// The type as the source declares it, for declarations that are printed again; empty if it is [`Scalar::c_name`]'s.
    pub declared_type: String,
    /// One for each dimension; none for a scalar. An extent is not known for the first dimension of a pointer.
    pub extents: Vec<Option<Expression>>,
    /// Where it lives.
    pub storage: Storage,
    /// Whether other variables may share its memory.
    pub aliasing: Aliasing,
}

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Declared before the region, in the function or as a parameter by value.
    Local,
    /// A parameter that points to the caller's memory.
    Parameter,
    /// A pointer of the function's own.
    Pointer,
    /// A variable of the file.
    Global,
    /// Declared inside the region, by a [`Node::Declaration`] or a loop: nobody reads it afterwards.
    Region,
}

/// Whether a variable's memory may be reached through others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aliasing {
    /// A variable of its own whose address is not taken, or a `restrict` pointer.
    Distinct,
    /// A pointer without `restrict`, or a variable to which such a pointer may point.
    Shared,
    /// An array of pointers to rows: the rows may overlap, too.
    Rows,
}

fn has_identity(node: &Node) -> bool {
    matches!(node, Node::Statement(_) | Node::Loop(_))
}

impl Region {
    /// Gives its loops their identities.
    pub(crate) fn identify_loops(&mut self) {
        let mut last = 0;
        for_each_loop_mut(&mut self.body, |looped| {
            last += 1;
            looped.id = LoopId(last);
        });
    }

    /// Gives each statement and each loop a position of its own, by which analyses speak of it: what takes the place of a call, or
    /// of the assignment of a structure, may be several.
    pub(crate) fn separate_positions(&mut self) {
        let mut taken: BTreeSet<Position> =
            walk(&self.body).filter(|node| has_identity(node)).map(Node::at).collect();
        let (mut statements, mut loops) = (BTreeSet::new(), BTreeSet::new());
        for_each_mut(&mut self.body, &mut |node| {
            let (at, seen) = match node {
                Node::Statement(statement) => (&mut statement.at, &mut statements),
                Node::Loop(looped) => (&mut looped.at, &mut loops),
                _ => return,
            };
            if !seen.insert(*at) {
                while !taken.insert(*at) {
                    at.column += 1;
                }
                seen.insert(*at);
            }
        });
    }

    /// What an id stands for.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0]
    }

    /// A name that no variable has: this one, or with a number.
    pub fn unused_name(&self, base: &str) -> String {
        let taken = |name: &String| self.variables.iter().any(|variable| variable.name == *name);
        let numbered = (2..).map(|number| format!("{base}_{number}"));
        std::iter::once(base.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
    }

    /// Adds a scalar of the region's own, of this name if none has it.
    pub fn add_scalar(&mut self, name: &str, scalar: Scalar) -> VariableId {
        self.add(Variable {
            name: self.unused_name(name),
            scalar,
            declared_type: String::new(),
            extents: Vec::new(),
            storage: Storage::Region,
            aliasing: Aliasing::Distinct,
        })
    }

    /// The name of a variable or, with the members on the way, of one of its members: `p.v`.
    pub fn full_name(&self, id: VariableId, members: &[String]) -> String {
        members.iter().fold(self.variable(id).name.clone(), |name, member| name + "." + member)
    }

    /// Adds a variable.
    pub fn add(&mut self, variable: Variable) -> VariableId {
        self.variables.push(variable);
        VariableId(self.variables.len() - 1)
    }
}
