//! Loops that `warpfold parallelize` made parallel beside clang -O3, Polly and gcc's automatic parallelization, on this
//! machine's CPU.
//!
//! Of each program the function with the region is timed, by so many calls that they take 50 ms. Programs
//! take turns, clang's twice, so that the difference of equal programs is known.

use std::{
    collections::BTreeSet,
    error::Error,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Mutex,
    thread,
};

use serde_json::{Value, json};

use crate::{
    processor,
    report::{Report, median},
    timed::{self, timed},
};

/// The programs that have to be faster, with the sizes that they get as arguments, and how many times as fast as those of
/// clang -O3 they have to be. Column sums of 64 MB wait for memory, whose bandwidth one processor takes nearly up.
const EXAMPLES: [(&str, &[&str], f64); 6] = [
    ("column_sums", &["2000", "1000"], 1.6),
    ("column_sums", &["4000", "2000"], 1.1),
    ("bicg", &["4000", "2000"], 1.6),
    ("histogram", &["20000000"], 1.6),
    ("covariance", &["600", "400"], 1.6),
    ("argmax", &["4000", "2000"], 1.6),
];

/// How much slower than clang -O3 a nest may be, besides the difference of equal programs.
const NEST_LOSS: f64 = 0.05;

/// Nanoseconds that the test for little work may take: a comparison, a branch, and no-ops where the loops behind them are
/// aligned, which are more than `NEST_LOSS` of calls of less than 40 ns. Two to four cycles; a shared processor executes
/// 1.7 to 3.3 in a nanosecond, sometimes within one run. Such calls are counted.
const TEST: f64 = 2.0;

/// Sizes that are tried for a nest: the first is small, for a second one a call takes `MUCH` nanoseconds.
const SIZES: [u32; 8] = [20, 50, 120, 300, 1000, 10_000, 100_000, 1_000_000];
const MUCH: f64 = 5e6;

/// Bytes of a nest's arrays, at most.
const MOST_BYTES: u64 = 64 << 20;

/// Of so many rounds Polly and gcc take part in one.
const PEERS: u32 = 3;

/// Nanoseconds of clang's program below which a call is executed by one thread: the start of others would take longer.
const SHORT: f64 = 1e3;

/// Rounds of what is clang's program, whose differences say nothing.
const ROUNDS_UNCHANGED: u32 = 3;

/// Loops start at cache lines in all programs: equal loops take up to 1.35 times as long at other addresses.
const ALIGNED: [&str; 2] = ["-falign-loops=64", "-falign-functions=64"];

/// Who compiles a program.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Clang,
    /// The same program once more.
    Again,
    Warpfold,
    Polly,
    Gcc,
}

impl Form {
    const ALL: [Form; 5] = [Form::Clang, Form::Again, Form::Warpfold, Form::Polly, Form::Gcc];

    fn name(self) -> &'static str {
        match self {
            Form::Clang => "clang",
            Form::Again => "clang again",
            Form::Warpfold => "warpfold",
            Form::Polly => "polly",
            Form::Gcc => "gcc",
        }
    }

    fn is_peer(self) -> bool {
        matches!(self, Form::Polly | Form::Gcc)
    }

    fn compiler(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Form::Clang | Form::Again => ("clang-22", &["-Wno-unknown-pragmas"]),
            Form::Warpfold => ("clang-22", &["-fopenmp"]),
            // These change the order of floating-point additions as `--order free` does.
            Form::Polly => {
                ("clang-22", &["-ffast-math", "-mllvm", "-polly", "-mllvm", "-polly-parallel", "-lgomp"])
            }
            Form::Gcc => ("gcc", &["-ffast-math", "-ftree-parallelize-loops=2"]),
        }
    }
}

/// A program whose region is timed.
struct Program {
    name: String,
    text: String,
    /// Options of all compilers.
    options: Vec<String>,
    arguments: Vec<String>,
}

/// What one program takes.
struct Row {
    name: String,
    size: String,
    /// By form: nanoseconds a call, sorted; none if it is not built.
    times: [Vec<f64>; Form::ALL.len()],
    /// By form: the parallel regions in the machine code.
    parallel: [usize; Form::ALL.len()],
    /// Whether all regions stay as they are: then it is clang's program, and differences are those of equal programs.
    unchanged: bool,
    /// What is executed, and with which arguments.
    programs: Vec<(Form, PathBuf)>,
    arguments: Vec<String>,
}

impl Row {
    fn of(&self, form: Form) -> Option<f64> {
        let times = &self.times[form as usize];
        (!times.is_empty()).then(|| median(times))
    }

    /// How many times faster than clang a form is.
    fn speed(&self, form: Form) -> Option<f64> {
        Some(self.of(Form::Clang)? / self.of(form)?)
    }

