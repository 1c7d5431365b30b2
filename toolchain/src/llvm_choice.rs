//! Which of the installed versions of LLVM is used.

use std::env;
use std::sync::OnceLock;

use crate::version::Version;

/// The major versions of LLVM that this project was tried with, the oldest first.
pub const TRIED_LLVM: [u32; 2] = [22, 23];

/// The variable with the major version to use.
pub const LLVM_VARIABLE: &str = "WARPFOLD_LLVM";
/// The variable that accepts versions which are newer than those of [`TRIED_LLVM`].
pub const UNTRIED_VARIABLE: &str = "WARPFOLD_LLVM_UNTRIED";

/// What the user asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LlvmChoice {
    /// The only major version that is accepted.
    major: Option<u32>,
    /// Whether newer versions than the tried ones are accepted.
    untried: bool,
}

/// The choice of this process, if it was not left to the environment.
static CHOSEN: OnceLock<LlvmChoice> = OnceLock::new();

/// Says which version this process uses: the only major version that is accepted, and whether versions are accepted that are
/// newer than those of [`TRIED_LLVM`]. Without a call, the environment says so; a second one has no effect.
pub fn choose_llvm(major: Option<u32>, untried: bool) {
    let _ = CHOSEN.set(LlvmChoice { major, untried });
}

impl LlvmChoice {
    /// What [`choose_llvm`] or else the environment says. What is no version asks for one that does not exist.
    pub fn current() -> LlvmChoice {
        let set = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let from_environment = || LlvmChoice {
            major: set(LLVM_VARIABLE).map(|text| text.parse().unwrap_or(0)),
            untried: set(UNTRIED_VARIABLE).is_some_and(|value| value != "0"),
        };
        CHOSEN.get().copied().unwrap_or_else(from_environment)
    }

    /// The same for a program that the user named: any tried version.
    pub fn named(self) -> LlvmChoice {
        LlvmChoice { major: None, ..self }
    }

    /// Why a version cannot be used.
    pub fn check(self, version: Version) -> Result<(), String> {
        let [oldest, .., newest] = TRIED_LLVM;
        if version.major < oldest {
            return Err(format!("version {version}; {oldest} or newer is needed"));
        }
        if let Some(major) = self.major.filter(|major| *major != version.major) {
            return Err(format!("version {version}; LLVM {major} is asked for (--llvm, {LLVM_VARIABLE})"));
        }
        if version.major > newest && !self.untried {
            return Err(format!(
                "version {version}, which this program was not tried with: it knows LLVM {oldest} to {newest}; \
                 --llvm-untried or {UNTRIED_VARIABLE}=1 accepts it"
            ));
        }
        Ok(())
    }

    /// The version that is looked for first, and that is installed if there is none.
    pub fn major(self) -> u32 {
        self.major.unwrap_or(TRIED_LLVM[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_tried_or_asked_for() {
        let any = LlvmChoice::default();
        let of = |major| Version::new(major, 1, 0);
        assert!(any.check(of(22)).is_ok() && any.check(of(23)).is_ok());
        assert!(any.check(of(21)).unwrap_err().contains("22 or newer"));
        assert!(any.check(of(24)).unwrap_err().contains("--llvm-untried"));
        let named = LlvmChoice { major: Some(23), untried: false };
        assert!(named.check(of(23)).is_ok());
        assert!(named.check(of(22)).unwrap_err().contains("LLVM 23 is asked for"));
        assert!(LlvmChoice { major: Some(24), untried: false }.check(of(24)).is_err());
        assert!(LlvmChoice { major: None, untried: true }.check(of(24)).is_ok());
        assert!(LlvmChoice { major: None, untried: true }.check(of(21)).is_err());
    }
}
