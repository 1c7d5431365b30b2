//! What sanitizers and Valgrind print, read as far as it is compared: what kind of fault a report is about, and which
//! lines of the program it names.

/// A tool that is not of this project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// clang's ThreadSanitizer, told by Archer of what OpenMP orders.
    ThreadSanitizer,
    /// clang's AddressSanitizer, with the check of alignment of UndefinedBehaviorSanitizer.
    AddressSanitizer,
    /// clang's MemorySanitizer.
    MemorySanitizer,
    /// Valgrind's memcheck.
    Memcheck,
    /// Valgrind's helgrind.
    Helgrind,
}

/// A report that is about the program's own code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeerReport {
    /// What the tool calls it.
    pub name: String,
    /// The kinds of fault (`faults::KINDS`) that it may stand for; none if it is about something else.
    pub kinds: Vec<&'static str>,
    /// The lines of the program's file that it names, one for each stack that it consists of; a stack whose line is not
    /// known has none.
    pub lines: Vec<u32>,
}

/// Where a frame of a stack is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReportPlace {
    /// In the program's file; the compiler gives code of its own no line.
    Program(Option<u32>),
    /// In a library of OpenMP, none of which is instrumented.
    Runtime,
    /// In a library or function that the program called.
    Elsewhere,
}

/// A report that is being read.
struct Open {
    report: PeerReport,
    /// How many stacks have begun.
    stacks: usize,
    /// Whether the lines before this one were frames.
    in_stack: bool,
    /// Whether the stack is one of those that the report consists of.
    counts: bool,
    /// Where the code is that each of these stacks was made for.
    places: Vec<ReportPlace>,
}

/// The reports in what a program printed. Left out are those whose first stack is in a library of OpenMP.
pub fn read(tool: Tool, file: &str, text: &str) -> Vec<PeerReport> {
    let (mut reports, mut open) = (Vec::new(), None);
    for line in text.lines() {
        let line = without_process(line);
        if let Some((name, kinds)) = header(tool, line) {
            reports.extend(open.take().and_then(Open::close));
            let report = PeerReport { name, kinds, lines: Vec::new() };
            let mut begun = Open { report, stacks: 0, in_stack: false, counts: true, places: Vec::new() };
            // A line of the check of alignment is a whole report.
            if let Some(place @ ReportPlace::Program(_)) =
                line.contains(RUNTIME_ERROR).then(|| place(line, file))
            {
                begun.places.push(place);
                reports.extend(begun.close());
            } else {
                open = Some(begun);
            }
        } else if line.starts_with("SUMMARY: ") {
            reports.extend(open.take().and_then(Open::close));
        } else if let Some(open) = &mut open {
            open.line(tool, file, line);
        }
    }
    reports.extend(open.and_then(Open::close));
    reports
}

/// What begins the message of UndefinedBehaviorSanitizer, after the place.
const RUNTIME_ERROR: &str = ": runtime error: ";

/// A line without `==PROCESS== `, which both Valgrind and sanitizers write.
fn without_process(line: &str) -> &str {
    let rest = line.strip_prefix("==").and_then(|rest| rest.split_once("=="));
    match rest {
        Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) && !number.is_empty() => {
            rest.strip_prefix(' ').unwrap_or(rest)
        }
        _ => line,
    }
}