    /// The difference of two equal programs.
    fn spread(&self) -> f64 {
        self.speed(Form::Again).map_or(0.0, |speed| (speed - 1.0).abs().max((1.0 / speed - 1.0).abs()))
    }

    fn is_nest(&self) -> bool {
        self.arguments.is_empty()
    }

    /// Whether the program is slower than clang's by more than a test for little work.
    fn is_slow(&self) -> bool {
        self.loss().is_some_and(|loss| loss > TEST)
    }

    /// Nanoseconds that a call takes longer than it may, if it does.
    fn loss(&self) -> Option<f64> {
        let (own, clang) = (self.of(Form::Warpfold)?, self.of(Form::Clang)?);
        let is_slower = own > clang * (1.0 + NEST_LOSS + self.spread()) && !self.unchanged;
        is_slower.then_some(own - clang)
    }

    fn line(&self) -> String {
        let mut line = format!("{:44} {:>12}", self.name, self.size);
        let microseconds = self.of(Form::Clang).unwrap_or(f64::NAN) / 1e3;
        let _ = write!(line, " {microseconds:12.1} {:7.1}%", self.spread() * 100.0);
        for form in [Form::Warpfold, Form::Polly, Form::Gcc] {
            let regions = self.parallel[form as usize];
            match self.speed(form) {
                Some(speed) if form == Form::Warpfold && self.unchanged => {
                    let _ = write!(line, " {speed:8.2} (=)");
                }
                Some(speed) => drop(write!(line, " {speed:8.2} ({regions})")),
                None => line.push_str("        -    "),
            }
        }
        line
    }

    fn json(&self) -> Value {
        let forms = Form::ALL.iter().filter_map(|form| {
            let median = self.of(*form)?;
            let figures = json!({
                "nanoseconds": median, "parallel_regions": self.parallel[*form as usize], "speed": self.speed(*form),
            });
            Some((form.name().to_owned(), figures))
        });
        json!({ "program": self.name, "size": self.size, "spread": self.spread(), "unchanged": self.unchanged,
                "forms": serde_json::Map::from_iter(forms) })
    }
}

/// Options of the benchmark.
#[derive(clap::Args)]
pub struct Options {
    /// The program `warpfold`
    #[arg(long, value_name = "FILE")]
    warpfold: PathBuf,
    /// Only programs whose names have one of these
    filters: Vec<String>,
    /// The nests of loop-compiler/tests/nests, too, in two sizes
    #[arg(long)]
    nests: bool,
    /// Of the nests' sizes only the smallest: calls take 10 to 1000 ns
    #[arg(long, requires = "nests")]
    small: bool,
    /// Without Polly and gcc
    #[arg(long)]
    alone: bool,
    /// Processor time of all threads instead of time: on a machine that others use, 1.0 is as good as threads can make it
    #[arg(long)]
    processor_time: bool,
    /// A further option of `warpfold parallelize` (may be given several times)
    #[arg(long = "option", value_name = "WORD", allow_hyphen_values = true)]
    options: Vec<String>,
    /// Keep the sources and programs in this folder
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

/// Measures.
pub fn measure(options: &Options, rounds: u32) -> Result<Report, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let temporary = tempfile::tempdir()?;
    let folder = options.keep.as_deref().unwrap_or(temporary.path());
    fs::create_dir_all(folder)?;
    let bench = Bench { options, rounds, folder, built: Mutex::default() };
    let wanted = |name: &str| {
        options.filters.is_empty() || options.filters.iter().any(|filter| name.contains(filter.as_str()))
    };
    let head = format!(
        "{:44} {:>12} {:>12} {:>8} {:>12} {:>12} {:>12}",
        "times faster than clang -O3 (regions)", "size", "clang us", "spread", "warpfold", "polly", "gcc"
    );
    println!("{head}");
    let (mut rows, mut left_out, mut slow, mut tested) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for (name, sizes, least) in EXAMPLES.iter().filter(|(name, ..)| wanted(name)) {
        let text = fs::read_to_string(root.join(format!("examples/loops/{name}.c")))?;
        let text = timed(&text).ok_or_else(|| format!("{name}.c has no call to be timed"))?;
        let arguments = sizes.iter().map(|&size| size.to_owned()).collect();
        let program = Program { name: (*name).into(), text, options: Vec::new(), arguments };
        let row = bench.row(&program, &sizes.join("x"))?;
        println!("{}", row.line());
        if row.speed(Form::Warpfold).is_none_or(|speed| speed < *least) {
            slow.push(format!("{name} {} is not {least} times as fast", sizes.join("x")));
        }
        rows.push(row);
    }
    let nests = root.join("loop-compiler/tests/nests");
    let files = if options.nests { sources(&nests)? } else { Vec::new() };
    for path in files {
        let name = path.strip_prefix(&nests)?.with_extension("").display().to_string();
        if !wanted(&name) || name.starts_with("rejected/") {
            continue;
        }
        let Some(text) = timed(&fs::read_to_string(&path)?) else {
            left_out.push(name);
            continue;
        };
        let program =
            Program { name, text, options: vec![format!("-I{}", nests.display())], arguments: Vec::new() };
        for row in bench.nest(&program)? {
            println!("{}", row.line());
            rows.push(row);
        }
    }
    // What others do on the machine lasts longer than all rounds of a program: what seems to be slower is measured once more.
    for row in rows.iter_mut().filter(|row| row.is_nest() && row.is_slow()) {
        bench.rounds(row)?;
        println!("{}", row.line());
    }
    for row in rows.iter().filter(|row| row.is_nest()) {
        if row.is_slow() {
            slow.push(format!("{} {} is slower than clang -O3", row.name, row.size));
        } else if row.loss().is_some() {
            tested += 1;
        }
    }
    let mut lines = Vec::new();
    if tested > 0 {
        lines.push(format!("{tested} calls take longer by up to {TEST} ns, which are more than 5 % of them"));
    }
    if !left_out.is_empty() {
        lines.push(format!("without one call to be timed: {}", left_out.join(", ")));
    }
    for form in [Form::Warpfold, Form::Polly, Form::Gcc] {
        let speeds: Vec<f64> = rows.iter().filter_map(|row| row.speed(form)).collect();
        let mean = (speeds.iter().map(|speed| speed.ln()).sum::<f64>() / speeds.len() as f64).exp();
        let regions: usize = rows.iter().map(|row| row.parallel[form as usize]).sum();
        if !speeds.is_empty() {
            let count = speeds.len();
            lines.push(format!(
                "{}: {count} programs, {regions} parallel regions, geometric mean {mean:.2} times clang -O3",
                form.name()
            ));
        }
    }
    let json = json!({
        "version": env!("CARGO_PKG_VERSION"), "rounds": rounds,
        "processors": thread::available_parallelism().map_or(1, usize::from),
        "programs": rows.iter().map(Row::json).collect::<Vec<_>>(), "left_out": left_out,
        "slower_by_a_test": tested,
    });
    Ok(Report { lines, json, failure: (!slow.is_empty()).then(|| slow.join("\n")) })
}

