//! Directives of OpenMP: which private copies the clauses of the input give, and the names that those of the output have.

use crate::{analysis::LoopReport, ir::ReductionOperator, types::Scalar};

/// Whether a directive is OpenMP's.
pub(crate) fn is_openmp(directive: &str) -> bool {
    let mut words =
        directive.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.next() == Some("pragma") && words.next() == Some("omp")
}

/// The directive of a loop whose iterations are lanes; clauses may follow.
pub(crate) const SIMD: &str = "#pragma omp simd";

/// What tells clang not to vectorize a loop, and not to unroll it before it is vectorized.
pub(crate) const NOT_VECTORIZED: [&str; 3] =
    ["#ifdef __clang__", "#pragma clang loop vectorize(disable)", "#endif"];
pub(crate) const NOT_UNROLLED: [&str; 3] =
    ["#ifdef __clang__", "#pragma clang loop unroll(disable)", "#endif"];
/// The same for processors with AVX-512 only.
pub(crate) const NOT_UNROLLED_FOR_AVX_512: [&str; 3] =
    ["#if defined __clang__ && defined __AVX512F__", "#pragma clang loop unroll(disable)", "#endif"];

/// The clause for so many lanes of a loop [`SIMD`].
pub(crate) fn lanes_clause(lanes: u32) -> String {
    format!(" simdlen({lanes})")
}

/// The copies that a parallel loop needs and its directives do not name: of reductions, and others.
pub(crate) fn missing_clauses(directives: &[String], looped: &LoopReport) -> (Vec<String>, Vec<String>) {
    let missing = |names: &[String], clauses: &[&str]| -> Vec<String> {
        names
            .iter()
            .filter(|name| !directives.iter().any(|text| has_clause(text, clauses, name)))
            .cloned()
            .collect()
    };
    (missing(&looped.reduced, &["reduction"]), missing(&looped.privatized, &["private", "lastprivate"]))
}

/// Whether one of these clauses of a directive names a variable.
fn has_clause(directive: &str, clauses: &[&str], name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = directive;
    while let Some(open) = rest.find('(') {
        let clause = rest[..open].trim_end().rsplit(|c| !is_word(c)).next().unwrap_or_default();
        let close = rest[open..].find(')').map_or(rest.len(), |close| open + close);
        let mut words = rest[open + 1..close.max(open + 1)].split(|c| !is_word(c));
        if clauses.contains(&clause) && words.any(|word| word == name) {
            return true;
        }
        rest = &rest[close..];
    }
    false
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_name_variables() {
        let text = "#pragma omp parallel for schedule(static) reduction(+ : sum, s2) private (t)";
        assert!(has_clause(text, &["reduction"], "sum") && has_clause(text, &["reduction"], "s2"));
        assert!(has_clause(text, &["private", "lastprivate"], "t"));
        assert!(!has_clause(text, &["reduction"], "s") && !has_clause(text, &["private"], "sum"));
        assert!(!has_clause("#pragma omp for reduction(", &["reduction"], "s"));
    }
}
