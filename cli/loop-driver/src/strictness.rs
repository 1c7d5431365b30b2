//! What is asked for with `--strict`.

use loop_compiler::{
    Class, LoopReport,
    ir::{Region, loops},
    report::RegionReport,
};

use crate::{analysed::Analysed, error::Error};

/// Whether every region is one that can be analysed, and everything is done that its directives ask for.
///
/// # Errors
///
/// A file without regions, a region that is rejected, and a directive that cannot be performed.
pub fn check_strictness(files: &[Analysed]) -> Result<(), Error> {
    let regions = || files.iter().flat_map(|file| &file.report.regions);
    let (rejected, all) = (regions().filter(|region| region.outcome.is_err()).count(), regions().count());
    if let Some(file) = files.iter().find(|file| file.report.regions.is_empty()) {
        return Err(Error::Rejected(format!(
            "{} has no regions, which --strict asks for",
            terminal_text::name(&file.report.path)
        )));
    }
    if rejected > 0 {
        return Err(Error::Rejected(format!(
            "{rejected} of {all} regions rejected, which --strict does not allow"
        )));
    }
    let trees = files.iter().flat_map(|file| &file.source.regions).map(|region| region.tree.as_ref().ok());
    let wrong = regions().zip(trees).filter(|(region, tree)| has_impossible(region, *tree)).count();
    match wrong {
        0 => Ok(()),
        _ => Err(Error::Rejected(format!(
            "{wrong} of {all} regions have directives that cannot be performed, which --strict does not allow"
        ))),
    }
}

/// Whether a region has a directive that cannot be performed.
fn has_impossible(region: &RegionReport, tree: Option<&Region>) -> bool {
    let wrong =
        |looped: &LoopReport| looped.annotated && matches!(looped.class, Class::Scan | Class::Sequential);
    let is_directed = |tree: &Region| loops(&tree.body).any(|looped| !looped.attributes.is_empty());
    region.impossible.is_some()
        || region.outcome.as_ref().is_ok_and(|analysis| analysis.loops.iter().any(wrong))
        || matches!(region.plan, Some(Err(_))) && tree.is_some_and(is_directed)
}
