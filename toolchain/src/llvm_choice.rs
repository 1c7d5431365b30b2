//! Which of the installed versions of LLVM is used.

use std::env;

use crate::version::Version;

/// The major versions of LLVM that this project is tested with, the oldest first.
pub const TESTED_LLVM: [u32; 2] = [22, 23];

/// The variable with the major version to use.
pub const LLVM_VARIABLE: &str = "WARPFOLD_LLVM";
/// The variable that accepts versions which are newer than those of [`TESTED_LLVM`].
pub const UNTESTED_VARIABLE: &str = "WARPFOLD_LLVM_UNTESTED";

/// What the user asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LlvmChoice {
    /// The only major version that is accepted.
    major: Option<u32>,
    /// Whether newer versions than the tested ones are accepted.
    untested: bool,
}

impl LlvmChoice {
    /// From the environment. What is no version asks for one that does not exist.
    pub fn from_environment() -> LlvmChoice {
        let set = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        LlvmChoice {
            major: set(LLVM_VARIABLE).map(|text| text.parse().unwrap_or(0)),
            untested: set(UNTESTED_VARIABLE).is_some_and(|value| value != "0"),
        }
    }

    /// Why a version cannot be used.
    pub fn check(self, version: Version) -> Result<(), String> {
        let [oldest, .., newest] = TESTED_LLVM;
        if version.major < oldest {
            return Err(format!("version {version}; LLVM {oldest} or newer is needed"));
        }
        if let Some(major) = self.major.filter(|major| *major != version.major) {
            return Err(format!("version {version}; LLVM {major} is asked for (--llvm, {LLVM_VARIABLE})"));
        }
        if version.major > newest && !self.untested {
            return Err(format!(
                "version {version}, which this program was not tested with: it knows LLVM {oldest} to {newest}; \
                 --llvm-untested or {UNTESTED_VARIABLE}=1 accepts it"
            ));
        }
        Ok(())
    }

    /// The version that programs are expected to have.
    pub fn major(self) -> u32 {
        self.major.unwrap_or(TESTED_LLVM[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_tested_or_asked_for() {
        let any = LlvmChoice::default();
        let of = |major| Version::new(major, 1, 0);
        assert!(any.check(of(22)).is_ok() && any.check(of(23)).is_ok());
        assert!(any.check(of(21)).unwrap_err().contains("22 or newer"));
        assert!(any.check(of(24)).unwrap_err().contains("--llvm-untested"));
        let named = LlvmChoice { major: Some(23), untested: false };
        assert!(named.check(of(23)).is_ok());
        assert!(named.check(of(22)).unwrap_err().contains("LLVM 23 is asked for"));
        assert!(LlvmChoice { major: Some(24), untested: false }.check(of(24)).is_err());
        assert!(LlvmChoice { major: None, untested: true }.check(of(24)).is_ok());
        assert!(LlvmChoice { major: None, untested: true }.check(of(21)).is_err());
    }
}
