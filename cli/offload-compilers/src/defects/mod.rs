//! What LLVM's compilers make wrong device code of, whatever the runtime does, and say nothing about. docs/pitfalls.md says
//! what goes wrong.

mod reductions;
mod text;

use std::{ffi::OsString, fs, path::Path, process::Command};

use toolchain::Language;

use self::text::{directive, without_comments};
use crate::Error;

/// Looks at the source files among the arguments of a compiler; `major` is the version of LLVM. `compiler` makes commands of
/// clang that have all but the arguments.
///
/// # Errors
///
/// A file that would silently become wrong device code.
pub fn reject_defects(
    language: Language,
    major: u32,
    arguments: &[OsString],
    compiler: impl Fn() -> Command,
) -> Result<(), Error> {
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
        let place = terminal_text::name(path.display());
        if language == Language::Fortran {
            // flang 23 maps what `reduce` names.
            if major < 23
                && let Some(line) = reduced_do_concurrent(&text)
            {
                let why = Defect::ReducedDoConcurrent.why();
                return Err(Error::Rejected(format!("{place}:{line}: flang {major} {why}")));
            }
            continue;
        }
        if let Some((line, defect)) = defect(&text, major) {
            return Err(Error::Rejected(format!("{place}:{line}: clang {major} {}", defect.why())));
        }
        let candidates = reductions::candidates(&text);
        if !candidates.is_empty()
            && let Some(ty) = reductions::stored_behind(compiler(), arguments, argument)
        {
            let lines: Vec<_> = candidates.iter().map(usize::to_string).collect();
            return Err(Error::Rejected(format!(
                "{place}:{}: clang {major} loses parts of a reduction of an array or struct whose size is not a multiple \
                 of 4 bytes ({ty} in LLVM IR), and the results are wrong: use elements of 4 bytes, or pad it",
                lines.join(",")
            )));
        }
    }
    Ok(())
}

/// What a compiler makes wrong code of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Defect {
    ReducedDoConcurrent,
    ScanInTarget,
    TeamsLoopInTarget,
    TeamsLoopThatCalls,
}

impl Defect {
    /// What goes wrong, after the name of the compiler, and what helps.
    fn why(self) -> &'static str {
        match self {
            Defect::ReducedDoConcurrent => {
                "does not bring the result of a reduction of `do concurrent` back from the device: write `!$omp target teams \
                 distribute parallel do reduction(...)`, or compile with -fdo-concurrent-to-openmp=host"
            }
            Defect::ScanInTarget => {
                "gives every thread of a target region its own copy of the values that a loop with `reduction(inscan, ...)` \
                 shares, and the results are wrong: leave the directives out and let `warpfold parallelize --target gpu` make \
                 the loop parallel, or scan on the host"
            }
            Defect::TeamsLoopInTarget => {
                "executes only some iterations of a `teams loop` in a `target` directive of its own, and the results are \
                 wrong: write `target teams distribute parallel for` in one directive"
            }
            Defect::TeamsLoopThatCalls => {
                "executes only the first iteration of a `teams loop` with a reduction if its body calls a function, and the \
                 results are wrong: write `teams distribute parallel for`"
            }
        }
    }
}

/// The line of the first directive in C that a clang makes wrong device code of.
fn defect(text: &str, major: u32) -> Option<(usize, Defect)> {
    let text = without_comments(text);
    let mut depth = 0usize;
    // The braces and parentheses around the statement of a target region, from its directive on.
    let mut region: Option<usize> = None;
    // A block has ended the statement, unless `else` or `while` follows.
    let mut may_end = false;
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if line.trim_start().starts_with('#') {
            let Some(directive) = directive(line, &mut lines) else { continue };
            if may_end {
                (region, may_end) = (None, false);
            }
            let words: Vec<&str> = directive
                .split(|c: char| !(c.is_alphanumeric() || c == '_'))
                .filter(|word| !word.is_empty())
                .collect();
            let has = |word: &str| words.contains(&word);
            let name = |at: usize| words.get(at).copied().unwrap_or_default();
            let is_target = name(0) == "target" && !["data", "enter", "exit", "update"].contains(&name(1));
            let found = if region.is_some() && has("inscan") && has("for") {
                Some(Defect::ScanInTarget)
            } else if region.is_some() && name(0) == "teams" && name(1) == "loop" {
                Some(Defect::TeamsLoopInTarget)
            } else if major >= 23
                && is_target
                && (name(1), name(2)) == ("teams", "loop")
                && has("reduction")
                && calls(lines.clone().map(|(_, line)| line))
            {
                Some(Defect::TeamsLoopThatCalls)
            } else {
                None
            };
            if let Some(defect) = found {
                return Some((number + 1, defect));
            }
            if is_target {
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

/// Whether a loop, of which these are the lines, contains what looks like a call: of a function or a macro.
fn calls<'t>(lines: impl Iterator<Item = &'t str>) -> bool {
    const NONE: [&str; 9] =
        ["for", "if", "while", "switch", "return", "sizeof", "_Alignof", "alignof", "decltype"];
    let (mut depth, mut word) = (0usize, String::new());
    for c in
        lines.filter(|line| !line.trim_start().starts_with('#')).flat_map(|line| line.chars().chain(['\n']))
    {
        match c {
            c if c.is_alphanumeric() || c == '_' => {
                // A blank has ended the last word.
                if word.ends_with(' ') {
                    word.clear();
                }
                word.push(c);
                continue;
            }
            '(' if word.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && !NONE.contains(&word.trim_end()) =>
            {
                return true;
            }
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && (c == ';' || c == '}') {
            return false;
        }
        match c.is_whitespace() && !word.is_empty() {
            true if word.ends_with(' ') => {}
            true => word.push(' '),
            false => word.clear(),
        }
    }
    false
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
            let text = format!("{before}#pragma omp {directive} reduction(inscan, + : s)\n{LOOP}{after}");
            defect(&text, 22).map(|(line, found)| {
                assert_eq!(found, Defect::ScanInTarget);
                line
            })
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
    fn loops_of_teams_are_found() {
        let on_its_own = "#pragma omp target map(from : a)\n#pragma omp teams loop\nfor (;;) a[i] = i;\n";
        assert_eq!(defect(on_its_own, 22), Some((2, Defect::TeamsLoopInTarget)));
        assert_eq!(defect("#pragma omp teams loop\nfor (;;) a[i] = i;\n", 22), None, "on the host");
        assert_eq!(
            defect("#pragma omp target\n#pragma omp teams\n#pragma omp loop\nfor (;;) a[i] = i;\n", 22),
            None
        );
        let combined = |body: &str, clause: &str| {
            let text =
                format!("#pragma omp target teams loop {clause}\nfor (int i = 0; i < n; i++) {body}\nf();\n");
            assert_eq!(defect(&text, 22), None, "{text}");
            defect(&text, 23)
        };
        let found = Some((1, Defect::TeamsLoopThatCalls));
        assert_eq!(combined("s += f(i);", "reduction(+ : s)"), found);
        assert_eq!(combined("{ if (i) { s += g (i); } }", "map(to : a) \\\n reduction(+ : s)"), found);
        assert_eq!(combined("s += f(i);", "map(from : a)"), None);
        for body in
            ["s += (i + 1) * (a[i]);", "{ if (a[i]) { s += sizeof(int) * (i); } }", "while (s < i) s++;"]
        {
            assert_eq!(combined(body, "reduction(+ : s)"), None, "{body}");
        }
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
