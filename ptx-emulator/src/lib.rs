//! A PTX emulator with warp semantics.
//!
//! A [`Program`] is PTX that is parsed, linked, checked and decoded. A [`Machine`] holds memory and runs the
//! kernels of programs. A launch returns exact [`Counts`], or ends with a [`Fault`] that names the thread,
//! the PTX line and the source line. The emulator implements PTX and a GPU; it contains nothing of CUDA's API,
//! and of OpenMP only how compilers name the kernels of target regions, for reports.
//!
//! The modules form a pipeline. Each one depends only on modules above it in this table:
//!
//! | module | what it holds |
//! |---|---|
//! | `text` | PTX text to tokens (`lexer`) and to a syntax tree (`ast`), by `module`, `variable` and `body` |
//! | `semantics` | what each arithmetic, logic, comparison and conversion operation computes |
//! | `source` | source positions of instructions |
//! | `counts`, `description`, `launch` | what a launch counts; the GPU's limits; a launch's shape and options |
//! | `target_region` | the names of kernels that were compiled from OpenMP target regions |
//! | `fault`, `heap`, `fault_text` | faults; allocations on the device heap; the text of both |
//! | `memory` | the address space, global memory, lane-private memory, and the interface [`MemoryModel`] |
//! | `observer` | the interface [`Observer`] |
//! | `instruction` | the instruction set after decoding |
//! | `registers` | the registers that instructions read and write |
//! | `system_call` | names and parameters of `vprintf`, `malloc`, `free` and `__assertfail` |
//! | `printf`, `print_buffer` | the formatting of `vprintf`; its output until the host takes it |
//! | `program` | a loaded program as data |
//! | `link` | several texts to one program by nvlink's rules (`symbols`), and its layout (`layout`) |
//! | `decode` | syntax trees to instructions |
//! | `load` | [`Program::load`] and [`Program::link`]: parse, link, decode |
//! | `compile` | functions as machine code of the host |
//! | `module` | a program in a machine's memory: the addresses of its variables and functions |
//! | `check` | what hardware hides: data races |
//! | `exec` | the executor |
//! | `profile` | counts of a launch by source line |
//! | `occupancy` | blocks of a kernel that a multiprocessor holds |
//! | `model` | how long a launch takes on a GPU, estimated from its profile |
//! | `machine` | the host's view of a GPU: memory, modules, output |
//! | `execution` | launches: [`Machine::launch`], and [`Execution`] for a launch in steps |
//!
//! Where an instruction gets its meaning:
//!
//! | instructions | `decode/` | `exec/` | `semantics/` |
//! |---|---|---|---|
//! | `add`, `mul`, `fma`, `div`, ...: integers | `arithmetic` | `compute` | `mod`, `integer` |
//! | the same: `f32`, `f64`, to nearest | `arithmetic` | `compute` | `mod`, `float` |
//! | the same: other formats and roundings | `arithmetic` | `compute` | `general_float`, `real` |
//! | `and`, `shl`, `bfe`, `prmt`, `lop3`, ... | `bits` | `compute` | `mod`, `integer` |
//! | `mov`, `cvta`, `isspacep` | `moves` | `compute` | `mod` |
//! | `cvt` | `convert` | `compute` | `convert`, `real` |
//! | `setp`, `set`, `testp`, `selp`, `slct` | `compare` | `compute` | `compare` |
//! | `ld`, `st`, `cp.async` | `memory` | `access`, `transfer` | |
//! | `atom`, `red` | `memory` | `atomic` | |
//! | `fence`, `membar` | `memory` | `step` | |
//! | `bra`, `brx`, `trap`, `alloca` | `control` | `step` | |
//! | `call`, `ret`, `exit` | `control` | `call`, `system_call` | |
//! | `bar`, `barrier` | `sync` | `barrier` | |
//! | `bar.warp`, `shfl`, `vote`, `match`, `redux`, `elect` | `sync` | `warp_sync` | |
//! | special registers such as `%tid` | `operand` | `special_register` | |

mod check;
mod compile;
mod counts;
mod decode;
mod description;
mod exec;
mod execution;
mod fault;
mod fault_text;
mod heap;
mod instruction;
mod launch;
mod link;
mod load;
mod machine;
mod memory;
mod model;
mod module;
mod observer;
mod occupancy;
mod print_buffer;
mod printf;
mod profile;
mod program;
mod registers;
mod semantics;
mod source;
mod system_call;
mod target_region;
mod text;

pub use check::{Checks, Finding, FindingKind, OperationOrder, Side};
pub use compile::HostCompiler;
pub use counts::Counts;
pub use description::MachineDescription;
pub use execution::Execution;
pub use fault::{
    Cause, CodeLocation, Fault, FaultKind, LaneState, LanesAt, NearMemory, Quote, RegisterValue,
};
pub use fault_text::ReportStyle;
pub use heap::HeapAllocation;
pub use launch::{Engine, LaneGroupChoice, LaunchConfig, LaunchOptions, LaunchReport, UnknownEngine};
pub use load::{Declaration, LoadError, declarations};
pub use machine::{Machine, ModuleError, UnmappedMemory};
pub use memory::{
    HostAccess, HostMappings, MemoryError, MemoryEvent, MemoryModel, MemoryOrder, PlainMemory, Scope,
    check_host,
};
pub use model::{Bound, Estimate, Gpu, LaunchFacts, Times, UnknownGpu};
pub use module::LoadedModule;
pub use observer::{
    AccessKind, BarrierArrival, NoObserver, Observer, Origin, UndefinedBytes, UndefinedSource, WarpAccess,
};
pub use occupancy::{Occupancy, OccupancyLimit};
pub use print_buffer::Output;
pub use profile::{Counters, InstructionClass, LaunchProfile, LineProfile, TextLine, WarpTotals};
pub use program::{Kernel, Param, Program};
pub use source::{LineTable, SourceLocation};
pub use target_region::source_name;
pub use text::types::Space;
pub use text::{printable, split_units};
