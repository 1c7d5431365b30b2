//! The sets of dependences of the worked examples of Doerfert, Streit, Hack and Benaissa (IMPACT 2015).

use std::{path::Path, time::Duration};

use loop_compiler::{
    Dependences, Granularity, Options, c, dependences,
    isl::{Context, Relation},
};

fn of(nest: &str, granularity: Granularity) -> Dependences {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nests");
    let arguments = [format!("-I{}", folder.display()).into(), "-DVARIABLE".into()];
    let file = folder.join(nest);
    let clang = Path::new("clang-22");
    let input = c::Input { clang, file: &file, arguments: &arguments, auto: false, assume_distinct: false };
    let file = c::read(&input).unwrap();
    dependences(file.regions[0].tree.as_ref().unwrap(), &Options::default(), granularity).unwrap()
}

fn assert_set(found: &Dependences, name: &str, expected: &str) {
    let context = Context::new(10_000_000, Duration::from_secs(60)).unwrap();
    let (_, _, text) = found.sets.iter().find(|(set, _, _)| *set == name).unwrap();
    let [found, expected] = [text, expected].map(|text| Relation::parse(&context, text).unwrap());
    assert!(
        found.is_equal(&expected).unwrap(),
        "{name} is {}\nexpected {}",
        found.text().unwrap(),
        expected.text().unwrap()
    );
}

/// Figure 2: R sets `q[i]`, S adds to `q[i]`, T adds to `s[j]`.
#[test]
fn the_sets_of_bicg() {
    let sets = of("linear-algebra/bicg_figure_2.c", Granularity::Hybrid);
    assert_eq!(sets.names, ["S1: line 10 sets q", "S3: line 12 sets q", "S4: line 13 sets s"]);
    let inside = "0 <= i < NX and 0 <= j < NY";
    let s = format!("S3[i, j] -> S3[i, j + 1] : {inside} and j + 1 < NY");
    let t = format!("S4[i, j] -> S4[i + 1, j] : {inside} and i + 1 < NX");
    let r = "S1[i] -> S3[i, 0] : 0 <= i < NX and NY > 0".to_string();
    let set = |parts: &[&str]| format!("[NX, NY] -> {{ {} }}", parts.join("; "));
    assert_set(&sets, "D_WAW", &set(&[&s, &t, &r]));
    assert_set(&sets, "D_RAW", &set(&[&s, &t, &r]));
    assert_set(&sets, "D_WAR", &set(&[]));
    assert_set(&sets, "D_rho", &set(&[&s, &t]));
    let s = format!("S3[i, j] -> S3[i, k] : {inside} and j < k < NY");
    let t = format!("S4[i, j] -> S4[k, j] : {inside} and i < k < NX");
    assert_set(&sets, "D_rho+", &set(&[&s, &t]));
    assert_set(&sets, "D_nu", &set(&[&r]));
    assert_set(&sets, "D_tau", &set(&["S1[i] -> S3[i, j] : 0 <= i < NX and 0 < j < NY"]));
}

/// Access by access, the same dependences between loads and stores.
#[test]
fn accesses_on_their_own_have_the_same_dependences() {
    let sets = of("linear-algebra/bicg_figure_2.c", Granularity::Access);
    assert!(sets.names.contains(&"S3_3: line 12 reads q".to_string()), "{:?}", sets.names);
    let inside = "0 <= i < NX and 0 <= j < NY";
    let s = format!("S3_6[i, j] -> S3_6[i, j + 1] : {inside} and j + 1 < NY");
    let t = format!("S4_10[i, j] -> S4_10[i + 1, j] : {inside} and i + 1 < NX");
    assert_set(&sets, "D_rho", &format!("[NX, NY] -> {{ {s}; {t} }}"));
}

/// S and T in one statement: its dependences are no longer those of reductions alone (section 3.3).
#[test]
fn a_compound_statement_hides_its_reductions() {
    let sets = of("linear-algebra/bicg_figure_2.c", Granularity::Statement);
    assert_set(&sets, "D_rho", "[NX, NY] -> { }");
    let alone = of("statistics/figure_1.c", Granularity::Statement);
    assert_set(&alone, "D_rho", "[n] -> { B1[i] -> B1[i + 1] : 0 <= i < 4n - 1 }");
    assert_set(&alone, "D_nu", "[n] -> { }");
}

