//! `warpfold parallelize`: finds out which loops of C files are parallel, and why others are not.

mod check;

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use clap::Args as _;
use loop_compiler::{
    AnalysisError, Class, Granularity, LoopReport, analyze,
    c::{self, Replacement, SourceFile, SourceRegion},
    notation,
    parallelize::{CPU, GPU, Goal, Machine, Parallelized, Scheme, parallelize_by},
    report::{FileReport, FloatOrder, RegionReport, Report},
    rewrite,
    rules::Rejection,
    schedule::{self, Schedule},
    simplify::{self, Setting as Simplifying, Simplified, simplify},
    strategies::{self, Asked, Combining, Strategy},
    transform::Setting,
    tree::{Node, Region},
};
use output_files::FileError;
use toolchain::Tools;

use crate::{error::Error, messages, output, progress::during};

/// The usual limit of time.
const SECONDS: u64 = 20;

/// Options of `warpfold parallelize`.
#[derive(clap::Args)]
pub struct Options {
    /// Files of C or C++, with regions between `#pragma scop` and `#pragma endscop`, or of loops (.loops)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Report on the loops, the default without -o: as text, json, html or sarif
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    report: Option<Format>,
    /// The file for the report [default: standard output; FILE.html for HTML]
    #[arg(long, value_name = "FILE")]
    report_file: Option<PathBuf>,
    /// Instead of the report, say everything about the loops and statements of a line
    #[arg(long, value_name = "LINE", conflicts_with_all = ["report", "report_file", "dump"])]
    explain: Option<u32>,
    #[command(flatten)]
    regions: RegionOptions,
    /// Fail if a region is rejected, if what a directive asks for cannot be done, or, with --check, if a region cannot be
    /// checked, or if there is none
    #[arg(long)]
    strict: bool,
    /// Take parameters to have these values, such as N=20,M=30
    #[arg(long, value_name = "NAME=N", value_delimiter = ',', value_parser = size)]
    sizes: Vec<(String, i64)>,
    /// Seconds that the analysis of a region, its simplification and the search for its parallel form may take, each
    #[arg(long, value_name = "N", default_value_t = SECONDS, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Instead of the report, print what a step of the analysis has made of the regions
    #[arg(long, value_name = "STEP", conflicts_with_all = ["report", "report_file"])]
    dump: Option<Step>,
    /// Instead of the report, print innermost reductions, split into lanes as --strategy says (or
    /// vector-accumulator,16), in another language
    #[arg(long, value_name = "LANGUAGE", conflicts_with_all = ["report", "report_file", "dump", "output"])]
    emit: Option<Language>,
    /// What `--dump dependences` tells apart
    #[arg(long, value_name = "BY", default_value = "hybrid", requires = "dump")]
    granularity: InstancesOf,
    /// Make loops parallel for a target, and write the file with them to -o
    #[arg(long, value_name = "TARGET")]
    target: Option<Target>,
    /// Which forms of a loop nest are searched for: with codegen its loops stay where they are, with scheduling they are
    /// transformed as if private copies cost nothing, and with aware the copies have their cost
    #[arg(long, value_name = "SCHEME", default_value = "codegen", requires = "target")]
    scheme: SearchedBy,
    /// Execute innermost reductions so, where they can be: inner-parallel, inner-reduction or vector-accumulator, each with the
    /// number of columns or lanes, and the last two with the order at the end (`vector-accumulator,16,sequential`);
    /// `#pragma warpfold strategy(…)` in front of a loop says it for that loop
    #[arg(long, value_name = "STRATEGY")]
    strategy: Option<Asked>,
    /// How reductions whose results share what they combine are made cheaper, which --target does first: by the first vectors
    /// that are valid, or by the best ones
    #[arg(long, value_name = "SEARCH", num_args = 0..=1, require_equals = true, default_value = "heuristic",
          default_missing_value = "heuristic")]
    simplify: SimplifiedBy,
    /// Compare what is made of each region, for --target or the CPU, with the original on N small inputs [default: 12]
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "12",
          value_parser = clap::value_parser!(u16).range(1..=1000))]
    check: Option<u16>,
    /// Write `#line` directives, so that messages and debuggers name lines of the input
    #[arg(long, requires = "target")]
    lines: bool,
    /// Say on standard error how long reading and analysing each file took
    #[arg(long)]
    times: bool,
    /// Write the file, with parallel loops if there is a --target, and otherwise with each region that is not rejected
    /// printed from its loops; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Options for clang, such as -DN=100; those that this command does not have may stand anywhere
    #[arg(last = true, value_name = "CLANG OPTION")]
    clang: Vec<OsString>,
}

