//! The table of thresholds: every number by which the loop compiler decides whether something pays, and how far it looks,
//! but for what [machines](super::machine) take. A test keeps numbers out of the other files.
//!
//! Each says where it comes from: `Measured`, `Derived` from what is known of machines or compilers, or `Assumed`.

use std::{ops::RangeInclusive, time::Duration};

// What is assumed.

/// The value of a size that is not given, in a nest of one loop, of two, and so on. Assumed.
pub const ASSUMED_SIZES: [f64; 4] = [1e6, 1e4, 1e3, 300.0];

/// Iterations of a loop whose number has no simple form. Assumed.
pub const UNKNOWN_TRIPS: f64 = 8.0;

/// A size beside which the others are large. Assumed.
pub const SMALL_SIZE: i64 = 100;

/// Numbers of threads, besides the machine's, for which another form of a nest may be the best. Assumed: the least, and a
/// large server.
pub const OTHER_THREADS: [f64; 2] = [2.0, 64.0];

/// Iterations after which a loop that a `break` leaves is taken to be left. Measured: a search in 1000 rows of 1000 elements,
/// each found among the first ten, took 1.07 times as long in parallel.
pub const UNTIL_BREAK: i128 = 64;

/// Conditions on sizes that a region may rely on. Assumed: each is a comparison in front of the parallel code.
pub const ASSUMPTIONS: usize = 24;

/// What holds for sizes of this is usual, and may be assumed. Assumed.
pub const TYPICAL_SIZE: i128 = 1000;

/// The greatest size of 64 bits in conditions with products of sizes. Assumed: no array has more elements, and products of three
/// have less than 127 bits.
pub const WIDEST_STRIDE: i128 = 1 << 40;

/// The greatest step or end, of 32 bits without a sign, of a loop that counts its strides. Assumed: as above, and a sum of a few of
/// them stays below 2 to the 32nd.
pub const WIDEST_SHORT_STRIDE: i128 = 1 << 28;

/// Results of operators of an expression that are noted because they do not overflow. Assumed: an expression has a few products.
pub const COMPUTED: usize = 16;

/// Nodes of a region in which copies between variables of the reader are sought. Assumed: the search takes the square of the time.
pub const NODES_FOR_COPIES: usize = 4000;

// Which loops are parallel.

/// A loop that takes more than this part of its time in order is as good as sequential for those beside it. Assumed: the
/// model is no more exact, and at run time it is seldom executed in parallel.
pub const AS_SEQUENTIAL: f64 = 0.9;

/// Nests that stay sequential keep one beside them on the same arrays sequential that takes at most so many times as long:
/// what threads change lies in their caches, from where the next loop has to fetch it. Measured: a stencil had 0.2 to 0.65 of the
/// speed, where all that can be gained is a third; k-means 0.7.
pub const TIMES_OF_NEIGHBOURS: f64 = 2.0;

/// A form with more kernels, or with atomic updates, has to take less than this part of the time, by the model. Assumed: the
/// model does not know what lies between kernels.
pub const MORE_KERNELS: f64 = 0.7;

/// Another form for other sizes has to take less than this part of the time there. Assumed: a choice at run time costs
/// code.
pub const OTHER_FORM: f64 = 0.9;

/// How many times the least work a region with iterations of different lengths has to have: they go to threads one after the other,
/// and their data from one processor to the other. Measured: a triangle of 300 rows that is transposed took 1.8 times as long
/// with two threads.
pub const WORK_OF_UNEVEN: u64 = 2;

/// Iterations of a loop, or of each of two loops inside each other, that take about as long as a call of a function with
/// parallel loops. Measured: 5 ns for one loop.
pub const ITERATIONS_OF_CALL: i128 = 32;

/// Parts of an uneven loop for each worker. Assumed: the last part is then an eighth of a worker's time.
pub const PARTS_IN_TURN: i128 = 8;

/// Workers that a loop needs more than, whose workers take elements in turn. Measured: elements that alternate (`i % 2`) are
/// updated 2.5 to 4 times as fast where the compiler knows the first of them.
pub const WORKERS_IN_TURN: i128 = 4;

