//! Whose share of a loop the calling thread is to have.

use core::num::NonZero;

use super::{Schedule, Share};
use crate::arch::id;
use crate::query;

impl Share {
    /// The caller's, among the threads of its parallel region, the teams, or the threads of all teams.
    #[inline(always)]
    pub fn of(schedule: Schedule) -> Share {
        let (thread, threads) = (u64::from(query::thread_number()), u64::from(query::threads()));
        let (team, teams) = (u64::from(id::block()), u64::from(id::grid_blocks()));
        let (number, of) = match schedule {
            Schedule::DISTRIBUTE | Schedule::DISTRIBUTE_CHUNKED => (team, teams),
            Schedule::DISTRIBUTE_THREADS => (team * threads + thread, teams * threads),
            _ => (thread, threads),
        };
        Share { number, of: NonZero::new(of).unwrap_or(NonZero::<u64>::MIN) }
    }
}
