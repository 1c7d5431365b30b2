//! What is drawn for a file: order, scheme, target, threads, and options.

use crate::{dice::Dice, generate::Language};

/// What is asked of `warpfold parallelize` for a file, and how its output is compiled and run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination {
    pub order: &'static str,
    pub scheme: &'static str,
    pub target: &'static str,
    pub threads: u32,
    /// More options of `warpfold parallelize`.
    pub more: Vec<String>,
    /// Whether the regions are those of pragmas.
    pub pragmas: bool,
    /// The compiler whose program is run; the other one compiles the file, too.
    pub compiler: &'static str,
    pub level: &'static str,
    /// Whether compilers see other values of macros than `warpfold parallelize` did; what is made may reject them.
    pub other_macros: bool,
}

const ORDERS: [&str; 3] = ["kept", "free", "fixed"];
const SCHEMES: [&str; 3] = ["codegen", "scheduling", "aware"];
const THREADS: [u32; 3] = [1, 2, 7];

/// All combinations, those of the CPU twice: they are tried faster.
fn all() -> Vec<(&'static str, &'static str, &'static str, u32)> {
    let mut all = Vec::new();
    for order in ORDERS {
        for scheme in SCHEMES {
            for threads in THREADS {
                all.extend([(order, scheme, "cpu", threads); 2]);
            }
            all.push((order, scheme, "gpu", 1));
        }
        all.push((order, "codegen", "none", 1));
    }
    all
}

impl Combination {
    /// That of the file of a number in a campaign: each of all in turn, in an order that is drawn.
    pub fn of(number: u64, seed: u64) -> Combination {
        let mut all = all();
        let round = number / all.len() as u64;
        let mut dice = Dice::new(seed ^ (round << 32) ^ 0x5eed);
        dice.shuffle(&mut all);
        let (order, scheme, target, threads) = all[(number % all.len() as u64) as usize];
        let mut dice = Dice::new(seed ^ (number << 20) ^ 0xd1ce);
        let mut more = Vec::new();
        if target == "cpu" && dice.percent(25) {
            let strategies = [
                "inner-parallel",
                "inner-parallel,4",
                "inner-reduction",
                "inner-reduction,8",
                "vector-accumulator",
                "vector-accumulator,16,sequential",
                "vector-accumulator,8,tree",
            ];
            more.extend(["--strategy".into(), dice.of(&strategies).to_string()]);
        }
        if target != "none" && dice.percent(20) {
            more.push(dice.of(&["--simplify=exhaustive", "--simplify=off"]).into());
        }
        if target != "none" && dice.percent(15) {
            more.push("--lines".into());
        }
        let pragmas = dice.percent(85);
        Combination {
            order,
            scheme,
            target,
            threads,
            more,
            pragmas,
            compiler: dice.of(&["gcc", "clang-22"]),
            other_macros: dice.percent(10),
            level: match target {
                "gpu" => dice.of(&["-O1", "-O2"]),
                _ => dice.of(&["-O0", "-O1", "-O2", "-O3"]),
            },
        }
    }

    /// Its name, without what is only drawn.
    pub fn name(&self) -> String {
        match self.target {
            "cpu" => format!("{} {} cpu {}", self.order, self.scheme, self.threads),
            "gpu" => format!("{} {} gpu", self.order, self.scheme),
            _ => format!("{} none", self.order),
        }
    }

    /// Whether comparisons of floats have to stay in order.
    pub fn is_ordered(&self) -> bool {
        self.order == "kept"
    }

    /// What programs may contain whose results are to be the same.
    pub fn language(&self) -> Language {
        Language { ordered: self.is_ordered(), signed_zeros: self.order != "free" }
    }

    /// The options of `warpfold parallelize`.
    pub fn options(&self) -> Vec<String> {
        let mut options: Vec<String> = Vec::new();
        if !self.pragmas {
            options.push("--auto".into());
        }
        if self.order != "kept" {
            options.extend(["--order".into(), self.order.into()]);
        }
        if self.target != "none" {
            options.extend(["--target", self.target, "--scheme", self.scheme].map(String::from));
        }
        options.extend(self.more.iter().cloned());
        options
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn each_combination_has_its_share() {
        // As many files as 20 000 programs are.
        let mut files: BTreeMap<String, u64> = BTreeMap::new();
        for number in 0..667 {
            *files.entry(Combination::of(number, 1).name()).or_default() += 1;
        }
        assert_eq!(files.len(), 27 + 9 + 3);
        assert!(files.values().all(|count| count * 30 >= 200), "{files:?}");
        assert_eq!(Combination::of(7, 3), Combination::of(7, 3));
    }
}
