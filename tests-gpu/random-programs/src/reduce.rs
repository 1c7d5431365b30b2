//! Makes a program smaller while it keeps a property.

use crate::ast::{Expr, Program, Stmt};

/// Tries edits, coarse ones first, as often as `budget` allows; keeps those after which `holds` still holds.
pub fn reduce(program: Program, budget: usize, holds: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut best = program;
    let mut tries = 0;
    loop {
        let mut progress = false;
        for edits in [phases, statements, expressions] {
            let mut n = 0;
            loop {
                let mut smaller = best.clone();
                if !edits(&mut smaller, n) {
                    break;
                }
                if tries == budget {
                    return best;
                }
                tries += 1;
                if holds(&smaller) {
                    best = smaller;
                    progress = true;
                } else {
                    n += 1;
                }
            }
        }
        if !progress {
            return best;
        }
    }
}

/// Whether this is the `n`th of the edits that are counted.
fn turn(n: &mut usize) -> bool {
    let now = *n == 0;
    *n = n.wrapping_sub(1);
    now
}

/// The `n`th edit of this kind: an exchange goes, or the whole body of a function.
fn phases(program: &mut Program, mut n: usize) -> bool {
    for at in (0..program.exchanges.len()).rev() {
        if turn(&mut n) {
            program.exchanges.remove(at);
            return true;
        }
    }
    for function in program.functions.iter_mut().filter(|function| !function.body.is_empty()) {
        if turn(&mut n) {
            function.body.clear();
            return true;
        }
    }
    false
}

/// A statement goes, or what it contains takes its place.
fn statements(program: &mut Program, mut n: usize) -> bool {
    fn walk(block: &mut Vec<Stmt>, n: &mut usize) -> bool {
        for at in (0..block.len()).rev() {
            if turn(n) {
                block.remove(at);
                return true;
            }
            for inner in block[at].blocks_mut().iter_mut().filter(|inner| !inner.is_empty()) {
                if turn(n) {
                    let inner = std::mem::take(*inner);
                    block.splice(at..=at, inner);
                    return true;
                }
                if walk(inner, n) {
                    return true;
                }
            }
        }
        false
    }
    program.functions.iter_mut().any(|function| walk(&mut function.body, &mut n))
}

/// An expression becomes zero, or one of its operands.
fn expressions(program: &mut Program, mut n: usize) -> bool {
    fn walk(e: &mut Expr, n: &mut usize) -> bool {
        let zero = matches!(e, Expr::Const(_, lanes) if lanes.iter().all(|bits| *bits == 0));
        if !zero && turn(n) {
            *e = Expr::zero(e.ty());
            return true;
        }
        let ty = e.ty();
        for operand in e.operands_mut().into_iter().filter(|operand| operand.ty() == ty) {
            if turn(n) {
                let operand = operand.clone();
                *e = operand;
                return true;
            }
        }
        e.operands_mut().into_iter().any(|operand| walk(operand, n))
    }
    fn walk_block(block: &mut [Stmt], n: &mut usize) -> bool {
        block.iter_mut().any(|statement| {
            statement.expressions_mut().into_iter().any(|e| walk(e, n))
                || statement.blocks_mut().into_iter().any(|inner| walk_block(inner, n))
        })
    }
    program.functions.iter_mut().any(|function| walk_block(&mut function.body, &mut n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;

    fn contains(program: &mut Program, wanted: &dyn Fn(&Expr) -> bool) -> bool {
        fn in_expr(e: &mut Expr, wanted: &dyn Fn(&Expr) -> bool) -> bool {
            wanted(e) || e.operands_mut().into_iter().any(|e| in_expr(e, wanted))
        }
        fn in_block(block: &mut [Stmt], wanted: &dyn Fn(&Expr) -> bool) -> bool {
            block.iter_mut().any(|s| {
                s.expressions_mut().into_iter().any(|e| in_expr(e, wanted))
                    || s.blocks_mut().into_iter().any(|b| in_block(b, wanted))
            })
        }
        program.functions.iter_mut().any(|f| in_block(&mut f.body, wanted))
    }

    #[test]
    fn one_division_is_left_of_a_program_that_must_divide() {
        let division = |e: &Expr| matches!(e, Expr::Binary("udiv" | "sdiv" | "urem" | "srem", ..));
        let program = (0..)
            .map(|seed| generate::program(seed, generate::Dialect { sm: 90, short_floats: true }))
            .find(|program| contains(&mut program.clone(), &division))
            .expect("some program divides");
        let mut holds = |program: &Program| contains(&mut program.clone(), &division);
        let mut small = reduce(program, 100_000, &mut holds);
        assert!(contains(&mut small, &division));
        assert!(small.exchanges.is_empty());
        let statements: usize = small.functions.iter().map(|f| f.body.len()).sum();
        assert_eq!(statements, 1, "{small:?}");
    }
}
