//! The report as one page that needs nothing else: tables, plots as SVG, and the source lines.

use std::fmt::Write;

use crate::{
    machine_code::Registers,
    report::{Kernel, Line, Report, branches, bytes, coalescing, extents, lanes, micros, registers},
};

const STYLE: &str = include_str!("style.css");

/// Widths of a plot: of its names, its bars and its values.
const NAMES: f64 = 170.0;
const BARS: f64 = 260.0;
const VALUES: f64 = 90.0;
/// Height of a bar with the space around it.
const ROW: f64 = 20.0;

/// A bar of a plot.
struct Bar {
    name: String,
    value: f64,
    text: String,
    /// Whether it is marked.
    marked: bool,
}

impl Report {
    /// The report as a page of HTML, with so many lines of each kernel.
    pub fn to_html(&self, program: &str, top: usize) -> String {
        let title = format!("Profile of {program}");
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <title>{0}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
            escaped(&title)
        );
        let _ = writeln!(
            out,
            "<p>Exact counts of an emulator, and times estimated from them for an {}: {} in all, {} with \
             starts and gaps.</p>",
            self.gpu_name(),
            micros(self.seconds()),
            micros(self.measured())
        );
        out += "<table>\n<tr><th>kernel</th><th class=\"number\">launches</th><th class=\"number\">estimate</th>\
                <th>bound</th><th class=\"number\">registers</th><th class=\"number\">warps</th></tr>\n";
        for (index, kernel) in self.kernels.iter().enumerate() {
            let (warps, of) = kernel.occupancy(&self.gpu);
            let count = kernel.registers.count().map_or("?".to_owned(), |count| count.to_string());
            let _ = writeln!(
                out,
                "<tr><td><a href=\"#k{index}\">{}</a></td><td class=\"number\">{}</td><td class=\"number\">{}</td>\
                 <td>{}</td><td class=\"number\">{count}</td><td class=\"number\">{warps} of {of}</td></tr>",
                escaped(&kernel.name),
                kernel.launches,
                micros(kernel.estimate.seconds),
                kernel.bound(),
            );
        }
        out += "</table>\n";
        for (index, kernel) in self.kernels.iter().enumerate() {
            self.kernel_section(index, kernel, top, &mut out);
        }
        out += "</body>\n</html>\n";
        out
    }

    fn kernel_section(&self, index: usize, kernel: &Kernel, top: usize, out: &mut String) {
        let estimate = &kernel.estimate;
        let _ = writeln!(out, "<h2 id=\"k{index}\">{}</h2>", escaped(&kernel.name));
        let class = if matches!(kernel.registers, Registers::Unknown(_)) { " class=\"unknown\"" } else { "" };
        let percent =
            |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share));
        let of_code = kernel.machine_instructions_per_warp();
        let of_code = of_code.map_or(String::new(), |count| format!(", about {count:.1} of machine code"));
        let _ = writeln!(
            out,
            "<p><code>{}</code>: {} blocks of {} threads, {} launches. <strong>{}</strong>, bound by \
             <strong>{}</strong>.<br>{} blocks on a multiprocessor, limited by {}, {} waves; \
             <span{class}>{}</span>; {} bytes of shared memory.<br>{:.1} instructions a warp{}. Lanes {}, branches {}, coalescing {}.</p>",
            escaped(&kernel.symbol),
            extents(kernel.grid),
            extents(kernel.block),
            kernel.launches,
            micros(estimate.seconds),
            kernel.bound(),
            estimate.occupancy.blocks(),
            estimate.occupancy.limit().name(),
            estimate.waves,
            escaped(&registers(&kernel.registers)),
            kernel.shared_bytes,
            kernel.instructions_per_warp(),
            of_code,
            percent(lanes(&kernel.total)),
            percent(branches(&kernel.total)),
            percent(coalescing(&kernel.total)),
        );
        out.push_str("<div class=\"plots\">\n");
        let limiting = kernel.limiting_part();
        let times = kernel.times().into_iter().map(|(name, seconds)| Bar {
            name: name.to_owned(),
            value: seconds,
            text: micros(seconds),
            marked: name == limiting,
        });
        plot("Time by part", &times.collect::<Vec<_>>(), out);
        let classes = kernel.classes().into_iter().map(|(class, count)| Bar {
            name: class.name().to_owned(),
            value: count,
            text: format!("{count:.1}"),
            marked: false,
        });
        plot("Instructions of a warp", &classes.collect::<Vec<_>>(), out);
        if kernel.facts.rounds > 0 {
            let bar = |name: &str, value: f64, marked| Bar {
                name: name.to_owned(),
                value,
                text: bytes(value),
                marked,
            };
            let short = estimate.bytes_in_flight < estimate.bytes_needed;
            let bars = [
                bar("in flight", estimate.bytes_in_flight, short),
                bar("for the bandwidth", estimate.bytes_needed, false),
            ];
            plot("Bytes in flight of a multiprocessor", &bars, out);
        }
        let resources = &estimate.occupancy;
        let by = |name: &str, blocks: u32| Bar {
            name: name.to_owned(),
            value: f64::from(blocks),
            text: blocks.to_string(),
            marked: blocks == resources.blocks(),
        };
        let mut bars = vec![by("threads", resources.by_threads), by("shared memory", resources.by_shared)];
        bars.extend((resources.by_registers != u32::MAX).then(|| by("registers", resources.by_registers)));
        bars.push(by("blocks", resources.by_blocks));
        plot("Blocks that fit, by resource", &bars, out);
        out.push_str("</div>\n<table>\n");
        let _ = writeln!(
            out,
            "<tr><th class=\"number\">of the {} bound</th><th>line</th><th>source</th><th class=\"number\">instructions</th></tr>",
            estimate.bound.name()
        );
        // The file of the hottest line first, and the lines of a file in order.
        let mut lines: Vec<&Line> = kernel.lines.iter().take(top).collect();
        let hottest = |line: &Line| kernel.lines.iter().position(|at| at.profile.file == line.profile.file);
        lines.sort_by_key(|line| (hottest(line), line.profile.line));
        lines.into_iter().for_each(|line| row(line, out));
        out.push_str("</table>\n");
    }
}