struct Bench<'b> {
    options: &'b Options,
    rounds: u32,
    folder: &'b Path,
    built: Mutex<BTreeSet<PathBuf>>,
}

impl Bench<'_> {
    /// A nest in two sizes.
    fn nest(&self, program: &Program) -> Result<Vec<Row>, Box<dyn Error>> {
        let sized = |size: u32| {
            let mut options = program.options.clone();
            options.extend(["-DVARIABLE".to_owned(), "-DPOLYBENCH_USE_RESTRICT".to_owned()]);
            options.extend(["N", "M", "K", "L"].map(|name| format!("-D{name}={size}")));
            let (name, text) = (program.name.clone(), program.text.clone());
            Program { name, text, options, arguments: Vec::new() }
        };
        let mut last = SIZES[0];
        for size in SIZES.into_iter().filter(|_| !self.options.small) {
            let Some(path) = self.build(Form::Clang, &sized(size), &size.to_string())? else { break };
            if bytes_of_variables(&path)? > MOST_BYTES {
                break;
            }
            // Some nests overflow, or leave their arrays, where a size is large.
            let Ok(Some(time)) = self.time(Command::new(&path), None) else { break };
            last = size;
            if time >= MUCH {
                break;
            }
        }
        let chosen = if last == SIZES[0] { vec![last] } else { vec![SIZES[0], last] };
        let rows = chosen.into_iter().map(|size| self.row(&sized(size), &size.to_string()));
        rows.collect()
    }

    /// All forms of a program, by turns.
    fn row(&self, program: &Program, size: &str) -> Result<Row, Box<dyn Error>> {
        let mut row = Row {
            name: program.name.clone(),
            size: size.to_owned(),
            times: Default::default(),
            parallel: Default::default(),
            unchanged: false,
            programs: Vec::new(),
            arguments: program.arguments.clone(),
        };
        let wanted = Form::ALL.into_iter().filter(|form| !form.is_peer() || !self.options.alone);
        let built: Vec<_> = thread::scope(|scope| {
            let builds: Vec<_> = wanted
                .map(|form| {
                    (
                        form,
                        scope.spawn(move || {
                            self.build(form, program, size).map_err(|error| error.to_string())
                        }),
                    )
                })
                .collect();
            builds.into_iter().map(|(form, build)| (form, build.join())).collect()
        });
        for (form, build) in built {
            if let Some(path) = build.map_err(|_| "a build panicked")?? {
                row.parallel[form as usize] = parallel_regions(&path)?;
                row.programs.push((form, path));
            }
        }
        let made = fs::read_to_string(self.made(program, size));
        row.unchanged = made.is_ok_and(|made| made == program.text);
        self.rounds(&mut row)?;
        Ok(row)
    }

    /// Measures the programs by turns.
    fn rounds(&self, row: &mut Row) -> Result<(), Box<dyn Error>> {
        let rounds = if row.unchanged { self.rounds.min(ROUNDS_UNCHANGED) } else { self.rounds };
        for round in 0..rounds {
            let mut order = row.programs.clone();
            order.rotate_left(round as usize % row.programs.len().max(1));
            for (form, path) in order {
                if form.is_peer() && !round.is_multiple_of(PEERS) {
                    continue;
                }
                let known = row.times[form as usize].first().copied();
                let is_short = row.times[Form::Clang as usize].first().is_some_and(|time| *time < SHORT);
                // Peers have no test for little work: they may start threads.
                let alone = is_short && !form.is_peer();
                let mut command = if alone { processor::on_one(&path) } else { Command::new(&path) };
                command.args(&row.arguments);
                row.times[form as usize].extend(self.time(command, known)?);
            }
        }
        row.times.iter_mut().for_each(|times| times.sort_by(f64::total_cmp));
        Ok(())
    }

    fn time(&self, mut command: Command, known: Option<f64>) -> Result<Option<f64>, Box<dyn Error>> {
        if self.options.processor_time {
            command.env("OMP_WAIT_POLICY", "passive");
        }
        timed::run(command, known)
    }

    /// The program with parallel loops.
    fn made(&self, program: &Program, size: &str) -> PathBuf {
        self.folder.join(format!("{}_made.c", stem(program, Form::Warpfold, size)))
    }

    /// Compiles a program; `None` if the compiler does not take it. What was compiled before is not compiled again.
    fn build(&self, form: Form, program: &Program, size: &str) -> Result<Option<PathBuf>, Box<dyn Error>> {
        let stem = stem(program, form, size);
        let path = self.folder.join(&stem);
        let is_built = |path: &PathBuf| self.built.lock().is_ok_and(|built| built.contains(path));
        if is_built(&path) {
            return Ok(Some(path));
        }
        let source = self.folder.join(format!("{stem}.c"));
        fs::write(&source, &program.text)?;
        let (compiler, options) = form.compiler();
        let mut input = source.clone();
        if form == Form::Warpfold {
            input = self.made(program, size);
            let mut command = Command::new(&self.options.warpfold);
            command.args(["parallelize", "--target", "cpu", "--order", "free"]).args(&self.options.options);
            command.args(&program.options).arg(&source).arg("-o").arg(&input);
            let output = command.stdin(Stdio::null()).output()?;
            if !output.status.success() {
                return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
            }
        }
        let mut command = Command::new(compiler);
        // Others than the sources stand behind the source: libraries.
        command.args(["-O3", "-march=native", "-w", "-std=gnu2x"]).args(ALIGNED).args(&program.options);
        if self.options.processor_time {
            command.arg("-DBENCH_CLOCK=CLOCK_PROCESS_CPUTIME_ID");
        }
        command.arg(&input);
        let output = command.args(options).args(["-lm", "-o"]).arg(&path).stdin(Stdio::null()).output()?;
        if !output.status.success() {
            return Ok(None);
        }
        if let Ok(mut built) = self.built.lock() {
            built.insert(path.clone());
        }
        Ok(Some(path))
    }
}