/// Workers that a loop needs more than, which takes two passes. Derived: two passes by two workers take what the loop takes.
pub const WORKERS_OF_TWO_PASSES: i128 = 2;

/// Workers that an uneven reduction in contiguous parts needs more than. Measured: two halves of a triangle gain at most a
/// third, of which the copies leave nothing: 0.7 to 1.1 times the speed.
pub const WORKERS_OF_UNEVEN: i128 = 3;

/// Statements that a loop has to execute for each element of a copy. Assumed: an element is set, combined and read.
pub const STATEMENTS_OF_ELEMENT: i128 = 4;

/// Parts of a scan of floats whose results must not depend on the number of threads. Assumed: as many as a large server has
/// cores.
pub const PARTS_OF_SCAN: i128 = 64;

/// Iterations of such a part at least. Assumed: a few cache lines.
pub const ITERATIONS_OF_SCAN_PART: i128 = 64;

/// Elements of one array that are kept in scalars while a nest reduces into them. Assumed.
pub const ELEMENTS_IN_SCALARS: usize = 16;

// Kernels of a GPU.

/// Iterations of a part of a sum that has several threads. Measured on an H200: sums of 4000 columns of 4800 rows took 38 to
/// 39 µs with parts of 64, 256 and 512, and 193 µs with one thread for each column; those of 1000 columns of 1200 rows 5.5, 9.1,
/// 14.7 and 30 µs. With shorter parts the beginning and the end of a thread, 200 instructions, count, and a sum of few columns
/// takes as long for its atomic updates as for the elements.
pub const ITERATIONS_OF_PART: i128 = 512;

/// Bytes of the copies of arrays that a team has. Derived: as many teams as a multiprocessor has warps for fit its memory.
pub const BYTES_OF_TEAM_COPIES: i128 = 16 << 10;

/// Iterations of a thread whose team has copies. Assumed: then the updates of a copy are many for each element that is set
/// and added.
pub const ITERATIONS_OF_TEAM_COPY: u32 = 16;

/// Threads of a team by the elements of its copies, up to so many. Derived: enough for what a multiprocessor holds of such
/// teams.
pub const THREADS_BY_ELEMENTS: [(i128, u32); 4] = [(256, 128), (512, 256), (1024, 512), (i128::MAX, 1024)];

/// Iterations of the outermost of several loops that a team with copies takes. Assumed: an iteration may be a row of some
/// thousand elements.
pub const ROWS_OF_TEAM: i128 = 8;

/// Bytes of a block's memory for copies. Derived: programs have 48 KiB on every GPU, and the runtime needs some.
pub const BYTES_OF_BLOCK: i128 = 40 << 10;

/// Loads of a thread that are in flight. Derived: as in the kernels that `codegen-shim` makes for sums, whose main loop has 24
/// instructions for 16 elements of 4 bytes, too.
pub const LOADS_IN_FLIGHT: u32 = 4;

/// Bytes of a GPU's widest load. Derived: `ld.v4.b32`.
pub const BYTES_OF_LOAD: usize = 16;

// Vectors of a CPU.

/// Bytes of the values of all lanes. Derived: two vectors of AVX-512, of which each waits for the one before.
pub const BYTES_OF_LANES: u32 = 128;

/// Lanes of a search at least. Derived: iterations have 4 bytes or 8.
pub const LANES_OF_SEARCH: i128 = 16;

/// Iterations of each lane of a search for which lanes pay. Assumed.
pub const ITERATIONS_OF_SEARCH_LANE: i128 = 4;

/// Rows that are executed together. Assumed.
pub const ROWS_TOGETHER: i128 = 8;

/// Columns of a tile of such rows. Assumed: a line of 8-byte elements.
pub const COLUMNS_OF_TILE: i128 = 8;

/// Rows for which that pays. Assumed: four times as many as are executed together.
pub const FEWEST_ROWS: i128 = 4 * ROWS_TOGETHER;

/// Iterations, where their number is known, of a loop that is vectorized without being asked for. Assumed: one vector of
/// 4-byte elements.
pub const FEWEST_OF_VECTOR: i128 = 8;