/// Which regions are analysed, and what may be assumed of them.
#[derive(clap::Args, Clone, Default)]
pub struct RegionOptions {
    /// Take every loop nest as a region, besides what stands between pragmas
    #[arg(long)]
    pub auto: bool,
    /// Take arrays and pointers that nothing distinguishes not to overlap
    #[arg(long)]
    pub assume_distinct: bool,
    /// Allow floating-point operations in any order, or in one documented order; -ffast-math allows any, too
    #[arg(long, value_name = "ORDER")]
    pub order: Option<AllowedOrder>,
}

/// How a report is written.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
    Html,
    Sarif,
}

/// What code is made for.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Target {
    /// C with OpenMP's directives for the CPU
    Cpu,
    /// C with OpenMP's directives for GPUs
    Gpu,
}

impl Target {
    fn machine(self) -> &'static Machine {
        match self {
            Target::Cpu => &CPU,
            Target::Gpu => &GPU,
        }
    }
}

/// What `--order` allows.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum AllowedOrder {
    /// Any order
    Free,
    /// One order, whatever the number of threads
    Fixed,
}

/// What the search for the form of a nest knows of reductions.
#[derive(Clone, Copy, clap::ValueEnum)]
enum SearchedBy {
    Codegen,
    Scheduling,
    Aware,
}

impl From<SearchedBy> for Scheme {
    fn from(scheme: SearchedBy) -> Scheme {
        match scheme {
            SearchedBy::Codegen => Scheme::Codegen,
            SearchedBy::Scheduling => Scheme::Scheduling,
            SearchedBy::Aware => Scheme::Aware,
        }
    }
}

/// Languages of `--emit`.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Language {
    /// MLIR: two operations `linalg.generic` for each reduction, on tensors
    Mlir,
}

/// How reductions are made cheaper.
#[derive(Clone, Copy, clap::ValueEnum)]
enum SimplifiedBy {
    Heuristic,
    Exhaustive,
    Off,
}

/// Steps of the analysis whose result can be printed, in their order.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Step {
    /// The regions as they were read, as C
    Tree,
    /// The same in the notation of .loops files
    Loops,
    /// The regions with their reductions made cheaper, in this notation
    Simplified,
    /// The regions as their schedules and the strategies of innermost reductions say, in this notation
    Scheduled,
    /// The sets of dependences, in isl's notation
    Dependences,
    /// The class of each loop
    Classes,
}

/// What the instances in sets of dependences are of.
#[derive(Clone, Copy, clap::ValueEnum)]
enum InstancesOf {
    /// Statements in one sequence, together
    Statement,
    /// Each access
    Access,
    /// Statements, and reductions on their own
    Hybrid,
}

impl From<InstancesOf> for Granularity {
    fn from(instances: InstancesOf) -> Granularity {
        match instances {
            InstancesOf::Statement => Granularity::Statement,
            InstancesOf::Access => Granularity::Access,
            InstancesOf::Hybrid => Granularity::Hybrid,
        }
    }
}

/// What a file is, by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Input {
    C,
    Loops,
}

impl Input {
    fn of(path: &Path) -> Input {
        if path.extension().is_some_and(|extension| extension == "loops") { Input::Loops } else { Input::C }
    }
}

/// A file with its report.
struct Analysed {
    path: PathBuf,
    source: SourceFile,
    report: FileReport,
    /// The regions whose reductions take fewer operations now.
    simplified: Vec<Option<Region>>,
    reading: Duration,
    analysing: Duration,
}

fn size(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("NAME=N is needed")?;
    let value = value.parse().map_err(|_| format!("{value} is no integer of 64 bits"))?;
    Ok((name.trim().into(), value))
}

/// The program's arguments, with clang's options of `parallelize` moved behind `--`: everybody writes options anywhere.
pub fn arranged(arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.get(1).is_none_or(|command| command != "parallelize") {
        return arguments;
    }
    let own = Options::augment_args(clap::Command::new("parallelize"));
    let (mut ours, mut clang) = (arguments[..2].to_vec(), Vec::new());
    let mut rest = arguments[2..].iter().cloned();
    while let Some(argument) = rest.next() {
        let word = argument.to_string_lossy().into_owned();
        match Belongs::of(&word, &own) {
            Belongs::End => clang.extend(rest.by_ref()),
            Belongs::Ours { value } => {
                ours.push(argument);
                ours.extend(value.then(|| rest.next()).flatten());
            }
            Belongs::Clang { value } => {
                clang.push(argument);
                clang.extend(value.then(|| rest.next()).flatten());
            }
        }
    }
    if !clang.is_empty() {
        ours.push("--".into());
        ours.extend(clang);
    }
    ours
}

