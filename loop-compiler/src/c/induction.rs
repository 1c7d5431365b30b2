//! Induction variables: integers and pointers to which each iteration of a loop adds the same.
//!
//! Inside the loop each is what it was before, with the number of the iteration times what is added (a closed form), so that
//! `*d++ = *s++` has subscripts. Pointers that a region sets have no variable in the tree: they are names for what they point to.

use std::collections::BTreeSet;

use clang_ast::{Id, Kind};

use super::{
    ast::{Node, NodeExt},
    changes::{self, Increment, Iteration},
    counted::{Counted, narrows},
    reader::Reader,
    types,
    values::{Pointer, Values},
};
use crate::{
    ir::{
        self, Aliasing, BinaryOperator, Expression, ExpressionKind, Reference, Statement, Storage, Store,
        arithmetic::{self, long, number},
        types::Scalar,
    },
    rules::{Rejection, Rule},
};

/// Reads a part of the program.
type Reading<'a, R, T> = &'a mut dyn FnMut(&mut R) -> Result<T, Rejection>;

/// A variable to which each iteration of a loop adds the same.
pub(super) struct Induction {
    id: Id,
    first: First,
    added: Expression,
}

enum First {
    Pointer(Pointer),
    Integer { value: Expression, is_stored: bool },
}

