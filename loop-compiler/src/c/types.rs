//! The types that clang writes: arithmetic types, and the dimensions of arrays.

use crate::ir::types::{Half, Scalar};

/// A type of clang's, taken apart: `const float (*restrict)[n]` is an array of `float` with an unknown and an extent `n`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Shape<'t> {
    /// The element's type, without qualifiers.
    pub element: String,
    /// The texts of the extents; `None` where a pointer has no extent.
    pub extents: Vec<Option<&'t str>>,
    /// How many of the dimensions are pointers that are loaded: 1 for a pointer, 2 for a pointer to pointers.
    pub pointers: usize,
    /// Whether the variable has the memory of its first dimension.
    pub is_array: bool,
    /// Whether a pointer is loaded for each element of an outer dimension, so that its rows lie anywhere.
    pub has_rows: bool,
    /// Whether `restrict` is said of the outermost pointer.
    pub restrict: bool,
    pub volatile: bool,
}

/// How many elements an array of a type has that are of another type, as `sizeof a / sizeof a[0]` says.
pub(super) fn elements(array: &str, element: &str) -> Option<i128> {
    let (before, rest) = array.split_once('[')?;
    let (count, after) = rest.split_once(']')?;
    let is_element = format!("{}{after}", before.trim_end()) == element;
    count.parse().ok().filter(|_| is_element)
}

/// The arithmetic type of that name, without qualifiers.
pub(super) fn scalar(name: &str) -> Option<Scalar> {
    let integer = |bits, signed| Some(Scalar::Integer { bits, signed });
    match unqualified(name).as_str() {
        "_Bool" | "bool" => Some(Scalar::Bool),
        "char" | "signed char" => integer(8, true),
        "unsigned char" => integer(8, false),
        "short" => integer(16, true),
        "unsigned short" => integer(16, false),
        "int" => integer(32, true),
        "unsigned int" => integer(32, false),
        "long" | "long long" => integer(64, true),
        "unsigned long" | "unsigned long long" => integer(64, false),
        "__int128" => integer(128, true),
        "unsigned __int128" => integer(128, false),
        "_Float16" => Some(Scalar::Half(Half::Ieee)),
        "__bf16" => Some(Scalar::Half(Half::Brain)),
        "float" => Some(Scalar::F32),
        "double" => Some(Scalar::F64),
        "_Complex float" => Some(Scalar::Complex { bits: 32 }),
        "_Complex double" => Some(Scalar::Complex { bits: 64 }),
        name if name.starts_with("enum ") => integer(32, true),
        _ => None,
    }
}

/// The bytes of a scalar, or of an array of known extents.
pub(super) fn size(name: &str) -> Option<i128> {
    let shape = shape(name)?;
    let element = scalar(&shape.element)?.size() as i128;
    if shape.pointers > 0 {
        return None;
    }
    let mut extents = shape.extents.iter().map(|extent| extent.and_then(|text| text.parse::<i128>().ok()));
    extents.try_fold(element, |size, extent| size.checked_mul(extent?))
}

/// A type without `const` and `restrict`.
fn unqualified(name: &str) -> String {
    let words = name.split_whitespace().filter(|word| !matches!(*word, "const" | "restrict" | "__restrict"));
    words.collect::<Vec<_>>().join(" ")
}

/// Takes a type apart; `None` for functions and what else has no elements.
pub(super) fn shape(name: &str) -> Option<Shape<'_>> {
    let volatile = name
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| matches!(word, "volatile" | "_Atomic"));
    let begin = name.find(['*', '[', '(', '&']).unwrap_or(name.len());
    let (element, declarator) = name.split_at(begin);
    let mut rest = declarator.trim();
    let (mut inner_pointers, mut inner) = (0, "");
    if let Some(after) = rest.strip_prefix('(') {
        // `(*)[n]`, `(*restrict)[n]`.
        let end = after.find(')')?;
        inner = &after[..end];
        inner_pointers = pointers(inner)?;
        rest = after[end + 1..].trim();
    }
    let bracket = rest.find('[').unwrap_or(rest.len());
    let outer_pointers = pointers(&rest[..bracket])?;
    if inner_pointers > 0 && outer_pointers > 0 {
        return None;
    }
    let mut dimensions = Vec::new();
    let mut tail = rest[bracket..].trim();
    while let Some(after) = tail.strip_prefix('[') {
        let end = closing_bracket(after)?;
        let text = after[..end].trim_start_matches("static ").trim();
        dimensions.push((!text.is_empty() && text != "*").then_some(text));
        tail = after[end + 1..].trim();
    }
    if !tail.is_empty() {
        return None;
    }
    let outermost = if inner_pointers > 0 { inner } else { &rest[..bracket] };
    let is_array = inner_pointers == 0 && !dimensions.is_empty();
    // Pointers to elements in an array are its last dimensions; a pointer to an array is its first.
    let extents = if inner_pointers > 0 {
        std::iter::repeat_n(None, inner_pointers).chain(dimensions).collect()
    } else {
        dimensions.into_iter().chain(std::iter::repeat_n(None, outer_pointers)).collect()
    };
    Some(Shape {
        element: unqualified(element),
        extents,
        pointers: inner_pointers + outer_pointers,
        is_array,
        has_rows: inner_pointers > 1 || outer_pointers > usize::from(!is_array),
        restrict: !is_array
            && outermost.rsplit_once('*').is_some_and(|(_, qualifiers)| qualifiers.contains("restrict")),
        volatile,
    })
}

