//! The result of a benchmark.

/// A table for people and the same figures as JSON.
pub struct Report {
    pub lines: Vec<String>,
    pub json: serde_json::Value,
    /// Why the result is not acceptable, if it is not.
    pub failure: Option<String>,
}

/// The median of times in order.
pub fn median(times: &[f64]) -> f64 {
    times[times.len() / 2]
}
