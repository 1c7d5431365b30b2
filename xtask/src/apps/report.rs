//! Results as a table and as JSON.

use std::fmt::Write;

use check_reports::ReportGroup;
use cuda_driver::printable;
use serde_json::{Value, json};

use super::check::{Checked, groups};

/// Characters of a note in the table.
const LONGEST_NOTE: usize = 160;

/// One line as soon as a program is done.
pub fn progress(checked: &Checked) -> String {
    format!("{}: {}", printable(&checked.name), checked.outcome.parts().0)
}

/// A line for each program, and one with their numbers by outcome.
pub fn table(results: &[Checked]) -> String {
    let widest = results.iter().map(|checked| printable(&checked.name).chars().count()).max();
    let width = widest.unwrap_or_default().max("program".len());
    let mut text = format!(
        "{:width$}  {:16} {:>10} {:>8} {:>8} {:>8} {:>15}\n",
        "program", "outcome", "compile s", "host s", "device s", "launches", "thread instr."
    );
    for checked in results {
        let (outcome, note) = checked.outcome.parts();
        let seconds = |seconds: Option<f64>| seconds.map_or("-".into(), |seconds| format!("{seconds:.2}"));
        let line = format!(
            "{:width$}  {outcome:16} {:>10} {:>8} {:>8} {:>8} {:>15}  {}",
            printable(&checked.name),
            seconds(checked.compile),
            seconds(checked.host),
            seconds(checked.device),
            checked.launches,
            checked.thread_instructions,
            short(&printable(note)),
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let mut tally: Vec<(&str, usize)> = Vec::new();
    for checked in results {
        let name = checked.outcome.parts().0;
        match tally.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => tally.push((name, 1)),
        }
    }
    let tally: Vec<_> = tally.iter().map(|(name, count)| format!("{count} {name}")).collect();
    let _ = writeln!(text, "{} programs: {}", results.len(), tally.join(", "));
    for checked in results {
        for group in groups(&checked.name, &checked.findings) {
            let _ = write!(text, "\n{}", printable_lines(&group.text()));
        }
    }
    text
}

/// Text of several lines for a terminal.
fn printable_lines(text: &str) -> String {
    text.lines().fold(String::new(), |all, line| all + &printable(line) + "\n")
}

fn short(note: &str) -> String {
    match note.char_indices().nth(LONGEST_NOTE) {
        Some((end, _)) => format!("{}…", &note[..end]),
        None => note.to_owned(),
    }
}

/// All results; what a program did not come to is null.
pub fn json(results: &[Checked]) -> Value {
    let programs = results.iter().map(|checked| {
        let (outcome, note) = checked.outcome.parts();
        json!({
            "name": checked.name,
            "outcome": outcome,
            "note": note,
            "seconds": { "compile": checked.compile, "host": checked.host, "device": checked.device },
            "launches": checked.launches,
            "thread_instructions": checked.thread_instructions,
            "reports": groups(&checked.name, &checked.findings).iter().map(ReportGroup::json).collect::<Vec<_>>(),
        })
    });
    json!({ "programs": programs.collect::<Vec<_>>() })
}

#[cfg(test)]
mod tests {
    use super::super::check::Outcome;
    use super::*;

    fn results() -> [Checked; 3] {
        let right = Checked {
            name: "pi".into(),
            outcome: Outcome::Right,
            compile: Some(1.0),
            host: Some(0.05),
            device: Some(0.256),
            launches: 2,
            thread_instructions: 47471217,
            findings: Vec::new(),
        };
        let fault = Outcome::Fault("\u{1b}[31ma.c:4: an access".into());
        let fails = Outcome::HostFails("x".repeat(1000));
        [
            right.clone(),
            Checked { name: "a-long-name".into(), outcome: fault, ..right.clone() },
            Checked {
                outcome: fails,
                compile: None,
                host: None,
                device: None,
                launches: 0,
                thread_instructions: 0,
                ..right
            },
        ]
    }

    #[test]
    fn the_table_has_a_line_for_each_program() {
        let text = table(&results());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[..2],
            [
                "program      outcome           compile s   host s device s launches   thread instr.",
                "pi           right                  1.00     0.05     0.26        2        47471217",
            ]
        );
        assert!(lines[2].ends_with("a.c:4: an access") && !text.contains('\u{1b}'), "{text}");
        assert!(
            lines[3].contains("host fails                -        -        -        0               0  xxx")
        );
        assert!(lines[3].ends_with("x…") && lines[3].chars().count() < 260, "{text}");
        assert_eq!(lines[4..], ["3 programs: 1 right, 1 fault, 1 host fails"]);
    }

    #[test]
    fn reports_follow_the_table_in_groups() {
        let race = r#"{"kind":"data-race","message":"a race","count":2,"sides":[{"source":{"file":"a.c","line":4}}]}"#;
        let race = check_reports::Report::parse(race).expect("a report");
        let [mut pi, ..] = results();
        pi.outcome = Outcome::Reported("data-race: a.c:4".into());
        pi.findings = vec![race.clone(), race];
        let text = table(&[pi.clone()]);
        assert!(
            text.contains("1 programs: 1 reported\n\ndata-race: a.c:4: 4 times in 1 run\n  a race\n  pi\n"),
            "{text}"
        );
        assert_eq!(json(&[pi])["programs"][0]["reports"][0]["count"], 4);
    }

    #[test]
    fn json_has_all_of_it() {
        let value = json(&results());
        let programs = value["programs"].as_array().expect("a list");
        assert_eq!(programs[0]["thread_instructions"], 47471217);
        assert_eq!(programs[0]["seconds"]["device"], 0.256);
        assert_eq!(programs[1]["outcome"], "fault");
        assert_eq!(programs[2]["note"].as_str().map(str::len), Some(1000));
        assert!(programs[2]["seconds"]["device"].is_null());
    }
}
