//! Analyses the regions of files, and makes them parallel.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    os::unix::ffi::OsStrExt,
    path::Path,
    time::{Duration, Instant},
};

use loop_compiler::{
    AnalysisError,
    c::{self, Replacement, SourceFile, SourceRegion},
    ir::{Node, Region, loops},
    parallelize::{CPU, Goal, Machine, Original, Parallelized, Scheme, parallelize_by},
    report::{FileReport, FloatOrder},
    rewrite,
    rules::Rejection,
    simplify::{Search, Setting as Simplifying, Simplified, simplify},
    strategies::{self, Asked},
};

use crate::{
    analysed::{Analysed, Language, read_loops},
    error::Error,
};

/// How files are read, analysed and made parallel.
#[derive(Clone, Debug)]
pub struct Driver {
    /// Every loop nest is a region, besides what stands between pragmas.
    pub auto: bool,
    /// Arrays and pointers that nothing distinguishes do not overlap.
    pub assume_distinct: bool,
    /// The order of floating-point operations; `None` has clang's options say it.
    pub order: Option<FloatOrder>,
    /// Parameters with their values.
    pub sizes: Vec<(String, i64)>,
    /// What the analysis of a region, its simplification and the search for its parallel form may take, each.
    pub time: Duration,
    /// What loops are made parallel for, if they are.
    pub target: Option<&'static Machine>,
    /// Which forms of a nest are searched for.
    pub scheme: Scheme,
    /// How innermost reductions are executed.
    pub strategy: Option<Asked>,
    /// How reductions whose results share what they combine are made cheaper; `None` leaves them.
    pub simplify: Option<Search>,
    /// Whether reports explain what was searched for.
    pub explained: bool,
    /// Whether C has `#line` directives.
    pub lines: bool,
    /// Options for clang.
    pub clang: Vec<OsString>,
}

impl Default for Driver {
    /// Regions between pragmas are analysed, and neither made cheaper nor parallel.
    fn default() -> Driver {
        Driver {
            auto: false,
            assume_distinct: false,
            order: None,
            sizes: Vec::new(),
            time: Driver::TIME,
            target: None,
            scheme: Scheme::Codegen,
            strategy: None,
            simplify: None,
            explained: false,
            lines: false,
            clang: Vec::new(),
        }
    }
}

impl Driver {
    /// The usual limit of time.
    pub const TIME: Duration = Duration::from_secs(20);

