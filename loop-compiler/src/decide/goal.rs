//! What is searched for.

use crate::{analysis::Options, cost::machine::Machine, rules::FloatOrder, transform::strategies::Asked};

/// What the search knows of reductions: the three schemes of Polly's article.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// Reduction-enabled code generation: loops stay where they are.
    Codegen,
    /// Reduction-enabled scheduling: loops are transformed, and copies cost nothing.
    Scheduling,
    /// Reduction-aware scheduling: copies have their cost.
    #[default]
    Aware,
}

impl Scheme {
    /// All of them.
    pub const ALL: [Scheme; 3] = [Scheme::Codegen, Scheme::Scheduling, Scheme::Aware];

    /// The name in options.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::Codegen => "codegen",
            Scheme::Scheduling => "scheduling",
            Scheme::Aware => "aware",
        }
    }
}

/// What is searched for.
#[derive(Clone, Copy, Debug)]
pub struct Goal<'g> {
    /// The machine.
    pub machine: &'g Machine,
    /// What is known of reductions.
    pub scheme: Scheme,
    /// Whether floating-point operations may be reordered.
    pub order: FloatOrder,
    /// How regions are analysed.
    pub options: &'g Options,
    /// The strategy of innermost reductions that can have it and have no directive for another one.
    pub strategy: Option<Asked>,
    /// Whether it is to be said, for a device, what strategies would take.
    pub explained: bool,
}
