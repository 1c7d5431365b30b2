//! The loop tree: a region of loops, guards and statements over scalars and arrays.
//!
//! It is what the reader of C and the notation of `.loops` files produce, what every analysis reads, and what is
//! printed. Positions are kept for messages; they mean nothing otherwise.
//!
//! | file | what is in it |
//! |---|---|
//! | `names` | positions, and what stands for a variable |
//! | `expression` | references, operators and constants, with their types |
//! | `schedule`, `strategy` | what a person directs of loops, as text |
//! | `attributes` | what a loop keeps besides its iterations |
//! | `directive` | directives of OpenMP |
//! | `node` | loops, guards and statements |
//! | `visit` | iterators over nodes and expressions |
//! | `rewrite` | nodes and expressions in place of others |
//! | `region` | a piece of a program with its variables |

pub(crate) mod arithmetic;
pub mod builder;
pub(crate) mod compare;
pub mod convert;
pub mod functions;
pub mod located;
pub mod notation;
pub mod operators;
pub mod types;
pub mod verify;

mod attributes;
mod directive;
mod expression;
mod names;
mod node;
mod region;
mod rewrite;
mod schedule;
mod strategy;
mod visit;

pub use self::{
    attributes::{Hint, LoopAttributes, Pragma, Simd},
    directive::{Clause, Directive},
    expression::{
        BinaryOperator, Expression, ExpressionKind, ReductionOperator, Reference, Step, UnaryOperator,
    },
    names::{Position, VariableId},
    node::{Declaration, If, Loop, LoopId, Node, Pairing, Private, ReduceDimension, Statement, Store},
    region::{Aliasing, Region, Returned, Search, Storage, Variable},
    rewrite::{for_each_loop_mut, for_each_mut, map_expressions, rewrite},
    schedule::{Mark, Schedule, Step as ScheduleStep},
    strategy::{Asked, Combining, Strategy},
    visit::{first_accesses, loops, loops_with_outer, reads, walk, walk_into, walk_iteration},
};
