//! Cases under other orders of blocks, warps and lanes. One test, because the emulator's settings are global.

use cuda_driver::settings::{self, LaneGroupChoice, LaunchOptions, Settings};
use host_rt::Select;
use tests_gpu::{Fixture, block, grid, layout::LAYOUTS, warp};

#[test]
fn results_do_not_depend_on_the_order_of_execution() {
    let fixture = Fixture::open(Select::Emulator).expect("the emulator is always there");
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
        // Without the large record, which takes most of the time; `unoptimised` has it at boundary sizes.
        block::every_size_of(&fixture, &LAYOUTS[..4]);
        block::unoptimised(&fixture);
        warp::dispersed_masks(&fixture, 1000);
        if several_blocks {
            grid::own_slots(&fixture);
            grid::shared_slots(&fixture);
        }
    }
    // Blocks that execute the same instruction at the same time, while they share slots.
    let together = LaunchOptions {
        switch_every: Some(1),
        resident_blocks: Some(12),
        ..seeded(4, LaneGroupChoice::Lowest)
    };
    settings::configure(Settings { launch: Some(together), ..Settings::default() }).expect("settings");
    grid::shared_slots(&fixture);
}
