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
/// number, which is less than infinity.
pub(crate) fn reduction_identifier(operator: ReductionOperator, scalar: Scalar) -> String {
    match operator {
        ReductionOperator::Minimum | ReductionOperator::Maximum if matches!(scalar, Scalar::Float { .. }) => {
            format!("{operator}_of_{}", scalar.c_name())
        }
        _ => operator.to_string(),
    }
}

/// The directives that declare the [`reduction_identifier`]s which some text has.
pub(crate) fn declared_reductions(text: &str) -> impl Iterator<Item = String> {
    use ReductionOperator as R;
    let all =
        [R::Minimum, R::Maximum].map(|operator| [32, 64].map(|bits| (operator, Scalar::Float { bits })));
    all.into_iter().flatten().filter_map(move |(operator, scalar)| {
        let name = reduction_identifier(operator, scalar);
        let (relation, first) = match operator {
            R::Minimum => ("<", "__builtin_inff()"),
            _ => (">", "-__builtin_inff()"),
        };
        text.contains(&format!(" reduction({name}: ")).then(|| {
            format!(
                "#pragma omp declare reduction({name}: {}: omp_out = omp_in {relation} omp_out ? omp_in : omp_out) \
                 initializer(omp_priv = {first})",
                scalar.c_name()
            )
        })
    })
}
