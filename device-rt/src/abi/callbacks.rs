//! Types of the functions that compilers hand to the runtime.

use core::ffi::c_void;

/// A reduction list: an array of generic pointers, one for each reduction variable, to the calling thread's
/// private copies.
pub type List = *mut c_void;

/// `(list, lane, offset, algorithm)`: shuffle-and-reduce. Fetches the variables of the lane `offset` above
/// and combines, copies or ignores them as `algorithm` says (`reduce::private::Algorithm`).
pub type ShuffleReduce = unsafe extern "C" fn(List, i16, i16, i16);

/// `(list, mask, lane, offset, algorithm)`: shuffle-and-reduce among the lanes of a mask.
pub type ShuffleReduceMasked = unsafe extern "C" fn(List, u32, i16, i16, i16);

/// `(list, offset, size)`: combines where the lane `offset` above is below `size`; the per-variable path has
/// it in place of shuffle-and-reduce.
pub type SwapReduce = unsafe extern "C" fn(List, i16, i16);

/// `(list, warps)`: inter-warp copy through shared memory. It ends with a barrier, after which the storage
/// can be used again.
pub type InterWarpCopy = unsafe extern "C" fn(List, i32);

/// `(buffer, record, list)`, where `buffer` is an array of records: copies the list to the record (list to
/// global copy), the record to the list (global to list copy), combines the record into the list, `list =
/// list op record` (global to list reduce), or the list into the record, `record = record op list` (list to
/// global reduce). One thread calls it, independently of the others.
pub type BufferCallback = unsafe extern "C" fn(*mut c_void, i32, List);

/// `(iteration, argument)`: the body of a loop whose iterations are numbered by 32 bits.
pub type LoopBody32 = unsafe extern "C" fn(u32, *mut c_void);

/// `(iteration, argument)`: the body of a loop whose iterations are numbered by 64 bits.
pub type LoopBody64 = unsafe extern "C" fn(u64, *mut c_void);

/// `(list to copy to, list to copy from)`: copies the variables of a `copyprivate` clause.
pub type CopyPrivate = unsafe extern "C" fn(*mut c_void, *mut c_void);
