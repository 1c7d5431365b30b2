//! Implementations of MPI, and which one is used.

use std::{env, fmt, str::FromStr};

/// An implementation of MPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Implementation {
    /// Open MPI 3 to 5.
    OpenMpi,
    /// MPICH 3.1 to 4, and what is compatible with it.
    Mpich,
}

impl Implementation {
    /// All of them.
    pub(crate) const ALL: [Implementation; 2] = [Implementation::OpenMpi, Implementation::Mpich];

    /// The names of its library.
    pub(crate) fn libraries(self) -> &'static [&'static str] {
        match self {
            Implementation::OpenMpi => &["libmpi.so.40"],
            Implementation::Mpich => &["libmpich.so.12", "libmpi.so.12"],
        }
    }
}

impl fmt::Display for Implementation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Implementation::OpenMpi => "Open MPI",
            Implementation::Mpich => "MPICH",
        })
    }
}

/// Which implementation is to be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// What the program has initialised, or else that of the launcher, as its variables of the environment tell:
    /// `OMPI_COMM_WORLD_SIZE` is Open MPI's, `PMI_SIZE` MPICH's.
    Auto,
    /// None: the process works alone.
    None,
    /// This one, whatever the environment says.
    One(Implementation),
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Choice, String> {
        match text {
            "auto" => Ok(Choice::Auto),
            "none" => Ok(Choice::None),
            "openmpi" => Ok(Choice::One(Implementation::OpenMpi)),
            "mpich" => Ok(Choice::One(Implementation::Mpich)),
            _ => Err("it is auto, openmpi, mpich or none".into()),
        }
    }
}

impl Choice {
    /// Whether this process is one of a job, as far as the environment tells.
    pub fn is_job(self) -> bool {
        self.of_launcher().is_some()
    }

    /// The implementation whose launcher has started this process, or that is asked for.
    pub(crate) fn of_launcher(self) -> Option<Implementation> {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        match self {
            Choice::One(one) => Some(one),
            Choice::None => None,
            Choice::Auto if is_set("OMPI_COMM_WORLD_SIZE") => Some(Implementation::OpenMpi),
            Choice::Auto if is_set("PMI_SIZE") => Some(Implementation::Mpich),
            Choice::Auto => None,
        }
    }
}
