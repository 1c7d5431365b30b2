//! Row sums and other innermost reductions in each strategy beside clang -O3 and the automatic choice, on one core.
//!
//! The programs take turns; all are compiled for this processor, without OpenMP's threads, and with `-ffp-contract=off`. Where
//! the order of floats is kept, results must have the bits of the plain loop.

use std::{
    error::Error,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use crate::{
    processor,
    report::{Report, median},
    timed,
};

/// A reduction of rows.
struct Shape {
    name: &'static str,
    rows: u32,
    columns: u32,
    element: &'static str,
    sum: &'static str,
    statement: &'static str,
    order: &'static str,
}

const fn shape(
    name: &'static str,
    (rows, columns): (u32, u32),
    (element, sum): (&'static str, &'static str),
    statement: &'static str,
    order: &'static str,
) -> Shape {
    Shape { name, rows, columns, element, sum, statement, order }
}

const SUM: &str = "o[i] += a[i][j];";

/// The first is the proposal's; then others, in and out of caches, with few and many columns.
const SHAPES: [Shape; 20] = [
    shape("sum_i8_i32", (384, 512), ("signed char", "int"), SUM, "kept"),
    shape("sum_i8_i64", (384, 512), ("signed char", "long"), SUM, "kept"),
    shape("sum_u8_u32_long", (16, 65536), ("unsigned char", "unsigned"), SUM, "kept"),
    shape("sum_i32_short", (20000, 20), ("int", "int"), SUM, "kept"),
    shape("sum_i32_33", (20000, 33), ("int", "int"), SUM, "kept"),
    shape("sum_i64_24", (20000, 24), ("long", "long"), SUM, "kept"),
    shape("count_i8", (384, 512), ("signed char", "int"), "o[i] += a[i][j] > 3;", "kept"),
    shape("max_i16", (500, 1000), ("short", "short"), "o[i] = a[i][j] > o[i] ? a[i][j] : o[i];", "kept"),
    shape("sum_f32_free", (384, 512), ("float", "float"), SUM, "free"),
    shape("sum_f64_free", (1000, 100), ("double", "double"), SUM, "free"),
    shape("sum_f32_f64_free", (384, 512), ("float", "double"), SUM, "free"),
    shape("squares_f32_free", (100, 4000), ("float", "float"), "o[i] += a[i][j] * a[i][j];", "free"),
    shape("sum_f32_20_free", (20000, 20), ("float", "float"), SUM, "free"),
    shape("sum_f16_f32_free", (384, 512), ("_Float16", "float"), SUM, "free"),
    shape("sum_bf16_f32_free", (384, 512), ("__bf16", "float"), SUM, "free"),
    shape("sum_f16_f32", (384, 512), ("_Float16", "float"), SUM, "kept"),
    shape("sum_f32", (384, 512), ("float", "float"), SUM, "kept"),
    shape("sum_f64", (384, 512), ("double", "double"), SUM, "kept"),
    shape("sum_f64_short", (4000, 30), ("double", "double"), SUM, "kept"),
    shape("squares_f32", (1000, 333), ("float", "float"), "o[i] += a[i][j] * a[i][j];", "kept"),
];

/// How a program is made: as it is, by the automatic choice, and by each strategy.
const FORMS: [(&str, Option<&str>); 8] = [
    ("clang", None),
    ("automatic", Some("")),
    ("inner-parallel,8", Some("inner-parallel,8")),
    ("inner-parallel,64", Some("inner-parallel,64")),
    ("inner-reduction,64", Some("inner-reduction,64")),
    ("vector-accumulator,16", Some("vector-accumulator,16")),
    ("vector-accumulator,32", Some("vector-accumulator,32")),
    ("vector-accumulator,64", Some("vector-accumulator,64")),
];

/// The index of the automatic choice.
const AUTOMATIC: usize = 1;

/// What the automatic choice may take more than the best strategy.
const LOSS: f64 = 0.10;

/// How many times faster than clang the automatic choice has to be at least.
const LEAST: [(&str, f64); 4] =
    [("sum_i8_i32", 0.97), ("sum_f16_f32", 4.0), ("sum_f32", 4.0), ("sum_f64", 4.0)];

struct Row {
    shape: &'static Shape,
    /// By form: nanoseconds a call, sorted; none if the strategy is not possible.
    times: [Vec<f64>; FORMS.len()],
}

impl Row {
    fn of(&self, form: usize) -> Option<f64> {
        (!self.times[form].is_empty()).then(|| median(&self.times[form]))
    }

    /// How many times faster than clang a form is.
    fn speed(&self, form: usize) -> Option<f64> {
        Some(self.of(0)? / self.of(form)?)
    }

    /// The time of the automatic choice beside that of the best strategy, or of clang's.
    fn beside_best(&self) -> Option<f64> {
        let best = (0..FORMS.len()).filter(|form| *form != AUTOMATIC).filter_map(|form| self.of(form));
        Some(self.of(AUTOMATIC)? / best.fold(f64::INFINITY, f64::min))
    }

    fn bytes(&self) -> f64 {
        let size = match self.shape.element {
            "signed char" | "unsigned char" => 1.0,
            "short" | "_Float16" | "__bf16" => 2.0,
            "int" | "float" => 4.0,
            _ => 8.0,
        };
        size * f64::from(self.shape.rows) * f64::from(self.shape.columns)
    }

    fn line(&self) -> String {
        let Shape { name, rows, columns, .. } = self.shape;
        let speed = self.of(0).map_or(f64::NAN, |time| self.bytes() / time);
        let mut line = format!("{name:18} {:>10} {speed:6.1}", format!("{rows}x{columns}"));
        for form in 1..FORMS.len() {
            match self.speed(form) {
                Some(speed) => drop(write!(line, " {speed:7.2}")),
                None => line.push_str("       -"),
            }
        }
        let _ = write!(line, " {:7.2}", self.beside_best().unwrap_or(f64::NAN));
        line
    }

    fn json(&self) -> Value {
        let forms = FORMS.iter().enumerate().filter_map(|(form, (name, _))| {
            let figures = json!({ "nanoseconds": self.of(form)?, "speed": self.speed(form) });
            Some(((*name).to_owned(), figures))
        });
        let Shape { name, rows, columns, element, sum, statement, order } = self.shape;
        json!({ "shape": name, "rows": rows, "columns": columns, "element": element, "sum": sum,
                "statement": statement, "order": order, "automatic_beside_best": self.beside_best(),
                "forms": serde_json::Map::from_iter(forms) })
    }
}

/// Measures.
pub fn measure(warpfold: &Path, filters: &[String], rounds: u32) -> Result<Report, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    println!(
        "{:18} {:>10} {:>6} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}",
        "times clang -O3", "shape", "GB/s", "auto", "ip8", "ip64", "ir64", "va16", "va32", "va64", "a/best"
    );
    let wanted =
        |name: &str| filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str()));
    let (mut rows, mut failures) = (Vec::new(), Vec::new());
    for shape in SHAPES.iter().filter(|shape| wanted(shape.name)) {
        let mut built = Vec::new();
        for (form, (name, strategy)) in FORMS.iter().enumerate() {
            built.extend(build(warpfold, folder.path(), shape, name, *strategy)?.map(|path| (form, path)));
        }
        // The same results, whatever the form: of floats whose order is kept also the same bits.
        let mut printed = built.iter().map(|(form, path)| Ok((*form, output(path)?)));
        let Some(expected) = printed.next().transpose()?.map(|(_, text)| text) else { continue };
        for found in printed {
            let (form, text): (usize, String) = found.map_err(|error: Box<dyn Error>| error)?;
            if text != expected && shape.order == "kept" {
                return Err(
                    format!("{} by {} prints {text} and not {expected}", shape.name, FORMS[form].0).into()
                );
            }
        }
        let mut row = Row { shape, times: Default::default() };
        for round in 0..rounds as usize {
            let mut order = built.clone();
            order.rotate_left(round % built.len());
            for (form, path) in order {
                let known = row.times[form].last().copied();
                row.times[form].extend(timed::run(processor::on_one(&path), known)?);
            }
        }
        row.times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
        println!("{}", row.line());
        if row.beside_best().is_some_and(|ratio| ratio > 1.0 + LOSS) {
            failures.push(format!("{}: the automatic choice is not within 10 % of the best", shape.name));
        }
        let least = LEAST.iter().find(|(name, _)| *name == shape.name).map_or(0.0, |(_, least)| *least);
        if row.speed(AUTOMATIC).is_some_and(|speed| speed < least) {
            failures
                .push(format!("{}: the automatic choice is not {least} times as fast as clang", shape.name));
        }
        rows.push(row);
    }
    let json = json!({ "version": env!("CARGO_PKG_VERSION"), "rounds": rounds,
                       "shapes": rows.iter().map(Row::json).collect::<Vec<_>>() });
    let failure = (!failures.is_empty()).then(|| failures.join("\n"));
    Ok(Report { lines: Vec::new(), json, failure })
}

