//! Variables by where the function uses them: loops declare iterators that nobody reads afterwards, and variables that a
//! region declares may end with it.

mod common;

use std::{fs, path::Path, process::Command};

use loop_compiler::{
    Options, c,
    ir::{Loop, Node},
    parallelize::{CPU, GPU, Goal, Original, Scheme, parallelize, parallelize_by},
    report::FloatOrder,
    rewrite,
};

/// The regions of a C text, with `--auto`.
fn read(name: &str, text: &str) -> c::SourceFile {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("uses");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{name}.c"));
    fs::write(&file, text).unwrap();
    let clang = Path::new("clang-22");
    c::read(&c::Input { clang, file: &file, arguments: &[], auto: true, assume_distinct: false }).unwrap()
}

fn declares(nodes: &[Node], found: &mut Vec<bool>) {
    for node in nodes {
        match node {
            Node::Loop(Loop { declares: own, body, .. }) => {
                found.push(*own);
                declares(body, found);
            }
            Node::If(guard) => {
                declares(&guard.then, found);
                declares(&guard.otherwise, found);
            }
            _ => {}
        }
    }
}

/// The regions in a function's body.
fn regions(name: &str, body: &str) -> Vec<c::SourceRegion> {
    read(name, &format!("void use(int);\nvoid f(int n, int *a, int i, int (*b)[10])\n{{\n{body}\n}}\n"))
        .regions
}

/// Whether each loop declares its iterator, and which variables nothing uses any more.
fn owned(name: &str, body: &str) -> (Vec<bool>, String) {
    let mut found = Vec::new();
    let mut unused = Vec::new();
    for region in regions(name, body) {
        let Ok(tree) = &region.tree else { continue };
        declares(&tree.body, &mut found);
        unused.extend(region.unused.clone());
    }
    (found, unused.join(" "))
}

const LOOP: &str = "for (i = 0; i < n; i++) a[i] = 0;";

#[test]
fn loops_declare_iterators_that_nobody_reads() {
    let own = |body: &str, unused: &str| {
        (body.to_string(), vec![true; body.matches("for (").count()], unused.to_string())
    };
    let cases = [
        own(LOOP, "i"),
        own(&format!("{LOOP} {LOOP}"), "i"),
        own("int j; for (i = 0; i < n; i++) if (a[i]) for (j = i; j > 0; j--) a[i] += 1;", "i j"),
        own(&format!("#pragma omp parallel for private(i)\n{LOOP}"), "i"),
        own("for (int t = 0; t < n; t++) for (i = 0; i < n; i++) a[i] += t;", "i"),
        // Inside of a loop that is no region, and set anew before each use.
        (format!("while (a[0]) {{ {LOOP} }}"), vec![true], "i".into()),
        (format!("{LOOP} for (i = 1; a[i]; i++) use(i);"), vec![true], "".into()),
    ];
    for (index, (body, declares, unused)) in cases.into_iter().enumerate() {
        let (mut found, names) = owned(&format!("own{index}"), &body);
        found.truncate(declares.len());
        assert_eq!((found, names), (declares, unused), "{body}");
    }
}

#[test]
fn values_that_somebody_reads_are_kept() {
    let cases = [
        format!("{LOOP} use(i);"),
        format!("use(i); {LOOP}"),
        format!("{LOOP} i++;"),
        format!("{LOOP} for (i = i + 1; a[i]; i++) use(i);"),
        format!("{LOOP} for (; a[i]; i++) use(i);"),
        format!("for (i = 0; a[i]; i++) {{\n#pragma scop\n{LOOP}\n#pragma endscop\n}}"),
        // The loop that reads the value stands before, in a loop around both.
        format!("while (a[0]) {{ use(i); {LOOP} }}"),
        format!("{LOOP} int c[i]; use(c[0]);"),
        format!("{LOOP} use(sizeof(int[i + 1]));"),
        format!("{LOOP} int (*c)[i] = (int (*)[i])b; use(c[1][0]);"),
        format!("{LOOP}\n#pragma omp parallel num_threads(i)\nuse(0);"),
        format!("{LOOP}\n#pragma omp parallel firstprivate(i)\nuse(0);"),
        format!("goto inside; for (i = 0; a[i]; i++) {{ inside: use(i); }} {LOOP}"),
        format!("switch (n) for (i = 0; a[i]; i++) {{ case 1: use(i); }} {LOOP}"),
    ];
    for (index, body) in cases.iter().enumerate() {
        let (found, unused) = owned(&format!("kept{index}"), body);
        assert!(found.iter().all(|own| !own) && unused.is_empty(), "{body}\n{found:?} {unused}");
    }
}

