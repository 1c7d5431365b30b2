//! `warpfold parallelize`: finds out which loops of C files are parallel, and why others are not.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args as _;
use loop_compiler::{
    Granularity,
    parallelize::{CPU, GPU, Machine, Scheme},
    report::{FloatOrder, Report},
    simplify::Search,
    strategies::Asked,
};
use loop_driver::{Analysed, Driver, Passes, Step, Verdicts, Verified};
use toolchain::Tools;

use crate::{error::Error, messages, output, progress::during, this_program};

/// Options of `warpfold parallelize`.
#[derive(clap::Args)]
pub struct Options {
    /// Files of C or C++, with regions between `#pragma scop` and `#pragma endscop`, or of loops (.loops)
    #[arg(value_name = "FILE", required_unless_present = "list_passes")]
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
    #[arg(long, value_name = "N", default_value_t = Driver::TIME.as_secs(), value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Instead of the report, print what a step of the analysis has made of the regions
    #[arg(long, value_name = "STEP", conflicts_with_all = ["report", "report_file"])]
    dump: Option<DumpedStep>,
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
    /// Instead of the report, say of each loop with a directive of OpenMP whether that is proved right, wrong (with an input that
    /// shows it), or undecided; fail if one is wrong or, with --strict, undecided
    #[arg(long, conflicts_with_all = ["explain", "dump", "emit", "check", "target", "output", "passes"])]
    verify: bool,
    /// Run these passes and steps of schedules, as `unswitch,tile(i, 32, i_tile),choose`, in this order, and write what they make
    /// of the regions as a file of loops (.loops) or of C (.c) to -o, or as loops to standard output
    #[arg(long, value_name = "PASSES", conflicts_with_all = ["report", "report_file", "dump", "emit", "check", "explain"])]
    passes: Option<String>,
    /// List the passes
    #[arg(long, exclusive = true)]
    list_passes: bool,
    /// Print the regions after this pass, or after all that change them; without --passes after those for --target or the CPU
    #[arg(long, value_name = "PASS|all", conflicts_with_all = ["report", "report_file", "dump", "emit", "check", "explain"])]
    print_after: Option<String>,
    /// Say what each pass did and how long it took; without --passes those for --target or the CPU
    #[arg(long, conflicts_with_all = ["report", "report_file", "dump", "emit", "check", "explain"])]
    trace_passes: bool,
    /// Execute each region by the interpreter, on sizes from --sizes and drawn values, before and after the passes; fail if the
    /// results differ
    #[arg(long, conflicts_with_all = ["report", "report_file", "dump", "emit", "check", "explain"])]
    run: bool,
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
enum DumpedStep {
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

impl From<AllowedOrder> for FloatOrder {
    fn from(order: AllowedOrder) -> FloatOrder {
        match order {
            AllowedOrder::Free => FloatOrder::Free,
            AllowedOrder::Fixed => FloatOrder::Fixed,
        }
    }
}

impl From<SimplifiedBy> for Option<Search> {
    fn from(search: SimplifiedBy) -> Option<Search> {
        match search {
            SimplifiedBy::Heuristic => Some(Search::Heuristic),
            SimplifiedBy::Exhaustive => Some(Search::Exhaustive),
            SimplifiedBy::Off => None,
        }
    }
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
        Belongs::Clang { value: offload_compilers::takes_word(word) }
    }
}

/// Reads and analyses the files, and writes what is asked for. Nothing is written if one of them cannot be read.
pub fn run(options: &Options) -> Result<(), Error> {
    if options.list_passes {
        return output::text(&loop_driver::list_passes());
    }
    if let (Some(output), [_, _, ..]) = (&options.output, &options.files[..]) {
        let output = terminal_text::name(output.display());
        return Err(Error::Usage(format!("-o {output} holds one file; call the command once for each")));
    }
    let reports = options.reports();
    let outputs = options.output.iter().chain(&reports).map(PathBuf::as_path);
    output_files::check_distinct(outputs, options.files.iter().map(PathBuf::as_path))?;
    let clang = Tools::find()?.clang()?.path;
    let driver = options.driver();
    if options.verify {
        return verify(options, &driver, &clang);
    }
    let mut files = analysed(options, &driver, &clang)?;
    files.iter().for_each(|file| notes(file, options.regions.auto, options.times));
    if let Some(passes) = options.passes() {
        return run_passes(options, &driver, &passes, &files);
    }
    let texts = match driver.target {
        Some(machine) => during("searching for parallel forms", || {
            files.iter_mut().map(|file| driver.transformed(file, machine)).collect::<Result<_, _>>()
        })?,
        None => Vec::new(),
    };
    if let Some(inputs) = options.check {
        let this = this_program::path()?;
        during("comparing with the original", || {
            let note = |text: &str| messages::note(text);
            let check = |file| driver.check([&clang, &this], file, inputs.into(), &note);
            files.iter_mut().try_for_each(check)?;
            files.iter().zip(&texts).try_for_each(|(file, text)| driver.compiles(&clang, file, text))
        })?;
    }
    options.write_report(&driver, &files)?;
    if options.strict {
        loop_driver::check_strictness(&files)?;
    }
    loop_driver::check_equality(&files, options.strict)?;
    let (Some(output), Some(file)) = (&options.output, files.first()) else { return Ok(()) };
    if let Some(text) = file.notation() {
        return output::replace(output, text.as_bytes());
    }
    if options.target.is_some() {
        return texts.first().map_or(Ok(()), |text: &Vec<u8>| output::replace(output, text));
    }
    output::replace(output, &file.printed())?;
    if file.has_tree() {
        let hint = "the loops stay in order; --target cpu or gpu makes them parallel";
        messages::note(format_args!("warpfold: {}: {hint}", terminal_text::name(output.display())));
    }
    Ok(())
}

/// Says of each directive of OpenMP in the files whether it is right.
fn verify(options: &Options, driver: &Driver, clang: &Path) -> Result<(), Error> {
    let mut files = Vec::new();
    for file in &options.files {
        let name = terminal_text::name(file.display());
        let verified =
            during(format_args!("checking the directives of {name}"), || driver.verified(clang, file));
        if let Err(loop_driver::Error::NotTaken { messages, .. }) = &verified {
            messages::note(messages);
        }
        files.push(verified?);
    }
    let Verdicts { proved, wrong, undecided } = files.iter().map(Verified::verdicts).sum();
    let count = proved + wrong + undecided;
    let loops = if count == 1 { "loop" } else { "loops" };
    let text = match options.report.unwrap_or(Format::Text) {
        Format::Text => {
            let found: String = files.iter().map(Verified::to_text).collect();
            let all = format!("{proved} proved, {wrong} wrong, {undecided} undecided");
            terminal_text::printable(&format!("{found}{count} {loops} with directives: {all}\n")).into_owned()
        }
        Format::Json => {
            let directives: Vec<_> = files.iter().flat_map(Verified::to_json).collect();
            format!("{:#}\n", serde_json::json!({ "directives": directives }))
        }
        Format::Sarif => loop_driver::sarif_log(files.iter().flat_map(Verified::to_results).collect()),
        Format::Html => return Err(Error::Usage("--verify reports as text, json or sarif".into())),
    };
    match &options.report_file {
        Some(path) => output::replace(path, text.as_bytes())?,
        None => output::text(&text)?,
    }
    match (wrong, undecided) {
        (0, 0) => Ok(()),
        (0, _) if !options.strict => Ok(()),
        (0, _) => Err(Error::Usage(format!(
            "{undecided} of {count} {loops} undecided, which --strict does not allow"
        ))),
        _ => Err(Error::Usage(format!("{wrong} of {count} {loops} with directives that are wrong"))),
    }
}

/// Runs passes, and writes what they make.
fn run_passes(options: &Options, driver: &Driver, passes: &Passes, files: &[Analysed]) -> Result<(), Error> {
    let (mut out, mut differences) = (String::new(), 0);
    for file in files {
        let passed = during("running passes", || driver.passed(passes, file))?;
        out += &passed.notes;
        differences += passed.differences;
        let Some(output) = &options.output else {
            let is_noted = options.run || options.trace_passes || options.print_after.is_some();
            if options.passes.is_some() || !is_noted {
                out += passed.notation.trim_end();
                out += "\n";
            }
            continue;
        };
        let text = match output.extension().is_some_and(|ending| ending == "loops") {
            true => passed.notation.into_bytes(),
            false => passed.c.map_err(|reason| {
                let output = terminal_text::name(output.display());
                Error::Usage(format!("{output} cannot be C: {reason}; -o FILE.loops writes the notation"))
            })?,
        };
        output::replace(output, &text)?;
    }
    output::text(&out)?;
    match differences {
        0 => Ok(()),
        count => Err(Error::Usage(format!(
            "{count} regions are not executed, or have other results after the passes"
        ))),
    }
}

/// The files with their reports. Where some cannot be read, the last error is returned and the others are shown.
fn analysed(options: &Options, driver: &Driver, clang: &Path) -> Result<Vec<Analysed>, Error> {
    let (mut files, mut errors) = (Vec::new(), Vec::new());
    for file in &options.files {
        let name = terminal_text::name(file.display());
        match during(format_args!("analysing {name}"), || read(driver, clang, file)) {
            Ok(file) => files.push(file),
            Err(error) => errors.push(error),
        }
    }
    let Some(last) = errors.pop() else { return Ok(files) };
    for error in errors {
        let _ = messages::error(&error);
    }
    Err(last)
}

/// Analyses a file; shows the messages of a clang that does not take it.
fn read(driver: &Driver, clang: &Path, file: &Path) -> Result<Analysed, Error> {
    let analysed = driver.analysed(clang, file);
    if let Err(loop_driver::Error::NotTaken { messages, .. }) = &analysed {
        messages::note(messages);
    }
    Ok(analysed?)
}

/// A C file with parallel loops for a target; `clang` are options for reading it.
pub fn for_target(
    target: Target,
    regions: RegionOptions,
    file: &Path,
    clang: Vec<OsString>,
) -> Result<Vec<u8>, Error> {
    let machine = target.machine();
    let driver = Driver {
        auto: regions.auto,
        assume_distinct: regions.assume_distinct,
        order: regions.order.map(FloatOrder::from),
        target: Some(machine),
        simplify: Some(Search::Heuristic),
        lines: true,
        clang,
        ..Driver::default()
    };
    let mut analysed = read(&driver, &Tools::find()?.clang()?.path, file)?;
    notes(&analysed, regions.auto, false);
    Ok(driver.transformed(&mut analysed, machine)?)
}

/// Says what is said of a file besides the report.
fn notes(file: &Analysed, auto: bool, times: bool) {
    let path = terminal_text::name(&file.report().path);
    if file.report().regions.is_empty() {
        let hint = match auto {
            true => "no function has a `for` loop",
            false => "put `#pragma scop` and `#pragma endscop` around loops, or pass --auto",
        };
        messages::note(format_args!("warpfold: {path} has no regions: {hint}"));
    }
    if times {
        let [reading, analysing] = [file.reading(), file.analysing()].map(|time| time.as_secs_f64());
        messages::note(format_args!("{path}: reading {reading:.3} s, analysis {analysing:.3} s"));
    }
}

impl Options {
    fn driver(&self) -> Driver {
        Driver {
            auto: self.regions.auto,
            assume_distinct: self.regions.assume_distinct,
            order: self.regions.order.map(FloatOrder::from),
            sizes: self.sizes.clone(),
            time: Duration::from_secs(self.seconds),
            target: self.target.map(Target::machine),
            scheme: self.scheme.into(),
            strategy: self.strategy,
            simplify: self.simplify.into(),
            explained: self.explain.is_some(),
            lines: self.lines,
            clang: self.clang.clone(),
        }
    }

