//! What is known of the regions of files, and how it is shown.
//!
//! A [`Report`] holds the analyses. Sentences about them are made once, in `remark.rs`; each format has a file.

mod explain;
mod html;
mod json;
mod remark;
mod sarif;
mod text;

use std::collections::BTreeMap;

use crate::{
    Analysis, AnalysisError, Class, LoopReport, Options,
    c::{self, SourceFile, SourceRegion},
    check::Verdict,
    ir::{Loop, Node, Position, Pragma, Region, Store, loops, walk},
    isl::IslError,
    parallelize::{Alternative, Divided, Searched},
    rules::{Rejection, Rule},
    transform::{simplify::Simplification, strategies::InnermostReduction},
};

pub use crate::rules::FloatOrder;

/// What is known of files.
#[derive(Clone, Debug)]
pub struct Report {
    /// In the order in which they were given.
    pub files: Vec<FileReport>,
    /// What the user allows.
    pub order: FloatOrder,
}

/// What is known of a file.
#[derive(Clone, Debug)]
pub struct FileReport {
    /// As the user names it.
    pub path: String,
    /// The source; bytes that are no UTF-8 are replaced.
    pub text: String,
    /// In the file's order.
    pub regions: Vec<RegionReport>,
}

/// What is known of a region.
#[derive(Clone, Debug)]
pub struct RegionReport {
    /// The function around it; empty if there is none.
    pub function: String,
    /// Where it begins.
    pub at: Position,
    /// The line on which it ends.
    pub last_line: u32,
    /// What its loops and statements are, or why they are not known.
    pub outcome: Result<Analysis, Rejection>,
    /// Pairs of arrays that are taken not to overlap.
    pub overlaps: Vec<(String, String)>,
    /// Conditions on sizes on which it relies, in C.
    pub assumed: Vec<String>,
    /// Pairs of arrays that are apart by C's rule of types.
    pub apart_by_type: Vec<(String, String)>,
    /// For each loop of the analysis what the tree says besides.
    pub loops: Vec<LoopText>,
    /// Which loops were made parallel for a target, or why none can be; none without a target.
    pub plan: Option<Result<Vec<Alternative>, Rejection>>,
    /// The nests whose form was searched for.
    pub searched: Vec<Searched>,
    /// The nests that are divided for a device and read arrays again.
    pub divided: Vec<Divided>,
    /// What became, or would become, of the work of its reductions; none if nobody asked.
    pub simplified: Vec<Simplification>,
    /// What strategies would make of its innermost reductions.
    pub innermost: Vec<InnermostReduction>,
    /// On a device: the parameters that are taken to have as many elements as they are declared with.
    pub declared_lengths: Vec<String>,
    /// What a check of it has found; none if there was none.
    pub check: Option<Verdict>,
    /// Why what a directive asks for cannot be done, where no target says it already.
    pub impossible: Option<Rejection>,
    /// Whether it is in the notation of `.loops` files, which has `par.for` and `reduce` instead of directives.
    pub in_notation: bool,
}

/// What the source says of a loop.
#[derive(Clone, Debug, Default)]
pub struct LoopText {
    /// The last line on which something of the loop begins.
    pub last_line: u32,
    /// Directives in front of it.
    pub pragmas: Vec<Pragma>,
    /// The variables that it stores to in another way than by `reduce`.
    pub stored: Vec<String>,
}

impl Report {
    /// Regions that are left alone because the analysis does not apply.
    pub fn rejected(&self) -> usize {
        self.regions().filter(|region| region.outcome.is_err()).count()
    }

    /// All regions of all files.
    pub fn regions(&self) -> impl Iterator<Item = &RegionReport> {
        self.files.iter().flat_map(|file| &file.regions)
    }
}

impl FileReport {
    /// Analyses the regions of a file; `path` is its name in the report.
    ///
    /// # Errors
    /// If isl is missing. What cannot be analysed for other reasons is part of the report.
    pub fn new(path: String, file: &SourceFile, options: &Options) -> Result<FileReport, IslError> {
        let regions = file.regions.iter().map(|region| RegionReport::new(file, region, options));
        let text = String::from_utf8_lossy(&file.text).into_owned();
        Ok(FileReport { path, text, regions: regions.collect::<Result<_, _>>()? })
    }

    /// The file's name as part of a line.
    fn name(&self) -> String {
        c::on_one_line(&self.path)
    }

    /// A line of the source, counted from 1.
    fn line(&self, number: u32) -> &str {
        self.text.lines().nth(number.saturating_sub(1) as usize).unwrap_or_default()
    }
}