fn stem(program: &Program, form: Form, size: &str) -> String {
    format!("{}_{size}_{}", program.name.replace('/', "_"), form.name().replace(' ', "_"))
}

/// C files in a folder and those in it, in order.
fn sources(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "c") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The parallel regions that a program starts.
fn parallel_regions(path: &Path) -> Result<usize, Box<dyn Error>> {
    let output = Command::new("objdump").args(["-d", "--no-show-raw-insn"]).arg(path).output()?;
    let starts = ["<GOMP_parallel_loop_runtime_start@plt>", "<GOMP_parallel@plt>", "<__kmpc_fork_call@plt>"];
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text
        .lines()
        .filter(|line| line.contains("call") && starts.iter().any(|start| line.contains(start)))
        .count())
}

/// The bytes of a program's variables.
fn bytes_of_variables(path: &Path) -> Result<u64, Box<dyn Error>> {
    let output = Command::new("size").arg(path).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let fields: Vec<&str> = text.lines().nth(1).unwrap_or_default().split_whitespace().collect();
    let [data, bss] = [1, 2].map(|field| fields.get(field).and_then(|text| text.parse::<u64>().ok()));
    Ok(data.zip(bss).map(|(data, bss)| data + bss).ok_or_else(|| format!("size: {text}"))?)
}