/// Figure 6: what is written twice is not accumulated, since load and store name different cells (the article's
/// equation 7 takes the pair for a reduction dependence).
#[test]
fn a_conditional_reduction_has_no_reduction_dependences() {
    let sets = of("detection/figure_6.c", Granularity::Hybrid);
    let (inside, set) = ("0 <= i < n and i <= j < m", |text: &str| format!("[n, m] -> {{ {text} }}"));
    // Both orders of the loops' iterations matter: of j by the reads in one iteration of i, and of i by all kinds.
    let read = [
        format!("S2[i, j] -> S2[i, i + j] : {inside} and 0 < i and i + j < m"),
        "S2[i, i] -> S2[k, i + k] : 0 <= i < k < n and i + k < m".to_owned(),
    ];
    let written = format!("S2[i, j] -> S2[i + 1, j] : {inside} and i + 1 < n and i + 1 <= j");
    let overwritten = format!("S2[i, j] -> S2[i + 1, j - i] : {inside} and 0 < i < n - 1 and i + 1 <= j - i");
    assert_set(&sets, "D_WAW", &set(&written));
    assert_set(&sets, "D_RAW", &set(&read.join("; ")));
    assert_set(&sets, "D_WAR", &set(&overwritten));
    for name in ["D_rho", "D_rho+", "D_tau"] {
        assert_set(&sets, name, &set(""));
    }
    assert_set(&sets, "D_nu", &set(&[&read[..], &[written, overwritten]].concat().join("; ")));
}

/// A statement that reads what it overwrites: that it has its own write between does not take the writes' order away.
#[test]
fn updates_that_are_no_reductions_keep_their_order() {
    let folder = std::env::temp_dir().join(format!("warpfold-dependences-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("updates.c");
    let text = "void f(int n, int m, int *restrict a) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++)\n      \
                a[j] = 7 - a[j] / 2;\n#pragma endscop\n}\n";
    std::fs::write(&file, text).unwrap();
    let sets = of(file.to_str().unwrap(), Granularity::Hybrid);
    std::fs::remove_dir_all(&folder).unwrap();
    let expected = "[n, m] -> { S2[i, j] -> S2[i + 1, j] : 0 <= i < n - 1 and 0 <= j < m }";
    for name in ["D_WAW", "D_RAW", "D_nu"] {
        assert_set(&sets, name, expected);
    }
    assert_set(&sets, "D_WAR", "[n, m] -> { }");
    assert_set(&sets, "D_rho", "[n, m] -> { }");
}

/// `for j: q += A[j]; use = q`: the use stays behind all instances of the reduction before it.
#[test]
fn privatization_dependences_keep_uses_in_place() {
    let sets = of("detection/read_of_sum.c", Granularity::Hybrid);
    // S1 adds to the sum, S2 uses it.
    let ends = "S1[j] -> S2[k] : 0 <= j < k < n; S2[j] -> S1[k] : 0 <= j < k - 1 < n - 1";
    assert_set(&sets, "D_tau", &format!("[n] -> {{ {ends} }}"));
    let (_, _, tau) = sets.sets.iter().find(|(name, _, _)| *name == "D_tau").unwrap();
    assert_eq!(
        tau,
        "[n] -> { S2[j] -> S1[j'] : j >= 0 and 2 + j <= j' < n; S1[j] -> S2[j'] : j >= 0 and j < j' < n }"
    );
    let steps = "0 <= j < n - 1";
    assert_set(&sets, "D_rho", &format!("[n] -> {{ S1[j] -> S1[j + 1] : {steps} }}"));
    let others =
        format!("S1[j] -> S2[j] : 0 <= j < n; S2[j] -> S1[j + 1] : {steps}; S2[j] -> S2[j + 1] : {steps}");
    assert_set(&sets, "D_nu", &format!("[n] -> {{ {others} }}"));
}
