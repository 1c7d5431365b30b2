//! Updates: statements that combine their target with a value.

use super::{
    detection::Detection,
    found::{Combination, Prefix},
    symbols::Symbol,
};
use crate::{
    ir::{Expression, ReductionOperator, Reference, Statement, Store, compare::same_reference},
    isl::IslError,
    rules::Rule,
    transform::scans::{factor, stored_value},
};

impl<'r> Detection<'_, 'r> {
    pub(super) fn statement(&mut self, index: usize, statement: &'r Statement) -> Result<(), IslError> {
        let store = self.store_of(index);
        let (symbol, loads) = match &statement.store {
            Store::Reduce { operator, .. } => {
                let load = self.program.statements[index].accesses.iter().rev().nth(1).copied();
                (Symbol::Combined { operator: *operator, negated: false }, load.into_iter().collect())
            }
            Store::Update { operator, computed_in } => {
                let load = self.program.statements[index].accesses.iter().rev().nth(1).copied();
                (self.update(statement, *operator, *computed_in), load.into_iter().collect())
            }
            Store::Assign => {
                let mut loads = Vec::new();
                self.loads_of(&statement.value, &statement.target, &mut loads);
                if loads.is_empty() {
                    return self.elsewhere(index, statement, store);
                }
                let symbol = self.converted(&statement.value, statement.target.scalar, &|reference| {
                    same_reference(reference, &statement.target, None)
                });
                (symbol, loads)
            }
        };
        match symbol {
            Symbol::Combined { operator, negated: false } => {
                if let Some(line) = self.used_elsewhere(&statement.value, &statement.target) {
                    let reason = format!("line {line} uses the intermediate value, too");
                    self.found.rejected.insert(index, (Rule::Scans, reason));
                    let combination = Combination::Operator(operator);
                    self.found.prefixes.push(Prefix { combination, loads, store, next_cell: false });
                    return Ok(());
                }
                if let Some(line) = self.disturbing(index, store, &loads)? {
                    let reason =
                        format!("the statement reads an element of its target elsewhere (line {line})");
                    self.found.rejected.insert(index, (Rule::Subscripts, reason));
                    return Ok(());
                }
                self.next_cell(statement, store, &loads, operator);
                let members = loads.into_iter().chain([store]).collect();
                self.add(operator, true, vec![index], None, members, None);
            }
            Symbol::Combined { .. } | Symbol::Loaded { negated: true, .. } => {
                self.linear(statement, &statement.target, loads, store, false);
                let reason =
                    "the target is subtracted; only what is subtracted from the target can be reordered";
                self.found.rejected.insert(index, (Rule::Operators, reason.into()));
            }
            Symbol::Other(rule, reason) => {
                self.linear(statement, &statement.target, loads, store, false);
                self.found.rejected.insert(index, (rule, reason));
            }
            Symbol::Unused | Symbol::Loaded { .. } => {}
        }
        Ok(())
    }

    /// A statement that multiplies what it loads by a factor, and adds something.
    fn linear(
        &mut self,
        statement: &'r Statement,
        load: &Reference,
        mut loads: Vec<usize>,
        store: usize,
        next_cell: bool,
    ) {
        if !matches!(statement.store, Store::Assign) {
            if next_cell {
                return;
            }
            self.loads_of(&statement.value, load, &mut loads);
        }
        let is_load = |other: &Reference| same_reference(other, load, None);
        // What is added may be a local variable that is computed from what is loaded.
        let mut is_carried = false;
        statement.value.visit_reads(&mut |read| {
            let temporary = self.temporaries.get(&read.variable);
            is_carried |=
                temporary.is_some_and(|temporary| self.symbol(temporary.value, &is_load) != Symbol::Unused);
        });
        if is_carried {
            return;
        }
        let value = stored_value(&statement.store, load, statement.value.clone());
        if factor(&value, statement.target.scalar, &is_load).is_some() {
            let combination = Combination::Linear;
            self.found.prefixes.push(Prefix { combination, loads, store, next_cell });
        }
    }

    /// A statement whose value reads the target's array at another subscript.
    fn elsewhere(&mut self, index: usize, statement: &'r Statement, store: usize) -> Result<(), IslError> {
        let program = self.program;
        let array = program.accesses[store].array;
        let mut others = Vec::new();
        self.visit(&statement.value, &mut |reference| {
            let access = program.access_of(reference);
            others.extend(
                access
                    .filter(|access| program.accesses[*access].array == array)
                    .map(|access| (access, reference)),
            );
        });
        let Some((load, reference)) = only_one(&others) else { return Ok(()) };
        let symbol = self.converted(&statement.value, statement.target.scalar, &|other| {
            same_reference(other, reference, None)
        });
        // Elements that are not known may be the target's in any instance, and in none for certain.
        let known = [load, store]
            .iter()
            .all(|access| program.accesses[*access].subscripts.iter().all(Option::is_some));
        let Symbol::Combined { operator, negated: false } = symbol else {
            if known && !self.meet(load, store, true)? {
                self.linear(statement, reference, all(&others), store, true);
            }
            if let Symbol::Other(rule, reason) = symbol {
                self.found.rejected.insert(index, (rule, reason));
            }
            return Ok(());
        };
        if !known {
            let reason = "the element that is read may be the target's, or another";
            self.found.rejected.insert(index, (Rule::Subscripts, reason.into()));
            return Ok(());
        }
        let meets = self.meet(load, store, true)?;
        if meets || !self.rule.by_instance && self.meet(load, store, false)? {
            self.add(operator, true, vec![index], None, vec![load, store], Some((load, store)));
        }
        if meets {
            let reason = "the load and the store name the same element in some iterations only";
            self.found.rejected.insert(index, (Rule::Subscripts, reason.into()));
        } else {
            let combination = Combination::Operator(operator);
            self.found.prefixes.push(Prefix { combination, loads: all(&others), store, next_cell: true });
            let reason = "each element is computed from another element of the same array";
            self.found.rejected.insert(index, (Rule::Scans, reason.into()));
        }
        Ok(())
    }

    /// `a[i] += a[i - 1]`: the other load of the target's array is an operand of the same operator.
    fn next_cell(
        &mut self,
        statement: &'r Statement,
        store: usize,
        loads: &[usize],
        operator: ReductionOperator,
    ) {
        let program = self.program;
        let array = program.accesses[store].array;
        let mut others = Vec::new();
        self.visit(&statement.value, &mut |reference| {
            let access = program.access_of(reference).filter(|access| !loads.contains(access));
            others.extend(
                access
                    .filter(|access| program.accesses[*access].array == array)
                    .map(|access| (access, reference)),
            );
        });
        let Some((_, reference)) = only_one(&others) else { return };
        let symbol = self.symbol(&statement.value, &|other| same_reference(other, reference, None));
        let chained = match symbol {
            Symbol::Combined { operator: same, negated: false } => same == operator,
            Symbol::Loaded { negated: false, .. } => matches!(statement.store, Store::Update { .. }),
            _ => false,
        };
        if chained {
            let combination = Combination::Operator(operator);
            self.found.prefixes.push(Prefix { combination, loads: all(&others), store, next_cell: true });
        }
    }

    /// A line that uses, besides this statement, a local variable in which the target's value reaches it.
    fn used_elsewhere(&self, value: &Expression, target: &Reference) -> Option<u32> {
        let mut found = None;
        value.visit_reads(&mut |reference| {
            let Some(temporary) = self.temporaries.get(&reference.variable) else { return };
            let is_load = |other: &Reference| same_reference(other, target, None);
            if found.is_none() && self.symbol(temporary.value, &is_load) != Symbol::Unused {
                found = temporary.used_elsewhere.or_else(|| self.used_elsewhere(temporary.value, target));
            }
        });
        found
    }
}

fn all(loads: &[(usize, &Reference)]) -> Vec<usize> {
    loads.iter().map(|(load, _)| *load).collect()
}

/// The first of the loads, if they are all written alike: minimum and maximum write their operands twice.
fn only_one<'r>(loads: &[(usize, &'r Reference)]) -> Option<(usize, &'r Reference)> {
    let first = *loads.first()?;
    loads.iter().all(|(_, other)| same_reference(other, first.1, None)).then_some(first)
}
