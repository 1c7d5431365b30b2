//! What is recorded of a program: a line with its place in the module, its seed and a hash of its output.

use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// A program and the hash of what it gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Its place in the module.
    pub place: usize,
    /// What it was generated from.
    pub seed: u64,
    hash: u64,
}

impl Recorded {
    /// From the output of all threads.
    pub fn new(place: usize, seed: u64, output: &[u8]) -> Recorded {
        let mut hasher = DefaultHasher::new();
        output.hash(&mut hasher);
        Recorded { place, seed, hash: hasher.finish() }
    }

    /// From a line as it is displayed.
    pub fn parse(line: &str) -> Option<Recorded> {
        let mut words = line.split(' ');
        let place = words.next()?.parse().ok()?;
        let seed = words.next()?.parse().ok()?;
        let hash = u64::from_str_radix(words.next()?, 16).ok()?;
        words.next().is_none().then_some(Recorded { place, seed, hash })
    }
}

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {:x}", self.place, self.seed, self.hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        let program = Recorded::new(3, 100_007, &[1, 2, 3]);
        assert_eq!(Recorded::parse(&program.to_string()), Some(program));
        assert_ne!(Recorded::new(3, 100_007, &[1, 2, 4]), program);
        assert_eq!(Recorded::parse("3 7"), None);
    }
}
