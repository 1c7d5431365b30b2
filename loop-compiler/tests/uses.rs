//! Variables by where the function uses them: loops declare iterators that nobody reads afterwards, and variables that a
//! region declares may end with it.

#[allow(dead_code)]
mod common;

use std::{fs, path::Path, process::Command};

use loop_compiler::{
    Options, c,
    parallelize::{CPU, Goal, Scheme, parallelize_by},
    report::FloatOrder,
    rewrite,
    tree::{Loop, Node},
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

/// Whether each loop declares its iterator, and which variables nothing uses any more.
fn owned(name: &str, body: &str) -> Result<(Vec<bool>, String), String> {
    let file =
        read(name, &format!("void use(int);\nvoid f(int n, int *a, int i, int (*b)[10])\n{{\n{body}\n}}\n"));
    let mut found = Vec::new();
    let mut unused = Vec::new();
    for region in &file.regions {
        let tree = match &region.tree {
            Ok(tree) => tree,
            Err(rejection) if file.regions.len() == 1 => return Err(rejection.reason.clone()),
            Err(_) => continue,
        };
        declares(&tree.body, &mut found);
        unused.extend(region.unused.clone());
    }
    Ok((found, unused.join(" ")))
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
        let found = owned(&format!("own{index}"), &body)
            .map(|(found, unused)| (found[..declares.len()].to_vec(), unused));
        assert_eq!(found, Ok((declares, unused)), "{body}");
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
        let (found, unused) = owned(&format!("kept{index}"), body).unwrap();
        assert!(found.iter().all(|own| !own) && unused.is_empty(), "{body}\n{found:?} {unused}");
    }
}

#[test]
fn an_iterator_of_two_loops_inside_each_other_is_rejected() {
    let reason = owned(
        "inside",
        "int j; for (i = 0; i < n; i++) for (j = 0; j < n; j++) for (i = 0; i < n; i++) a[i] = j;",
    );
    assert!(
        reason.as_ref().is_err_and(|reason| reason.contains("two loops inside each other")),
        "{reason:?}"
    );
    let changed = owned("changed", "for (i = 0; i < n; i++) { a[i] = 0; i = i + 1; }");
    assert!(changed.is_err(), "{changed:?}");
}

/// The text is accepted without a warning, of declarations that have become useless and of names that hide others.
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
        parallelize_by(&tree, goal).map(|made| made.text(&tree, None)).map_err(|error| error.to_string())
    };
    let text = made("ends", "out[0]").unwrap().unwrap();
    assert!(
        text.contains("double s = ") && text.contains("#pragma omp parallel for simd reduction(+: s"),
        "{text}"
    );
    let reason = made("used", "s").unwrap_err();
    assert!(reason.contains("used after it"), "{reason}");
}