    /// What is wanted of passes, if anything is.
    fn passes(&self) -> Option<Passes> {
        let passes = Passes {
            names: self.passes.clone(),
            print_after: self.print_after.clone(),
            traced: self.trace_passes,
            executed: self.run,
        };
        // Files of loops have no text around their functions in which parallel code could stand.
        let are_loops =
            self.files.iter().all(|file| file.extension().is_some_and(|ending| ending == "loops"));
        let is_for_target = are_loops && self.target.is_some() && self.report.is_none();
        let is_wanted = is_for_target
            || passes.names.is_some()
            || passes.print_after.is_some()
            || passes.traced
            || passes.executed;
        is_wanted.then_some(passes)
    }

    /// The files of the report.
    fn reports(&self) -> Vec<PathBuf> {
        match (&self.report_file, self.report) {
            (Some(file), _) => vec![file.clone()],
            (None, Some(Format::Html)) => self.files.iter().map(|file| beside(file)).collect(),
            (None, _) => Vec::new(),
        }
    }

    fn write_report(&self, driver: &Driver, files: &[Analysed]) -> Result<(), Error> {
        let report = Analysed::reports(files, driver.float_order());
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
            return output::text(&terminal_text::printable(&driver.dump(self.step(step), files)?));
        }
        if let Some(Language::Mlir) = self.emit {
            return output::text(&terminal_text::printable(&driver.mlir(files)?));
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

    fn step(&self, step: DumpedStep) -> Step {
        match step {
            DumpedStep::Tree => Step::Tree,
            DumpedStep::Loops => Step::Loops,
            DumpedStep::Simplified => Step::Simplified,
            DumpedStep::Scheduled => Step::Scheduled,
            DumpedStep::Dependences => Step::Dependences(self.granularity.into()),
            DumpedStep::Classes => Step::Classes,
        }
    }
}

/// The file of the HTML report of a file.
fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".html");
    name.into()
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