impl<'t> Reader<'_, 't> {
    /// Reads branches of which one is executed.
    pub(super) fn branches<T>(&mut self, branches: [Reading<'_, Self, T>; 2]) -> Result<[T; 2], Rejection> {
        let before = self.values.clone();
        let [first, second] = branches;
        let first = first(self)?;
        let after_first = std::mem::replace(&mut self.values, before);
        let second = second(self)?;
        let after_second = std::mem::take(&mut self.values);
        self.values = after_first.joined(&after_second);
        Ok([first, second])
    }

    /// Whether the function's variable is an integer or a pointer that nothing else can change.
    pub(super) fn is_followed(&self, id: Id) -> Option<bool> {
        let declared = self.locals.variables.get(&id)?;
        let shape = self.shape(declared.type_name())?;
        let is_own = !matches!(declared.storage_class.as_deref(), Some("static" | "extern"))
            && declared.tls.is_none()
            && !shape.volatile
            && !self.declarations.address_taken.contains(&id)
            && !self.is_kept(id)
            && !shape.is_array;
        let is_pointer = shape.pointers > 0;
        let is_integer = shape.pointers == 0
            && shape.extents.is_empty()
            && matches!(types::scalar(&shape.element), Some(Scalar::Integer { bits: 32 | 64, .. }));
        (is_own && (is_pointer || is_integer)).then_some(is_pointer)
    }

    /// The value of a pointer at this place.
    pub(super) fn pointer_value(&mut self, name: &Node) -> Result<Pointer, Rejection> {
        if let Some(known) = name.referenced().and_then(|id| self.values.pointers.get(&id)) {
            return match known.clone() {
                Some(pointer) => Ok(pointer),
                None => self.unknown_pointer(name),
            };
        }
        let target = self.location(name)?;
        self.note_pointer(&target);
        Ok(self.at_first(Pointer::to(target), name.referenced()))
    }

    /// A pointer of the function at the beginning of the region. Of one that the region moves it matters where it comes from: two
    /// such may have been made of one.
    fn at_first(&mut self, pointer: Pointer, id: Option<Id>) -> Pointer {
        let is_moved = id.is_some_and(|id| self.changed.contains(&id) && self.is_followed(id) == Some(true));
        let mut pointer = pointer;
        for _ in 0..if is_moved { MAX_DEFINITIONS } else { 0 } {
            match self.defined(&pointer) {
                Some(defined) => pointer = defined,
                None => break,
            }
        }
        pointer
    }

    /// The value of a variable that is a pointer at this place.
    pub(super) fn pointer_of_id(&mut self, id: Id, at: &Node) -> Result<Pointer, Rejection> {
        match self.values.pointers.get(&id).cloned() {
            Some(Some(pointer)) => Ok(pointer),
            Some(None) => self.unknown_pointer(at),
            None => {
                let variable = self.variable_of_id(id, at)?;
                let target = Reference { variable, path: Vec::new(), scalar: Scalar::INT, at: self.at(at) };
                Ok(self.at_first(Pointer::to(target), Some(id)))
            }
        }
    }

    pub(super) fn unknown_pointer<T>(&self, at: &Node) -> Result<T, Rejection> {
        self.model(
            at,
            "a pointer whose value depends on a condition, or on the iteration before; hint: use subscripts",
        )
    }

    /// What is between two pointers, if they are known to point into one array.
    pub(super) fn distance(&mut self, from: Pointer, to: Pointer) -> Result<Option<Expression>, Rejection> {
        let (mut from, mut to) = (from, to);
        for _ in 0..MAX_DEFINITIONS {
            if is_same(&from.target, &to.target) {
                let offset = |pointer: &Pointer| pointer.offset.clone().unwrap_or_else(|| number(0));
                return Ok(Some(arithmetic::subtract(offset(&to), offset(&from))));
            }
            match self.defined(&to) {
                Some(defined) => to = defined,
                None => match self.defined(&from) {
                    Some(defined) => from = defined,
                    None => return Ok(self.distance_of_others(&from, &to)),
                },
            }
        }
        Ok(None)
    }

    /// The distance of two variables that are pointers: what is compared, or subtracted, points into one array. The second is the
    /// first so much further from here on; none if something has been reached through it before.
    fn distance_of_others(&mut self, from: &Pointer, to: &Pointer) -> Option<Expression> {
        let is_name = |pointer: &Pointer| {
            let variable = self.region.variable(pointer.target.variable);
            pointer.target.path.is_empty()
                && !pointer.is_object
                && matches!(variable.storage, Storage::Parameter | Storage::Pointer)
                && variable.aliasing == Aliasing::Shared
                && variable.extents.len() == 1
        };
        let (first, second) = (from.target.variable, to.target.variable);
        let [one, other] = [first, second].map(|id| self.region.variable(id));
        if !is_name(from) || !is_name(to) || one.scalar != other.scalar {
            return None;
        }
        let is_reached = self.reads.keys().chain(self.writes.keys()).any(|(id, _)| *id == second);
        let id = self.variables.iter().find(|(_, variable)| **variable == second).map(|(id, _)| *id)?;
        if is_reached || self.region.null_tests.keys().any(|(id, _)| *id == second) {
            return None;
        }
        let text = format!("{} - {}", other.name, one.name);
        let name = self.region.unused_name(&format!("{}_distance", other.name));
        let distance = self.defined_variable(&name, Scalar::LONG, &text);
        let at = from.target.at;
        let distance = self.value_of(distance, at);
        let moved = Pointer::to(from.target.clone()).moved(distance.clone());
        // What is known of it, or names it, is that now.
        let now = self.values.pointers.entry(id).or_insert(Some(moved.clone()));
        if let Some(Pointer { target, offset, .. }) = now
            && target.variable == second
        {
            let offset = offset.take();
            let further = offset.map_or(moved.clone(), |offset| moved.clone().moved(offset));
            *now = Some(further);
        }
        let offset = |pointer: &Pointer| pointer.offset.clone().unwrap_or_else(|| number(0));
        Some(arithmetic::subtract(arithmetic::add(distance, offset(to)), offset(from)))
    }

    /// A pointer by what its variable has been set to before the region.
    fn defined(&mut self, pointer: &Pointer) -> Option<Pointer> {
        let own = |(_, variable): &(&Id, &ir::VariableId)| **variable == pointer.target.variable;
        let id = *self.variables.iter().find(own).filter(|_| pointer.target.path.is_empty())?.0;
        let defined = self.set_before(id, |reader, value| reader.pointer(value))?;
        Some(match &pointer.offset {
            Some(offset) => defined.moved(offset.clone()),
            None => defined,
        })
    }

    /// What an integer has been set to before the region.
    fn integer_before(&mut self, id: Id) -> Option<Expression> {
        self.set_before(id, |reader, value| {
            let before = reader.expression(value)?;
            match reader.is_made_of_others(&before, &reader.changed, false) {
                true => Ok(before),
                false => reader.model(value, "a value that the region changes"),
            }
        })
    }

    /// What a variable has been set to before the region, if nothing of that has changed since then.
    fn set_before<T>(
        &mut self,
        id: Id,
        read: impl FnOnce(&mut Self, &'t Node) -> Result<T, Rejection>,
    ) -> Option<T> {
        let (value, statement) = self.locals.set_before(&self.bytes, id)?;
        // What memory held then, it may hold no longer.
        if loads(value) {
            return None;
        }
        let own = id;
        let mut used = BTreeSet::from([id]);
        changes::add_names(value, &mut used);
        let stays = |id: &Id| {
            let declared = self.locals.variables.get(id).or_else(|| self.declarations.globals.get(id));
            let is_array = declared
                .and_then(|declared| self.shape(declared.type_name()))
                .is_some_and(|shape| shape.is_array);
            // An integer is read when this is, and a pointer as it is where the region begins.
            let is_read_later =
                *id != own && self.is_followed(*id) == Some(false) && self.changed.contains(id);
            is_array
                || self.declarations.enumerators.contains_key(id)
                || self.is_followed(*id).is_some()
                    && !is_read_later
                    && self.locals.stays_until(&self.bytes, *id, &statement)
        };
        let text = value.bytes_in(self.file).filter(|_| used.iter().all(stays))?;
        let text = String::from_utf8_lossy(self.text.get(text)?).into_owned();
        // Not with the values of now.
        let values = std::mem::take(&mut self.values);
        let found = self.without_effects(|reader| read(reader, value));
        self.values = values;
        let found = found.ok()?;
        let declared = self.locals.variables.get(&id)?;
        let definition = (declared.name.clone().unwrap_or_default(), declared.type_name().to_owned(), text);
        if !self.region.defined_before.contains(&definition) {
            self.region.defined_before.push(definition);
        }
        Some(found)
    }

    /// Notes what an integer is set to, if that stays as it is.
    pub(super) fn note_known(&mut self, id: Id, value: Option<&Expression>) {
        let is_integer = self.is_followed(id) == Some(false);
        match value.filter(|value| is_integer && self.is_made_of_others(value, &self.changed, false)) {
            Some(value) => {
                let declared = self.locals.variables.get(&id).map(|declared| declared.type_name());
                let scalar = declared.and_then(types::scalar).unwrap_or(value.scalar);
                self.values.known.insert(id, ir::convert::convert(value.clone(), scalar));
            }
            None => {
                self.values.known.remove(&id);
            }
        }
    }

    /// The iterations of a loop inside another one, if they are known at the beginning of that.
    fn trips(&mut self, looped: &Node) -> Result<Option<Expression>, Rejection> {
        let [initial, condition, step] = [0, 2, 3].map(|index| looped.child(index));
        let (Some(initial), Some(condition), Some(step)) = (initial, condition, step) else {
            return Ok(None);
        };
        let initial = initial.bare();
        let (id, value) = match (initial.kind, &initial.inner[..]) {
            (Kind::DeclStmt, [declared]) => (Some(declared.id), declared.initial_value()),
            (Kind::BinaryOperator, [target, value]) if initial.opcode() == "=" => {
                (target.bare().referenced(), Some(value))
            }
            _ => (None, None),
        };
        let (Some(id), Some(value)) = (id, value) else { return Ok(None) };
        let iteration = Iteration { body: Vec::new(), steps: vec![step] };
        let increments = changes::increments(&iteration, id).unwrap_or_default();
        let step = match &increments[..] {
            [Increment::Constant(step)] => *step,
            _ => return Ok(None),
        };
        let lower = self.without_effects(|reader| reader.expression(value))?;
        let declared = self.locals.variables.get(&id).map(|declared| declared.type_name());
        let Some(scalar) = declared.and_then(types::scalar) else { return Ok(None) };
        let lower = ir::convert::convert(lower, scalar);
        let iterator = UNKNOWN;
        let counter = Expression { kind: ExpressionKind::Iterator(iterator), scalar };
        let before = self.values.integers.insert(id, counter);
        let condition = self.without_effects(|reader| reader.expression(condition));
        match before {
            Some(before) => self.values.integers.insert(id, before),
            None => self.values.integers.remove(&id),
        };
        let condition = match condition? {
            // `for (…; i; i--)`
            counter if matches!(counter.kind, ExpressionKind::Iterator(_)) => {
                arithmetic::compare(BinaryOperator::NotEqual, counter, Expression::integer(0, scalar))
            }
            condition => condition,
        };
        let first = crate::transform::in_expression(&condition, iterator, &lower);
        Ok(Counted::new((iterator, scalar), lower, step, (first, &condition)).trips())
    }

    /// Notes which variables the region changes for nobody, as what is made of it may leave them as they are. An error if the
    /// function uses a pointer behind the region that the region sets.
    pub(super) fn check_changed(&mut self, changed: &BTreeSet<Id>) -> Result<(), Rejection> {
        for id in changed {
            let Some(declared) = self.locals.variables.get(id) else { continue };
            let name = declared.name.clone().unwrap_or_default();
            let is_inside = declared
                .bytes_in(self.file)
                .is_some_and(|bytes| self.bytes.start <= bytes.start && bytes.end <= self.bytes.end);
            if !is_inside && self.locals.is_over_after(&self.bytes, *id, &name, self.file) {
                self.region.changed_for_nobody.push((name, declared.type_name().into()));
            }
        }
        for id in &self.set_pointers {
            let Some(declared) = self.locals.variables.get(id) else { continue };
            let name = declared.name.as_deref().unwrap_or_default();
            if self.locals.is_over_after(&self.bytes, *id, name, self.file) {
                continue;
            }
            match self.set_behind(*id, name) {
                Some(statement) => self.region.set_behind.push(statement),
                None => {
                    return Err(Rejection::new(
                        Rule::Model,
                        self.region.at,
                        format!("`{name}` is a pointer that the region sets, and that is used behind it"),
                    ));
                }
            }
        }
        Ok(())
    }

    /// `p += n;` of a pointer that the region moves so far, or `p = q + n;` of one that begins at another one.
    fn set_behind(&self, id: Id, name: &str) -> Option<String> {
        let pointer = self.values.pointers.get(&id)?.as_ref()?;
        let target = pointer.target.variable;
        let is_own = self.variables.get(&id) == Some(&target);
        let pointee = |id: &Id| {
            let pointee = self.locals.variables.get(id)?.type_name().strip_suffix('*')?;
            Some(pointee.split_whitespace().filter(|word| *word != "const").collect::<Vec<_>>())
        };
        let named: Vec<&Id> =
            self.variables.iter().filter(|(_, of)| **of == target).map(|(base, _)| base).collect();
        let is_alike = |base: &&Id| {
            !self.changed.contains(*base) && pointee(base).is_some_and(|of| pointee(&id) == Some(of))
        };
        let stays = is_own || !named.is_empty() && named.iter().all(is_alike);
        let distance = pointer.offset.as_ref();
        let defined =
            |read: ir::VariableId| self.region.defined.iter().any(|(variable, _)| *variable == read);
        let is_outside = |read: &&Reference| self.region.variable(read.variable).storage != Storage::Region;
        let is_known = distance.is_none_or(|distance| {
            let reads = distance.reads();
            distance.iterators().next().is_none()
                && reads.iter().all(is_outside)
                && (reads.iter().all(|read| defined(read.variable))
                    || self.is_made_of_others(distance, &self.changed, false))
        });
        let distance = distance.map_or("0".into(), |distance| super::value(&self.region, distance));
        let is_known = is_known && stays && pointer.target.path.is_empty();
        is_known.then(|| match is_own {
            true => format!("{name} += {distance};"),
            false => format!("{name} = {} + ({distance});", self.region.variable(target).name),
        })
    }

    /// The value of an integer at this place.
    pub(super) fn integer_value(&mut self, id: Id, at: &Node) -> Result<Expression, Rejection> {
        let known = self.values.integers.get(&id).or_else(|| self.values.known.get(&id)).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let variable = self.variable_of_id(id, at)?;
        let scalar = self.region.variable(variable).scalar;
        let is_first = self.changed.contains(&id) && !self.stored.contains(&id);
        let before = if is_first { self.integer_before(id) } else { None };
        if let Some(before) = before {
            return Ok(ir::convert::convert(before, scalar));
        }
        let reference = Reference { variable, path: Vec::new(), scalar, at: self.at(at) };
        self.note_read(&reference);
        Ok(Expression { kind: ExpressionKind::Read(reference), scalar })
    }

    /// What an iteration adds, if that is known where the loop begins.
    fn added(&mut self, increments: &[Increment<'_>]) -> Result<Option<Expression>, Rejection> {
        let mut sum = number(0);
        for increment in increments {
            let added = match increment {
                Increment::Constant(value) => number(*value),
                Increment::Value { value, negative } => {
                    let value = self.without_effects(|reader| reader.expression(value))?;
                    if !matches!(value.scalar, Scalar::Integer { bits: ..=64, .. }) {
                        return Ok(None);
                    }
                    if *negative { arithmetic::subtract(number(0), value) } else { long(value) }
                }
                Increment::Repeated { looped, by } => {
                    let (Some(trips), Some(by)) = (self.trips(looped)?, self.added(by)?) else {
                        return Ok(None);
                    };
                    arithmetic::multiply(trips, by)
                }
            };
            sum = arithmetic::add(sum, added);
        }
        Ok(Some(sum))
    }

    /// Gives variables that a loop changes their values at the beginning of an iteration; `own` is what the condition tests.
    /// Integers for which there is no such value stay variables, and so do those of the condition, which is read before.
    pub(super) fn enter(
        &mut self,
        node: &Node,
        iteration: &Iteration<'t>,
        (own, condition): (Id, &BTreeSet<Id>),
        counted: &Counted,
    ) -> Result<Vec<Induction>, Rejection> {
        let parts = iteration.parts();
        let changed: BTreeSet<Id> = changes::changed(&parts);
        let mut found = Vec::new();
        for id in changed.iter().copied().filter(|id| *id != own) {
            let known = self.values.known.remove(&id);
            let Some(is_pointer) = self.is_followed(id) else { continue };
            // What an iteration declares is its own.
            if self.is_declared_in(id, iteration) {
                continue;
            }
            if self.variables.get(&id).is_some_and(|variable| self.iterators.contains(variable)) {
                continue;
            }
            let increments = match condition.contains(&id) {
                true => None,
                false => changes::increments(iteration, id).filter(|found| !found.is_empty()),
            };
            let stays = |increments: &Vec<Increment<'_>>| {
                let mut names = BTreeSet::new();
                increments.iter().for_each(|increment| increment.add_names(&mut names));
                names
                    .into_iter()
                    .all(|name| !changed.contains(&name) && !self.is_declared_in(name, iteration))
            };
            let added = match increments.filter(stays) {
                Some(increments) => self.added(&increments).unwrap_or(None),
                None => None,
            };
            let changed_by_others = changed.iter().copied().filter(|other| *other != own).collect();
            let added = added.filter(|added| {
                self.is_made_of_others(&counted.lower, &changed_by_others, true)
                    && self.is_made_of_others(added, &changed_by_others, true)
                    && !narrows(added)
                    && added.iterators().all(|id| id != counted.iterator && id != UNKNOWN)
            });
            match (is_pointer, added) {
                (true, Some(added)) => {
                    let first = match self.values.pointers.get(&id).cloned() {
                        Some(Some(pointer)) => pointer,
                        Some(None) => continue,
                        None => self.pointer_of_id(id, node)?,
                    };
                    let value = first.clone().moved(counted.sum(&added));
                    self.values.pointers.insert(id, Some(value));
                    found.push(Induction { id, first: First::Pointer(first), added });
                }
                (true, None) => {
                    self.values.pointers.insert(id, None);
                }
                (false, Some(added)) => {
                    let is_stored = !self.values.integers.contains_key(&id);
                    let is_needed = is_stored && self.is_used_behind(id, node);
                    if is_needed && counted.trips().is_none() {
                        self.stored.insert(id);
                        continue;
                    }
                    let value = match known {
                        Some(known) => known,
                        None => self.integer_value(id, node)?,
                    };
                    self.values.integers.insert(id, counted.value_of(&value, &added));
                    found.push(Induction { id, first: First::Integer { value, is_stored }, added });
                }
                (false, None) => {
                    self.stored.insert(id);
                }
            }
        }
        Ok(found)
    }

    /// Whether iterations of a loop leave a value as it is. What its condition tests is no variable of the tree inside.
    pub(super) fn stays_in(&self, value: &Expression, (iteration, tested): (&Iteration<'_>, Id)) -> bool {
        let mut changed = changes::changed(&iteration.parts());
        changed.remove(&tested);
        self.is_made_of_others(value, &changed, false)
    }

    /// Whether a value is made of scalars that stay as they are, and of none of some variables. That those stay to which pointers lead
    /// may be relied on: the region may not store to them, and where pointers overlap, the source's text is executed.
    pub(super) fn is_made_of_others(
        &self,
        value: &Expression,
        changed: &BTreeSet<Id>,
        may_rely: bool,
    ) -> bool {
        let is_own = |read: &&&Reference| {
            let variable = self.region.variable(read.variable);
            read.subscripts().next().is_none()
                && matches!(variable.storage, Storage::Local | Storage::Region)
                && variable.aliasing == Aliasing::Distinct
        };
        let is_changed = |read: &&Reference| {
            // Members are not followed.
            let parts = &self.locals.changed_parts;
            self.variables.iter().any(|(id, other)| {
                *other == read.variable
                    && (changed.contains(id) || is_own(&read) && !read.path.is_empty() && parts.contains(id))
            })
        };
        let reads = value.reads();
        let (own, others): (Vec<_>, Vec<_>) = reads.iter().partition(is_own);
        let is_known = |read: &&Reference| {
            read.scalar.is_integer()
                && self.region.variable(read.variable).storage != Storage::Region
                && read.subscripts().all(|subscript| self.is_made_of_others(subscript, changed, false))
        };
        let stays = !own.iter().chain(&others).any(is_changed)
            && (others.is_empty() || may_rely)
            && others.iter().all(is_known)
            && value.walk().all(|part| !matches!(part.kind, ExpressionKind::Call(..)));
        if stays {
            self.relied.borrow_mut().extend(others.iter().map(|read| read.array()));
        }
        stays
    }

    /// Has a condition tested before the region; where it does not hold, the source's text is executed.
    pub(super) fn assume(&mut self, condition: Expression) {
        self.relied.get_mut().extend(condition.reads().iter().map(|read| read.array()));
        if !self.region.assumed.contains(&condition) {
            self.region.assumed.push(condition);
        }
    }

    /// What is relied on not to change is not stored to.
    pub(super) fn check_relied(&mut self) -> Result<(), Rejection> {
        let relied = std::mem::take(self.relied.get_mut());
        for key in &relied {
            if let Some(at) = self.writes.get(key) {
                let reason = format!(
                    "the region changes `{}`, by which a pointer or a counter moves, or which bounds a counter",
                    self.array_name(key)
                );
                return Err(Rejection::new(Rule::Model, *at, reason));
            }
        }
        self.region.is_conditional = !relied.is_empty();
        Ok(())
    }

    fn is_declared_in(&self, id: Id, iteration: &Iteration<'_>) -> bool {
        fn declares(node: &Node, id: Id) -> bool {
            node.is(Kind::VarDecl) && node.id == id || node.inner.iter().any(|child| declares(child, id))
        }
        let is_variable = self.locals.variables.contains_key(&id) && !self.locals.parameters.contains(&id);
        is_variable && iteration.body.iter().any(|part| declares(part, id))
    }

    /// Whether the function may read behind a loop what the loop leaves in a variable.
    pub(super) fn is_used_behind(&self, id: Id, node: &Node) -> bool {
        let Some(bytes) = node.bytes_in(self.file) else { return true };
        let name = self.locals.variables.get(&id).and_then(|declared| declared.name.as_deref());
        !self.locals.is_over_after(&bytes, id, name.unwrap_or_default(), self.file)
    }

    /// Gives variables their values behind a loop; `before` are those of before it.
    pub(super) fn behind(
        &mut self,
        node: &Node,
        before: Values,
        (found, counted): (Vec<Induction>, &Counted),
        iteration: &Iteration<'_>,
        out: &mut Vec<ir::Node>,
    ) -> Result<(), Rejection> {
        let inside = std::mem::replace(&mut self.values, before);
        let when = |values: &Values, key| values.members.get(key).map(|(when, _)| *when);
        if self.values.members.keys().any(|key| when(&inside, key) != when(&self.values, key)) {
            return self.model(node, "a pointer in a structure, which a loop changes");
        }
        self.values.known.retain(|id, value| inside.known.get(id) == Some(value));
        for id in inside.pointers.keys() {
            self.values.pointers.entry(*id).or_insert(None);
        }
        for id in changes::changed(&iteration.parts()) {
            self.values.known.remove(&id);
            if let Some(pointer) = self.values.pointers.get_mut(&id) {
                *pointer = None;
            }
        }
        for Induction { id, first, added } in found {
            match first {
                First::Pointer(first) => {
                    let sum = counted.trips().map(|trips| arithmetic::multiply(trips, added));
                    self.values.pointers.insert(id, sum.map(|sum| first.moved(sum)));
                }
                First::Integer { value, is_stored } => {
                    self.values.integers.remove(&id);
                    match counted.value_after(&value, &added) {
                        Some(after) if !is_stored => {
                            self.values.integers.insert(id, after);
                        }
                        Some(after) if self.is_used_behind(id, node) => self.store(id, after, node, out)?,
                        None if !is_stored || self.is_used_behind(id, node) => {
                            return self.model(node, "a loop whose iterations cannot be counted");
                        }
                        _ => {}
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn store(
        &mut self,
        id: Id,
        value: Expression,
        node: &Node,
        out: &mut Vec<ir::Node>,
    ) -> Result<(), Rejection> {
        let (variable, at) = (self.variable_of_id(id, node)?, self.at(node));
        self.stored.insert(id);
        self.values.known.remove(&id);
        let scalar = self.region.variable(variable).scalar;
        let target = Reference { variable, path: Vec::new(), scalar, at };
        self.note_write(&target);
        out.push(ir::Node::Statement(Statement { target, store: Store::Assign, value, at }));
        Ok(())
    }

    /// `p = …` of a pointer that is a name from here on; whether it is one.
    pub(super) fn sets_pointer(&mut self, node: &Node, out: &mut Vec<ir::Node>) -> Result<bool, Rejection> {
        let (Some(target), Some(value)) = (node.child(0).map(NodeExt::bare), node.child(1)) else {
            return Ok(false);
        };
        let Some(id) = target.referenced().filter(|_| target.is(Kind::DeclRefExpr)) else { return Ok(false) };
        if self.is_followed(id) != Some(true) {
            return Ok(false);
        }
        let pointer = match node.opcode() {
            "=" => self.pointer(value)?,
            operator => {
                let before = self.pointer_value(target)?;
                let distance = self.expression(value)?;
                let distance = match operator {
                    "+=" => long(distance),
                    _ => arithmetic::subtract(number(0), distance),
                };
                before.moved(distance)
            }
        };
        let name =
            self.locals.variables.get(&id).and_then(|declared| declared.name.clone()).unwrap_or_default();
        let pointer = self.with_kept_indices(pointer, &name, id, self.at(node), out);
        self.values.pointers.insert(id, Some(pointer));
        self.set_pointers.insert(id);
        Ok(true)
    }

    /// `p++` as a value, with its effect; none if it is of another variable.
    pub(super) fn stepped_pointer(&mut self, node: &Node) -> Result<Option<Pointer>, Rejection> {
        let Some(target) = node.child(0).map(NodeExt::bare) else { return Ok(None) };
        let Some(id) = target.referenced().filter(|_| target.is(Kind::DeclRefExpr)) else { return Ok(None) };
        if self.is_followed(id) != Some(true) {
            return Ok(None);
        }
        self.check_effects(node)?;
        let before = self.pointer_value(target)?;
        let after = before.clone().moved(number(if node.opcode() == "++" { 1 } else { -1 }));
        self.values.pointers.insert(id, Some(after.clone()));
        self.set_pointers.insert(id);
        Ok(Some(if node.is_postfix { before } else { after }))
    }

    /// `k++` or `k += e` of an integer that is no variable of the tree here: its value after that.
    pub(super) fn stepped_integer(&mut self, node: &Node) -> Result<Option<Expression>, Rejection> {
        let Some(target) = node.child(0).map(NodeExt::bare) else { return Ok(None) };
        let Some(id) = target.referenced().filter(|_| target.is(Kind::DeclRefExpr)) else { return Ok(None) };
        let Some(before) = self.values.integers.get(&id).cloned() else { return Ok(None) };
        self.check_effects(node)?;
        let added = match (node.kind, node.opcode()) {
            (Kind::UnaryOperator, "++") => number(1),
            (Kind::UnaryOperator, _) => number(-1),
            (Kind::CompoundAssignOperator, operator) => match node.child(1) {
                Some(value) if operator == "+=" => long(self.expression(value)?),
                Some(value) => arithmetic::subtract(number(0), self.expression(value)?),
                None => return Ok(None),
            },
            _ => {
                let Some(value) = node.child(1) else { return Ok(None) };
                let value = self.expression(value)?;
                let value = ir::convert::convert(value, before.scalar);
                self.values.integers.insert(id, value.clone());
                return Ok(Some(value));
            }
        };
        let after = advanced(&before, &added);
        self.values.integers.insert(id, after.clone());
        Ok(Some(after))
    }
}

/// The iterator of a loop that is not read yet.
const UNKNOWN: ir::VariableId = ir::VariableId(usize::MAX);

/// Whether an expression loads more than variables that it names.
fn loads(node: &Node) -> bool {
    let is_load = node.cast_kind.as_deref() == Some("LValueToRValue");
    let is_name = node.child(0).is_some_and(|loaded| loaded.bare().is(Kind::DeclRefExpr));
    is_load && !is_name || node.is(Kind::CallExpr) || node.inner.iter().any(loads)
}

/// Declarations of pointers that are followed.
const MAX_DEFINITIONS: usize = 8;

fn is_same(first: &Reference, second: &Reference) -> bool {
    first.variable == second.variable && first.path == second.path
}

/// A value with something added, in its type.
pub(super) fn advanced(value: &Expression, added: &Expression) -> Expression {
    let scalar = value.scalar;
    if scalar == Scalar::LONG {
        return arithmetic::add(value.clone(), added.clone());
    }
    // `(i - 1) + 1` is `i`.
    let (value, before) = match &value.kind {
        ExpressionKind::Binary(operator @ (BinaryOperator::Add | BinaryOperator::Subtract), left, right) => {
            match arithmetic::constant(right) {
                Some(right) if *operator == BinaryOperator::Add => (&**left, right),
                Some(right) => (&**left, -right),
                None => (value, 0),
            }
        }
        _ => (value, 0),
    };
    let combined = |value: &Expression, operator, added: Expression| {
        let kind = ExpressionKind::Binary(operator, Box::new(value.clone()), Box::new(added));
        Expression { kind, scalar }
    };
    let with_constant = |value: &Expression, constant: i128| match constant {
        0 => value.clone(),
        1.. => combined(value, BinaryOperator::Add, Expression::integer(constant, scalar)),
        _ => combined(value, BinaryOperator::Subtract, Expression::integer(-constant, scalar)),
    };
    match arithmetic::constant(added) {
        Some(added) => with_constant(value, before + added),
        None => {
            let added = ir::convert::convert(added.clone(), scalar);
            combined(&with_constant(value, before), BinaryOperator::Add, added)
        }
    }
}