#[test]
fn an_iterator_of_two_loops_inside_each_other_is_rejected() {
    let reason = |name: &str, body: &str| {
        regions(name, body)[0].tree.as_ref().err().map(|rejection| rejection.reason.clone())
    };
    let inside = "int j; for (i = 0; i < n; i++) for (j = 0; j < n; j++) for (i = 0; i < n; i++) a[i] = j;";
    let inside = reason("inside", inside);
    assert!(
        inside.as_ref().is_some_and(|reason| reason.contains("two loops inside each other")),
        "{inside:?}"
    );
    let changed = reason("changed", "for (i = 0; i < n; i++) { a[i] = 0; i = i + 1; }");
    assert!(changed.is_some(), "{changed:?}");
}

/// The text is accepted without a warning, of declarations that have become useless, of names that hide others, and of
/// operators whose order readers may mistake.
#[test]
fn compilers_do_not_warn() {
    let text = "double f(int n, const double *a, double *b) {
  int i, j;
  double s = 0;
#pragma scop
  for (i = 0; i < n; i++) {
    int k;
    for (j = 0; j < n; j++)
      for (k = 0; k < 2; k++)
        s += a[j] * k;
    b[i] = s;
    if ((i > 2 && n > 3) || (i == 0 && (i & 3) == (n > 1)))
      b[i] = ((i + 1) << 2 | ((i & n) ^ (i + n))) + ((a[i] > a[0]) != (b[i] > 0));
  }
#pragma endscop
  return s;
}
";
    let file = read("warnings", text);
    let printed = rewrite::printed(&file, |_| true);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("uses/printed.c");
    fs::write(&path, &printed).unwrap();
    let printed = String::from_utf8_lossy(&printed);
    assert!(printed.contains("for (int k = 0;") && printed.contains("(void) i, (void) j;"), "{printed}");
    for compiler in ["clang-22", "gcc"] {
        let out = Command::new(compiler)
            .args(["-Wall", "-Wextra", "-Wno-unknown-pragmas", "-Werror", "-fsyntax-only"])
            .arg(&path)
            .output();
        let out = out.unwrap();
        assert!(out.status.success(), "{}\n{printed}", String::from_utf8_lossy(&out.stderr));
    }
}

