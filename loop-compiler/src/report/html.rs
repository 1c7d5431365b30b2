//! The report as one page that needs nothing else: the source with the classes of its loops, and remarks below.

use std::{borrow::Cow, collections::BTreeMap, fmt::Write};

use super::{
    FileReport, Report,
    remark::{Remark, Severity, remarks},
};
use crate::{Class, LoopReport};

const STYLE: &str = include_str!("style.css");

/// What the classes mean, for the legend.
const LEGEND: [(Class, &str); 6] = [
    (Class::Parallel, "iterations in any order"),
    (Class::Reduction, "parallel, with copies of what is reduced"),
    (Class::Private, "parallel, with private copies"),
    (Class::ReductionAndPrivate, "parallel, with both"),
    (Class::Scan, "intermediate values of an accumulation are read"),
    (Class::Sequential, "iterations depend on each other"),
];

impl Report {
    /// The report as a page of HTML.
    pub fn to_html(&self) -> String {
        let mut out = String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
        let title = match &self.files[..] {
            [only] => only.name(),
            files => super::counted(files.len(), "file"),
        };
        let _ =
            write!(out, "<title>Loops of {}</title>\n<style>\n{STYLE}</style>\n</head>\n", escaped(&title));
        let summary = self.summary();
        let summary = summary.strip_prefix(&format!("{title}: ")).unwrap_or(&summary);
        let _ = write!(out, "<body>\n<h1>Loops of {}</h1>\n<p>{}</p>\n", escaped(&title), escaped(summary));
        out += "<ul class=\"legend\">\n";
        for (class, meaning) in LEGEND {
            let _ = writeln!(out, "<li>{} {meaning}</li>", badge(css_class(class), class.name(), None, ""));
        }
        let _ = writeln!(out, "<li>{} a statement that reduces</li>", badge("operator", "+", None, ""));
        out += "</ul>\n";
        for (index, file) in self.files.iter().enumerate() {
            self.file(index, file, &mut out);
        }
        out += "</body>\n</html>\n";
        out
    }

    fn file(&self, index: usize, file: &FileReport, out: &mut String) {
        if self.files.len() > 1 {
            let _ = writeln!(out, "<h2>{}</h2>", escaped(&file.path));
        }
        let remarks: Vec<Remark> =
            file.regions.iter().flat_map(|region| remarks(region, self.order)).collect();
        let badges = badges(index, file, &remarks);
        let bars = bars(file);
        out.push_str("<div class=\"source\"><table>\n");
        for (number, line) in (1u32..).zip(file.text.lines()) {
            let inside =
                file.regions.iter().any(|region| (region.at.line..=region.last_line).contains(&number));
            let row = if inside { "" } else { " class=\"outside\"" };
            let _ = write!(
                out,
                "<tr id=\"f{index}-L{number}\"{row}><td class=\"number\"><a href=\"#f{index}-L{number}\">{number}</a></td>\
                 <td>{}</td><td class=\"bars\">",
                badges.get(&number).map_or("", String::as_str)
            );
            for class in bars.get(&number).into_iter().flatten() {
                let _ = write!(out, "<i class=\"bar {class}\"></i>");
            }
            let _ = writeln!(out, "</td><td class=\"code\">{}</td></tr>", escaped(line));
        }
        out.push_str("</table></div>\n");
        if !remarks.is_empty() {
            out.push_str("<h2>Remarks</h2>\n<ol>\n");
        }
        for (number, remark) in remarks.iter().enumerate() {
            let warning = if remark.severity >= Severity::Warning {
                "<span class=\"warning\">Warning:</span> "
            } else {
                ""
            };
            let line = remark.at.line;
            let _ = write!(
                out,
                "<li id=\"f{index}-r{number}\"><a href=\"#f{index}-L{line}\">line {line}</a>: {warning}{}",
                with_code(&remark.text)
            );
            let mut linked = 0;
            for (at, what) in remark.related.iter().filter(|(at, _)| at.line != line) {
                if linked != at.line {
                    let what = escaped(what);
                    let _ = write!(out, " <a href=\"#f{index}-L{0}\" title=\"{what}\">[{0}]</a>", at.line);
                }
                linked = at.line;
            }
            if let Some(hint) = &remark.hint {
                let _ = write!(out, " <span class=\"hint\">— {}</span>", with_code(hint));
            }
            out.push_str("</li>\n");
        }
        if !remarks.is_empty() {
            out.push_str("</ol>\n");
        }
    }
}

