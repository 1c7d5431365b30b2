//! Which arrays may overlap: by their declarations and the types of their elements; and conditions under which they do not.

use std::{ffi::OsString, fs, path::Path};

use loop_compiler::{
    Options, c,
    parallelize::{CPU, parallelize},
    report::FloatOrder,
    tree::Region,
};

/// The region of a function with these parameters and this loop.
fn region(name: &str, parameters: &str, looped: &str, arguments: &[&str]) -> Region {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("aliasing");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{name}.c"));
    let types = "typedef struct { int rows, columns; double *data; } Matrix;\n";
    fs::write(&file, format!("{types}void f(int n, {parameters}) {{\n  {looped}\n}}\n")).unwrap();
    let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
    let clang = Path::new("clang-22");
    let input = c::Input { clang, file: &file, arguments: &arguments, auto: true, assume_distinct: false };
    let read = c::read(&input).unwrap();
    read.regions.into_iter().next().unwrap().tree.unwrap()
}

fn pairs(name: &str, parameters: &str, looped: &str, arguments: &[&str]) -> String {
    let pairs = region(name, parameters, looped, arguments).overlaps;
    pairs.into_iter().map(|(first, second)| format!("{first} {second}")).collect::<Vec<_>>().join(", ")
}

/// Objects have the types by which they are accessed, as C says; characters, and types that differ in their sign, may be
/// those of any.
#[test]
fn elements_of_different_types_are_different() {
    let gather = "for (int i = 0; i < n; i++) y[i] = x[i] + k[i];";
    let of = |x: &str, k: &str| format!("const {x} *x, const {k} *k, double *y");
    assert_eq!(pairs("doubles", &of("double", "int"), gather, &[]), "x y");
    assert_eq!(pairs("floats", &of("float", "long"), gather, &[]), "");
    assert_eq!(pairs("characters", &of("unsigned char", "char"), gather, &[]), "x y, k y");
    assert_eq!(pairs("complex", &of("float", "double _Complex"), gather, &[]), "k y");
    let counts = "const int *x, const long *k, unsigned *y";
    assert_eq!(pairs("signs", counts, gather, &[]), "x y");
    assert_eq!(pairs("scalar", "double *y", "for (int i = 0; i < n; i++) y[i] = n;", &[]), "");
    for (name, options, expected) in [
        ("not_strict", &["-fno-strict-aliasing"][..], "x y, k y"),
        ("strict_again", &["-fno-strict-aliasing", "-fstrict-aliasing"], ""),
    ] {
        assert_eq!(pairs(name, &of("float", "int"), gather, options), expected);
    }
}

/// The memory of a matrix is compared by its addresses, also where a member points to it.
#[test]
fn memory_of_members_is_compared_by_address() {
    let product = "for (int i = 0; i < m->rows; i++) { double s = 0; for (int j = 0; j < m->columns; j++) \
                   s += m->data[i * m->columns + j] * x[j]; y[i] = s; }";
    let region = region("members", "const Matrix *m, const double *x, double *y", product, &[]);
    assert_eq!(region.overlaps, [("m.data".into(), "y".into()), ("x".into(), "y".into())]);
    let made = parallelize(&region, FloatOrder::Free, &CPU, &Options::default()).unwrap();
    let text = made.text(&region, None).unwrap();
    assert!(text.contains("&m[0l].data[") && text.contains("#pragma omp parallel for"), "{text}");
    // A pointer in each structure: each is compared.
    let rows = "for (int i = 0; i < n; i++) y[i] = m[i].data[0];";
    let many = self::region("rows", "const Matrix *m, double *y", rows, &[]);
    let text = parallelize(&many, FloatOrder::Free, &CPU, &Options::default()).unwrap().text(&many, None);
    assert!(text.unwrap().contains("&m[row].data[0l]"));
    // Which structures, and so which pointers, is not known.
    let chosen = "for (int i = 0; i < n; i++) y[i] = m[k[i]].data[0];";
    let chosen = self::region("chosen", "const Matrix *m, double *y, const int *restrict k", chosen, &[]);
    let made = parallelize(&chosen, FloatOrder::Free, &CPU, &Options::default());
    assert!(made.is_err_and(|error| error.to_string().contains("`m.data`")));
}
