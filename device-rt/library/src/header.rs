//! The C header for compilers and kernel writers, made from the tables of exported symbols.

use std::fmt::Write as _;

use device_rt::abi::layout::WORKSPACE_HEADER_BYTES;
use device_rt::abi::{AddressSpace, GROUPS, Interface, SymbolGroup, SymbolKind};

/// Before the functions: what a reduction list is, and the callbacks.
const PREAMBLE: &str = r#"/* SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception */
/* warpfold's device runtime, for compilers and for kernels in C and C++. Made by `warpfold emit header`. */
#ifndef WARPFOLD_H
#define WARPFOLD_H

#include <stdbool.h>
#include <stdint.h>

/* Functions that threads call together, and callbacks, must not be moved across branches. LLVM IR has the
   attribute `convergent` for that, on declarations, definitions and calls. */
#if defined(__has_attribute)
#if __has_attribute(convergent)
#define WARPFOLD_CONVERGENT __attribute__((convergent))
#endif
#endif
#ifndef WARPFOLD_CONVERGENT
#define WARPFOLD_CONVERGENT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A reduction list is an array of pointers, one for each variable, to the calling thread's private copies.
   Pointers are generic: private copies are in local memory, or in registers once all is inlined. */

/* What a shuffle-and-reduce callback does with the variables of the lane `offset` above. The caller's own are the
   left operands. */
enum {
  WARPFOLD_FULL = 0,       /* combine */
  WARPFOLD_CONTIGUOUS = 1, /* lane < offset: combine; else: copy */
  WARPFOLD_DISPERSED = 2   /* lane even and offset > 0: combine; else: change nothing */
};

/* Combines each variable with that of the lane `offset` above. Called by every lane of the warp that exists,
   converged, with the same offset and algorithm. What comes from a lane that does not exist is undefined: the
   callback may select it, but must not branch on it. */
typedef void warpfold_shuffle_reduce_fn(void *list, int16_t lane, int16_t offset, int16_t algorithm);

/* Shuffle-and-reduce among the lanes of a mask, which its shuffles take. `lane` counts the lanes of the mask. */
typedef void warpfold_shuffle_reduce_masked_fn(void *list, uint32_t mask, int16_t lane, int16_t offset,
                                            int16_t algorithm);

/* Combines each variable with that of the lane `offset` above where that lane is below `size`; changes nothing
   elsewhere. Called by every lane of the warp that exists, converged. */
typedef void warpfold_swap_reduce_fn(void *list, int16_t offset, int16_t size);

/* Inter-warp copy: linear thread t < warps gets the variables of lane 0 of warp t, through shared memory. Called
   by every thread of the block, converged; ends with a barrier, so that the storage can be used again. */
typedef void warpfold_inter_warp_copy_fn(void *list, int32_t warps);

/* Moves between the list and a record of a buffer, which is an array of records: list to global copy (lgcpy),
   record = list; list to global reduce (lgred), record = record op list; global to list copy (glcpy),
   list = record; global to list reduce (glred), list = list op record. One thread calls it, independently of
   the others. */
typedef void warpfold_buffer_fn(void *buffer, int32_t record, void *list);

"#;

/// The end of the header.
const END: &str = "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";

/// The structures of LLVM 22's ABI.
const STRUCTURES: &str = r#"/* What the compiler says of a kernel: a constant of its module. */
typedef struct {
  uint8_t use_generic_state_machine;
  uint8_t may_use_nested_parallelism;
  uint8_t exec_mode; /* 2: all threads run the kernel's body (SPMD) */
  int32_t min_threads, max_threads, min_teams, max_teams;
  int32_t reduction_data_size;     /* bytes of a record of the reduction buffer */
  int32_t reduction_buffer_length; /* records in it */
  const void *location;
  const void *dynamic;
} warpfold_kernel_environment;

/* The body of a loop, called for each iteration, which are numbered from 0. */
typedef void warpfold_loop_body_32_fn(uint32_t iteration, void *argument);
typedef void warpfold_loop_body_64_fn(uint64_t iteration, void *argument);

/* What the host says of one launch, in global memory. The first two words are 0 when the launch starts. */
typedef struct {
  uint32_t control[2];
  void *reduction_buffer; /* an array of records */
} warpfold_launch_environment;

"#;

/// The header: C11 and C++, for any target. Device code links with the bitcode that has these symbols.
///
/// It declares what kernels and compilers use; omp.h and ompx.h declare what programs use.
pub fn c_header() -> String {
    let mut text = String::from(PREAMBLE);
    let bytes = WORKSPACE_HEADER_BYTES;
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "/* A workspace is global memory for one reduction of one launch at a time: a header, then a record for each\n   \
         slot. Two reductions over the grid in one launch need two workspaces. The header is 0 before the first\n   \
         launch, and every launch that finalizes leaves it 0. With rows of slots it is longer. */\n\
         #define WARPFOLD_WORKSPACE_HEADER_BYTES {bytes}\n\
         #define WARPFOLD_SLOTS_HEADER_BYTES(rows) ({bytes} + ((rows) * 8 + {}) / {bytes} * {bytes})\n\n",
        bytes - 1
    );
    for group in GROUPS.iter().filter(|group| group.interface == Interface::Kernels) {
        declarations(&mut text, group);
    }
    text.push_str("/* What LLVM 22's compilers call. Only the OpenMP library has it. */\n\n");
    text.push_str(STRUCTURES);
    for group in GROUPS.iter().filter(|group| group.interface == Interface::Compilers) {
        declarations(&mut text, group);
    }
    text.push_str(END);
    text
}

fn declarations(text: &mut String, group: &SymbolGroup) {
    let _ = writeln!(text, "/* ---- {} ---- */\n", group.title.trim_end_matches('.'));
    for symbol in group.symbols {
        let _ = match symbol.kind {
            SymbolKind::Function { contract, .. } => {
                let _ = writeln!(text, "/* {}", symbol.meaning);
                let lines =
                    [("Callers", contract.callers), ("Orders", contract.orders), ("Result", contract.result)];
                for (heading, content) in lines {
                    let _ = writeln!(text, "{}", wrapped(&format!("   {heading}: {content}."), " "));
                }
                let declaration = format!("WARPFOLD_CONVERGENT {};", symbol.c());
                writeln!(text, " */\n{}\n", wrapped(&declaration, ", "))
            }
            SymbolKind::Variable { space: AddressSpace::Generic, .. } => {
                writeln!(text, "/* {} */\nextern {};\n", symbol.meaning, symbol.c())
            }
            SymbolKind::Variable { space, .. } => writeln!(
                text,
                "/* {} */\n#ifdef __NVPTX__\nextern __attribute__((address_space({}))) {};\n#endif\n",
                symbol.meaning,
                space as u32,
                symbol.c()
            ),
        };
    }
}

/// The most characters of a line.
const WIDTH: usize = 110;

/// A line, broken at `separator` where it is too long.
fn wrapped(long: &str, separator: &str) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for part in long.split_inclusive(separator) {
        if line.len() + part.trim_end().len() > WIDTH {
            lines.push_str(line.trim_end());
            lines.push('\n');
            line = String::from("    ");
        }
        line.push_str(part);
    }
    lines + &line
}
