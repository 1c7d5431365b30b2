//! What steps of the analysis have made of regions, as text.

use loop_compiler::{
    AnalysisError, Granularity, LoopReport, analyze, c,
    ir::Region,
    notation,
    report::RegionReport,
    schedule,
    strategies::{self, Combining, Strategy},
    transform::Setting,
};

use crate::{analysed::Analysed, driver::Driver, error::Error};

/// A step of the analysis whose result can be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The regions as they were read, as C.
    Tree,
    /// The same in the notation of loops.
    Loops,
    /// The regions with their reductions made cheaper, in this notation.
    Simplified,
    /// The regions as their schedules and the strategies of innermost reductions say, in this notation.
    Scheduled,
    /// The sets of dependences between instances of these things, in isl's notation.
    Dependences(Granularity),
    /// The class of each loop.
    Classes,
}

impl Driver {
    /// What a step has made of each region.
    ///
    /// # Errors
    ///
    /// The library of sets fails.
    pub fn dump(&self, step: Step, files: &[Analysed]) -> Result<String, Error> {
        let mut out = String::new();
        for Analysed { report: file, source, .. } in files {
            for (region, read) in file.regions.iter().zip(&source.regions) {
                out += &format!(
                    "// {}:{}: {}\n",
                    terminal_text::name(&file.path),
                    region.at.line,
                    region.function
                );
                let tree = match (&read.tree, &region.outcome) {
                    (Err(rejection), _) => Err(rejection),
                    (_, Err(rejection)) if matches!(step, Step::Classes | Step::Dependences(_)) => {
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

    /// A module in MLIR, with two operations `linalg.generic` on tensors for each innermost reduction that has such a form, and
    /// the reasons of others. The strategy is a vector accumulator of 16 lanes, unless another is asked for.
    ///
    /// # Errors
    ///
    /// The library of sets fails.
    pub fn mlir(&self, files: &[Analysed]) -> Result<String, Error> {
        let mut functions = String::new();
        let mut left = String::new();
        let (order, options) = (self.float_order(), self.analysis());
        let usual = Strategy::VectorAccumulator { lanes: 16, end: Combining::Tree };
        let strategy = self.strategy.map_or(usual, |asked| asked.strategy);
        for Analysed { report: file, source, .. } in files {
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
            Step::Dependences(granularity) => {
                let sets = loop_compiler::dependences(tree, &self.analysis(), granularity);
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
}