fn row(line: &Line, out: &mut String) {
    let width = (60.0 * line.share).max(0.0);
    let function =
        line.profile.function.as_ref().map(|function| format!(" in <code>{}</code>", escaped(function)));
    let _ = writeln!(
        out,
        "<tr><td class=\"number\">{:.1} % <svg width=\"60\" height=\"10\"><rect class=\"track\" width=\"60\" height=\"10\"/>\
         <rect class=\"bound\" width=\"{width:.1}\" height=\"10\"/></svg></td><td title=\"{}\">{}{}</td>\
         <td><span class=\"code\">{}</span><br><span class=\"remarks\">{}</span></td><td class=\"number\">{}</td></tr>",
        100.0 * line.share,
        escaped(&line.profile.file),
        escaped(&line.place()),
        function.unwrap_or_default(),
        escaped(line.profile.text.as_deref().unwrap_or_default().trim_end()),
        escaped(&line.remarks().join(", ")),
        line.profile.counters.warp_instructions,
    );
}

/// A plot of bars.
fn plot(caption: &str, bars: &[Bar], out: &mut String) {
    let most = bars.iter().map(|bar| bar.value).fold(0.0, f64::max);
    let (width, height) = (NAMES + BARS + VALUES, ROW * bars.len() as f64);
    let _ = writeln!(
        out,
        "<figure><figcaption>{}</figcaption><svg width=\"{width}\" height=\"{height}\" role=\"img\">",
        escaped(caption)
    );
    for (index, bar) in bars.iter().enumerate() {
        let y = ROW * index as f64;
        let length = if most > 0.0 { BARS * bar.value / most } else { 0.0 };
        let class = if bar.marked { "bound" } else { "bar" };
        let _ = writeln!(
            out,
            "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{}</text>\
             <rect class=\"track\" x=\"{NAMES}\" y=\"{:.0}\" width=\"{BARS}\" height=\"14\"/>\
             <rect class=\"{class}\" x=\"{NAMES}\" y=\"{:.0}\" width=\"{length:.1}\" height=\"14\"/>\
             <text x=\"{:.0}\" y=\"{:.0}\">{}</text>",
            NAMES - 6.0,
            y + 14.0,
            escaped(&bar.name),
            y + 3.0,
            y + 3.0,
            NAMES + BARS + 6.0,
            y + 14.0,
            escaped(&bar.text),
        );
    }
    out.push_str("</svg></figure>\n");
}

/// A text in HTML. Names of files and functions, and source lines, come from anywhere.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c if c.is_control() && c != '\t' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}
