//! OpenMP programs under the checks of the emulator: time and memory beside those of the interpreter alone, and of another
//! version's checks.

use std::{error::Error, path::Path};

use serde_json::json;
use toolchain::{OptLevel, Tools};

use crate::{
    instructions::copied_drivers,
    report::{Report, median},
    shapes::{emulated, program},
};

/// The programs: name, source, value of `LAUNCHES`, KiB of device memory that they access, if that is much.
const PROGRAMS: [(&str, &str, u32, u64); 10] = [
    ("sum of 2^24 doubles", include_str!("shapes/sum.c"), 1, 128 << 10),
    ("stencil of 5 points", include_str!("shapes/stencil.c"), 1, 16 << 10),
    ("atomics on one word", include_str!("shapes/atomics.c"), 1, 0),
    ("histogram", include_str!("shapes/histogram.c"), 1, 4 << 10),
    ("product of matrices", include_str!("shapes/product.c"), 1, 0),
    ("product in tiles", include_str!("shapes/tiles.c"), 1, 0),
    ("windows, 100 launches", include_str!("shapes/windows.c"), 100, 0),
    ("windows, 200 launches", include_str!("shapes/windows.c"), 200, 0),
    ("windows, 400 launches", include_str!("shapes/windows.c"), 400, 0),
    ("windows, 1001 launches", include_str!("shapes/windows.c"), 1001, 0),
];

/// Measures with the driver of each `warpfold`, this one first, one after the other in each round; of all programs, or of
/// those whose names have one of `filters`.
pub fn measure(programs: &[&Path], filters: &[String], rounds: u32) -> Result<Report, Box<dyn Error>> {
    let tools = Tools::find()?;
    let library = device_library::openmp_library(&tools)?;
    let folder = tempfile::tempdir()?;
    let drivers = copied_drivers(programs, folder.path())?;
    let mut lines = vec![format!(
        "{:22} {:>14} {:>11} {:>9} {:>20}",
        "program", "interpreted ms", "checked ms", "", "bytes for each byte"
    )];
    let mut json = serde_json::Map::new();
    let is_wanted = |name: &str| filters.is_empty() || filters.iter().any(|filter| name.contains(filter));
    for (name, source, launches, accessed) in PROGRAMS.into_iter().filter(|(name, ..)| is_wanted(name)) {
        let launches = format!("-DLAUNCHES={launches}");
        let program = program(&tools, &library, OptLevel::O2, source, &[&launches])?;
        let [mut interpreted, mut memory] = [Vec::new(), Vec::new()];
        let mut checked = vec![Vec::new(); drivers.len()];
        for _ in 0..rounds {
            let plain = emulated(&program, name, &drivers[0], &[("WARPFOLD_ENGINE", "interpret")])?;
            interpreted.push(plain.seconds);
            for (number, driver) in drivers.iter().enumerate() {
                let measured = emulated(&program, name, driver, &[("WARPFOLD_CHECK", "all")])?;
                checked[number].push(measured.seconds);
                if number == 0 {
                    memory.push(measured.memory.saturating_sub(plain.memory) as f64);
                }
            }
        }
        checked.iter_mut().chain([&mut interpreted, &mut memory]).for_each(|all| all.sort_by(f64::total_cmp));
        let (plain, own) = (median(&interpreted), median(&checked[0]));
        let bytes = match accessed {
            0 => String::from("-"),
            accessed => format!("{:.1}", median(&memory) / accessed as f64),
        };
        let mut line =
            format!("{name:22} {:14.2} {:11.2} {:7.1} x {bytes:>20}", plain * 1e3, own * 1e3, own / plain);
        for base in checked[1..].iter().map(|times| median(times)) {
            line += &format!("   {:6.1} times as fast as {:.2} ms", base / own, base * 1e3);
        }
        lines.push(line);
        let figures = json!({
            "interpreted_seconds": interpreted,
            "checked_seconds": checked,
            "memory_kib": memory,
            "accessed_kib": accessed,
        });
        json.insert(name.into(), figures);
    }
    let json = json!({ "version": env!("CARGO_PKG_VERSION"), "checks": json });
    Ok(Report { lines, json, failure: None })
}
