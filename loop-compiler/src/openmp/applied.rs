//! A region in which a loop is executed as its directive says: with the copies that the clauses give to threads, and with one
//! variable for all where no clause does.

use std::collections::BTreeSet;

use crate::{
    c::LoopDirective,
    ir::{
        Aliasing, BinaryOperator, Declaration, Expression, ExpressionKind, Loop, LoopAttributes, Node,
        Position, Private, ReductionOperator, Reference, Region, Step, Storage, Variable, VariableId,
        arithmetic::{add, and, compare, divide, long, multiply, number, remainder, subtract, value_of},
        for_each_loop_mut, loops,
        operators::identity,
        types::Scalar,
        walk,
    },
    transform::{
        in_expression, loop_at,
        privatize::{counting, iterated, nest, read, reduced, stored, trips},
        renamed, replace,
    },
};

/// Which iterations a thread executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sharing {
    /// Each has a thread of its own.
    Single,
    /// So many threads, each with iterations one after the other.
    Blocks(i128),
    /// So many threads that take turns.
    Cyclic(i128),
}

/// What a clause makes of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Copies {
    /// Each thread has a copy without a value.
    Private,
    /// Each thread has a copy with the value from before.
    First,
    /// The copies are combined with the value from before.
    Reduced(ReductionOperator),
}

/// What becomes of the variables of a loop with a directive.
#[derive(Debug, Default)]
pub(super) struct Clauses {
    /// Variables with copies, and whether the last iteration's copy is kept.
    pub copies: Vec<(VariableId, Copies, bool)>,
}

impl Clauses {
    /// An error says what is not checked.
    pub fn of(region: &Region, directive: &LoopDirective, looped: &Loop) -> Result<Clauses, String> {
        let mut clauses = Clauses::default();
        let all = &directive.directive.clauses;
        let copying = |name: &str| matches!(name, "private" | "firstprivate" | "lastprivate" | "reduction");
        for clause in all.iter().filter(|clause| copying(&clause.name)) {
            let copies = match &*clause.name {
                "reduction" => {
                    Copies::Reduced(clause.operator().filter(|_| !clause.modifier.contains(',')).ok_or_else(
                        || format!("the reduction `{}` is not one of OpenMP's operators", clause.modifier),
                    )?)
                }
                "firstprivate" => Copies::First,
                _ => Copies::Private,
            };
            let is_last = clause.name == "lastprivate";
            if is_last && !clause.modifier.is_empty() {
                return Err(format!("`lastprivate({}: …)` is not checked", clause.modifier));
            }
            for name in clause.variables() {
                clauses.add((region, directive), looped, name, (copies, is_last))?;
            }
        }
        for name in directive.own.intersection(&directive.named) {
            clauses.add((region, directive), looped, name, (Copies::First, false))?;
        }
        // A device has scalars of its own.
        let d = &directive.directive;
        if d.is("target") && !d.clauses_of("defaultmap").any(|clause| clause.modifier.contains("from")) {
            for (index, variable) in region.variables.iter().enumerate() {
                let named = d.names(&["map", "shared", "is_device_ptr", "has_device_addr"], &variable.name);
                let is_scalar = variable.extents.is_empty() && variable.storage != Storage::Region;
                let is_changed = walk(&looped.body).flat_map(Node::changed).any(|changed| changed.0 == index);
                if is_scalar && is_changed && !named && !clauses.has(VariableId(index)) {
                    clauses.copies.push((VariableId(index), Copies::First, false));
                }
            }
        }
        Ok(clauses)
    }

    pub fn has(&self, variable: VariableId) -> bool {
        self.copies.iter().any(|(other, ..)| *other == variable)
    }

