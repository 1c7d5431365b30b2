//! What LLVM 22's compilers make wrong device code of, whatever the runtime does, and say nothing about: `warpfold cc`,
//! `c++` and `fc` reject it. docs/pitfalls.md says what goes wrong.

use std::{ffi::OsString, fs, path::Path};

use toolchain::Language;

use crate::{error::Error, messages};

/// Rejects source files among the arguments of a compiler that would silently become wrong device code.
pub fn reject(language: Language, arguments: &[OsString]) -> Result<(), Error> {
    let maps_do_concurrent = arguments.iter().any(|word| word == "-fdo-concurrent-to-openmp=device");
    for argument in arguments {
        let path = Path::new(argument);
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_source = match language {
            Language::C | Language::Cpp => ["c", "cc", "cpp", "cxx", "c++"].contains(&&*ending),
            Language::Fortran => {
                maps_do_concurrent && ["f90", "f95", "f03", "f08", "f18"].contains(&&*ending)
            }
        };
        // What cannot be read is the compiler's to say.
        let Some(text) = is_source.then(|| fs::read(path).ok()).flatten() else { continue };
        let text = String::from_utf8_lossy(&text);
        let (line, why) = match language {
            Language::Fortran => (
                reduced_do_concurrent(&text),
                "flang 22 does not bring the result of a reduction of `do concurrent` back from the device: write \
                 `!$omp target teams distribute parallel do reduction(...)`, or compile with \
                 -fdo-concurrent-to-openmp=host",
            ),
            Language::C | Language::Cpp => (
                scan_in_target(&text),
                "clang 22 gives every thread of a target region its own copy of the values that a loop with \
                 `reduction(inscan, ...)` shares, and the results are wrong: leave the directives out and let `warpfold \
                 parallelize --target gpu` make the loop parallel, or scan on the host",
            ),
        };
        if let Some(line) = line {
            return Err(Error::Usage(format!("{}:{line}: {why}", messages::name(path.display()))));
        }
    }
    Ok(())
}

/// The line of the first worksharing loop with `inscan` inside of a target region.
fn scan_in_target(text: &str) -> Option<usize> {
    let text = without_comments(text);
    let mut depth = 0usize;
    // The braces and parentheses around the statement of a target region, from its directive on.
    let mut region: Option<usize> = None;
    // A block has ended the statement, unless `else` or `while` follows.
    let mut may_end = false;
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(directive) = line.trim_start().strip_prefix('#') {
            let mut directive = directive.trim_start().to_owned();
            while directive.ends_with('\\') {
                directive.pop();
                directive.push(' ');
                directive.push_str(lines.next().map_or("", |(_, more)| more));
            }
            let Some(directive) = openmp(&directive) else { continue };
            if may_end {
                (region, may_end) = (None, false);
            }
            let name: Vec<&str> = directive
                .split(|c: char| !(c.is_alphanumeric() || c == '_'))
                .filter(|word| !word.is_empty())
                .collect();
            let workshares = directive.contains("inscan") && name.contains(&"for");
            if region.is_some() && workshares {
                return Some(number + 1);
            }
            let second = name.get(1).copied().unwrap_or_default();
            if name.first() == Some(&"target") && !["data", "enter", "exit", "update"].contains(&second) {
                region = Some(depth);
            }
            continue;
        }
        for (at, c) in line.char_indices().filter(|(_, c)| !c.is_whitespace()) {
            if may_end {
                let goes_on = ["else", "while"].iter().any(|word| line[at..].starts_with(word));
                may_end = false;
                if !goes_on {
                    region = None;
                }
            }
            match c {
                '{' | '(' | '[' => depth += 1,
                '}' | ')' | ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            let Some(outside) = region else { continue };
            may_end = c == '}' && depth <= outside;
            if c == ';' && depth <= outside {
                region = None;
            }
        }
    }
    None
}

/// The clauses and the name of a directive of OpenMP.
fn openmp(directive: &str) -> Option<&str> {
    directive
        .strip_prefix("pragma")?
        .trim_start()
        .strip_prefix("omp")
        .filter(|rest| rest.starts_with(char::is_whitespace))
}

