//! What to say about the launches of a program that has ended.

use std::env;

use cuda_driver::settings::GpuModel;
use serde_json::Value;

use crate::{stack, teams};

/// Sentences about the launches of a run, which are those of the driver's file: whether fewer teams would take much less time
/// to emulate, unless the user says how many (`teams_are_given`), and whether a GPU would have stack enough.
pub fn launch_notes(launches: &[Value], model: GpuModel, teams_are_given: bool) -> Vec<String> {
    let teams = match teams_are_given || env::var_os(teams::VARIABLE).is_some() {
        true => None,
        false => teams::note(launches, model),
    };
    let stack = stack::note(launches, env::var(stack::VARIABLE).ok().as_deref());
    teams.into_iter().chain(stack).collect()
}