    fn add(
        &mut self,
        (region, directive): (&Region, &LoopDirective),
        looped: &Loop,
        name: &str,
        (copies, is_last): (Copies, bool),
    ) -> Result<(), String> {
        let is_own = directive.own.contains(name);
        if directive.ambiguous.contains(name) {
            return Err(format!("several variables are called `{name}`"));
        }
        let Some(variable) =
            region.variables.iter().position(|variable| variable.name == name).map(VariableId)
        else {
            return match directive.named.contains(name) {
                true => Err(format!("`{name}` is no scalar or array of the loops as they are analysed")),
                // The loop does not have it.
                false => Ok(()),
            };
        };
        let described = region.variable(variable);
        // Functions in whose code calls are replaced have the file's variable.
        if described.storage == Storage::Global && region.calls_use_globals {
            return Err(format!("functions that the loop calls may use the `{name}` of the file"));
        }
        let is_pointer = matches!(described.storage, Storage::Parameter | Storage::Pointer)
            || described.storage == Storage::Global && described.extents.first() == Some(&None);
        if is_pointer {
            let is_written =
                walk(&looped.body).filter_map(Node::target).any(|target| target.variable == variable);
            // What it points to is not copied; sections of arrays are.
            return match copies {
                Copies::First if !is_own || !is_written => Ok(()),
                Copies::Reduced(_) => {
                    self.copies.push((variable, copies, is_last));
                    Ok(())
                }
                _ => Err(format!("to what the copies of the pointer `{name}` point is not known")),
            };
        }
        match self.copies.iter_mut().find(|(other, ..)| *other == variable) {
            // `firstprivate` and `lastprivate` of one variable.
            Some((_, known, kept)) => {
                *kept |= is_last;
                if copies != Copies::Private {
                    *known = copies;
                }
            }
            None => self.copies.push((variable, copies, is_last)),
        }
        Ok(())
    }
}

/// The variables of a region that nobody reads behind a loop, of which these may be read.
pub(super) fn dead(tree: &Region, live: &BTreeSet<String>) -> impl Iterator<Item = VariableId> {
    let is_dead = |variable: &Variable| {
        // What pointers point to is read by others.
        variable.storage == Storage::Local
            && variable.aliasing == Aliasing::Distinct
            && !live.contains(&variable.name)
    };
    (0..tree.variables.len()).map(VariableId).filter(move |id| is_dead(tree.variable(*id)))
}

/// The loops whose iterations the directive shares, outermost first.
pub(super) fn shared_loops(looped: &Loop, count: usize) -> Option<Vec<&Loop>> {
    let mut loops = vec![looped];
    while loops.len() < count {
        let [Node::Loop(inner)] = &loops.last()?.body[..] else { return None };
        loops.push(inner);
    }
    Some(loops)
}

/// The region as threads execute it.
pub(super) fn applied(
    region: &Region,
    directive: &LoopDirective,
    sharing: Sharing,
) -> Result<Region, String> {
    let mut out = region.clone();
    for_each_loop_mut(&mut out.body, |looped| {
        looped.parallel = false;
        looped.attributes = LoopAttributes::default();
    });
    let place = loops(&out.body).position(|looped| looped.at == directive.at);
    let place = place.ok_or("the loop is no loop of the tree")?;
    let looped = loop_at(&out, place).cloned().ok_or("the loop is no loop of the tree")?;
    let count = directive.directive.collapsed().ok_or("a `collapse` clause that is not a number")?;
    let shared = shared_loops(&looped, count)
        .ok_or("loops that `collapse` joins and that are not directly inside each other")?;
    let clauses = Clauses::of(region, directive, &looped)?;
    let mut make = Make { region: &mut out, before: Vec::new(), after_each: Vec::new(), behind: Vec::new() };
    let mut body = shared.last().map(|last| last.body.clone()).unwrap_or_default();
    let is_last = shared
        .iter()
        .map(|looped| last_iteration(looped))
        .fold(None, |all, one| and(all, Some(one)))
        .unwrap_or_else(|| number(1));
    for (variable, copies, keeps_last) in &clauses.copies {
        // Iterators of the loops are private anyway.
        match shared.iter().any(|looped| looped.iterator == *variable) {
            true if *keeps_last => return Err("the last value of an iterator".into()),
            true => continue,
            false => {}
        }
        let copy = make.copy(*variable, *copies)?;
        body = renamed(&body, *variable, copy);
        if *keeps_last {
            make.keep(*variable, copy, is_last.clone())?;
        }
    }
    let Make { before, after_each, behind, .. } = make;
    body.extend(after_each);
    let nest_of = |inside: Vec<Node>, parallel: bool| {
        shared.iter().rev().fold(inside, |body, looped| {
            vec![Node::Loop(Loop { body, parallel, declares: true, ..(*looped).clone() })]
        })
    };
    let made = match sharing {
        Sharing::Single => nest_of([before, body, behind].concat(), true),
        Sharing::Blocks(count) | Sharing::Cyclic(count) => {
            let thread = out.add_scalar("thread", Scalar::LONG);
            let outermost = &shared[0];
            let index = iteration(outermost);
            let owner = match (sharing, trips(outermost)) {
                (Sharing::Blocks(_), Some(trips)) => divide(multiply(index, number(count)), trips),
                _ => remainder(index, number(count)),
            };
            let is_own = compare(BinaryOperator::Equal, owner, iterated(thread));
            let nest = nest_of(vec![Node::guarded(is_own, body, directive.at)], false);
            let threads = counting(thread, number(0), number(count), [before, nest, behind].concat());
            vec![Node::Loop(Loop { parallel: true, at: directive.at, ..threads })]
        }
    };
    replace(&mut out, place, made);
    Ok(out)
}

