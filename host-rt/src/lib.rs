//! Devices, buffers, launches and finalizing reductions. (Being written; the face will be this.)
//!
//! ```text
//! pub use cuda_driver::{Kind, Select};  pub use toolchain::OptLevel;
//! Device::open(Select) -> Result<Device, Error>            // Clone + Send + Sync; .name() .kind() .multiprocessors() .compute_capability() -> (u32, u32)
//! device.stream() -> Result<Stream, Error>                 // Send + Sync; owns the workspace; .synchronize()
//! device.buffer(&[T]) -> Result<Buffer<T>, Error>          // T: Element = i32, i64, f32, f64; .len() .to_vec() .copy_from(&[T])
//! buffer.array() / buffer.slice(range)? -> Array<'_>        // what a reduction reads: a part of a buffer
//! Value::{I32(i32), I64(i64), F32(f32), F64(f64)}           // Display: digits that round-trip; From<i32> …
//! Record::new(&ReductionList, &[Value])? / Record::identity(&ReductionList); .values() -> &[Value]; .get(name)
//! Finalize::{LastTeam (default), SecondLaunch}
//! Options { opt: OptLevel (O3), finalize: Finalize }        // Default
//! Reduction::new(&Device, KernelSpec) / Reduction::with_options(&Device, KernelSpec, Options) -> Result<Reduction, Error>
//! reduction.run(&Stream, n: u64, &[Array], &mut Record) -> Result<(), Error>      // record = record op reduction of n elements
//! reduction.start(&Stream, &Record) -> Result<Run, Error>;  run.enqueue(n, &[Array])?; run.finish()? -> Record
//! reduction.feed(&Stream, &Record, piece_bytes: usize) -> Result<Feed, Error>     // one input array, from the host in pieces
//!     feed.piece()? -> &mut [u8]  (pinned, next free piece; waits for the device if need be); feed.submit(bytes)?; feed.finish()? -> Record
//! cuda_link_dir() -> Result<PathBuf, Error>                 // CUDA_LIBRARY_PATH for crates outside this workspace
//! ```
