//! PTX that is part of the program.

use linkme::distributed_slice;

/// One crate of kernels as PTX.
#[derive(Debug)]
pub struct Embedded {
    /// Identifies what was compiled.
    pub digest: &'static str,
    /// Architectures (90 for sm_90) and PTX.
    pub ptx: &'static [(u32, &'static str)],
}

/// The PTX that all crates of this program embed with [`embed!`](crate::embed!).
#[distributed_slice]
pub static EMBEDDED: [Embedded];

/// Embeds what the crate's build script compiled with a [`Build`](crate::Build), at the root of the crate or in any
/// of its modules.
#[macro_export]
macro_rules! embed {
    () => {
        include!(concat!(env!("OUT_DIR"), "/device_code.rs"));
    };
}

/// The PTX of what has this digest, for the newest architecture up to `sm`.
pub(crate) fn find(digest: &str, sm: u32) -> Option<&'static str> {
    newest(EMBEDDED.iter().filter(|embedded| embedded.digest == digest), sm)
}

fn newest<'a>(embedded: impl Iterator<Item = &'a Embedded>, sm: u32) -> Option<&'static str> {
    let all = embedded.flat_map(|embedded| embedded.ptx);
    all.filter(|(built, _)| *built <= sm).max_by_key(|(built, _)| *built).map(|(_, ptx)| *ptx)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_gets_the_newest_architecture_that_it_supports() {
        let one = Embedded { digest: "d", ptx: &[(90, "ninety"), (80, "eighty")] };
        let other = Embedded { digest: "d", ptx: &[(100, "hundred")] };
        let find = |sm| newest([&one, &other].into_iter(), sm);
        assert_eq!(
            [75, 80, 89, 90, 100, 121].map(find),
            [None, Some("eighty"), Some("eighty"), Some("ninety"), Some("hundred"), Some("hundred")]
        );
    }
}
