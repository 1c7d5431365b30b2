//! How many teams OpenMP's host runtime starts, and whether fewer would be emulated in much less time.

use cuda_driver::settings::GpuModel;
use serde_json::Value;

/// OpenMP: the teams of a construct that does not say how many.
pub const VARIABLE: &str = "OMP_NUM_TEAMS";

/// The most teams of a launch for which neither the program nor the user says how many, in LLVM's host runtime.
const DEFAULT_TEAMS: u64 = 3200;

/// Thread instructions that are emulated in less than a few seconds.
const SHORT: u64 = 1_000_000_000;

/// Instructions of a thread, up to which its start and end are often most of them. At -O2 a thread takes 85 to 100
/// instructions to start and end, with a reduction 226, at -O0 400 to 800. With 132 teams, launches of 3200 teams took
/// 6.5 times fewer instructions at 254 a thread (a sum), 4.0 at 114, 1.8 at 187 (axpy), 6.2 at 453 (axpy, -O0), and 1.2
/// to 1.7 at 520.
const FEW: u64 = 500;

/// What to say about launches whose teams were mostly started for little work; nothing of a run that is short.
///
/// A runtime that knows a loop's trip count starts less than the most teams, of fewer threads than by default, if each
/// thread then gets one iteration.
pub fn note(launches: &[Value], model: GpuModel) -> Option<String> {
    let instructions = |launch: &Value| launch["thread_instructions"].as_u64().unwrap_or(0);
    let extent = |launch: &Value, of: &str| launch[of][0].as_u64().unwrap_or(0);
    let multiprocessors = u64::from(model.description().multiprocessors);
    let teams = |launch: &Value| {
        let (blocks, threads) = (extent(launch, "grid"), extent(launch, "block"));
        let default = blocks == DEFAULT_TEAMS || (blocks < DEFAULT_TEAMS && threads < 128);
        let of_target = launch["kernel"].as_str().is_some_and(|name| name.starts_with("__omp_offloading_"));
        let for_little = instructions(launch) <= FEW * blocks * threads;
        (of_target && default && for_little && blocks > 4 * multiprocessors)
            .then_some((blocks, blocks * threads))
    };
    let all: u64 = launches.iter().map(instructions).sum();
    let (mut most, mut threads, mut of_them) = (0, 0, 0);
    for launch in launches {
        if let Some((blocks, of_launch)) = teams(launch) {
            most = most.max(blocks);
            threads += of_launch;
            of_them += instructions(launch);
        }
    }
    (all >= SHORT && of_them > all / 2).then(|| {
        format!(
            "OpenMP's host runtime started up to {most} teams a launch, as on a GPU, for {} instructions of each \
             thread; `--teams {multiprocessors}` may be several times faster to emulate",
            of_them / threads
        )
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn launch(kernel: &str, blocks: u32, threads: u32, each: u64) -> Value {
        let instructions = u64::from(blocks) * u64::from(threads) * each;
        json!({
            "kernel": kernel, "grid": [blocks, 1, 1], "block": [threads, 1, 1], "thread_instructions": instructions,
        })
    }

    fn said(launches: &[Value]) -> Option<String> {
        note(launches, "h200".parse().expect("a GPU"))
    }

    #[test]
    fn many_teams_with_little_work_are_noted() {
        let little = launch("__omp_offloading_fe00_1_main_l7", 3200, 128, 254);
        let text = said(&vec![little.clone(); 10]).expect("10 launches take seconds");
        assert!(text.contains("3200 teams") && text.contains("254 instructions"), "{text}");
        assert!(text.contains("`--teams 132`"), "{text}");
        assert_eq!(said(&vec![little; 5]), None, "it is short");
        let one_iteration = launch("__omp_offloading_fe00_1_main_l7", 3125, 32, 425);
        assert!(said(&vec![one_iteration; 30]).is_some());
    }

    #[test]
    fn teams_that_work_or_that_the_program_chose_are_not() {
        let others = [
            launch("__omp_offloading_fe00_1_main_l7", 3200, 128, 5000),
            launch("__omp_offloading_fe00_1_main_l7", 132, 128, 100),
            launch("__omp_offloading_fe00_1_main_l7", 6400, 128, 100),
            launch("__omp_offloading_fe00_1_main_l7", 2000, 128, 100),
            launch("saxpy", 3200, 128, 100),
        ];
        for other in others {
            assert_eq!(said(&vec![other.clone(); 1000]), None, "{other}");
        }
        let little = launch("__omp_offloading_fe00_1_main_l7", 3200, 128, 254);
        let work = launch("__omp_offloading_fe00_1_main_l9", 3200, 128, 100_000);
        assert_eq!(said(&[vec![little; 10], vec![work]].concat()), None, "others take most of the time");
    }
}