/// Names of subscripts and pointers to elements are what they stand for, if that stays the same.
#[test]
fn values_take_the_place_of_names() {
    let body = |name: &str, text: &str| {
        let file = read(
            name,
            &format!(
                "struct body {{ double x; }};\nvoid f(int n, int m, double *restrict a, struct body *restrict b, double c[restrict n][m]) \
                 {{\n#pragma scop\n{text}\n#pragma endscop\n}}\n"
            ),
        );
        let printed = String::from_utf8(rewrite::printed(&file, |_| true)).unwrap();
        let tree = file.regions[0].tree.as_ref().map_err(|error| error.to_string());
        tree.map(|_| printed.split("scop\n").nth(1).unwrap().split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let rows = "for (int i = 0; i < n; i++) { long row = (long) i * m; for (int j = 0; j < m; j++) a[row + j] = 0; }";
    assert!(body("rows", rows).unwrap().contains("a[(long) i * (long) m + (long) j] = "));
    let pointers = "for (int i = 0; i < n; i++) { double *p = a + 2 * i, *const q = c[i]; struct body *r = &b[i]; p[1] = q[2]; *p = r->x; }";
    let pointers = body("pointers", pointers).unwrap();
    assert!(pointers.contains("a[(long) (2 * i) + (long) 1] = c[i][2];"), "{pointers}");
    assert!(pointers.contains("a[(long) (2 * i)] = b[i].x;"), "{pointers}");
    // A value that changes is read where it stands.
    let changes = "int k = 0; for (int i = 0; i < n; i++) { int at = k; double *p = a + k; k = 3 - k; p[0] = at; a[at] += 1; }";
    let changes = body("changes", changes).unwrap();
    assert!(
        changes.contains("int at = k; long p_index = (long) k; k = 3 - k; a[p_index + (long) 0] = "),
        "{changes}"
    );
    assert!(changes.contains("a[at] += "), "{changes}");
    // Memory may change between the name and its use.
    let loaded = "for (int i = 0; i < n; i++) { int at = (int) a[i]; a[i] = 1; a[at] = 2; }";
    assert!(body("loaded", loaded).unwrap().contains("int at = (int) a[i]; "));
    // A name that is a value, too, stays.
    let both = "for (int i = 0; i < n; i++) { int at = 2 * i; a[at] = at; }";
    let both = body("both", both).unwrap();
    assert!(both.contains("int at = 2 * i; a[2 * i] = (double) at;"), "{both}");
    for (name, walks) in [
        ("walks", "for (int i = 0; i < n; i++) { double *p = a + i; p++; *p = 0; }"),
        ("set", "for (int i = 0; i < n; i++) { double *p = a; p = a + i + 1; *p = 0; }"),
    ] {
        let walks = body(name, walks).unwrap();
        assert!(
            walks.contains("a[(long) i + 1] = ") || walks.contains("a[(long) i + (long) 1] = "),
            "{walks}"
        );
    }
    for (name, walks) in [
        ("taken", "for (int i = 0; i < n; i++) { double *p = a, **q = &p; **q = 0; }"),
        ("called", "for (int i = 0; i < n; i++) { double *p = __builtin_malloc(8); *p = 0; }"),
    ] {
        assert!(body(name, walks).is_err(), "{walks}");
    }
}

/// A value between two loops does not keep a device from having a thread for each element of a product.
#[test]
fn values_between_loops_are_inside_for_a_device() {
    let text = "void f(int n, const double *restrict a, const double *restrict b, double *restrict c) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      const double aik = a[i * n + k];
      const double *row = b + k * n;
      for (int j = 0; j < n; j++)
        c[i * n + j] += aik * row[j];
    }
#pragma endscop
}
";
    let made = |text: &str| {
        let tree = read("between", text).regions[0].tree.clone().unwrap();
        let made = parallelize(&tree, FloatOrder::Free, &GPU, &Options::default()).unwrap();
        made.text(&Original::from(&tree)).unwrap()
    };
    let product = made(text);
    assert!(product.contains("const double aik = a[i * n + k];") && !product.contains("atomic"), "{product}");
    assert!(product.find("int j = ").unwrap() < product.find("int k = ").unwrap(), "{product}");
    // What the inner loop changes is loaded in front of it.
    let changed = made(&text.replace("aik = a[i * n + k]", "aik = c[i * n]"));
    assert!(changed.find("aik = c[").unwrap() < changed.find("int j = ").unwrap(), "{changed}");
}

/// A sum that a region declares does not keep the region in order, unless the function uses it after the region.
#[test]
fn variables_that_a_region_declares_end_with_it() {
    let text = |after: &str| {
        format!(
            "double f(int n, const double *restrict a, double *restrict out) {{\n#pragma scop\n  double s = 0;\n  \
             for (int i = 0; i < n; i++)\n    s += a[i];\n  out[0] = s / n;\n#pragma endscop\n  return {after};\n}}\n"
        )
    };
    let options = Options::default();
    let made = |name: &str, after: &str| {
        let file = read(name, &text(after));
        let tree = file.regions[0].tree.clone().unwrap();
        let goal = Goal {
            machine: &CPU,
            order: FloatOrder::Free,
            scheme: Scheme::Codegen,
            strategy: None,
            explained: false,
            options: &options,
        };
        parallelize_by(&tree, goal)
            .map(|made| made.text(&Original::from(&tree)))
            .map_err(|error| error.to_string())
    };
    let text = made("ends", "out[0]").unwrap().unwrap();
    assert!(
        text.contains("double s = ") && text.contains("#pragma omp parallel for simd reduction(+: s"),
        "{text}"
    );
    let reason = made("used", "s").unwrap_err();
    assert!(reason.contains("used after it"), "{reason}");
}
