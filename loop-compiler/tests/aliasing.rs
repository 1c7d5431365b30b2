//! Which arrays may overlap: by their declarations and the types of their elements; and conditions under which they do not.

use std::{ffi::OsString, fs, path::Path};

use loop_compiler::{
    Options, c,
    ir::Region,
    parallelize::{CPU, Original, parallelize},
    report::FloatOrder,
};

/// The region of a function with these parameters and this loop.
fn region(name: &str, parameters: &str, looped: &str, arguments: &[&str]) -> Region {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("aliasing");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{name}.c"));
    let types = "typedef struct { int rows, columns; double *data; } Matrix;\nstruct ends { double u[9], v[9]; };\n\
                 struct row { struct ends *p; };\nvoid *malloc(unsigned long);\nvoid *memcpy(void *, const void *, unsigned long);\n\
                 double *other(double *);\n";
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
    let text = made.text(&Original::from(&region)).unwrap();
    assert!(text.contains("&m[0l].data[") && text.contains("#pragma omp parallel for"), "{text}");
    // A pointer in each structure: each is compared.
    let rows = "for (int i = 0; i < n; i++) y[i] = m[i].data[0];";
    let many = self::region("rows", "const Matrix *m, double *y", rows, &[]);
    let text =
        parallelize(&many, FloatOrder::Free, &CPU, &Options::default()).unwrap().text(&Original::from(&many));
    assert!(text.unwrap().contains("&m[row].data[0l]"));
    // Which structures, and so which pointers, is not known.
    let chosen = "for (int i = 0; i < n; i++) y[i] = m[k[i]].data[0];";
    let chosen = self::region("chosen", "const Matrix *m, double *y, const int *restrict k", chosen, &[]);
    let made = parallelize(&chosen, FloatOrder::Free, &CPU, &Options::default());
    assert!(made.is_err_and(|error| error.to_string().contains("`m.data`")));
}

/// What a pointer is made of is followed through variables, casts, memory and calls.
#[test]
fn pointers_are_followed_wherever_they_go() {
    let restricted = "double *restrict a, double **out";
    let next = "for (int i = 0; i < n; i++) a[i + 1] = p[i] + 1;";
    for (name, statement) in [
        ("initialised", "double *p = a;"),
        ("assigned", "double *p; p = a;"),
        ("offset", "double *p = a + 3;"),
        ("cast", "double *p = (double *) ((char *) a + 8);"),
        ("chosen", "double *p = n > 3 ? a : 0;"),
        ("through_another", "double *q = a; double *p = q + 1;"),
        ("stored", "*out = a; double *p = *out;"),
        ("stored_by_another", "double *q = a; *out = q; double *p = *out;"),
        ("through_its_address", "double *q = 0; double **to = &q; *to = a; double *p = q;"),
        ("given_away", "double *p = other(a);"),
        ("an_integer", "unsigned long at = (unsigned long) a; double *p = (double *) at;"),
        ("returned", "double *p = memcpy(a, *out, 8);"),
    ] {
        assert_eq!(pairs(name, restricted, &format!("{statement} {next}"), &[]), "p a", "{statement}");
    }
    // What has not gone anywhere is not met.
    let apart =
        ["double *p = *out;", "double *p = other(*out);", "double v[99], *p = v;", "double *p = malloc(99);"];
    for (place, statement) in apart.iter().enumerate() {
        assert_eq!(
            pairs(&format!("apart_{place}"), restricted, &format!("{statement} {next}"), &[]),
            "",
            "{statement}"
        );
    }
}

/// The function's own arrays, and what it allocates, are met by what their addresses went to.
#[test]
fn own_memory_is_met_where_its_address_has_gone() {
    let given = "double *x, double **out";
    for (name, statements, written, expected) in [
        ("array_stored", "double v[99]; *out = v; double *p = *out;", "v", "p v"),
        (
            "array_as_integer",
            "double v[99]; unsigned long at = (unsigned long) v; double *p = (double *) at;",
            "v",
            "p v",
        ),
        ("array_returned", "double v[99]; double *p = memcpy(v, x, 8);", "v", "p v"),
        ("array_given", "double v[99]; double *p = other(v);", "v", "p v"),
        ("array_elsewhere", "double v[99]; double *p = other(x);", "v", ""),
        ("allocated_stored", "double *q = malloc(99); *out = q; double *p = *out;", "q", "p q"),
        ("allocated_kept", "double *q = malloc(99); double *p = *out;", "q", ""),
        // Whoever has the address of a pointer may let it point elsewhere.
        ("pointer_changed", "double v[99]; double *p = v; double **to = &p; *to = x;", "x", "p x"),
        ("pointer_not_changed", "double v[99]; double *p = v;", "x", ""),
    ] {
        let next = format!("{statements} for (int i = 0; i < n; i++) {written}[i + 1] = p[i] + 1;");
        let found = region(name, given, &next, &[]).overlaps;
        let mut found: Vec<String> =
            found.iter().flat_map(|(first, second)| [first.clone(), second.clone()]).collect();
        found.sort();
        assert_eq!(found.join(" "), expected, "{statements}");
    }
}

/// Rows of which a pointer in memory leads to each are apart only if that is found at run time.
#[test]
fn rows_and_pointers_in_memory() {
    let rows = "for (int i = 0; i < n; i++) for (int j = 0; j < 9; j++) a[i][j] = a[i][j] * 3;";
    assert_eq!(pairs("own_rows", "double **a", rows, &[]), "a a");
    let ends = "for (int i = 0; i < n; i++) for (int j = 0; j < 9; j++) s[i].p->u[j] = s[i].p->v[j] + 1;";
    assert_eq!(pairs("members", "struct row *s", ends, &[]), "s.p.u s.p.u, s.p.u s.p.v");
    // A store of characters may change the pointers.
    let bytes = "for (int i = 0; i < n; i++) { c[i] = 0; a[2][i] = 1; }";
    assert_eq!(pairs("characters_to_pointers", "char *c, double **a", bytes, &[]), "c a, a a, c &a[]");
}

/// What types tell apart is tested at run time as well, but for objects that are declared with their types.
#[test]
fn types_are_not_trusted_alone() {
    let scaled = "for (int i = 0; i < n; i++) y[i] = x[i];";
    let by_type =
        |name: &str, parameters: &str, looped: &str| region(name, parameters, looped, &[]).apart_by_type;
    assert_eq!(by_type("pointers", "const int *x, double *y", scaled), [("x".into(), "y".into())]);
    let declared = format!("int x[99]; other((double *) x); {scaled}");
    assert_eq!(by_type("declared", "double *y", &declared), []);
    let both = region("tested", "const int *x, double *y", scaled, &[]);
    let made = parallelize(&both, FloatOrder::Free, &CPU, &Options::default()).unwrap();
    let text = made.text(&Original::from(&both)).unwrap();
    assert!(text.contains("(__UINTPTR_TYPE__) &x[") && text.contains("(__UINTPTR_TYPE__) &y["), "{text}");
}
