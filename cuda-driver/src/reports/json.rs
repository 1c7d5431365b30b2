//! Counts of launches as JSON.

use ptx_emulator::{Counts, LaunchReport};
use serde_json::{Map, Value};

/// Counts that PTX alone does not give: a 0 would be wrong, so they are null.
const NOT_COUNTED: [&str; 2] = ["parallel_regions", "block_reductions"];

/// Counts by their names.
pub fn counts_json(counts: &Counts) -> Map<String, Value> {
    let named = counts.named().into_iter().map(|(name, count)| {
        let count = if NOT_COUNTED.contains(&name) { Value::Null } else { count.into() };
        (name.to_owned(), count)
    });
    named.collect()
}

/// A launch: its kernel and its counts by their names.
pub fn launch_json(report: &LaunchReport) -> Value {
    let mut launch = Map::from_iter([("kernel".to_owned(), report.kernel.clone().into())]);
    launch.extend(counts_json(&report.counts));
    launch.into()
}
