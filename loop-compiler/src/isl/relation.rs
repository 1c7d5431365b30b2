//! Relations between points of several spaces.

use std::{ffi::c_int, rc::Rc};

use super::{
    context::{Binary, Context, IslError, Object, Unary},
    set::Set,
};

/// Loops that go through the elements of sets, in an order. Values are expressions of C.
#[derive(Debug)]
pub enum Scan {
    /// `for (iterator = first; condition; iterator += step)`.
    Loop {
        /// The name of the iterator.
        iterator: String,
        /// Its first value.
        first: String,
        /// While it holds the loop goes on.
        condition: String,
        /// What is added to the iterator.
        step: String,
        /// What is executed.
        body: Box<Scan>,
    },
    /// A guard.
    If {
        /// The condition.
        condition: String,
        /// If it holds.
        then: Box<Scan>,
        /// If not.
        otherwise: Option<Box<Scan>>,
    },
    /// One after the other.
    Sequence(Vec<Scan>),
    /// An element: the name of its set, and its coordinates.
    Element(String, Vec<String>),
}

/// Relations between points of several spaces: isl's union maps.
pub struct Relation {
    context: Rc<Context>,
    object: Object,
}

impl Relation {
    /// A relation from isl's notation: `[n] -> { S[i] -> T[i + 1] : 0 <= i < n }`.
    pub fn parse(context: &Rc<Context>, text: &str) -> Result<Relation, IslError> {
        let object = context.parse(context.functions.map_read, text)?;
        Ok(Relation { context: context.clone(), object })
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> Result<bool, IslError> {
        // SAFETY: the object lives; isl keeps it.
        self.context.test(unsafe { (self.context.functions.map_is_empty)(self.object) })
    }

    /// Whether both have the same elements.
    pub fn is_equal(&self, other: &Relation) -> Result<bool, IslError> {
        // SAFETY: both live; isl keeps them.
        self.context.test(unsafe { (self.context.functions.map_is_equal)(self.object, other.object) })
    }

    /// The elements of either.
    pub fn union(&self, other: &Relation) -> Result<Relation, IslError> {
        self.binary(self.context.functions.map_union, other)
    }

    /// The elements of both.
    pub fn intersect(&self, other: &Relation) -> Result<Relation, IslError> {
        self.binary(self.context.functions.map_intersect, other)
    }

    /// The pairs that are not in the other relation.
    pub fn subtract(&self, other: &Relation) -> Result<Relation, IslError> {
        self.binary(self.context.functions.map_subtract, other)
    }

    /// Loops that go through the elements of named sets in the order in which this relation, a schedule, places them. Of
    /// the parameters holds what `context` says; `options` are isl's for the dimensions, as `{ [i] -> separate[0] }`.
    pub fn scan(&self, elements: &[Set], context: &Set, options: &Relation) -> Result<Scan, IslError> {
        self.context.check_time()?;
        let functions = &self.context.functions;
        // SAFETY: isl takes copies, and unions that it has made of copies; the nodes are freed by `scanned`.
        unsafe {
            let copy = |set: &Set| (functions.union_from_set)((functions.set_copy)(set.object));
            let Some((first, others)) = elements.split_first() else { return Ok(Scan::Sequence(Vec::new())) };
            let all = others.iter().fold(copy(first), |all, set| (functions.union_of_sets)(all, copy(set)));
            let schedule = (functions.map_restrict)((functions.map_copy)(self.object), all);
            let build = (functions.build_from_context)((functions.set_copy)(context.object));
            let build = (functions.build_options)(build, (functions.map_copy)(options.object));
            let node = (functions.build_node)(build, schedule);
            (functions.build_free)(build);
            self.scanned(node)
        }
    }

    /// A node of isl's syntax tree, which is freed.
    ///
    /// # Safety
    /// The object is such a node that belongs to nobody else, or null.
    unsafe fn scanned(&self, node: Object) -> Result<Scan, IslError> {
        /// `isl_ast_node_for`, `_if`, `_block`.
        const FOR: c_int = 1;
        const IF: c_int = 2;
        const BLOCK: c_int = 3;
        let functions = &self.context.functions;
        if node.is_null() {
            return Err(self.context.too_complex());
        }
        // SAFETY: the node lives until it is freed below; what isl returns of it belongs to the caller.
        unsafe {
            let text = |of: Unary| self.context.c_text(of(node));
            let child = |of: Unary| self.scanned(of(node)).map(Box::new);
            let scan = (|| {
                Ok(match (functions.node_type)(node) {
                    FOR => Scan::Loop {
                        iterator: text(functions.for_iterator)?,
                        first: text(functions.for_init)?,
                        condition: text(functions.for_condition)?,
                        step: text(functions.for_increment)?,
                        body: child(functions.for_body)?,
                    },
                    IF => Scan::If {
                        condition: text(functions.if_condition)?,
                        then: child(functions.if_then)?,
                        otherwise: match (functions.if_has_else)(node) {
                            1 => Some(child(functions.if_else)?),
                            _ => None,
                        },
                    },
                    BLOCK => {
                        let list = (functions.block_children)(node);
                        let size = (functions.nodes_size)(list);
                        let scans =
                            (0..size.max(0)).map(|index| self.scanned((functions.nodes_at)(list, index)));
                        let scans: Result<Vec<_>, _> = scans.collect();
                        (functions.nodes_free)(list);
                        Scan::Sequence(scans?)
                    }
                    _ => {
                        let call = (functions.user_expression)(node);
                        let size = (functions.call_arguments)(call);
                        let argument = |index| self.context.c_text((functions.call_argument)(call, index));
                        let parts: Result<Vec<_>, _> = (0..size.max(0)).map(argument).collect();
                        (functions.expr_free)(call);
                        let mut parts = parts?.into_iter();
                        Scan::Element(parts.next().unwrap_or_default(), parts.collect())
                    }
                })
            })();
            (functions.node_free)(node);
            scan
        }
    }

    fn binary(&self, function: Binary, other: &Relation) -> Result<Relation, IslError> {
        self.context.check_time()?;
        // SAFETY: isl takes copies of both, which belong to the same context.
        let object = unsafe {
            let copy = self.context.functions.map_copy;
            function(copy(self.object), copy(other.object))
        };
        if object.is_null() {
            return Err(self.context.too_complex());
        }
        Ok(Relation { context: self.context.clone(), object })
    }

    /// The relation in isl's notation.
    pub fn text(&self) -> Result<String, IslError> {
        // SAFETY: isl takes a copy, and keeps the object for the text.
        unsafe {
            let copy = (self.context.functions.map_copy)(self.object);
            let simple = (self.context.functions.map_coalesce)(copy);
            let text = (self.context.functions.map_to_str)(simple);
            (self.context.functions.map_free)(simple);
            self.context.text(text)
        }
    }
}

impl Drop for Relation {
    fn drop(&mut self) {
        // SAFETY: the object belongs to this relation alone.
        unsafe { (self.context.functions.map_free)(self.object) };
    }
}