/// Whose a word of the command line is, and whether the next one is its value.
#[derive(Debug, PartialEq)]
enum Belongs {
    Ours { value: bool },
    Clang { value: bool },
    End,
}

impl Belongs {
    fn of(word: &str, own: &clap::Command) -> Belongs {
        // clang's that have a word of their own.
        const WITH_VALUE: [&str; 17] = [
            "-I",
            "-D",
            "-U",
            "-x",
            "-F",
            "-include",
            "-imacros",
            "-isystem",
            "-iquote",
            "-idirafter",
            "-isysroot",
            "-Xclang",
            "-Xpreprocessor",
            "-mllvm",
            "-target",
            "--target",
            "--sysroot",
        ];
        if word == "--" {
            return Belongs::End;
        }
        if !word.starts_with('-') || matches!(word, "-" | "-h" | "--help") {
            return Belongs::Ours { value: false };
        }
        let takes_word = |arg: &clap::Arg| {
            arg.get_action().takes_values() && arg.get_num_args().is_none_or(|number| number.min_values() > 0)
        };
        if let Some(long) = word.strip_prefix("--") {
            let (name, has_value) = long.split_once('=').map_or((long, false), |(name, _)| (name, true));
            let found = own.get_arguments().find(|arg| arg.get_long() == Some(name));
            if let Some(arg) = found {
                return Belongs::Ours { value: !has_value && takes_word(arg) };
            }
        } else if let Some(short) = word.chars().nth(1)
            && let Some(arg) = own.get_arguments().find(|arg| arg.get_short() == Some(short))
        {
            return Belongs::Ours { value: word.len() == 2 && takes_word(arg) };
        }
        Belongs::Clang { value: WITH_VALUE.contains(&word) }
    }
}

