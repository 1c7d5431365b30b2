//! Runs of programs on the emulated driver.
//!
//! A [`Program`] says with which environment it runs. [`execute`] runs it once: signals reach it, its time can be limited, and
//! what the driver reports is shown, or becomes [findings]. [`check`] runs it under several schedules. The rest says how a
//! program ended: as an exit status, and as sentences for a person.

mod error;
mod execute;
mod notes;
mod process;
mod program;
mod reports;
mod source_folders;
mod stack;
mod teams;

pub use self::{
    error::Error,
    execute::{
        Checked, Console, Executed, FAILED, Input, check, ended_early, execute, exit_code,
        reports_have_a_file,
    },
    notes::launch_notes,
    process::Ended,
    program::{Installed, Program, is_offload_disabled},
    teams::VARIABLE as TEAMS_VARIABLE,
};