fn output(path: &Path) -> Result<String, Box<dyn Error>> {
    let output = Command::new(path).stdin(Stdio::null()).stderr(Stdio::null()).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn text(shape: &Shape) -> String {
    let Shape { rows, columns, element, sum, statement, .. } = shape;
    // Compilers round to `__bf16` by a function that libgcc 12 does not have.
    let value = match *element {
        "__bf16" => "upper_half",
        _ => "",
    };
    format!(
        "#include <string.h>
static {element} a[{rows}][{columns}];
static {sum} o[{rows}];
static inline __bf16 upper_half(float value) {{
  unsigned bits;
  memcpy(&bits, &value, sizeof bits);
  unsigned short upper = bits >> 16;
  __bf16 half;
  memcpy(&half, &upper, sizeof half);
  return half;
}}

void reduce(void) {{
#pragma scop
  for (int i = 0; i < {rows}; i++) {{
    o[i] = 0;
    for (int j = 0; j < {columns}; j++)
      {statement}
  }}
#pragma endscop
}}

int main(void) {{
  for (long i = 0; i < {rows}; i++)
    for (long j = 0; j < {columns}; j++)
      a[i][j] = {value}((i * 31 + j * 17) % 101 * 0.7 - 20);
  reduce();
  double all = 0;
  for (int i = 0; i < {rows}; i++)
    all = all * 0.99 + o[i];
  printf(\"%a\\n\", all);
  return 0;
}}
"
    )
}

/// Compiles a shape in a form; `None` if the strategy is not possible.
fn build(
    warpfold: &Path,
    folder: &Path,
    shape: &Shape,
    form: &str,
    strategy: Option<&str>,
) -> Result<Option<PathBuf>, Box<dyn Error>> {
    let path = folder.join(format!("{}_{form}", shape.name));
    let source = folder.join("source.c");
    let text = timed::timed(&text(shape)).ok_or("a program without a call to be timed")?;
    fs::write(&source, text)?;
    let mut input = source.clone();
    if let Some(strategy) = strategy {
        input = folder.join("made.c");
        let made = |strategy: &str, to: &Path| -> Result<(), Box<dyn Error>> {
            let mut command = Command::new(warpfold);
            command.args(["parallelize", "--target", "cpu"]).arg(&source).arg("-o").arg(to);
            if shape.order != "kept" {
                command.args(["--order", shape.order]);
            }
            if !strategy.is_empty() {
                command.args(["--strategy", strategy]);
            }
            let output = command.stdin(Stdio::null()).output()?;
            match output.status.success() {
                true => Ok(()),
                false => Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into()),
            }
        };
        made(strategy, &input)?;
        if !strategy.is_empty() {
            // Where it is not possible it changes nothing.
            let automatic = folder.join("automatic.c");
            made("", &automatic)?;
            if fs::read(&input)? == fs::read(&automatic)? {
                return Ok(None);
            }
        }
    }
    let mut command = Command::new("clang-22");
    command.args(["-O3", "-march=native", "-w", "-std=gnu2x", "-fopenmp-simd", "-ffp-contract=off"]);
    command.arg(&input).args(["-lm", "-o"]).arg(&path);
    let output = command.stdin(Stdio::null()).output()?;
    match output.status.success() {
        true => Ok(Some(path)),
        false => Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into()),
    }
}
