//! Counts of launches as JSON.

use ptx_emulator::{Counts, LaunchReport};
use serde_json::{Map, Value};

/// What PTX alone does not show, for readers that look for it: null, since a 0 would be wrong.
const NOT_COUNTED: [&str; 2] = ["parallel_regions", "block_reductions"];

/// Counts by their names.
pub fn counts_json(counts: &Counts) -> Map<String, Value> {
    let counted = counts.named().map(|(name, count)| (name.to_owned(), count.into()));
    counted.into_iter().chain(NOT_COUNTED.map(|name| (name.to_owned(), Value::Null))).collect()
}

/// A launch: its kernel, its blocks and their threads in x, y and z, and its counts by their names.
pub fn launch_json(report: &LaunchReport) -> Value {
    let config = &report.config;
    let mut launch = Map::from_iter([
        ("kernel".to_owned(), report.kernel.clone().into()),
        ("grid".to_owned(), config.grid.to_vec().into()),
        ("block".to_owned(), config.block.to_vec().into()),
    ]);
    launch.extend(counts_json(&report.counts));
    if report.counts.stack_bytes > 0 {
        launch.insert("stack_bytes".to_owned(), report.counts.stack_bytes.into());
    }
    if report.compiled_instructions > 0 {
        launch.insert("compiled_instructions".to_owned(), report.compiled_instructions.into());
    }
    launch.into()
}
