//! Passes that a person names, over the regions of a file.

use std::fmt::Write as _;

use loop_compiler::{
    AnalysisError, c, check,
    ir::Region,
    notation,
    parallelize::{CPU, Goal, Original, PASSES, Parallelized, Pass, Ran, run_passes},
    rewrite,
};
use terminal_text::name;

use crate::{
    analysed::{Analysed, Language},
    driver::Driver,
    error::Error,
};

/// What is wanted of passes.
#[derive(Clone, Debug, Default)]
pub struct Passes {
    /// The passes in their order, by name or as steps of schedules, with commas between them; none stands for those that
    /// make code for a target.
    pub names: Option<String>,
    /// After which pass regions are printed: its name, or `all`.
    pub print_after: Option<String>,
    /// Whether it is said of each pass whether it has changed a region, and how long it took.
    pub traced: bool,
    /// Whether the regions are executed by the interpreter.
    pub executed: bool,
}

/// What passes have made of a file.
#[derive(Debug)]
pub struct Passed {
    /// Regions between passes, what passes did, and what executions left, for people.
    pub notes: String,
    /// The regions in the notation of loops.
    pub notation: String,
    /// The file of C with what is made of its regions, or the functions of a file of loops in C.
    pub c: Result<Vec<u8>, String>,
    /// Regions that cannot be executed, or have other results than the original.
    pub differences: usize,
}

/// The names of the passes, and what they do.
pub fn list() -> String {
    let width = PASSES.iter().map(|pass| pass.name.len()).max().unwrap_or_default();
    let mut out = String::from(
        "Passes, in the order in which they make parallel code; those with * only run where they are named:\n",
    );
    for pass in PASSES {
        let mark = if pass.is_usual { ' ' } else { '*' };
        let _ = writeln!(out, "{mark} {:width$}  {}", pass.name, pass.about);
    }
    out
}

fn named(wanted: &str) -> Result<&'static Pass, Error> {
    let unknown = || {
        let names: Vec<_> = PASSES.iter().map(|pass| &*pass.name).collect();
        Error::Rejected(format!(
            "there is no pass `{}`: passes are steps of schedules, as `tile(i, 32, i_tile)`, and {}",
            name(wanted),
            names.join(", ")
        ))
    };
    PASSES.iter().find(|pass| pass.name == wanted).ok_or_else(unknown)
}

/// The words of a list with commas, of which those in parentheses separate nothing.
fn words(list: &str) -> Vec<&str> {
    let mut depth = 0i32;
    let separates = |character: char| {
        depth += i32::from(character == '(') - i32::from(character == ')');
        character == ',' && depth == 0
    };
    list.split(separates).map(str::trim).collect()
}

impl Driver {
    /// Runs passes over the regions of a file.
    ///
    /// # Errors
    ///
    /// A name that no pass has, and the library of sets fails.
    pub fn passed(&self, wanted: &Passes, file: &Analysed) -> Result<Passed, Error> {
        let words = wanted.names.as_deref().map(words).unwrap_or_default();
        let step = |word: &&str| word.contains('(').then(|| Pass::of_step(word)).transpose();
        let steps: Vec<Option<Pass>> =
            words.iter().map(step).collect::<Result<_, _>>().map_err(Error::Rejected)?;
        let mut passes: Vec<&Pass> = Vec::new();
        for (word, step) in words.iter().zip(&steps) {
            passes.push(match step {
                Some(step) => step,
                None => named(word)?,
            });
        }
        if wanted.names.is_none() {
            passes = PASSES.iter().filter(|pass| pass.is_usual).collect();
        }
        if let Some(after) = wanted.print_after.as_deref().filter(|after| *after != "all") {
            named(after)?;
        }
        let (mut notes, mut differences) = (String::new(), 0);
        let (mut regions, mut texts) = (Vec::new(), Vec::new());
        for region in &file.source.regions {
            let place = format!("{}:{}: {}", name(&file.report.path), region.at.line, region.function);
            let Ok(tree) = &region.tree else {
                texts.push(None);
                continue;
            };
            let made = match self.passed_region(wanted, &passes, tree, &place, &mut notes)? {
                Ok(made) => made,
                Err(reason) => {
                    let _ = writeln!(notes, "// {place}: {reason}");
                    regions.push(tree.clone());
                    texts.push(None);
                    continue;
                }
            };
            if wanted.executed {
                differences += usize::from(!self.execute(tree, &made, &place, &mut notes));
            }
            texts.push(made.text(&Original::from(tree)));
            regions.extend(made.region);
        }
        let c = match Language::of(&file.path) {
            Language::C => {
                let mut texts = texts.into_iter();
                Ok(rewrite::rewritten(&file.source, |_| texts.next().flatten().map(c::Replacement::from)))
            }
            Language::Loops => {
                let functions = file.source.regions.iter().zip(texts).filter_map(|(region, text)| {
                    let tree = region.tree.as_ref().ok()?;
                    Some(c::function(tree, &text.unwrap_or_else(|| c::print(tree, 2))))
                });
                functions.collect::<Result<Vec<_>, _>>().map(|functions| functions.join("\n").into_bytes())
            }
        };
        Ok(Passed { notes, notation: notation::print(&regions), c, differences })
    }

