//! The text of faults and heap allocations: at most one screen.

use std::fmt;

use crate::fault::{CodeLocation, Fault, LaneState, LanesAt};
use crate::heap::HeapAllocation;
use crate::text::printable;

/// The most columns of a line.
const COLUMNS: usize = 110;
/// The most lines of each section of a report; with the five sections that always take one, 24.
const MESSAGE_LINES: usize = 3;
const INLINED: usize = 3;
const VALUES: usize = 4;
const CALLS: usize = 4;
const LANES: usize = 5;

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = wrapped(&format!("kernel {}: {}", printable(&self.kernel), self.kind));
        if let Some(place) = &self.place {
            let ([bx, by, bz], [tx, ty, tz]) = (self.block, self.thread);
            lines.push(format!(
                "  in block ({bx},{by},{bz}) thread ({tx},{ty},{tz}), lane {} of warp {}",
                self.lane, self.warp
            ));
            let text = self.source_text.as_ref().map(|text| format!("    | {}", text.trim()));
            let hint = || self.source_hint.map(|hint| format!("    {hint}"));
            code(&mut lines, &self.kernel, place, text.or_else(hint));
        }
        let values = self.values.iter().map(|v| format!("{} = {}", printable(&v.register), v.value));
        section(&mut lines, VALUES, values.collect());
        section(&mut lines, CALLS, calls(&self.calls, self.depth));
        section(&mut lines, LANES, self.lanes.iter().map(LanesAt::to_string).collect());
        write_lines(f, &lines)
    }
}

impl fmt::Display for HeapAllocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([bx, by, bz], [tx, ty, tz]) = (self.block, self.thread);
        let mut lines = vec![format!(
            "  in block ({bx},{by},{bz}) thread ({tx},{ty},{tz}) of kernel {}",
            printable(&self.kernel)
        )];
        code(&mut lines, &self.kernel, &self.place, None);
        section(&mut lines, CALLS, calls(&self.calls, self.depth));
        write_lines(f, &lines)
    }
}

/// Adds the code location of an instruction.
fn code(lines: &mut Vec<String>, kernel: &str, place: &CodeLocation, source_text: Option<String>) {
    if let Some((function, line)) = target_region(kernel) {
        lines.push(format!("  in the target region at line {line} of `{}`", printable(function)));
    }
    lines.push(format!("  at PTX {place}"));
    if let Some(source) = &place.source {
        lines.push(format!("  from {source}"));
    }
    lines.extend(source_text);
    let inlined = place.inlined_at.iter().map(|source| format!("inlined at {source}"));
    section(lines, INLINED, inlined.collect());
}

fn write_lines(f: &mut fmt::Formatter<'_>, lines: &[String]) -> fmt::Result {
    for (i, line) in lines.iter().enumerate() {
        if i > 0 {
            f.write_str("\n")?;
        }
        match line.char_indices().nth(COLUMNS) {
            None => f.write_str(line)?,
            Some(_) => write!(f, "{}…", line.chars().take(COLUMNS - 1).collect::<String>())?,
        }
    }
    Ok(())
}

/// The function and the line of the OpenMP target region that a kernel was compiled from. Compilers put both
/// into its name, after two numbers for the file, and append a counter for regions on the same line.
fn target_region(kernel: &str) -> Option<(&str, u32)> {
    let mut rest = kernel.strip_prefix("__omp_offloading_")?;
    for _ in 0..2 {
        let (number, after) = rest.split_once('_')?;
        u64::from_str_radix(number, 16).ok()?;
        rest = after;
    }
    let (function, line) = rest.rsplit_once("_l")?;
    let (line, _) = line.split_once('_').unwrap_or((line, ""));
    Some((function, line.parse().ok()?))
}

/// The message, wrapped to the first lines of a report.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        let last = lines.len() - 1;
        let length = lines[last].chars().count();
        if length + 1 + word.chars().count() > COLUMNS && length > 0 && lines.len() < MESSAGE_LINES {
            lines.push(format!("  {word}"));
        } else {
            let space = if length > 0 { " " } else { "" };
            lines[last].push_str(space);
            lines[last].push_str(word);
        }
    }
    lines
}

/// Adds at most `most` of `entries`, and how many more there are.
fn section(lines: &mut Vec<String>, most: usize, mut entries: Vec<String>) {
    let all = entries.len();
    if all > most {
        entries.truncate(most - 1);
        entries.push(format!("… and {} more", all - (most - 1)));
    }
    lines.extend(entries.into_iter().map(|entry| format!("  {entry}")));
}

/// The backtrace; consecutive calls from the same location, as in recursion, take one line.
fn calls(calls: &[CodeLocation], depth: u32) -> Vec<String> {
    let mut lines = Vec::new();
    for same in calls.chunk_by(|a, b| a == b) {
        let source = same[0].source.as_ref().map_or(String::new(), |source| format!("{source}, "));
        let times = if same.len() > 1 { format!("{} times ", same.len()) } else { String::new() };
        lines.push(format!("called {times}from {source}PTX {}", same[0]));
    }
    if depth as usize > calls.len() {
        lines.push(format!("… {depth} calls in all"));
    }
    lines
}

impl fmt::Display for CodeLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = self.unit.as_ref().map_or(String::new(), |unit| format!(" of {}", printable(unit)));
        write!(f, "line {}{unit} in `{}`: {}", self.line, printable(&self.function), printable(&self.text))
    }
}

impl fmt::Display for LanesAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.state {
            LaneState::Ready => "are at",
            LaneState::Mask => "wait for lanes of their mask at",
            LaneState::Warp => "wait for the rest of the warp at",
            LaneState::Block => "wait for the block at",
        };
        write!(f, "warp {} lanes {:#010x} {what} PTX {}", self.warp, self.mask, self.place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_regions_are_read_from_kernel_names() {
        let region = |name| target_region(name).map(|(function, line)| (function.to_owned(), line));
        let main = |line| Some(("main".to_owned(), line));
        assert_eq!(region("__omp_offloading_fe00_98c04b_main_l5"), main(5));
        assert_eq!(region("__omp_offloading_fe00_98c04b_main_l5_1"), main(5));
        let name = "__omp_offloading_10_ff_a_loop_l12";
        assert_eq!(region(name), Some(("a_loop".to_owned(), 12)));
        for other in
            ["sum", "__omp_offloading_fe00_x_main_l5", "__omp_offloading_fe00_1_main", "__omp_offloading_"]
        {
            assert_eq!(region(other), None, "{other}");
        }
    }
}
