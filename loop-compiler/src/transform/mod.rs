//! Transformations of loops: exchange, strip-mining and distribution, each with a proof that it keeps the result.
//!
//! A step executes the same instances of statements in another order. It is legal if no two of them that depend on each
//! other change places; dependences are memory-based. Two instances of one reduction may change places, as far as the
//! order of floating-point operations allows. A step that is not legal is rejected, with the dependence that forbids it.
//!
//! | file | what is in it |
//! |---|---|
//! | `proof` | which dependences a new order would turn around |
//! | `reorder` | loops directly inside each other, exchanged |
//! | `tile` | a loop divided into two, one over tiles and one inside a tile |
//! | `distribute` | a loop for each part of a body |
//! | `exits` | a loop that ends early in one place instead of several |
//! | `fuse` | adjacent loops with the same iterations as one |
//! | `copies` | variables that stand for others |
//! | `declare` | scalars of the function that are declared in the loops that use them |
//! | `forward` | integers that a region declares, in place of their names; declarations in the loops that use them |
//! | `rotated` | scalars that keep a value for the next iteration, computed again |
//! | `peel` | the first and the last iterations of parallel loops apart |
//! | `unswitch` | conditions that a loop does not change, around two loops |
//! | `setting` | how steps are proved |
//! | `iterators` | iterators that are declared before their loops |
//! | `nodes` | loops by number, expressions in place of iterators, references in place of others |

pub(crate) mod invariant_elements;
pub(crate) mod outwards;
pub mod privatize;
pub(crate) mod scans;
pub mod schedule;
pub mod simplify;
pub mod strategies;
pub(crate) mod team_copies;
pub(crate) mod team_memory;

mod copies;
mod declare;
mod distribute;
mod exits;
mod forward;
mod fuse;
mod iterators;
mod nodes;
mod peel;
mod proof;
mod reorder;
mod rotated;
mod setting;
mod tile;
mod unswitch;

pub(crate) use self::copies::without_copies;
pub(crate) use self::declare::declared_in_loops;
pub(crate) use self::distribute::divided;
pub(crate) use self::exits::{with_one_exit, with_own_findings};
pub(crate) use self::forward::{forwarded, sunk};
pub(crate) use self::fuse::fused;
pub(crate) use self::iterators::with_own_iterators;
pub(crate) use self::nodes::{
    first_condition, has_break, in_expression, loop_at, of_each_nest, reference_in, renamed, renumbered,
    replace, substituted, substituted_in, uses, where_executed, with_reference,
};
pub(crate) use self::peel::{Allowed, peeled};
pub(crate) use self::reorder::independent;
pub(crate) use self::rotated::without_rotation;
pub(crate) use self::setting::possible;
pub(crate) use self::unswitch::unswitched;
pub use self::{
    distribute::{distribute, parts},
    iterators::{Owned, own_iterators},
    reorder::reorder,
    setting::Setting,
    tile::{Tile, tile},
};