    fn passed_region(
        &self,
        wanted: &Passes,
        passes: &[&Pass],
        tree: &Region,
        place: &str,
        notes: &mut String,
    ) -> Result<Result<Parallelized, String>, Error> {
        let analysis = self.analysis();
        let goal = Goal {
            machine: self.target.unwrap_or(&CPU),
            scheme: self.scheme,
            order: self.float_order(),
            options: &analysis,
            strategy: self.strategy,
            explained: false,
        };
        let mut trace = |ran: &Ran<'_>| {
            let pass = &*ran.pass.name;
            if wanted.traced {
                let what = if ran.changed { "changed" } else { "same" };
                let _ = writeln!(notes, "// {place}: {pass}: {what}, {:.1} ms", ran.time.as_secs_f64() * 1e3);
            }
            if wanted
                .print_after
                .as_deref()
                .is_some_and(|after| after == pass || after == "all" && ran.changed)
            {
                let _ = writeln!(notes, "// {place}: after {pass}");
                *notes += &notation::print(std::slice::from_ref(ran.region));
            }
        };
        match run_passes(tree, goal, passes, &mut trace) {
            Ok(made) => Ok(Ok(made)),
            Err(AnalysisError::Rejected(rejection)) => Ok(Err(format!("rejected: {rejection}"))),
            Err(AnalysisError::Library(error)) => Err(Error::Sets(error)),
        }
    }

    /// Executes a region and what is made of it; whether both have the same results.
    fn execute(&self, tree: &Region, made: &Parallelized, place: &str, notes: &mut String) -> bool {
        let Some(region) = &made.region else { return true };
        let sizes = self.sizes.iter().cloned().collect();
        let executed = match check::executed(tree, region, made.workers, &sizes, self.float_order()) {
            Ok(executed) => executed,
            Err(reason) => {
                let _ = writeln!(notes, "// {place}: not executed: {reason}");
                return false;
            }
        };
        let counts = executed.counts;
        let _ = writeln!(
            notes,
            "// {place}: with {}: {} operations, {} loads, {} stores",
            executed.label, counts.operations, counts.loads, counts.stores
        );
        for (variable, members, cells) in executed.memory.iter() {
            let is_of_region = variable.0 < tree.variables.len()
                && tree.variable(variable).storage != loop_compiler::ir::Storage::Region;
            if is_of_region && check::is_changed(tree, variable) {
                let values: Vec<String> =
                    (0..cells.len().min(8)).map(|place| cells.value(place).to_string()).collect();
                let more = if cells.len() > 8 { ", …" } else { "" };
                let _ = writeln!(
                    notes,
                    "//   {} = {}{more}",
                    tree.full_name(variable, members),
                    values.join(", ")
                );
            }
        }
        if let Some(difference) = &executed.difference {
            let _ = writeln!(notes, "//   other than the original: {difference}");
        }
        executed.difference.is_none()
    }
}