/// The number of an iteration, from 0.
fn iteration(looped: &Loop) -> Expression {
    let own = Expression { kind: ExpressionKind::Iterator(looped.iterator), scalar: looped.lower.scalar };
    divide(subtract(own, looped.lower.clone()), looped.step.clone())
}

/// Whether an iteration is the last one.
fn last_iteration(looped: &Loop) -> Expression {
    let own = Expression { kind: ExpressionKind::Iterator(looped.iterator), scalar: looped.lower.scalar };
    let next = add(own, looped.step.clone());
    let goes_on = in_expression(&looped.condition, looped.iterator, &next);
    compare(BinaryOperator::Equal, goes_on, number(0))
}

/// What is executed around the iterations of a thread.
struct Make<'r> {
    region: &'r mut Region,
    before: Vec<Node>,
    after_each: Vec<Node>,
    behind: Vec<Node>,
}

impl Make<'_> {
    /// A thread's copy of a variable.
    fn copy(&mut self, variable: VariableId, copies: Copies) -> Result<VariableId, String> {
        let at = Position::default();
        let described = self.region.variable(variable).clone();
        let name = self.region.unused_name(&format!("{} of a thread", described.name));
        let is_structure = walk(&self.region.body)
            .flat_map(Node::references)
            .any(|reference| reference.variable == variable && reference.members().next().is_some());
        if is_structure {
            return Err(format!("`{}` is a structure", described.name));
        }
        let copy = self.region.add(Variable { name, storage: Storage::Region, ..described.clone() });
        if !described.extents.is_empty() {
            let operator = match copies {
                Copies::Private => None,
                Copies::Reduced(operator) => Some(operator),
                Copies::First => return Err(format!("`{}` is an array", described.name)),
            };
            let extents: Vec<Expression> = described.extents.iter().flatten().cloned().collect();
            if extents.len() < described.extents.len() {
                return Err(format!("the size of `{}` is not known", described.name));
            }
            self.before.push(Node::Private(Private { variable: copy, operator, at }));
            if let Some(operator) = operator {
                let iterators: Vec<VariableId> =
                    extents.iter().map(|_| self.region.add_scalar("at", Scalar::LONG)).collect();
                let path = || iterators.iter().map(|iterator| Step::Index(iterated(*iterator))).collect();
                let bounds = extents.into_iter().map(|extent| (number(0), long(extent)));
                let combined = combined(operator, (variable, path()), (copy, path()), described.scalar);
                self.behind.extend(nest(&iterators, bounds, vec![combined]));
            }
            return Ok(copy);
        }
        let value = match copies {
            Copies::Private => None,
            Copies::First => Some(value_of(variable, described.scalar)),
            Copies::Reduced(operator) => Some(identity(operator, described.scalar).ok_or_else(|| {
                format!("`{operator}` has no identity of the type of `{}`", described.name)
            })?),
        };
        self.before.push(Node::Declaration(Declaration { variable: copy, value, at }));
        if let Copies::Reduced(operator) = copies {
            self.behind.push(combined(
                operator,
                (variable, Vec::new()),
                (copy, Vec::new()),
                described.scalar,
            ));
        }
        Ok(copy)
    }

    /// Keeps the copy of the last iteration.
    fn keep(&mut self, variable: VariableId, copy: VariableId, is_last: Expression) -> Result<(), String> {
        let described = self.region.variable(variable);
        if !described.extents.is_empty() {
            return Err(format!("`{}` is an array", described.name));
        }
        let (at, scalar) = (Position::default(), described.scalar);
        let target = Reference { variable, path: Vec::new(), scalar, at };
        let stored = stored(target, value_of(copy, scalar));
        self.after_each.push(Node::guarded(is_last, vec![stored], at));
        Ok(())
    }
}

/// Combines an element of a copy with that of the variable, atomically.
fn combined(
    operator: ReductionOperator,
    (variable, path): (VariableId, Vec<Step>),
    (copy, place): (VariableId, Vec<Step>),
    scalar: Scalar,
) -> Node {
    let at = Position::default();
    let target = Reference { variable, path, scalar, at };
    reduced(operator, target, read(Reference { variable: copy, path: place, scalar, at }))
}
