//! Whether a GPU would have stack enough for what was emulated.

use serde_json::Value;

/// LLVM's host runtime: bytes of a thread's stack.
pub const VARIABLE: &str = "LIBOMPTARGET_STACK_SIZE";

/// What a thread has if nobody says otherwise: CUDA's default.
const DEFAULT: u64 = 1024;

/// How many bytes of stack machine code has for one of PTX's: 1.5 to 2.3 in `atomics`, `constructs` and `reduce` of the
/// test programs at -O0, of which ptxas says how much they need.
const OF_MACHINE_CODE: u64 = 2;

/// What to say about OpenMP's kernels in which functions may be called below themselves, as nested parallel regions are, and
/// that had more stack than a GPU gives them. Of others the compiler of machine code knows how much they need.
pub fn note(launches: &[Value], set: Option<&str>) -> Option<String> {
    let given = set.and_then(|bytes| bytes.trim().parse().ok()).unwrap_or(DEFAULT);
    let of_target =
        |launch: &&Value| launch["kernel"].as_str().is_some_and(|name| name.starts_with("__omp_offloading_"));
    let of_ptx =
        launches.iter().filter(of_target).filter_map(|launch| launch["stack_bytes"].as_u64()).max()?;
    let needed = OF_MACHINE_CODE * of_ptx;
    (needed > given).then(|| {
        format!(
            "a thread needs about {needed} bytes of stack, and a GPU gives it {given} where functions may be called below \
             themselves: set {VARIABLE}={} there, or compile with -O2",
            (needed + needed / 2).next_power_of_two()
        )
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_deep_stack_is_noted() {
        let launch = |kernel: &str, bytes: u64| json!({ "kernel": kernel, "stack_bytes": bytes });
        let deep =
            [launch("__omp_offloading_fe00_1_main_l7", 400), launch("__omp_offloading_fe00_1_main_l9", 700)];
        let text = note(&deep, None).expect("more than 1024");
        assert!(text.contains("about 1400 bytes") && text.contains("gives it 1024"), "{text}");
        assert!(text.contains("LIBOMPTARGET_STACK_SIZE=4096 "), "{text}");
        assert_eq!(note(&deep, Some("2048")), None);
        assert!(note(&deep, Some("1200")).is_some());
        assert_eq!(note(&deep[..1], None), None);
        assert_eq!(note(&[launch("saxpy", 5000)], None), None, "it can set the limit itself");
        assert_eq!(note(&[json!({ "kernel": "__omp_offloading_fe00_1_main_l7" })], None), None);
    }
}