/// C with spaces in place of comments and of what is in quotes.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let blank =
        |out: &mut String, gone: &str| out.extend(gone.chars().map(|c| if c == '\n' { c } else { ' ' }));
    while let Some(at) = rest.find(['/', '"', '\'']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let end = if from.starts_with("//") {
            from.find('\n').unwrap_or(from.len())
        } else if let Some(inside) = from.strip_prefix("/*") {
            inside.find("*/").map_or(from.len(), |end| end + 4)
        } else if let Some(behind) = from.strip_prefix('/') {
            out.push('/');
            rest = behind;
            continue;
        } else {
            let quote = from.as_bytes()[0];
            let mut escaped = false;
            let end = from.bytes().skip(1).position(|byte| {
                let ends = byte == b'\n' || byte == quote && !escaped;
                escaped = byte == b'\\' && !escaped;
                ends
            });
            end.map_or(from.len(), |end| end + 2)
        };
        blank(&mut out, &from[..end]);
        rest = &from[end..];
    }
    out.push_str(rest);
    out
}

/// The line of the first `do concurrent` with a reduction.
fn reduced_do_concurrent(text: &str) -> Option<usize> {
    let mut statement = String::new();
    let mut start = 0;
    for (number, line) in text.lines().enumerate() {
        if statement.is_empty() {
            start = number + 1;
        }
        let code = line.split('!').next().unwrap_or_default().trim();
        if code.is_empty() && !statement.is_empty() {
            continue;
        }
        let code = code.strip_prefix('&').unwrap_or(code);
        if let Some(more) = code.strip_suffix('&') {
            statement.push_str(more);
            continue;
        }
        statement.push_str(code);
        let dense: String = statement.to_lowercase().split_whitespace().collect();
        statement.clear();
        if dense.split_once("doconcurrent(").is_some_and(|(_, rest)| rest.contains(")reduce(")) {
            return Some(start);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOP: &str =
        "for (i = 0; i < n; i++) {\n s += a[i];\n#pragma omp scan inclusive(s)\n b[i] = s; }\n";

    #[test]
    fn scans_of_target_regions_are_found() {
        let found = |before: &str, directive: &str, after: &str| {
            scan_in_target(&format!(
                "{before}#pragma omp {directive} reduction(inscan, + : s)\n{LOOP}{after}"
            ))
        };
        assert_eq!(found("#pragma omp target\n", "parallel for", ""), Some(2));
        assert_eq!(found("#pragma omp target map(to : a) \\\n map(from : b)\n", "parallel for", ""), Some(3));
        assert_eq!(
            found("#pragma omp target\n{ if (x) { y(); } else z();\n", "parallel for simd", "}"),
            Some(3)
        );
        assert_eq!(found("#pragma omp target teams\n{\n#pragma omp parallel\n", "for", "}"), Some(4));
        assert_eq!(found("# pragma  omp target\nif (x) { y(); }\nelse\n", "parallel for", ""), Some(4));
        assert_eq!(
            found("#pragma omp target /* { */\n{ c = '}'; s = \"}\"; // }\n", "parallel for", "}"),
            Some(3)
        );
        assert_eq!(found("#pragma omp target parallel for\nfor (i = 0; i < n; i++)\n", "for", ""), Some(3));
        // On the host, by one thread, or after the region.
        for before in [
            "",
            "#pragma omp target\nx = 1;\n",
            "#pragma omp target\n{ x = 1; }\n",
            "#pragma omp target\nfor (i = 0; i < n; i++) { x(i); }\n",
            "#pragma omp target\nif (x) { y(); } else { z(); }\n",
            "#pragma omp target enter data map(to : a)\n",
            "#pragma omp target data map(to : a)\n{\n",
            "#pragma omp declare target\nint t;\n#pragma omp end declare target\n",
            "// #pragma omp target\n",
        ] {
            assert_eq!(found(before, "parallel for", ""), None, "{before}");
        }
        assert_eq!(found("#pragma omp target\n", "simd", ""), None);
    }

    #[test]
    fn reductions_of_do_concurrent_are_found() {
        let found = reduced_do_concurrent;
        assert_eq!(found("s = 0\ndo concurrent (i = 1:n) reduce(+: s)\n"), Some(2));
        assert_eq!(found("Do Concurrent(i=1:n) Shared(a) &\n ! why\n & REDUCE(+:s)\n"), Some(1));
        assert_eq!(found("do concurrent (i = 1:n) ! reduce(+: s)\n a(i) = reduce(i)\nend do\n"), None);
        assert_eq!(found("!$omp target teams distribute parallel do reduction(+: s)\n"), None);
    }
}
