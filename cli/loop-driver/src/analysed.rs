//! A file with its report.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use loop_compiler::{
    c::{SourceFile, SourceRegion},
    ir::Region,
    notation,
    report::{FileReport, FloatOrder, Report},
    rewrite,
};
use output_files::FileError;

use crate::error::Error;

/// What a file is, by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Language {
    C,
    /// The notation of loops.
    Loops,
}

impl Language {
    pub fn of(path: &Path) -> Language {
        match path.extension().is_some_and(|extension| extension == "loops") {
            true => Language::Loops,
            false => Language::C,
        }
    }
}

/// A file whose regions were analysed.
pub struct Analysed {
    pub(crate) path: PathBuf,
    pub(crate) source: SourceFile,
    pub(crate) report: FileReport,
    /// The regions whose reductions take fewer operations now.
    pub(crate) simplified: Vec<Option<Region>>,
    pub(crate) reading: Duration,
    pub(crate) analysing: Duration,
}

impl Analysed {
    /// What is known of the regions.
    pub fn report(&self) -> &FileReport {
        &self.report
    }

    /// The report on some files, whose floating-point operations have this order.
    pub fn reports(files: &[Analysed], order: FloatOrder) -> Report {
        Report { files: files.iter().map(|file| file.report.clone()).collect(), order }
    }

    /// How long it took to read the file.
    pub fn reading(&self) -> Duration {
        self.reading
    }

    /// How long it took to analyse it.
    pub fn analysing(&self) -> Duration {
        self.analysing
    }

    /// Whether the file has a region that was understood.
    pub fn has_tree(&self) -> bool {
        self.source.regions.iter().any(|region| region.tree.is_ok())
    }

    /// The regions of a file in the notation of loops, in this notation; nothing of other files.
    pub fn notation(&self) -> Option<String> {
        (Language::of(&self.path) == Language::Loops).then(|| {
            let trees: Vec<_> =
                self.source.regions.iter().filter_map(|region| region.tree.clone().ok()).collect();
            notation::print(&trees)
        })
    }

    /// The file of C with each region that is not rejected printed from its loops.
    pub fn printed(&self) -> Vec<u8> {
        let mut outcomes = self.report.regions.iter().map(|region| region.outcome.is_ok());
        rewrite::printed(&self.source, |_| outcomes.next().unwrap_or_default())
    }
}

/// Reads a file in the notation of loops.
pub fn read_loops(path: &Path) -> Result<SourceFile, Error> {
    let text = fs::read_to_string(path).map_err(|source| FileError::Read { path: path.into(), source })?;
    let regions = notation::parse(&text, &terminal_text::name(path.display()));
    let regions = regions.map_err(|error| Error::Rejected(error.to_string()))?;
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