/// The number of `*` in a text of them and qualifiers.
fn pointers(text: &str) -> Option<usize> {
    let mut count = 0;
    for word in text.replace('*', " * ").split_whitespace() {
        match word {
            "*" => count += 1,
            "const" | "restrict" | "__restrict" | "volatile" => {}
            _ => return None,
        }
    }
    Some(count)
}

/// The declaration of a variable of that type.
pub(crate) fn declaration(type_name: &str, name: &str) -> String {
    let bracket = type_name.find('[').unwrap_or(type_name.len());
    // The name of a pointer to an array stands in the parentheses.
    let pointer = type_name[..bracket].find(')');
    let (before, after) = type_name.split_at(pointer.unwrap_or(bracket));
    let blank = if before.ends_with('*') { "" } else { " " };
    format!("{}{blank}{name}{after}", before.trim_end())
}

fn closing_bracket(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => return Some(at),
            ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken_apart(name: &str) -> (String, Vec<Option<&str>>, usize) {
        let shape = shape(name).unwrap();
        (shape.element, shape.extents, shape.pointers)
    }

    #[test]
    fn rows_are_pointers_that_are_loaded_for_each_element() {
        let of = |name: &str| {
            let shape = shape(name).unwrap();
            (shape.is_array, shape.has_rows, shape.restrict)
        };
        assert_eq!(of("double *restrict"), (false, false, true));
        assert_eq!(of("double (*restrict)[4]"), (false, false, true));
        assert_eq!(of("double *restrict *"), (false, true, false));
        assert_eq!(of("double **restrict"), (false, true, true));
        assert_eq!(of("double *[4]"), (true, true, false));
        assert_eq!(of("double *restrict [4]"), (true, true, false));
        assert_eq!(of("double [4][5]"), (true, false, false));
        assert_eq!(of("int"), (false, false, false));
    }

    #[test]
    fn types_are_taken_apart() {
        assert_eq!(taken_apart("double"), ("double".into(), vec![], 0));
        assert_eq!(taken_apart("const float *restrict"), ("float".into(), vec![None], 1));
        assert_eq!(taken_apart("double (*)[n + 1]"), ("double".into(), vec![None, Some("n + 1")], 1));
        assert_eq!(
            taken_apart("float (*restrict)[4][a[0]]"),
            ("float".into(), vec![None, Some("4"), Some("a[0]")], 1)
        );
        assert_eq!(taken_apart("int[20][30]"), ("int".into(), vec![Some("20"), Some("30")], 0));
        assert_eq!(taken_apart("double **"), ("double".into(), vec![None, None], 2));
        assert_eq!(taken_apart("double *[8]"), ("double".into(), vec![Some("8"), None], 1));
        assert_eq!(taken_apart("unsigned long"), ("unsigned long".into(), vec![], 0));
        assert!(shape("double (double)").is_none());
        assert!(shape("volatile int *").unwrap().volatile);
    }

    #[test]
    fn variables_are_declared_by_their_types() {
        assert_eq!(declaration("double", "x"), "double x");
        assert_eq!(declaration("const float *", "a"), "const float *a");
        assert_eq!(declaration("const float *restrict", "a"), "const float *restrict a");
        assert_eq!(declaration("double (*)[n * (m + 1)]", "a"), "double (*a)[n * (m + 1)]");
        assert_eq!(declaration("float (*restrict)[4][n]", "a"), "float (*restrict a)[4][n]");
        assert_eq!(declaration("int[20][(n + 1)]", "a"), "int a[20][(n + 1)]");
        assert_eq!(declaration("double *[8]", "a"), "double *a[8]");
    }

    #[test]
    fn names_of_types_have_scalars() {
        assert_eq!(scalar("const double"), Some(Scalar::F64));
        assert_eq!(scalar("unsigned char"), Some(Scalar::Integer { bits: 8, signed: false }));
        assert_eq!(scalar("_Complex double"), Some(Scalar::Complex { bits: 64 }));
        assert_eq!(scalar("long double"), None);
        assert_eq!(scalar("struct s"), None);
    }
}