impl RegionReport {
    fn new(file: &SourceFile, region: &SourceRegion, options: &Options) -> Result<RegionReport, IslError> {
        let analysed = match &region.tree {
            Ok(tree) => match crate::analyze(tree, options) {
                Err(AnalysisError::Library(error)) => return Err(error),
                Err(AnalysisError::Rejected(rejection)) => Err(rejection),
                Ok(analysis) => Ok((analysis, tree)),
            },
            Err(rejection) => Err(rejection.clone()),
        };
        let mut report = RegionReport {
            function: region.function.clone(),
            at: region.at,
            last_line: 1 + file.text[..region.bytes.end].iter().filter(|byte| **byte == b'\n').count() as u32,
            outcome: match &analysed {
                Ok((analysis, _)) => Ok(analysis.clone()),
                // A loop that is not read, of which it is known what keeps its order.
                Err(rejection) if rejection.rule == Rule::Dependences => Ok(sequential(region.at, rejection)),
                Err(rejection) => Err(rejection.clone()),
            },
            overlaps: Vec::new(),
            assumed: Vec::new(),
            apart_by_type: Vec::new(),
            loops: Vec::new(),
            plan: None,
            searched: Vec::new(),
            divided: Vec::new(),
            simplified: Vec::new(),
            innermost: Vec::new(),
            declared_lengths: Vec::new(),
            check: None,
            impossible: None,
            in_notation: false,
        };
        if let Ok((_, tree)) = analysed {
            report.overlaps = tree.overlaps.clone();
            report.assumed = tree.assumed.iter().map(|condition| c::value(tree, condition)).collect();
            report.apart_by_type = tree.apart_by_type.clone();
            report.loops = loops_of(tree);
        }
        Ok(report)
    }

    /// Takes a tree with other loops in place of the one that was read, for what is said from now on.
    ///
    /// # Errors
    /// If isl is missing.
    pub fn replace(&mut self, tree: &Region, options: &Options) -> Result<(), IslError> {
        self.outcome = match crate::analyze(tree, options) {
            Err(AnalysisError::Library(error)) => return Err(error),
            Err(AnalysisError::Rejected(rejection)) => Err(rejection),
            Ok(analysis) => Ok(analysis),
        };
        self.loops = loops_of(tree);
        Ok(())
    }

    /// The analysis, or one without loops and statements.
    fn analysis(&self) -> &Analysis {
        const NONE: &Analysis = &Analysis { statements: Vec::new(), loops: Vec::new() };
        self.outcome.as_ref().unwrap_or(NONE)
    }

    /// What was chosen for a loop, if there is a target.
    fn alternative(&self, index: usize) -> Option<&Alternative> {
        self.plan.as_ref()?.as_ref().ok()?.iter().find(|alternative| alternative.index == index)
    }

    /// Whether a loop was made parallel.
    fn is_transformed(&self) -> bool {
        let mut chosen = (0..self.loops.len()).filter_map(|index| self.alternative(index));
        chosen.any(|alternative| alternative.chosen)
    }

    /// What the source says of a loop.
    fn loop_text(&self, index: usize) -> LoopText {
        self.loops.get(index).cloned().unwrap_or_default()
    }
}

/// What is known of a loop that something keeps in order.
fn sequential(at: Position, rejection: &Rejection) -> Analysis {
    let looped = LoopReport {
        at,
        iterator: String::new(),
        depth: 0,
        class: Class::Sequential,
        reduced: Vec::new(),
        privatized: Vec::new(),
        copies: BTreeMap::new(),
        obstacle: None,
        reason: Some((rejection.rule, format!("in line {} {}", rejection.at.line, rejection.reason))),
        annotated: false,
    };
    Analysis { statements: Vec::new(), loops: vec![looped] }
}

/// The loops of a body in the order of the source, which is that of an [`Analysis`].
fn loops_of(region: &Region) -> Vec<LoopText> {
    let of = |looped: &Loop| LoopText {
        pragmas: looped.attributes.pragmas.clone(),
        last_line: walk(&looped.body).map(|node| node.at().line).fold(looped.at.line, u32::max),
        stored: stored(region, &looped.body),
    };
    loops(&region.body).map(of).collect()
}

/// The variables that a body stores to in another way than by `reduce`.
fn stored(region: &Region, body: &[Node]) -> Vec<String> {
    let of = |node: &Node| match node {
        Node::Statement(statement) if !matches!(statement.store, Store::Reduce { .. }) => {
            Some(region.variable(statement.target.variable).name.clone())
        }
        _ => None,
    };
    walk(body).filter_map(of).collect()
}

/// How many loops there are of each class, in the order of [`Class`]; those of which there are none are left out.
fn classes<'r>(regions: impl Iterator<Item = &'r RegionReport>) -> Vec<(Class, usize)> {
    const CLASSES: [Class; 6] = [
        Class::Parallel,
        Class::Reduction,
        Class::Private,
        Class::ReductionAndPrivate,
        Class::Scan,
        Class::Sequential,
    ];
    let found: Vec<Class> =
        regions.flat_map(|region| region.analysis().loops.iter().map(|looped| looped.class)).collect();
    let count = |class: Class| (class, found.iter().filter(|other| **other == class).count());
    CLASSES.into_iter().map(count).filter(|(_, count)| *count > 0).collect()
}

/// `1 loop`, `2 loops`.
fn counted(count: usize, singular: &str) -> String {
    format!("{count} {singular}{}", if count == 1 { "" } else { "s" })
}

/// `a`, `a and b`, `a, b and c`.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `` `a` and `b` ``.
fn quoted(names: &[String]) -> String {
    listed(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>())
}

/// A model's time, in a unit that fits it.
fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        0.0..1e3 => format!("{nanoseconds:.0} ns"),
        1e3..1e6 => format!("{:.1} us", nanoseconds / 1e3),
        _ => format!("{:.1} ms", nanoseconds / 1e6),
    }
}
