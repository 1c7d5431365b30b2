//! What reading an image may take.
//!
//! Headers are small and may ask for much: many sections that share their bytes, packed data, tables whose
//! rows outgrow their text. So everything that is copied, unpacked or read repeatedly is paid for, in bytes,
//! out of one budget for each image.

use super::contents::Error;
use crate::settings::values::{IMAGE_LIMIT, size};

/// Bytes that an image may have together with all that reading it copies, unless the variable says otherwise.
const DEFAULT: u64 = 256 << 20;

/// Translation units of PTX that an image may have.
const MOST_UNITS: usize = 1 << 16;

/// The bytes that an image, or a part of one, may still take.
#[derive(Debug)]
pub(super) struct Budget {
    limit: u64,
    left: u64,
}

impl Budget {
    /// The budget of an image, as the environment says.
    pub fn from_env() -> Result<Budget, Error> {
        let limit = size(IMAGE_LIMIT).map_err(|error| Error::Setting(error.to_string()))?;
        Ok(Budget::new(limit.unwrap_or(DEFAULT)))
    }

    pub fn new(limit: u64) -> Budget {
        Budget { limit, left: limit }
    }

    /// Takes bytes for `what`.
    pub fn spend(&mut self, what: &'static str, bytes: usize) -> Result<(), Error> {
        self.check(what, bytes)?;
        self.left -= bytes as u64;
        Ok(())
    }

    /// The bytes that are left.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Whether there are bytes for `what`, which are given back.
    pub fn check(&self, what: &'static str, bytes: usize) -> Result<(), Error> {
        if bytes as u64 <= self.left { Ok(()) } else { Err(Error::TooLarge { what, limit: self.limit }) }
    }

    /// Checks the number of translation units.
    pub fn check_units(units: usize) -> Result<(), Error> {
        if units <= MOST_UNITS { Ok(()) } else { Err(Error::TooManyUnits { units, limit: MOST_UNITS }) }
    }
}
