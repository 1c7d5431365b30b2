//! Programs on one processor. Those of a shared machine have different speeds, which others' work decides: two equal programs
//! on two of them differ by a third.

use std::{fs, path::Path, process::Command};

/// The command that executes a program on the first processor that this one may use.
pub fn on_one(program: &Path) -> Command {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    match first_allowed(&status) {
        Some(processor) => {
            let mut command = Command::new("taskset");
            command.args(["-c", processor]).arg(program);
            command
        }
        None => Command::new(program),
    }
}

/// The first of the processors in `Cpus_allowed_list`, as `0-3,8`.
fn first_allowed(status: &str) -> Option<&str> {
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?.trim();
    list.split(['-', ','])
        .next()
        .filter(|number| number.bytes().all(|b| b.is_ascii_digit()) && !number.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_processor_is_found() {
        assert_eq!(first_allowed("Name:\tbenches\nCpus_allowed_list:\t0-1\n"), Some("0"));
        assert_eq!(first_allowed("Cpus_allowed_list:\t12,14-15\n"), Some("12"));
        assert_eq!(first_allowed("Cpus_allowed_list:\t\n"), None);
        assert_eq!(first_allowed("Name:\tbenches\n"), None);
    }
}
