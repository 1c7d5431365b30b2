//! The search for the forms of nests: its costs, its schemes, and C that is made of what it finds.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use loop_compiler::{
    AnalysisError, Options, c,
    notation::parse,
    parallelize::{CPU, Goal, Machine, Parallelized, Scheme, parallelize_by},
    report::FloatOrder,
    rewrite,
    search::placements,
    tree::{Node, Region},
};

fn options(sizes: &[(&str, i64)]) -> Options {
    let sizes: BTreeMap<String, i64> =
        sizes.iter().map(|(name, size)| ((*name).to_string(), *size)).collect();
    Options { sizes, ..Options::default() }
}

fn by<'g>(scheme: Scheme, machine: &'g Machine, options: &'g Options) -> Goal<'g> {
    Goal { machine, scheme, order: FloatOrder::Free, options }
}

fn region(text: &str) -> Region {
    parse(text, "").unwrap_or_else(|error| panic!("{error}")).remove(0)
}

const FIGURE_7: &str =
    "func @Figure7(nx: index, ny: index, nz: index, P: memref<ny x f64>, Q: memref<nx x ny x f64>,
      R: memref<ny x nz x f64>) {
  for i in range(0 : nx) {
    for j in range(0 : ny) {
      for k in range(0 : nz) {
        P[j] += Q[i, j] * R[j, k]
      }
    }
  }
}";

/// 003 T4: copies and aggregations at the places A, B and C.
#[test]
fn the_table_of_figure_7_comes_out_of_the_model() {
    for (sizes, threads, expected) in [
        ([4, 8, 16], 4.0, [(32.0, 32.0), (32.0, 128.0), (4.0, 128.0)]),
        // p, p NX NY; p NY, p NY NX; p NY, p NY.
        ([5, 7, 9], 3.0, [(21.0, 21.0), (21.0, 105.0), (3.0, 105.0)]),
    ] {
        let machine = Machine { threads, ..CPU.clone() };
        let options = options(&[("nx", sizes[0]), ("ny", sizes[1]), ("nz", sizes[2])]);
        let found = placements(&region(FIGURE_7), by(Scheme::Aware, &machine, &options)).unwrap();
        let [a, _, c] = &found[..] else { panic!("{found:?}") };
        assert_eq!([(a.copies, a.aggregations), (c.copies, c.aggregations)], [expected[0], expected[2]]);
    }
}

#[test]
#[ignore]
fn show() {
    for name in ["column_sums", "bicg", "covariance", "histogram", "argmax"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../examples/loops/{name}.c"));
        let input = c::Input {
            clang: Path::new("clang-22"),
            file: &path,
            arguments: &[],
            auto: false,
            assume_distinct: false,
        };
        let source = c::read(&input).unwrap();
        let options = Options::default();
        for one in &source.regions {
            let tree = one.tree.as_ref().unwrap();
            let begin = Instant::now();
            let made = parallelize_by(tree, by(Scheme::Aware, &CPU, &options)).unwrap();
            println!("{name}: {:?}", begin.elapsed());
            for searched in &made.searched {
                for one in &searched.considered {
                    println!(
                        "  {:.3} ms {:.0} copies {:.0} agg {} {:?}",
                        one.time / 1e6,
                        one.copies,
                        one.aggregations,
                        one.schedule(),
                        one.rejected
                    );
                }
            }
            println!("{}", made.text(tree, None).unwrap_or_default());
        }
    }
}
