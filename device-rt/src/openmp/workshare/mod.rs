//! Worksharing loops.
//!
//! | module | what is in it |
//! |---|---|
//! | `static_init` | static schedules: who takes part, and what the runtime may choose |
//! | `callback_loop` | loops whose body is a function, as flang calls them |
//! | [`dispatch`], `dynamic` | loops whose chunks threads take at run time: their description, and how they take them |
//! | `doacross` | loop nests whose iterations wait for each other |

mod callback_loop;
pub mod dispatch;
mod doacross;
mod dynamic;
mod static_init;

pub use callback_loop::{Loop, StaticChunks};
pub use doacross::{begin_doacross, end_doacross, post, wait};
pub use dynamic::{Chunk, Extent};
pub use static_init::{chosen_schedule, participant};