/// Iterations of a loop that is vectorized where nothing is parallel: with fewer, vectors are seldom full. Measured: triangles
/// of 20 rows had 0.8 to 0.95 times the speed.
pub const FEWEST_IN_ORDER: i128 = 32;

/// Known iterations that clang 22 unrolls before it vectorizes, although they are worth vectors. Measured: sums of integers
/// for AVX-512 took up to seventeen times as long.
pub const UNROLLED_BY_COMPILER: RangeInclusive<i128> = 9..=96;

/// The same of loops that store an element in each iteration. Measured with 20 elements of an array in registers: lanes took 1.8
/// times as long.
pub const SHORT_LOOP: RangeInclusive<i128> = FEWEST_OF_VECTOR..=32;

/// Bytes of an element of sums that clang 22 unrolls so. Measured as [`UNROLLED_BY_COMPILER`].
pub const BYTES_OF_UNROLLED: usize = 4;

/// Lanes of short sums of floats by their iterations, up to so many. Measured with SSE2, AVX2 and AVX-512: the widest vectors are
/// several accumulators of all lanes, for which there are too few iterations.
pub const LANES_OF_SHORT_SUM: [(i128, u32); 2] = [(63, 4), (i128::MAX, 8)];

/// Elements between those that lanes read. Derived: neighbouring lanes read the same lines of a cache.
pub const LONGEST_STRIDE: i128 = 8;

/// Iterations that are executed apart from a parallel loop. Assumed: one thread executes them.
pub const PEELED: i128 = 8;

/// The greatest first value of an iterator whose first iterations are executed apart. Derived: it fits all types, and so do the values of
/// these iterations.
pub const GREATEST_PEELED: i128 = 100;

// How far is looked.

/// Forms of a nest that are evaluated; a form has an alternative for each of its loops. Assumed.
pub const FORMS: usize = 30;

/// Of the operations on sets that a region may take, the part for one form of a nest. Assumed: what is found must not depend
/// on what else the machine does.
pub const PART_OF_OPERATIONS: u64 = 20;

/// The time for a nest, after which no further forms are evaluated, come what may. Assumed.
pub const SEARCH_TIME: Duration = Duration::from_secs(60);

/// Loops of which all orders are tried; of more, those with one of them moved outermost. Derived: six orders.
pub const LOOPS_OF_ALL_ORDERS: usize = 3;

/// Pieces of what a simplification leaves that are looked at. Assumed.
pub const PIECES_OF_REST: usize = 8;

/// Combinations of directions that are looked at. Assumed: of many directions most lead to the same result.
pub const COMBINATIONS_OF_DIRECTIONS: usize = 100_000;

/// Combinations of directions that are tried. Assumed.
pub const TRIED_DIRECTIONS: usize = 80;

/// A dimension whose constant extent is less counts as of constant size. Assumed.
pub const LEAST_EXTENT: i64 = 16;

/// Constraints of a domain whose faces are listed. Derived: 4096 sets of them.
pub const CONSTRAINTS_OF_FACES: usize = 12;

/// Operations of a value that takes a name's place. Assumed: longer ones, as of names that stand for names, are not copied.
pub const OPERATIONS_OF_NAME: usize = 32;

/// The same of a value that a loop computes in each iteration. Assumed.
pub const REPEATED_OPERATIONS: usize = 8;

/// Copies that unswitching makes of a loop. Assumed: three conditions.
pub const UNSWITCHED_COPIES: usize = 8;

/// Nodes of a value with the names in it replaced. Assumed: detection is not worth more.
pub const EXPANDED_NODES: usize = 10_000;

/// Monomials in a subscript that is split. Assumed.
pub const MONOMIALS: usize = 32;

/// Pieces of one affine value; with more it counts as not affine. Assumed.
pub const PIECES_OF_VALUE: usize = 12;

/// Comparisons of a condition; with more it counts as not known. Assumed: conditions of selections inside each other
/// multiply.
pub const COMPARISONS: usize = 4096;

/// The value of a ladder: of the first step that reaches `of`.
pub fn step_of<T: Copy>(ladder: &[(i128, T)], of: i128) -> Option<T> {
    ladder.iter().find(|(most, _)| of <= *most).map(|(_, value)| *value)
}
