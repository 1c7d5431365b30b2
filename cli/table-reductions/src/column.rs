//! A column: what is computed from its values, and the reduction that does it.

use std::cell::OnceCell;

use codegen_shim::Scalar;
use host_rt::{Device, GeneratedReduction, Stream};
use tables::{Column, ValueKind};
use toolchain::Tools;

use crate::{
    Error,
    operator::{ColumnOperators, Operator, Operators},
    pieces::{self, Pieces},
    plan::Plan,
};

/// How results are computed.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResultOptions {
    /// The type of the results of the device's operators; `None` is that of the values, or a wider one for sums of truth
    /// values and decimals, and for sums and products of floats of 16 bits.
    pub result: Option<Scalar>,
    /// Sums and products of integers wrap; otherwise they are exact, and an error if the results' type does not have them.
    pub wrapping: bool,
    /// The results have the same bits on every device.
    pub reproducible: bool,
}

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
}

impl ColumnPlan {
    /// The plan for a column's operators, which are among all of them. Its values are of this kind.
    pub fn new(
        devices: &[Device],
        options: ResultOptions,
        all: &Operators,
        of_column: &ColumnOperators,
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
        let ColumnOperators { column, operators } = of_column.clone();
        let computed = all.at(&operators);
        let plan = Plan::new(tools, kind, &computed, options.result, options.wrapping)?;
        let reductions = match plan.list()? {
            Some(list) => pieces::reductions(devices, list, kind.ty, options.reproducible)?,
            None => Vec::new(),
        };
        let is_median = |(_, operator): &(&usize, &Operator)| **operator == Operator::Median;
        let median = operators.iter().zip(&computed).find(is_median).map(|(&position, _)| position);
        Ok(ColumnPlan { column, operators, kind, plan, median, reductions })
    }

    /// Starts its reduction, if the devices have something to do; the first value has the index `begin`.
    pub fn start<'a>(&'a self, streams: &'a [Stream], begin: u64) -> Result<Option<Pieces<'a>>, Error> {
        Pieces::start(&self.reductions, streams, None, begin)
    }
}