/// What stands beside each line.
fn badges(index: usize, file: &FileReport, remarks: &[Remark]) -> BTreeMap<u32, String> {
    let mut badges: BTreeMap<u32, String> = BTreeMap::new();
    // A badge links to the remarks on its place, whose texts it shows on hover.
    let linked = |class: &str, text: &str, at| {
        let found: Vec<_> = remarks.iter().enumerate().filter(|(_, remark)| remark.at == at).collect();
        let target = found.first().map(|(number, _)| format!("#f{index}-r{number}"));
        let title: Vec<_> = found.iter().map(|(_, remark)| remark.text.as_str()).collect();
        badge(class, text, target.as_deref(), &title.join("\n"))
    };
    for region in &file.regions {
        if let Err(rejection) = &region.outcome {
            let place = if rejection.at.line == 0 { region.at } else { rejection.at };
            badges.entry(place.line).or_default().push_str(&linked("rejected", "rejected", rejection.at));
        }
        for looped in &region.analysis().loops {
            let shown = linked(css_class(looped.class), looped.class.name(), looped.at);
            badges.entry(looped.at.line).or_default().push_str(&shown);
        }
        for statement in &region.analysis().statements {
            if let Some(operator) = statement.reduction {
                let shown = linked("operator", operator.name(), statement.at);
                badges.entry(statement.at.line).or_default().push_str(&shown);
            }
        }
    }
    badges
}

/// The classes of the loops around each line, outermost first.
fn bars(file: &FileReport) -> BTreeMap<u32, Vec<&'static str>> {
    let mut bars: BTreeMap<u32, Vec<&'static str>> = BTreeMap::new();
    for region in &file.regions {
        for (index, looped) in region.analysis().loops.iter().enumerate() {
            for line in looped.at.line..=last_line(file, looped, region.loop_text(index).last_line) {
                bars.entry(line).or_default().push(css_class(looped.class));
            }
        }
    }
    bars
}

/// The line of a loop's closing brace, or its last statement's.
fn last_line(file: &FileReport, looped: &LoopReport, last: u32) -> u32 {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let head = indent(file.line(looped.at.line));
    let mut end = last;
    while file.line(end + 1).trim_start().starts_with('}') && indent(file.line(end + 1)) >= head {
        end += 1;
    }
    end
}

fn css_class(class: Class) -> &'static str {
    match class {
        Class::ReductionAndPrivate => "reduction-private",
        class => class.name(),
    }
}

fn badge(class: &str, text: &str, target: Option<&str>, title: &str) -> String {
    let title = if title.is_empty() { String::new() } else { format!(" title=\"{}\"", escaped(title)) };
    let text = escaped(text);
    match target {
        Some(target) => format!("<a class=\"badge {class}\" href=\"{target}\"{title}>{text}</a>"),
        None => format!("<span class=\"badge {class}\"{title}>{text}</span>"),
    }
}

/// What stands between backquotes, as code.
fn with_code(text: &str) -> String {
    let mut out = String::new();
    for (index, part) in text.split('`').enumerate() {
        let part = escaped(part);
        match index % 2 {
            0 => out += &part,
            _ => out += &format!("<code>{part}</code>"),
        }
    }
    out
}

fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(['<', '>', '&', '"', '\'']) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            c => out.push(c),
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(escaped("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
        assert_eq!(with_code("of `a<1>` and `b`"), "of <code>a&lt;1&gt;</code> and <code>b</code>");
        let path = "<script>.c".to_string();
        let file = FileReport { path, text: "x</td><script>\n".into(), regions: Vec::new() };
        let page = Report { files: vec![file], order: Default::default() }.to_html();
        assert!(!page.contains("<script>") && page.contains("x&lt;/td&gt;&lt;script&gt;"), "{page}");
    }
}
