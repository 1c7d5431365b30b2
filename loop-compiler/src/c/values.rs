//! What is known while a region is read: the values of variables, what expressions do besides, and calls whose code is read.

use std::collections::HashMap;

use clang_ast::Id;

use super::{ast::Node, layout::Layout};
use crate::ir::{
    self, Expression, Position, Reference, VariableId,
    arithmetic::{self, long},
};

/// A pointer: what it points into, and how many elements further.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pointer {
    pub target: Reference,
    pub offset: Option<Expression>,
    /// Whether the target is what it points to, and not an array of such.
    pub is_object: bool,
}

impl Pointer {
    /// To the first of some elements.
    pub fn to(target: Reference) -> Pointer {
        Pointer { target, offset: None, is_object: false }
    }

    /// So many elements further.
    pub fn moved(self, distance: Expression) -> Pointer {
        let offset = match self.offset.clone() {
            Some(offset) => arithmetic::add(offset, distance),
            None => long(distance),
        };
        let is_first = arithmetic::constant(&offset) == Some(0);
        Pointer { offset: (!is_first).then_some(offset), ..self }
    }
}

/// What variables are at a place of the region.
#[derive(Clone, Default)]
pub(super) struct Values {
    /// Pointers that the region sets; none of one whose value is not known here.
    pub pointers: HashMap<Id, Option<Pointer>>,
    /// Members of structures of the region that are pointers, and when each was set.
    pub members: HashMap<(VariableId, Vec<String>), (u32, Option<Pointer>)>,
    /// Integers that loops around change in the same way in each iteration; the tree does not store to these.
    pub integers: HashMap<Id, Expression>,
    /// What integers were last set to, where nothing in that can change.
    pub known: HashMap<Id, Expression>,
}

impl Values {
    /// What holds in whichever of two ways this place was reached.
    pub fn joined(self, other: &Values) -> Values {
        let pointers = self.pointers.into_iter().map(|(id, pointer)| {
            let same = other.pointers.get(&id) == Some(&pointer);
            (id, pointer.filter(|_| same))
        });
        let mut pointers: HashMap<_, _> = pointers.collect();
        for id in other.pointers.keys() {
            pointers.entry(*id).or_insert(None);
        }
        let members = self.members.into_iter().map(|(key, (when, pointer))| match other.members.get(&key) {
            Some((other, _)) if *other == when => (key, (when, pointer)),
            Some((other, _)) => (key, (when.max(*other), None)),
            None => (key, (when, None)),
        });
        let mut members: HashMap<_, _> = members.collect();
        for (key, (when, _)) in &other.members {
            members.entry(key.clone()).or_insert((*when, None));
        }
        let known = self.known.into_iter().filter(|(id, value)| other.known.get(id) == Some(value));
        Values { pointers, members, integers: self.integers, known: known.collect() }
    }
}

/// What an expression does besides having a value.
#[derive(Default)]
pub(super) struct Effects {
    /// Whether it may have effects here: it is evaluated once, and in any case.
    pub allowed: bool,
    /// What is executed before the statement that it is a part of, and after it.
    pub before: Vec<ir::Node>,
    pub after: Vec<ir::Node>,
}

/// A function whose code is read in place of a call.
pub(super) struct Inlined {
    pub function: Id,
    /// What holds the value that it returns.
    pub result: Option<(VariableId, Layout)>,
    /// Where the call is.
    pub at: Position,
}

/// What follows statements that are read.
#[derive(Clone, Debug)]
pub(super) struct Frame<'t> {
    /// The statements behind.
    pub rest: Vec<&'t Node>,
    /// Whether nothing of what is behind is read together with them.
    pub is_last: bool,
    /// What goes on behind them.
    pub exit: Exit,
}

/// What ends some statements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Exit {
    /// Their end alone, or a label behind them.
    End,
    /// `continue` of the loop of which they are the body.
    Continue,
    /// `break` of a `switch`, or of `do { … } while (0)`, where `continue` is the same.
    Switch { is_once: bool },
    /// `return`, with the flag that is set where loops are left for it.
    Return { flag: Option<VariableId> },
}
