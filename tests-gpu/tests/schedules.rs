//! Cases under other orders of blocks, warps and lanes. One test, because the emulator's settings are the process's.

use cuda_driver::settings::{self, LaneGroupChoice, LaunchOptions, Settings};
use host_rt::Select;
use tests_gpu::{Bench, block, grid, layout::LAYOUTS, warp};

#[test]
fn no_order_of_execution_shows() {
    let bench = Bench::open(Select::Emulator).expect("the emulator is always there");
    let usual = LaunchOptions::default();
    let seeded = |seed, groups| LaunchOptions { seed: Some(seed), groups, ..usual.clone() };
    for schedule in [
        LaunchOptions { switch_every: Some(1), ..usual.clone() },
        seeded(1, LaneGroupChoice::Lowest),
        seeded(2, LaneGroupChoice::Any),
        LaunchOptions { reverse_blocks: true, resident_blocks: Some(1), ..seeded(3, LaneGroupChoice::Any) },
    ] {
        println!("{schedule:?}");
        let several_blocks = schedule.seed.is_some();
        settings::configure(Settings { launch: Some(schedule), ..Settings::default() }).expect("settings");
        // The large record takes most of the time; the boundaries do for it.
        block::every_size_of(&bench, &LAYOUTS[..4]);
        block::unoptimised(&bench);
        warp::dispersed_masks(&bench, 1000);
        if several_blocks {
            grid::own_slots(&bench);
            grid::shared_slots(&bench);
        }
    }
    // Blocks that are at one instruction at the same time: who shares slots must stand that.
    let together = LaunchOptions {
        switch_every: Some(1),
        resident_blocks: Some(12),
        ..seeded(4, LaneGroupChoice::Lowest)
    };
    settings::configure(Settings { launch: Some(together), ..Settings::default() }).expect("settings");
    grid::shared_slots(&bench);
}
