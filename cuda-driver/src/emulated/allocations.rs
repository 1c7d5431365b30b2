//! The count of allocations, of which the settings can make some fail.

use super::abi::DriverResult;
use crate::{Status, log, settings::values::FailedAllocation};

/// Allocations since the settings said which one is to fail.
#[derive(Default)]
pub(crate) struct Allocations {
    count: u64,
    failed: Option<FailedAllocation>,
}

impl Allocations {
    /// Counts from here on, to fail one or more.
    pub fn fail(failed: FailedAllocation) -> Allocations {
        Allocations { count: 0, failed: Some(failed) }
    }

    /// Counts an allocation, and fails the one that the settings name.
    pub fn count(&mut self) -> DriverResult {
        self.count += 1;
        let number = self.count;
        let fails =
            |failed: FailedAllocation| number == failed.first || failed.later && number > failed.first;
        if self.failed.is_some_and(fails) {
            log::call_later(format_args!("allocation {number} fails, as the settings ask"));
            return Err(Status::OUT_OF_MEMORY);
        }
        Ok(())
    }
}