    /// Reads a file with this clang, and analyses its regions.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or that clang does not take.
    pub fn analysed(&self, clang: &Path, file: &Path) -> Result<Analysed, Error> {
        let begin = Instant::now();
        let mut source = match Language::of(file) {
            Language::C => self.read_c(clang, file, c::read)?,
            Language::Loops => read_loops(file)?,
        };
        let reading = begin.elapsed();
        let begin = Instant::now();
        for tree in source.regions.iter_mut().filter_map(|region| region.tree.as_mut().ok()) {
            // What cannot be found out is not assumed; the analysis says why.
            if let Ok(assumed) = loop_compiler::assumed(tree, &self.analysis()) {
                *tree = assumed;
            }
        }
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
            report.in_notation = Language::of(file) == Language::Loops;
            // A target says it itself.
            if let (Ok(tree), Ok(_), None) = (&region.tree, &report.outcome, self.target)
                && loops(&tree.body).any(|looped| looped.attributes.is_of_person())
            {
                report.impossible = self.made(tree, &CPU)?.err();
            }
            report.simplified = made.iter().flat_map(|made| made.reductions.clone()).collect();
            simplified.push(made.filter(Simplified::is_changed).map(|made| made.region));
        }
        Ok(Analysed { path: file.into(), source, report, simplified, reading, analysing: begin.elapsed() })
    }

    /// A region with its reductions made cheaper, if they are to be.
    pub(crate) fn simplified(&self, tree: &Region) -> Result<Option<Simplified>, Error> {
        // What is made cheaper is executed whatever holds.
        let Some(search) = self.simplify.filter(|_| !tree.is_conditional) else { return Ok(None) };
        let analysis = self.analysis();
        let setting = Simplifying { search, ..Simplifying::new(self.float_order(), &analysis) };
        match simplify(&Region { assumed: Vec::new(), ..tree.clone() }, &setting) {
            Ok(mut made) => {
                made.region.assumed.clone_from(&tree.assumed);
                Ok(Some(made))
            }
            // The report says it of the region.
            Err(AnalysisError::Rejected(_)) => Ok(None),
            Err(AnalysisError::Library(error)) => Err(Error::Sets(error)),
        }
    }

    pub(crate) fn analysis(&self) -> loop_compiler::Options {
        loop_compiler::Options {
            sizes: self.sizes.iter().cloned().collect::<BTreeMap<_, _>>(),
            time: self.time,
            ..loop_compiler::Options::default()
        }
    }

    /// The file with parallel loops for a machine; the report says which.
    ///
    /// # Errors
    ///
    /// A file that is not C by its name, and the library of sets fails.
    pub fn transformed(&self, file: &mut Analysed, machine: &Machine) -> Result<Vec<u8>, Error> {
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
                    let source = simplified.is_none().then(|| file.source.text_of(region)).flatten();
                    let original = Original { tree, text: source.as_deref(), file: named };
                    let text = made.outlined(&original, region.surroundings.as_ref(), &mut names);
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
    pub(crate) fn made(
        &self,
        tree: &Region,
        machine: &Machine,
    ) -> Result<Result<Parallelized, Rejection>, Error> {
        let (order, analysis) = (self.float_order(), self.analysis());
        let goal = Goal {
            machine,
            scheme: self.scheme,
            order,
            options: &analysis,
            strategy: self.strategy,
            explained: self.explained,
        };
        match parallelize_by(tree, goal) {
            Ok(made) => Ok(Ok(made)),
            Err(AnalysisError::Rejected(rejection)) => Ok(Err(rejection)),
            Err(AnalysisError::Library(error)) => Err(Error::Sets(error)),
        }
    }

    /// Reads a file of C.
    pub(crate) fn read_c(
        &self,
        clang: &Path,
        file: &Path,
        read: fn(&c::Input<'_>) -> Result<SourceFile, c::Error>,
    ) -> Result<SourceFile, Error> {
        let read = read(&c::Input {
            clang,
            file,
            arguments: &self.clang,
            auto: self.auto,
            assume_distinct: self.assume_distinct,
        });
        read.map_err(|error| match error {
            c::Error::Rejected { messages } => {
                let path = file.display().to_string();
                let messages = messages.trim_end().replace(&path, &terminal_text::name(&path));
                Error::NotTaken { path, messages }
            }
            c::Error::SyntaxTree(_) if !self.is_c(file) => Error::Rejected(format!(
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

    /// Which order floating-point operations have: what is set or, else, the last of clang's options decides.
    pub fn float_order(&self) -> FloatOrder {
        const FREE: [&str; 4] =
            ["-ffast-math", "-fassociative-math", "-funsafe-math-optimizations", "-Ofast"];
        let allows = |word: &str| match word.strip_prefix("-fno-") {
            Some(rest) => FREE.contains(&&*format!("-f{rest}")).then_some(false),
            None => FREE.contains(&word).then_some(true),
        };
        let clang = self.clang.iter().filter_map(|word| allows(&word.to_string_lossy())).next_back();
        self.order.unwrap_or(match clang {
            Some(true) => FloatOrder::Free,
            _ => FloatOrder::Kept,
        })
    }
}

/// An error if a file is not C by its name, which an option needs.
pub fn plain_c(option: &str, path: &str) -> Result<(), Error> {
    match Path::new(path).extension().is_some_and(|ending| ending == "c") {
        true => Ok(()),
        false => Err(Error::Rejected(format!(
            "{}: {option} needs C, in a file whose name ends with .c",
            terminal_text::name(path)
        ))),
    }
}

/// Whether a region stays as it is: a directive in front of the nest would stand in front of a block, and what relies on memory needs
/// the source's text.
pub fn stays(source: &SourceFile, region: &SourceRegion, tree: &Region) -> bool {
    let directed =
        matches!(tree.body.first(), Some(Node::Loop(first)) if !first.attributes.pragmas.is_empty());
    let has_no_text = tree.is_conditional && source.text_of(region).is_none();
    directed && rewrite::is_nest(source, region) || has_no_text
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_option_of_clang_decides_unless_the_order_is_set() {
        let order = |clang: &str, order| {
            let clang = clang.split(' ').map(OsString::from).collect();
            Driver { clang, order, ..Driver::default() }.float_order()
        };
        assert_eq!(order("-O2", None), FloatOrder::Kept);
        assert_eq!(order("-O2 -ffast-math", None), FloatOrder::Free);
        assert_eq!(order("-Ofast -fno-associative-math", None), FloatOrder::Kept);
        assert_eq!(order("-ffast-math", Some(FloatOrder::Fixed)), FloatOrder::Fixed);
    }

    #[test]
    fn files_in_the_notation_of_loops_need_no_clang() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sum.loops");
        let text = "func @Sum(n: index, arr: memref<n x f64>, result: memref<1 x f64>) {\n  for i in range(0 : n) {\n    \
                    result[0] += arr[i]\n  }\n}\n";
        std::fs::write(&path, text).unwrap();
        let file = Driver::default().analysed(Path::new("/nowhere/clang"), &path).unwrap();
        assert_eq!(file.report().regions.len(), 1);
        assert!(file.notation().is_some_and(|text| text.contains("@Sum")) && file.has_tree());
        assert!(crate::check_strictness(&[file]).is_ok());
    }
}
