//! Functions compiled for the host.
//!
//! | file | what it holds |
//! |---|---|
//! | `variation` | basic blocks, and what is known of registers: defined, uniform, with a stride, addresses of the frame |
//! | `text` | LLVM IR while it is written |
//! | `operations` | the operations of `semantics` as IR |
//! | `translate` | functions as IR |
//! | `strides`, `accesses` | operations on scalars that stand for all lanes; loads, stores and shuffles |
//! | `abi` | what compiled code and the executor share |
//! | `code` | compiled functions, and when they are compiled |
//! | `llvm` | LLVM's tools, which make machine code of IR |

mod abi;
mod accesses;
mod code;
mod operations;
mod strides;
mod text;
mod translate;
mod variation;

pub(crate) use abi::{Context, Ending, InlineCache, NearAllocations, RegisterPointers, RegisterState};
pub use code::HostCompiler;
pub(crate) use code::{Code, CodeKind, CompiledFunctions, Request, compile};
pub(crate) use translate::Lanes;
