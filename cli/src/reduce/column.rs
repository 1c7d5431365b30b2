//! A column: what is computed from its values, and the reduction that does it.

use std::cell::OnceCell;

use codegen_shim::Scalar;
use host_rt::{Device, GeneratedReduction, Stream};
use tables::{Column, ValueKind};
use toolchain::Tools;

use super::{
    operator::{Operator, Requested},
    pieces::{self, Pieces},
    plan::Plan,
};
use crate::error::Error;

/// A column and what is computed from it.
pub struct ColumnPlan {
    /// `None` is the only one.
    pub column: Option<Column>,
    /// The positions of its operators among the requested ones.
    pub operators: Vec<usize>,
    pub kind: ValueKind,
    pub plan: Plan,
    /// The position of the operator `median`, if it is requested.
    pub median: Option<usize>,
    /// One for each device; none if they have nothing to do in the first pass.
    pub reductions: Vec<GeneratedReduction>,
    /// Values so far.
    pub count: u64,
    pub missing: u64,
}

impl ColumnPlan {
    /// The plan for these operators of a column whose values are of this kind. `result` and `wrapping` are those of
    /// [`Plan::new`], `reproducible` that of [`pieces::reductions`].
    pub fn new(
        devices: &[Device],
        (result, wrapping, reproducible): (Option<Scalar>, bool, bool),
        column: Option<Column>,
        operators: Vec<usize>,
        requested: &[Requested],
        kind: ValueKind,
    ) -> Result<ColumnPlan, Error> {
        let found = OnceCell::new();
        let tools = || match found.get() {
            Some(tools) => Ok(tools),
            None => {
                let tools = Tools::find()?;
                Ok(found.get_or_init(|| tools))
            }
        };
        let of_column: Vec<Operator> = operators.iter().map(|&index| requested[index].operator).collect();
        let plan = Plan::new(tools, kind, &of_column, result, wrapping)?;
        let reductions = match plan.list()? {
            Some(list) => pieces::reductions(devices, list, kind.ty, reproducible)?,
            None => Vec::new(),
        };
        let median =
            operators.iter().copied().find(|&operator| requested[operator].operator == Operator::Median);
        Ok(ColumnPlan { column, operators, kind, plan, median, reductions, count: 0, missing: 0 })
    }

    /// Starts its reduction, if the devices have something to do; the first value has the index `begin`.
    pub fn start<'a>(&'a self, streams: &'a [Stream], begin: u64) -> Result<Option<Pieces<'a>>, Error> {
        Pieces::start(&self.reductions, streams, None, begin)
    }
}
