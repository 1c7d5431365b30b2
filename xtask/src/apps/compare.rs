//! Compares what a program prints on the device with what it prints on the host.

use std::sync::LazyLock;

use regex::{Regex, RegexSet};

use crate::process::Output;

/// How the device's output differs from the host's; none if it does not.
///
/// Lines that match `ignore` are left out. White space may differ in its amount, and numbers that are written with a
/// fraction or an exponent by `tolerance`, relative to the larger one. Of outputs that were both cut, the lines that
/// were kept are compared.
pub fn difference(host: &Output, device: &Output, tolerance: f64, ignore: &RegexSet) -> Option<String> {
    fn lines<'o>(output: &'o Output, ignore: &'o RegexSet) -> impl Iterator<Item = (usize, &'o str)> {
        // The last line of a cut output is not whole.
        let whole = match output.cut {
            true => output.text.rsplit_once('\n').map_or("", |(whole, _)| whole),
            false => &output.text,
        };
        whole.lines().enumerate().filter(|(_, line)| !ignore.is_match(line))
    }
    let (mut of_host, mut of_device) = (lines(host, ignore), lines(device, ignore));
    loop {
        match (of_host.next(), of_device.next()) {
            (Some((_, expected)), Some((_, line))) if same(expected, line, tolerance) => {}
            (Some((_, expected)), Some((number, line))) => {
                return Some(format!("line {}: `{line}`, on the host `{expected}`", number + 1));
            }
            (Some((number, line)), None) if !device.cut => {
                return Some(format!("line {} of the host is missing: `{line}`", number + 1));
            }
            (None, Some((number, line))) if !host.cut => {
                return Some(format!("line {} is not the host's: `{line}`", number + 1));
            }
            _ => return None,
        }
    }
}

/// A piece of a line.
#[derive(Debug, PartialEq)]
enum Token<'l> {
    /// Text without white space; integers are text.
    Text(&'l str),
    /// A number with a fraction or an exponent, as text and as value.
    Number(&'l str, f64),
}

fn same(one: &str, other: &str, tolerance: f64) -> bool {
    let (one, other) = (tokens(one), tokens(other));
    one.len() == other.len()
        && one.iter().zip(&other).all(|pair| match pair {
            // An integer with a fraction is written without: %g, list-directed output.
            (Token::Number(_, a), Token::Text(b)) | (Token::Text(b), Token::Number(_, a)) => {
                integer(b).is_some_and(|b| close(*a, b, tolerance))
            }
            (Token::Number(_, a), Token::Number(_, b)) => close(*a, *b, tolerance),
            (a, b) => a == b,
        })
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    a == b || (a - b).abs() <= tolerance * a.abs().max(b.abs())
}

fn integer(text: &str) -> Option<f64> {
    let digits = text.trim_start_matches(['-', '+']);
    let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_integer { text.parse().ok() } else { None }
}

/// The pieces of a line: numbers stand alone, and so does all text between numbers and white space.
fn tokens(line: &str) -> Vec<Token<'_>> {
    static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
        // Fortran writes an exponent of a double with a D.
        let pattern = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eEdD][-+]?[0-9]+)?";
        Regex::new(pattern).expect("a constant pattern")
    });
    let mut tokens = Vec::new();
    for word in line.split_ascii_whitespace() {
        let mut from = 0;
        for found in NUMBER.find_iter(word) {
            // A sign after a letter or a digit is an operator or a hyphen.
            let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
            let before = word[..found.start()].chars().next_back();
            let start = match before {
                Some('-' | '+') if !word[..found.start() - 1].ends_with(is_name) => found.start() - 1,
                _ => found.start(),
            };
            // Digits after a letter belong to a name, such as x86 or 0x1e5.
            if start < from || word[..start].ends_with(is_name) {
                continue;
            }
            let text = &word[start..found.end()];
            let value = text.replace(['d', 'D'], "e").parse::<f64>().ok().filter(|value| value.is_finite());
            let Some(value) = value else { continue };
            if from < start {
                tokens.push(Token::Text(&word[from..start]));
            }
            tokens.push(if integer(text).is_some() { Token::Text(text) } else { Token::Number(text, value) });
            from = found.end();
        }
        if from < word.len() {
            tokens.push(Token::Text(&word[from..]));
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(host: &str, device: &str, ignore: &[&str]) -> Option<String> {
        let output = |text: &str| Output { text: text.into(), cut: false };
        difference(&output(host), &output(device), 1e-6, &RegexSet::new(ignore).expect("patterns"))
    }

    #[test]
    fn numbers_with_a_fraction_may_differ_a_little() {
        for (a, b) in [
            ("pi = 3.1415926", "pi = 3.1415927"),
            ("x=1.0000000e-10;", "x=1.0000001e-10;"),
            (" 9.9999999 |", "10.0000000 |"),
            ("(0.30000001,-1.5)", "(0.3,-1.5)"),
            (" 0.1000000000D+01", " 0.9999999999D+00"),
            ("-0.0", "0.0"),
            ("sum 99999.9999", "sum 100000"),
            ("1.5-2.5", "1.5-2.5"),
            ("nan inf", "nan  inf"),
            ("2.5 s, 3.5ms", "2.5 s, 3.5ms"),
        ] {
            assert_eq!(compared(a, b, &[]), None, "{a}, {b}");
        }
    }

    #[test]
    fn everything_else_must_be_the_same() {
        for (a, b) in [
            ("pi = 3.1415", "pi = 3.1416"),
            ("1000000000", "1000000001"),
            ("1.5", "-1.5"),
            ("1.5", "nan"),
            ("1e400", "2e400"),
            ("0x1e50", "0x1e51"),
            ("a1.50000001", "a1.5"),
            ("1.5 2.5", "1.52.5"),
            ("1.5 2.5", "1.5"),
            ("PASS", "FAIL"),
            ("1.5x", "1.5y"),
            ("2.5", "2"),
        ] {
            assert!(compared(a, b, &[]).is_some(), "{a}, {b}");
        }
    }

    #[test]
    fn the_first_line_that_differs_is_shown() {
        let differs = |host: &str, device: &str| compared(host, device, &["[Tt]ime"]).expect("a difference");
        assert_eq!(differs("a\nb\n", "a\nTime 1\nc\n"), "line 3: `c`, on the host `b`");
        assert_eq!(differs("a\nb\n", "a\n"), "line 2 of the host is missing: `b`");
        assert_eq!(differs("a\n", "a\nb\n"), "line 2 is not the host's: `b`");
        assert_eq!(compared("time 1\na\n", "a\ntime 2\n", &["[Tt]ime"]), None);
    }

    #[test]
    fn of_cut_outputs_whole_lines_are_compared() {
        let cut = |text: &str, cut| Output { text: text.into(), cut };
        let none = RegexSet::empty();
        let differs = |host: &Output, device: &Output| difference(host, device, 0.0, &none).is_some();
        assert!(!differs(&cut("a\nb\nc", true), &cut("a\nbb", true)));
        assert!(!differs(&cut("a\nb\nc", true), &cut("a\n", true)));
        assert!(differs(&cut("a\nb\nc", true), &cut("a\nc\nb", true)));
        assert!(!differs(&cut("a\nb\nc", true), &cut("a\nb\nc\nd\n", false)));
        assert!(differs(&cut("a\nb\n", false), &cut("a\n", false)));
    }
}
