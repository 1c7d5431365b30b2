//! A team: the threads of one block, from the start of a kernel to its end.
//!
//! | module | what is in it |
//! |---|---|
//! | [`kernel`] | start and end of a kernel |
//! | [`state`] | the team's state: the threads' nesting, ICVs, the size of a parallel region |
//! | [`outlined`] | calls of outlined functions |
//! | [`parallel`] | parallel regions |
//! | [`worker`] | generic mode: the main thread and its workers |
//! | [`sharing`] | variables that a thread shares with its team |
//!
//! In SPMD mode all threads of the block run the code of the team together, and enter parallel regions
//! together. In generic mode one thread runs it, and others wait for parallel regions.

pub mod kernel;
pub mod outlined;
pub mod parallel;
pub mod sharing;
pub mod state;
pub mod worker;
