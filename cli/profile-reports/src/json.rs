//! The report as JSON.

use serde_json::{Map, Value, json};

use crate::{
    machine_code::Registers,
    report::{Kernel, Line, Report, branches, coalescing, lanes, passes},
};
use cuda_driver::profiles::Counters;

impl Report {
    /// The report as one object. Times are in seconds.
    pub fn to_json(&self) -> Value {
        let gpu = &self.gpu;
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "gpu": {
                "name": gpu.name,
                "multiprocessors": gpu.machine.multiprocessors,
                "bytes_per_second": gpu.memory_bandwidth,
                "latency_seconds": gpu.latency(),
                "clock_hertz": gpu.clock(),
            },
            "seconds": self.seconds(),
            "measured_seconds": self.measured(),
            "kernels": self.kernels.iter().map(|kernel| self.kernel_json(kernel)).collect::<Vec<_>>(),
        })
    }

    fn kernel_json(&self, kernel: &Kernel) -> Value {
        let estimate = &kernel.estimate;
        let (source, reason) = match &kernel.registers {
            Registers::MachineCode(_) => ("machine code".to_owned(), None),
            Registers::Ptxas(_, version) => (format!("ptxas {version}"), None),
            Registers::Unknown(why) => ("unknown".to_owned(), Some(why)),
        };
        let (warps, most_warps) = kernel.occupancy(&self.gpu);
        let classes: Map<String, Value> = kernel
            .classes()
            .iter()
            .map(|(class, count)| (class.name().to_owned(), (*count).into()))
            .collect();
        json!({
            "kernel": kernel.symbol,
            "name": kernel.name,
            "launches": kernel.launches,
            "grid": kernel.grid,
            "block": kernel.block,
            "shared_bytes": kernel.shared_bytes,
            "registers": { "count": kernel.registers.count(), "source": source, "reason": reason },
            "occupancy": {
                "blocks": estimate.occupancy.blocks(),
                "limit": estimate.occupancy.limit().name(),
                "by_resource": estimate.occupancy,
                "warps": warps,
                "most_warps": most_warps,
            },
            "waves": estimate.waves,
            "instructions_per_warp": {
                "all": kernel.instructions_per_warp(),
                "by_class": classes,
                "machine_code": kernel.machine_instructions_per_warp(),
            },
            "longest_warp": {
                "instructions": kernel.facts.longest.instructions,
                "rounds_of_loads": kernel.facts.longest.rounds,
                "barriers": kernel.facts.longest.barriers,
            },
            "loads_in_flight": estimate.loads_in_flight,
            "bytes_in_flight": estimate.bytes_in_flight,
            "bytes_needed": estimate.bytes_needed,
            "touched_sectors": kernel.facts.touched_sectors,
            "atomics_on_one_address": kernel.facts.hottest,
            "bound": estimate.bound.name(),
            "seconds": estimate.seconds,
            "times": estimate.times,
            "counts": counts(&kernel.total),
            "lines": kernel.lines.iter().map(line).collect::<Vec<_>>(),
        })
    }
}

fn line(line: &Line) -> Value {
    let profile = &line.profile;
    json!({
        "file": profile.file,
        "line": profile.line,
        "ptx": profile.ptx,
        "runtime": profile.runtime,
        "function": profile.function,
        "text": profile.text,
        "share": line.share,
        "atomics_on_one_address": profile.hottest,
        "counts": counts(&profile.counters),
    })
}

/// The counts of all launches by their names, with the shares that follow from them.
fn counts(counters: &Counters) -> Value {
    let named = counters.named().map(|(name, count)| (name.to_owned(), count.into()));
    let shares = [
        ("lane_efficiency", lanes(counters)),
        ("branch_efficiency", branches(counters)),
        ("coalescing", coalescing(counters)),
        ("passes_per_request", passes(counters)),
    ];
    let shares = shares.into_iter().map(|(name, share)| (name.to_owned(), share.into()));
    Value::Object(named.chain(shares).collect())
}