/// What a report is called, and the kinds of fault that it may stand for, if the line begins one.
fn header(tool: Tool, line: &str) -> Option<(String, Vec<&'static str>)> {
    let of = |name: &str, kinds: &[&'static str]| Some((name.to_owned(), kinds.to_vec()));
    let crash = ["out-of-bounds", "use-after-free"];
    let sanitizer = |name: &str| {
        ["WARNING", "ERROR"].iter().find_map(|word| line.strip_prefix(&format!("{word}: {name}: ")))
    };
    match tool {
        Tool::ThreadSanitizer => {
            let text = sanitizer("ThreadSanitizer")?;
            let name = text.split(" (pid=").next().unwrap_or(text);
            match name {
                _ if name.starts_with("data race") => of(name, &["data-race"]),
                _ if name.starts_with("heap-use-after-free") => of(name, &["use-after-free"]),
                _ if name.starts_with("SEGV") => of("SEGV", &crash),
                _ => of(name, &[]),
            }
        }
        Tool::AddressSanitizer => {
            if let Some((_, message)) = line.split_once(RUNTIME_ERROR) {
                let misaligned: &[_] =
                    if message.contains("misaligned address") { &["misaligned"] } else { &[] };
                return of(message, misaligned);
            }
            let name = sanitizer("AddressSanitizer")?;
            let name = name.strip_prefix("attempting ").unwrap_or(name);
            let name = name.split([' ', ':']).next().unwrap_or(name);
            match name {
                "SEGV" | "BUS" => of(name, &crash),
                "double-free" => of(name, &["use-after-free"]),
                _ if name.contains("-use-after-") => of(name, &["use-after-free"]),
                _ if ["-buffer-overflow", "-buffer-underflow"].iter().any(|end| name.ends_with(end)) => {
                    of(name, &["out-of-bounds"])
                }
                _ => of(name, &[]),
            }
        }
        Tool::MemorySanitizer => {
            let text = sanitizer("MemorySanitizer")?;
            let name = text.split([' ', ':']).next().unwrap_or(text);
            match name {
                "use-of-uninitialized-value" => of(name, &["uninitialised"]),
                "SEGV" => of(name, &crash),
                _ => of(name, &[]),
            }
        }
        Tool::Memcheck => {
            let begins = |starts: &[&str]| starts.iter().any(|start| line.starts_with(start));
            match line {
                _ if begins(&["Invalid read of size", "Invalid write of size"]) => of(line, &crash),
                _ if begins(&["Invalid free() "]) => of(line, &["use-after-free"]),
                _ if begins(&[
                    "Conditional jump or move depends on uninit",
                    "Use of uninitialised value",
                ]) || begins(&["Syscall param "]) && line.contains("uninitialised") =>
                {
                    of(line, &["uninitialised"])
                }
                _ => None,
            }
        }
        Tool::Helgrind => {
            line.starts_with("Possible data race during ").then(|| (line.to_owned(), vec!["data-race"]))
        }
    }
}

impl Open {
    fn line(&mut self, tool: Tool, file: &str, line: &str) {
        if !is_frame(line) {
            let after_stack = std::mem::take(&mut self.in_stack);
            self.counts = match tool {
                // Other stacks say where memory and threads come from.
                Tool::ThreadSanitizer => line.contains(" of size ") && !line.contains("Location is "),
                Tool::AddressSanitizer => self.stacks == 0,
                // These say how an undefined value got to where it was used.
                Tool::MemorySanitizer => true,
                Tool::Memcheck => self.stacks == 0 || line.contains("ninitialised value was "),
                // A line about locks may follow.
                Tool::Helgrind => {
                    line.contains("This conflicts with a previous ") || self.counts && !after_stack
                }
            };
            if tool == Tool::Memcheck && self.report.kinds.len() > 1 && line.contains(" a block of size ") {
                let freed = line.contains("free'd");
                self.report.kinds = vec![if freed { "use-after-free" } else { "out-of-bounds" }];
            }
            return;
        }
        if !self.in_stack {
            self.in_stack = true;
            self.stacks += 1;
            if self.counts {
                self.places.push(ReportPlace::Elsewhere);
            }
        }
        if let Some(found @ ReportPlace::Elsewhere) = self.places.last_mut().filter(|_| self.counts) {
            *found = place(line, file);
        }
    }

    /// The report, if it is about the program's own code.
    fn close(self) -> Option<PeerReport> {
        let in_program = self.places.iter().any(|place| matches!(place, ReportPlace::Program(_)));
        if !in_program || self.places[0] == ReportPlace::Runtime {
            return None;
        }
        let line = |place: &ReportPlace| if let ReportPlace::Program(line) = place { *line } else { None };
        Some(PeerReport { lines: self.places.iter().filter_map(line).collect(), ..self.report })
    }
}

/// Whether a line is a frame of a stack: `    #1 …` or, by Valgrind, `   at 0x…` and `   by 0x…`.
fn is_frame(line: &str) -> bool {
    let text = line.trim_start();
    text.len() < line.len() && ["#", "at 0x", "by 0x"].iter().any(|start| text.starts_with(start))
}

/// Where a frame is. It names a file as `/FOLDER/FILE:LINE:COLUMN` or `(FILE:LINE)`.
fn place(line: &str, file: &str) -> ReportPlace {
    let mut rest = line;
    while let Some((before, after)) = rest.split_once(file) {
        rest = after;
        if before.is_empty() || before.ends_with(['/', '(', ' ']) {
            match after.strip_prefix(':') {
                Some(number) => {
                    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
                    return ReportPlace::Program(number[..digits].parse().ok().filter(|&line| line > 0));
                }
                None if after.is_empty() || after.starts_with([' ', ')']) => {
                    return ReportPlace::Program(None);
                }
                None => {}
            }
        }
    }
    if line.contains("/libomp") { ReportPlace::Runtime } else { ReportPlace::Elsewhere }
}
