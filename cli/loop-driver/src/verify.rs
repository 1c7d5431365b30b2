//! Whether the OpenMP directives of files are right.

use std::{
    iter::Sum,
    path::{Path, PathBuf},
};

use loop_compiler::{
    c::LoopDirective,
    openmp::{Verdict, verify},
    rules::Rule,
};
use serde_json::{Value, json};

use crate::{driver::Driver, error::Error};

/// The directives of a file with what is found of them.
pub struct Verified {
    path: PathBuf,
    found: Vec<(LoopDirective, Verdict)>,
}

/// How many directives there are with each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdicts {
    /// Those that are proved.
    pub proved: usize,
    /// Those that are wrong.
    pub wrong: usize,
    /// The others.
    pub undecided: usize,
}

impl Sum for Verdicts {
    fn sum<I: Iterator<Item = Verdicts>>(all: I) -> Verdicts {
        all.fold(Verdicts::default(), |sum, one| Verdicts {
            proved: sum.proved + one.proved,
            wrong: sum.wrong + one.wrong,
            undecided: sum.undecided + one.undecided,
        })
    }
}

impl Driver {
    /// Reads a file with this clang, and decides about the directives of its loops.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or that clang does not take.
    pub fn verified(&self, clang: &Path, file: &Path) -> Result<Verified, Error> {
        let source = self.read_c(clang, file, loop_compiler::c::read_directives)?;
        let sizes = self.sizes.iter().cloned().collect();
        let found = verify(&source, &self.analysis(), &sizes).map_err(|error| match error {
            loop_compiler::AnalysisError::Library(error) => Error::Sets(error),
            loop_compiler::AnalysisError::Rejected(rejection) => Error::Rejected(rejection.to_string()),
        })?;
        Ok(Verified { path: file.into(), found })
    }
}

impl Verified {
    /// What is found, a line for each directive, and more for those that are not proved.
    pub fn to_text(&self) -> String {
        let path = terminal_text::name(self.path.display());
        let line = |(directive, verdict): &(LoopDirective, Verdict)| {
            let at = format!("{path}:{}: ", directive.line);
            let text = &directive.text;
            match verdict {
                Verdict::Proved(conditions) if conditions.is_empty() => format!("{at}proved: {text}\n"),
                Verdict::Proved(conditions) => {
                    format!("{at}proved: {text}\n  if {}\n", conditions.join(", and if "))
                }
                Verdict::Wrong { what, hint } => {
                    let hint = hint.iter().map(|hint| format!("  hint: {hint}\n"));
                    format!("{at}wrong: {text}\n  {what}\n{}", hint.collect::<String>())
                }
                Verdict::Undecided(why) => format!("{at}undecided: {text}\n  {why}\n"),
            }
        };
        self.found.iter().map(line).collect()
    }

    /// What is found as JSON, an object for each directive.
    pub fn to_json(&self) -> Vec<Value> {
        let object = |(directive, verdict): &(LoopDirective, Verdict)| {
            let (name, conditions, reason, hint) = match verdict {
                Verdict::Proved(conditions) => ("proved", &conditions[..], None, None),
                Verdict::Wrong { what, hint } => ("wrong", &[][..], Some(what), hint.as_ref()),
                Verdict::Undecided(why) => ("undecided", &[][..], Some(why), None),
            };
            json!({
                "file": self.path.display().to_string(),
                "line": directive.line,
                "directive": directive.text,
                "verdict": name,
                "if": conditions,
                "reason": reason,
                "hint": hint,
            })
        };
        self.found.iter().map(object).collect()
    }

    /// What is found as results of SARIF: wrong directives are errors, undecided ones notes.
    pub fn to_results(&self) -> Vec<Value> {
        let result = |(directive, verdict): &(LoopDirective, Verdict)| {
            let (level, text) = match verdict {
                Verdict::Proved(_) => return None,
                Verdict::Wrong { what, hint: Some(hint) } => ("error", format!("{what}: {hint}")),
                Verdict::Wrong { what, hint: None } => ("error", what.clone()),
                Verdict::Undecided(why) => ("note", format!("undecided: {why}")),
            };
            Some(json!({
                "ruleId": RULE.name(),
                "ruleIndex": 0,
                "level": level,
                "message": { "text": text },
                "locations": [{ "physicalLocation": {
                    "artifactLocation": { "uri": sarif::uri(&self.path.display().to_string()) },
                    "region": { "startLine": directive.line },
                } }],
            }))
        };
        self.found.iter().filter_map(result).collect()
    }

    /// How many there are of each.
    pub fn verdicts(&self) -> Verdicts {
        let count = |is: fn(&Verdict) -> bool| self.found.iter().filter(|(_, verdict)| is(verdict)).count();
        Verdicts {
            proved: count(|verdict| matches!(verdict, Verdict::Proved(_))),
            wrong: count(|verdict| matches!(verdict, Verdict::Wrong { .. })),
            undecided: count(|verdict| matches!(verdict, Verdict::Undecided(_))),
        }
    }
}

/// The rule of wrong directives.
const RULE: Rule = Rule::Annotations;

/// The results of files as one log of SARIF.
pub fn sarif_log(results: Vec<Value>) -> String {
    let rule = json!({ "id": RULE.name(), "shortDescription": { "text": RULE.summary() } });
    sarif::log(vec![rule], results)
}
