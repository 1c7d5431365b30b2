//! Directives of OpenMP: which private copies the clauses of the input give, and the names that those of the output have.

use crate::{
    analysis::LoopReport,
    ir::{Pragma, ReductionOperator, types::Scalar},
};

/// The copies that a parallel loop needs and its directives do not name: of reductions, and others.
pub(crate) fn missing_clauses(pragmas: &[Pragma], looped: &LoopReport) -> (Vec<String>, Vec<String>) {
    let missing = |names: &[String], clauses: &[&str]| -> Vec<String> {
        names
            .iter()
            .filter(|name| !pragmas.iter().any(|pragma| pragma.names(clauses, name)))
            .cloned()
            .collect()
    };
    (missing(&looped.reduced, &["reduction"]), missing(&looped.privatized, &["private", "lastprivate"]))
}

/// The identifier of a reduction in OpenMP's `reduction` clause.
///
/// Minima and maxima of floats have their own, [`declared_reductions`]: clang 22 starts OpenMP's `min` and `max` with the greatest finite
/// number, which is less than infinity, and a NaN stands for none.
pub(crate) fn reduction_identifier(operator: ReductionOperator, scalar: Scalar) -> String {
    match operator.is_extreme() && matches!(scalar, Scalar::Float { .. }) {
        true => format!("{operator}_of_{}", scalar.c_name()),
        false => operator.to_string(),
    }
}

/// When a value replaces a minimum or a maximum, in C.
pub(crate) fn replaces(operator: ReductionOperator, target: &str, value: &str) -> String {
    let or_nan = if operator.is_of_numbers() { format!(" || {target} != {target}") } else { String::new() };
    format!("{value} {} {target}{or_nan}", operator.relation().symbol())
}

/// The directives that declare the [`reduction_identifier`]s which some text has.
pub(crate) fn declared_reductions(text: &str) -> impl Iterator<Item = String> {
    let extremes = ReductionOperator::ALL.into_iter().filter(|operator| operator.is_extreme());
    let all = extremes.flat_map(|operator| [32, 64].map(|bits| (operator, Scalar::Float { bits })));
    all.filter_map(move |(operator, scalar)| {
        let name = reduction_identifier(operator, scalar);
        let first = match operator {
            ReductionOperator::Minimum => "__builtin_inff()",
            ReductionOperator::Maximum => "-__builtin_inff()",
            _ => "__builtin_nan(\"\")",
        };
        text.contains(&format!(" reduction({name}: ")).then(|| {
            format!(
                "#pragma omp declare reduction({name}: {}: omp_out = {} ? omp_in : omp_out) \
                 initializer(omp_priv = {first})",
                scalar.c_name(),
                replaces(operator, "omp_out", "omp_in"),
            )
        })
    })
}