/// Reads and analyses the files, and writes what is asked for. Nothing is written if one of them cannot be read.
pub fn run(options: &Options) -> Result<(), Error> {
    if let (Some(output), [_, _, ..]) = (&options.output, &options.files[..]) {
        let output = terminal_text::name(output.display());
        return Err(Error::Usage(format!("-o {output} holds one file; call the command once for each")));
    }
    let reports = options.reports();
    let outputs = options.output.iter().chain(&reports).map(PathBuf::as_path);
    output_files::check_distinct(outputs, options.files.iter().map(PathBuf::as_path))?;
    let clang = Tools::find()?.clang()?.path;
    let analysed: Vec<_> = options
        .files
        .iter()
        .map(|file| {
            let name = terminal_text::name(file.display());
            during(format_args!("analysing {name}"), || options.analysed(&clang, file))
        })
        .collect();
    let (files, mut errors): (Vec<_>, Vec<_>) = analysed.into_iter().partition(Result::is_ok);
    if let Some(last) = errors.pop().and_then(Result::err) {
        for error in errors.into_iter().filter_map(Result::err) {
            let _ = messages::error(&error);
        }
        return Err(last);
    }
    let mut files: Vec<Analysed> = files.into_iter().flatten().collect();
    options.notes(&files);
    let texts = match options.target {
        Some(target) => {
            let machine = target.machine();
            let transformed = |file| options.transformed(file, machine);
            during("searching for parallel forms", || {
                files.iter_mut().map(transformed).collect::<Result<_, _>>()
            })?
        }
        None => Vec::new(),
    };
    if let Some(inputs) = options.check {
        during("comparing with the original", || {
            files.iter_mut().try_for_each(|file| options.checked(&clang, file, inputs.into()))?;
            files.iter().zip(&texts).try_for_each(|(file, text)| options.compiles(&clang, file, text))
        })?;
    }
    let sources: Vec<&SourceFile> = files.iter().map(|file| &file.source).collect();
    let report = Report {
        files: files.iter().map(|file| file.report.clone()).collect(),
        order: options.float_order(),
    };
    options.write_report(&report, &sources)?;
    if options.strict {
        options.strictness(&report, &sources)?;
    }
    options.equality(&report)?;
    match (&options.output, sources.first(), report.files.first()) {
        (Some(output), Some(source), Some(_)) if Input::of(&options.files[0]) == Input::Loops => {
            let trees: Vec<_> = source.regions.iter().filter_map(|region| region.tree.clone().ok()).collect();
            output::replace(output, notation::print(&trees).as_bytes())
        }
        (Some(output), Some(_), Some(_)) if options.target.is_some() => {
            texts.first().map_or(Ok(()), |text: &Vec<u8>| output::replace(output, text))
        }
        (Some(output), Some(source), Some(file)) => {
            write_source(output, source, file)?;
            if source.regions.iter().any(|region| region.tree.is_ok()) {
                let hint = "the loops stay in order; --target cpu or gpu makes them parallel";
                messages::note(format_args!("warpfold: {}: {hint}", terminal_text::name(output.display())));
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// A C file with parallel loops for a target; `clang` are options for reading it.
pub fn for_target(
    target: Target,
    regions: RegionOptions,
    file: &Path,
    clang: Vec<OsString>,
) -> Result<Vec<u8>, Error> {
    let options = Options {
        files: vec![file.into()],
        report: None,
        report_file: None,
        explain: None,
        regions,
        strict: false,
        sizes: Vec::new(),
        seconds: SECONDS,
        dump: None,
        emit: None,
        granularity: InstancesOf::Hybrid,
        target: Some(target),
        strategy: None,
        scheme: SearchedBy::Codegen,
        simplify: SimplifiedBy::Heuristic,
        check: None,
        lines: true,
        times: false,
        output: None,
        clang,
    };
    let mut analysed = options.analysed(&Tools::find()?.clang()?.path, file)?;
    options.notes(std::slice::from_ref(&analysed));
    options.transformed(&mut analysed, target.machine())
}

impl Options {
    /// The files of the report.
    fn reports(&self) -> Vec<PathBuf> {
        match (&self.report_file, self.report) {
            (Some(file), _) => vec![file.clone()],
            (None, Some(Format::Html)) => self.files.iter().map(|file| beside(file)).collect(),
            (None, _) => Vec::new(),
        }
    }

    fn analysed(&self, clang: &Path, file: &Path) -> Result<Analysed, Error> {
        let begin = Instant::now();
        let source = match Input::of(file) {
            Input::C => self.read_c(clang, file)?,
            Input::Loops => read_loops(file)?,
        };
        let reading = begin.elapsed();
        let begin = Instant::now();
        let mut report =
            FileReport::new(file.display().to_string(), &source, &self.analysis()).map_err(Error::Sets)?;
        let mut simplified = Vec::new();
        for (region, report) in source.regions.iter().zip(&mut report.regions) {
            let made = match (&region.tree, &report.outcome) {
                (Ok(tree), Ok(_)) => self.simplified(tree)?,
                _ => None,
            };
            if let (Ok(tree), Ok(analysis)) = (&region.tree, &report.outcome) {
                report.innermost = strategies::innermost_reductions(tree, analysis, self.float_order());
            }
            report.in_notation = Input::of(file) == Input::Loops;
            // A target says it itself.
            if let (Ok(tree), Ok(_), None) = (&region.tree, &report.outcome, self.target)
                && directives(&tree.body).into_iter().any(|text| is_ours(text))
            {
                report.impossible = self.made(tree, &CPU)?.err();
            }
            report.simplified = made.iter().flat_map(|made| made.reductions.clone()).collect();
            simplified.push(made.filter(Simplified::is_changed).map(|made| made.region));
        }
        Ok(Analysed { path: file.into(), source, report, simplified, reading, analysing: begin.elapsed() })
    }

    /// A region with its reductions made cheaper, if they are to be.
    fn simplified(&self, tree: &Region) -> Result<Option<Simplified>, Error> {
        let search = match self.simplify {
            SimplifiedBy::Heuristic => simplify::Search::Heuristic,
            SimplifiedBy::Exhaustive => simplify::Search::Exhaustive,
            SimplifiedBy::Off => return Ok(None),
        };
        let analysis = self.analysis();
        let setting = Simplifying { search, ..Simplifying::new(self.float_order(), &analysis) };
        match simplify(tree, &setting) {
            Ok(made) => Ok(Some(made)),
            // The report says it of the region.
            Err(AnalysisError::Rejected(_)) => Ok(None),
            Err(AnalysisError::Library(error)) => Err(Error::Sets(error)),
        }
    }

    fn analysis(&self) -> loop_compiler::Options {
        loop_compiler::Options {
            sizes: self.sizes.iter().cloned().collect::<BTreeMap<_, _>>(),
            time: Duration::from_secs(self.seconds),
            ..loop_compiler::Options::default()
        }
    }

    /// The file with parallel loops; the report says which.
    fn transformed(&self, file: &mut Analysed, machine: &Machine) -> Result<Vec<u8>, Error> {
        let path = file.report.path.clone();
        plain_c("--target", &path)?;
        let named = self.lines.then(|| c::string(file.path.as_os_str().as_bytes()));
        let named = named.as_deref();
        let mut texts: Vec<Option<Replacement>> = Vec::new();
        let mut names = file.source.names.clone();
        let regions = file.source.regions.iter().zip(&file.simplified).zip(&mut file.report.regions);
        for ((region, simplified), report) in regions {
            let (Ok(tree), Ok(_)) = (&region.tree, &report.outcome) else {
                texts.push(None);
                continue;
            };
            let is_nest = rewrite::is_nest(&file.source, region);
            let sequential = || sequential(simplified.as_ref(), named, is_nest).map(Replacement::from);
            let tree = simplified.as_ref().unwrap_or(tree);
            if simplified.is_some() {
                report.replace(tree, &self.analysis()).map_err(Error::Sets)?;
            }
            if machine.device.is_some() {
                report.innermost.clear();
            }
            report.plan = Some(match self.made(tree, machine)? {
                Err(rejection) => {
                    texts.push(sequential());
                    Err(rejection)
                }
                Ok(mut made) if stays(&file.source, region, tree) => {
                    made.alternatives.iter_mut().for_each(|alternative| alternative.chosen = false);
                    texts.push(None);
                    Ok(made.alternatives)
                }
                Ok(made) => {
                    report.searched.clone_from(&made.searched);
                    report.divided.clone_from(&made.divided);
                    if machine.device.is_some() {
                        report.innermost.clone_from(&made.innermost);
                        report.declared_lengths = made.declared_lengths();
                    }
                    let text = made.outlined(tree, named, region.surroundings.as_ref(), &mut names);
                    texts.push(text.or_else(sequential));
                    Ok(made.alternatives)
                }
            });
        }
        let mut texts = texts.into_iter();
        Ok(rewrite::rewritten(&file.source, |region| {
            let mut made = texts.next().flatten()?;
            if let Some(name) = named {
                made.text += &format!("#line {} {name}\n", line_after(&file.source, region.bytes.end));
            }
            Some(made)
        }))
    }

    /// A region for a machine, or why it stays as it is.
    fn made(&self, tree: &Region, machine: &Machine) -> Result<Result<Parallelized, Rejection>, Error> {
        let (order, analysis) = (self.float_order(), self.analysis());
        let goal = Goal {
            machine,
            scheme: self.scheme.into(),
            order,
            options: &analysis,
            strategy: self.strategy,
            explained: self.explain.is_some(),
        };
        match parallelize_by(tree, goal) {
            Ok(made) => Ok(Ok(made)),
            Err(AnalysisError::Rejected(rejection)) => Ok(Err(rejection)),
            Err(AnalysisError::Library(error)) => Err(Error::Sets(error)),
        }
    }

    fn read_c(&self, clang: &Path, file: &Path) -> Result<SourceFile, Error> {
        let read = c::read(&c::Input {
            clang,
            file,
            arguments: &self.clang,
            auto: self.regions.auto,
            assume_distinct: self.regions.assume_distinct,
        });
        read.map_err(|error| match error {
            c::Error::Rejected { messages } => {
                let (path, name) = (file.display().to_string(), terminal_text::name(file.display()));
                messages::note(messages.trim_end().replace(&path, &name));
                Error::Usage(format!(
                    "clang does not take {}: its messages are above",
                    terminal_text::name(file.display())
                ))
            }
            c::Error::SyntaxTree(_) if !self.is_c(file) => Error::Usage(format!(
                "{}: neither C nor C++ by its name; add `-x c` if it is C",
                terminal_text::name(file.display())
            )),
            error => Error::Loops(error),
        })
    }

    /// Whether clang takes a file for C or C++.
    fn is_c(&self, file: &Path) -> bool {
        const ENDINGS: [&str; 12] =
            ["c", "h", "i", "cc", "cp", "cxx", "cpp", "c++", "ii", "hh", "hpp", "hxx"];
        let ending = file.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        ENDINGS.contains(&&*ending) || self.clang.iter().any(|word| word.to_string_lossy().starts_with("-x"))
    }

    /// What is said of the files besides the report.
    fn notes(&self, files: &[Analysed]) {
        for Analysed { report, reading, analysing, .. } in files {
            let path = terminal_text::name(&report.path);
            if report.regions.is_empty() {
                let hint = match self.regions.auto {
                    true => "no function has a `for` loop",
                    false => "put `#pragma scop` and `#pragma endscop` around loops, or pass --auto",
                };
                messages::note(format_args!("warpfold: {path} has no regions: {hint}"));
            }
            if self.times {
                let [reading, analysing] = [reading, analysing].map(Duration::as_secs_f64);
                messages::note(format_args!("{path}: reading {reading:.3} s, analysis {analysing:.3} s"));
            }
        }
    }

    /// Who allows floating-point operations to be reordered: the last of clang's options decides.
    fn float_order(&self) -> FloatOrder {
        const FREE: [&str; 4] =
            ["-ffast-math", "-fassociative-math", "-funsafe-math-optimizations", "-Ofast"];
        let allows = |word: &str| match word.strip_prefix("-fno-") {
            Some(rest) => FREE.contains(&&*format!("-f{rest}")).then_some(false),
            None => FREE.contains(&word).then_some(true),
        };
        let clang = self.clang.iter().filter_map(|word| allows(&word.to_string_lossy())).next_back();
        match (self.regions.order, clang) {
            (Some(AllowedOrder::Free), _) | (None, Some(true)) => FloatOrder::Free,
            (Some(AllowedOrder::Fixed), _) => FloatOrder::Fixed,
            (None, _) => FloatOrder::Kept,
        }
    }

    fn write_report(&self, report: &Report, sources: &[&SourceFile]) -> Result<(), Error> {
        if let Some(line) = self.explain {
            let text = report.explain(line).ok_or_else(|| {
                let lines: Vec<_> = report.known_lines().iter().map(u32::to_string).collect();
                let known = if lines.is_empty() { "none".into() } else { lines.join(", ") };
                Error::Usage(format!(
                    "line {line} has no loop and no store of a region; lines that have: {known}"
                ))
            })?;
            return output::text(&terminal_text::printable(&text));
        }
        if let Some(step) = self.dump {
            return output::text(&terminal_text::printable(&self.dump(step, report, sources)?));
        }
        if let Some(Language::Mlir) = self.emit {
            return output::text(&terminal_text::printable(&self.mlir(report, sources)?));
        }
        let format = match (self.report, &self.report_file, &self.output) {
            (Some(format), ..) => format,
            (None, None, Some(_)) => return Ok(()),
            (None, ..) => Format::Text,
        };
        let text = match format {
            Format::Text => report.to_text(),
            Format::Json => report.to_json(),
            Format::Html => report.to_html(),
            Format::Sarif => report.to_sarif(),
        };
        match (&self.report_file, format) {
            (Some(path), _) => {
                output::replace(path, text.as_bytes())?;
                if format == Format::Html {
                    messages::note(format_args!(
                        "warpfold: the report is {}",
                        terminal_text::name(path.display())
                    ));
                }
                Ok(())
            }
            (None, Format::Html) => {
                for (file, path) in report.files.iter().zip(&self.files) {
                    let alone = Report { files: vec![file.clone()], order: report.order };
                    let path = beside(path);
                    output::replace(&path, alone.to_html().as_bytes())?;
                    messages::note(format_args!(
                        "warpfold: the report is {}",
                        terminal_text::name(path.display())
                    ));
                }
                Ok(())
            }
            (None, Format::Text) => output::text(&terminal_text::printable(&text)),
            (None, Format::Json | Format::Sarif) => output::text(&text),
        }
    }

    /// What a step has made of each region.
    fn dump(&self, step: Step, report: &Report, sources: &[&SourceFile]) -> Result<String, Error> {
        let mut out = String::new();
        for (file, source) in report.files.iter().zip(sources) {
            for (region, read) in file.regions.iter().zip(&source.regions) {
                out += &format!(
                    "// {}:{}: {}\n",
                    terminal_text::name(&file.path),
                    region.at.line,
                    region.function
                );
                let tree = match (&read.tree, &region.outcome) {
                    (Err(rejection), _) => Err(rejection),
                    (_, Err(rejection)) if matches!(step, Step::Classes | Step::Dependences) => {
                        Err(rejection)
                    }
                    (Ok(tree), _) => Ok(tree),
                };
                match tree {
                    Ok(tree) => out += &self.dump_of(step, tree, region)?,
                    Err(rejection) => {
                        out += &format!("// rejected: line {}: {rejection}\n", rejection.at.line)
                    }
                }
            }
        }
        Ok(out)
    }

    /// A module with a function for each innermost reduction that has such a form, and the reasons of others.
    fn mlir(&self, report: &Report, sources: &[&SourceFile]) -> Result<String, Error> {
        let mut functions = String::new();
        let mut left = String::new();
        let (order, options) = (self.float_order(), self.analysis());
        let usual = Strategy::VectorAccumulator { lanes: 16, end: Combining::Tree };
        let strategy = self.strategy.map_or(usual, |asked| asked.strategy);
        for (file, source) in report.files.iter().zip(sources) {
            for read in &source.regions {
                let planned =
                    read.tree.as_ref().map_err(|rejection| AnalysisError::Rejected(rejection.clone()));
                let planned = planned.and_then(|tree| {
                    let tree = schedule::apply(tree, Setting { order, options: &options })?;
                    let analysis = analyze(&tree, &options)?;
                    let plan = strategies::plan(&tree, &analysis, order, Some(strategy));
                    Ok((plan.map_err(AnalysisError::Rejected)?, tree))
                });
                let reasons = match planned {
                    Ok((plan, tree)) => {
                        let (text, rejected) = strategies::mlir(&tree, &plan, &options.sizes);
                        functions += &text;
                        [plan.left, rejected].concat()
                    }
                    Err(AnalysisError::Rejected(rejection)) => vec![rejection],
                    Err(AnalysisError::Library(error)) => return Err(Error::Sets(error)),
                };
                for rejection in reasons {
                    left += &format!(
                        "// {}:{}: {rejection}\n",
                        terminal_text::name(&file.path),
                        rejection.at.line
                    );
                }
            }
        }
        Ok(format!("{left}module {{\n{functions}}}\n"))
    }

    fn dump_of(&self, step: Step, tree: &Region, region: &RegionReport) -> Result<String, Error> {
        Ok(match step {
            // C has no parallel reductions: what uses them is printed in the notation.
            Step::Tree if c::is_printable(tree) => c::print(tree, 0),
            Step::Tree | Step::Loops => notation::print(std::slice::from_ref(tree)),
            Step::Simplified => {
                let made = self.simplified(tree)?.map(|made| made.region);
                notation::print(std::slice::from_ref(made.as_ref().unwrap_or(tree)))
            }
            Step::Scheduled => {
                let (order, analysis) = (self.float_order(), self.analysis());
                let scheduled =
                    schedule::apply(tree, Setting { order, options: &analysis }).and_then(|tree| {
                        let strategy = self.strategy.map(|asked| asked.strategy);
                        strategies::apply(&tree, order, &analysis, strategy)
                    });
                match scheduled {
                    Ok(tree) => notation::print(std::slice::from_ref(&tree)),
                    Err(AnalysisError::Library(error)) => return Err(Error::Sets(error)),
                    Err(AnalysisError::Rejected(rejection)) => format!("// rejected: {rejection}\n"),
                }
            }
            Step::Dependences => {
                let sets = loop_compiler::dependences(tree, &self.analysis(), self.granularity.into());
                match sets {
                    Ok(sets) => sets.text(),
                    Err(AnalysisError::Library(error)) => return Err(Error::Sets(error)),
                    Err(AnalysisError::Rejected(rejection)) => format!("// rejected: {rejection}\n"),
                }
            }
            Step::Classes => {
                let loops =
                    region.outcome.as_ref().map(|analysis| analysis.loops.as_slice()).unwrap_or_default();
                let line = |looped: &LoopReport| {
                    let (indent, name) = (2 * looped.depth, &looped.iterator);
                    format!("{:indent$}{name} (line {}): {}\n", "", looped.at.line, looped.class.name())
                };
                loops.iter().map(line).collect()
            }
        })
    }

    /// What `--strict` asks for.
    fn strictness(&self, report: &Report, sources: &[&SourceFile]) -> Result<(), Error> {
        let (rejected, all) = (report.rejected(), report.regions().count());
        if let Some(file) = report.files.iter().find(|file| file.regions.is_empty()) {
            return Err(Error::Usage(format!(
                "{} has no regions, which --strict asks for",
                terminal_text::name(&file.path)
            )));
        }
        if rejected > 0 {
            return Err(Error::Usage(format!(
                "{rejected} of {all} regions rejected, which --strict does not allow"
            )));
        }
        let trees = sources.iter().flat_map(|source| &source.regions).map(|region| region.tree.as_ref().ok());
        let wrong =
            report.regions().zip(trees).filter(|(region, tree)| has_impossible(region, *tree)).count();
        match wrong {
            0 => Ok(()),
            _ => Err(Error::Usage(format!(
                "{wrong} of {all} regions have directives that cannot be performed, which --strict does not allow"
            ))),
        }
    }
}

/// The directives of the loops of a body.
fn directives(body: &[Node]) -> Vec<&String> {
    let mut found = Vec::new();
    for node in body {
        match node {
            Node::Loop(looped) => {
                found.extend(&looped.directives);
                found.extend(directives(&looped.body));
            }
            Node::If(guard) => found.extend([directives(&guard.then), directives(&guard.otherwise)].concat()),
            _ => {}
        }
    }
    found
}

/// Whether a directive is this program's.
fn is_ours(text: &str) -> bool {
    Schedule::of(text).is_some() || Strategy::of(text).is_some()
}

/// Whether a region has a directive that cannot be performed.
fn has_impossible(region: &RegionReport, tree: Option<&Region>) -> bool {
    let wrong =
        |looped: &LoopReport| looped.annotated && matches!(looped.class, Class::Scan | Class::Sequential);
    let is_directed = |tree: &Region| !directives(&tree.body).is_empty();
    region.impossible.is_some()
        || region.outcome.as_ref().is_ok_and(|analysis| analysis.loops.iter().any(wrong))
        || matches!(region.plan, Some(Err(_))) && tree.is_some_and(is_directed)
}

/// The file of the HTML report of a file.
fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".html");
    name.into()
}

/// An error if a file is not C by its name, which an option needs.
fn plain_c(option: &str, path: &str) -> Result<(), Error> {
    match Path::new(path).extension().is_some_and(|ending| ending == "c") {
        true => Ok(()),
        false => Err(Error::Usage(format!(
            "{}: {option} needs C, in a file whose name ends with .c",
            terminal_text::name(path)
        ))),
    }
}

/// Whether a region stays as it is: a directive in front of the nest would stand in front of a block.
fn stays(source: &SourceFile, region: &SourceRegion, tree: &Region) -> bool {
    let is_other = |text: &String| !is_ours(text);
    let directed =
        matches!(tree.body.first(), Some(Node::Loop(first)) if first.directives.iter().any(is_other));
    directed && rewrite::is_nest(source, region)
}

/// A simplified region in which no loop is made parallel; in place of a loop it is one statement, too.
fn sequential(simplified: Option<&Region>, file: Option<&str>, in_place_of_loop: bool) -> Option<String> {
    let tree = simplified?;
    Some(match in_place_of_loop {
        true => format!("{{\n{}}}\n", c::print_lines(tree, 2, file)),
        false => c::print_lines(tree, 0, file),
    })
}

/// The line that begins after what replaces a region which ends at that byte.
fn line_after(source: &SourceFile, end: usize) -> usize {
    1 + source.text[..end].iter().filter(|byte| **byte == b'\n').count()
}

/// Reads a file in the notation of loops.
fn read_loops(path: &Path) -> Result<SourceFile, Error> {
    let text = fs::read_to_string(path).map_err(|source| FileError::Read { path: path.into(), source })?;
    let regions = notation::parse(&text, &terminal_text::name(path.display()));
    let regions = regions.map_err(|error| Error::Usage(error.to_string()))?;
    let lines: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let start = |line: u32| lines.get(line.saturating_sub(1) as usize).copied().unwrap_or(text.len());
    let ends: Vec<usize> =
        regions.iter().skip(1).map(|region| start(region.at.line)).chain([text.len()]).collect();
    let regions = regions.into_iter().zip(ends).map(|(region, end)| SourceRegion {
        bytes: start(region.at.line)..end,
        at: region.at,
        function: region.function.clone(),
        unused: Vec::new(),
        surroundings: None,
        is_body: false,
        assertions: Vec::new(),
        tree: Ok(region),
    });
    Ok(SourceFile { regions: regions.collect(), text: text.into_bytes(), ..SourceFile::default() })
}

/// Writes the file with its regions printed.
fn write_source(output: &Path, source: &SourceFile, report: &FileReport) -> Result<(), Error> {
    let mut outcomes = report.regions.iter().map(|region| region.outcome.is_ok());
    let text = rewrite::printed(source, |_| outcomes.next().unwrap_or_default());
    output::replace(output, &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arranged_words(words: &str) -> String {
        let words = format!("warpfold parallelize {words}");
        let arranged = arranged(words.split(' ').map(OsString::from).collect());
        let words: Vec<_> = arranged.iter().skip(2).map(|word| word.to_string_lossy()).collect();
        words.join(" ")
    }

    #[test]
    fn options_of_clang_stand_anywhere() {
        assert_eq!(arranged_words("a.c --auto -o b.c"), "a.c --auto -o b.c");
        assert_eq!(
            arranged_words("-DN=3 a.c -I inc --report=json -O2"),
            "a.c --report=json -- -DN=3 -I inc -O2"
        );
        assert_eq!(arranged_words("a.c --report -I inc -- -o x"), "a.c --report -- -I inc -o x");
        assert_eq!(arranged_words("a.c --sizes N=3 -x c -ob.c"), "a.c --sizes N=3 -ob.c -- -x c");
        assert_eq!(arranged_words("--help"), "--help");
        let other: Vec<OsString> = ["warpfold", "cc", "-I", "x"].map(OsString::from).into();
        assert_eq!(arranged(other.clone()), other);
    }

    #[test]
    fn sizes_are_names_with_values() {
        assert_eq!(size("N=20"), Ok(("N".into(), 20)));
        assert!(size("N").is_err() && size("N=x").is_err());
    }
}
