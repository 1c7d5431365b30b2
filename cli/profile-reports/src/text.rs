//! The report as text.

use std::fmt::Write;

use crate::report::{
    Kernel, Report, branches, bytes, coalescing, counted, extents, lanes, micros, passes, registers,
};

/// The smallest part of a time that is named.
const LEAST_PART: f64 = 0.05;

/// Kernels that are shown; the others take less time than each of these.
const MOST_KERNELS: usize = 20;

/// The smallest share of a line that is shown.
const LEAST_SHARE: f64 = 0.001;

/// The widest quotation of a source line.
const WIDEST: usize = 60;

impl Report {
    /// The report as text, with so many lines of each kernel.
    pub fn to_text(&self, top: usize) -> String {
        let launches = self.launches();
        let launches = if launches == 1 { "1 launch".to_owned() } else { format!("{launches} launches") };
        let mut out = format!(
            "profile: {launches}, estimated at {} on an {}; {} with starts and gaps\n",
            micros(self.seconds()),
            self.gpu_name(),
            micros(self.measured())
        );
        let (shown, others) = self.kernels.split_at(self.kernels.len().min(MOST_KERNELS));
        for kernel in shown {
            out.push('\n');
            self.kernel_text(kernel, top, &mut out);
        }
        if !others.is_empty() {
            let seconds = others.iter().map(Kernel::seconds).sum();
            let _ = writeln!(
                out,
                "\n{} more, {} in all",
                counted(others.len() as u64, "kernel"),
                micros(seconds)
            );
        }
        out
    }

    fn kernel_text(&self, kernel: &Kernel, top: usize, out: &mut String) {
        let estimate = &kernel.estimate;
        let total = &kernel.total;
        let times = if kernel.launches == 1 { String::new() } else { format!(", {} times", kernel.launches) };
        let _ = writeln!(
            out,
            "{}: {} {} of {} threads{times}",
            kernel.name,
            extents(kernel.grid),
            if kernel.blocks() == 1 { "block" } else { "blocks" },
            extents(kernel.block)
        );
        let mut row = |name: &str, text: String| {
            let _ = writeln!(out, "  {name:<13} {text}");
        };
        row("estimate", format!("{}, bound by {}", micros(estimate.seconds), kernel.bound()));
        let parts =
            kernel.times().into_iter().filter(|(_, seconds)| *seconds >= LEAST_PART * estimate.seconds);
        let parts: Vec<String> = parts.map(|(name, seconds)| format!("{name} {}", micros(seconds))).collect();
        row("parts", parts.join(", "));
        let (warps, of) = kernel.occupancy(&self.gpu);
        row(
            "occupancy",
            format!(
                "{} on a multiprocessor, {warps} of {of} warps, limited by {}; {}",
                counted(u64::from(estimate.occupancy.blocks()), "block"),
                estimate.occupancy.limit().name(),
                counted(estimate.waves, "wave")
            ),
        );
        row("", format!("{}, {} bytes of shared memory", registers(&kernel.registers), kernel.shared_bytes));
        let classes: Vec<String> =
            kernel.classes().iter().map(|(class, count)| format!("{} {count:.1}", class.name())).collect();
        let per_warp = kernel.instructions_per_warp();
        row("instructions", format!("{per_warp:.1} a warp: {}", classes.join(", ")));
        if let Some(of_code) = kernel.machine_instructions_per_warp() {
            row("", format!("about {of_code:.1} of machine code"));
        }
        let percent =
            |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share));
        row(
            "efficiency",
            format!(
                "lanes {}, branches {}, coalescing {}",
                percent(lanes(total)),
                percent(branches(total)),
                percent(coalescing(total))
            ),
        );
        if kernel.facts.rounds > 0 {
            row(
                "loads",
                format!(
                    "{:.1} in flight a warp, {} on a multiprocessor; the bandwidth takes {}",
                    estimate.loads_in_flight,
                    bytes(estimate.bytes_in_flight),
                    bytes(estimate.bytes_needed)
                ),
            );
        }
        if let Some(passes) = passes(total) {
            row("shared memory", format!("{passes:.2} passes an access"));
        }
        if total.barriers > 0 {
            row("barriers", format!("{} a warp at most", kernel.facts.longest.barriers));
        }
        if total.atomics > 0 {
            row(
                "atomics",
                format!(
                    "{}, {:.1} lanes an address; {} on the address with most",
                    total.atomics / kernel.launches.max(1),
                    total.atomics as f64 / total.atomic_addresses.max(1) as f64,
                    kernel.facts.hottest
                ),
            );
        }
        let shown = kernel.lines.iter().filter(|line| line.share >= LEAST_SHARE).take(top);
        for line in shown {
            let text = line.profile.text.as_deref().unwrap_or_default().trim();
            let text: String = text.chars().take(WIDEST).collect();
            let place = match &line.profile.function {
                Some(function) => format!("{} in `{function}`", line.place()),
                None => line.place(),
            };
            let row = format!("  {:5.1} %  {place}  {text}", 100.0 * line.share);
            let _ = writeln!(out, "{}", row.trim_end());
            let remarks = line.remarks();
            if !remarks.is_empty() {
                let _ = writeln!(out, "           {}", remarks.join(", "));
            }
        }
    }
}
