//! Properties of the PTX that the emitted code is compiled to.

use codegen_shim::{COLUMNS, ColumnSpec, KERNELS, KernelSpec, Op, ReductionList, Source, Type, Variable};
use codegen_shim::{columns_ptx, emit_callbacks, kernel_ptx};
use toolchain::{Input, OptLevel, PtxBuild, Tools};

mod common;

fn tools() -> Tools {
    Tools::find().unwrap_or_else(|error| panic!("{error}"))
}

/// The text of a kernel.
fn entry<'a>(ptx: &'a str, name: &str) -> &'a str {
    let start = ptx.find(&format!(".entry {name}(")).unwrap_or_else(|| panic!("no kernel {name}"));
    let length = ptx[start..].find("\n}").expect("the end of the kernel");
    &ptx[start..start + length]
}

/// The number of instructions that begin with `mnemonic`, with or without a predicate.
fn count(ptx: &str, mnemonic: &str) -> usize {
    let instruction = |line: &str| {
        let line = line.trim_start();
        let line =
            if line.starts_with('@') { line.split_once(' ').map_or("", |(_, rest)| rest) } else { line };
        line.starts_with(mnemonic)
    };
    ptx.lines().filter(|line| instruction(line)).count()
}

fn assert_inlined(ptx: &str, what: &str) {
    assert_eq!(count(ptx, "call"), 0, "calls in {what}");
    assert!(!ptx.contains(".local"), "local memory in {what}");
}

/// The PTX of a kernel in which each thread reduces private values by `call` of the runtime.
fn reduction_ptx(tools: &Tools, list: &ReductionList, runtime: &str, callbacks: &str) -> String {
    let record = list.record().size;
    let entries = list.record().offsets.iter().enumerate().map(|(index, offset)| {
        format!(
            "  %copy{index} = getelementptr i8, ptr %copies, i64 {offset}\n  \
             %entry{index} = getelementptr ptr, ptr %list, i64 {index}\n  \
             store ptr %copy{index}, ptr %entry{index}\n"
        )
    });
    let kernel = format!(
        "target triple = \"nvptx64-nvidia-cuda\"\n\
         declare void @warpfold_shuffle_and_reduce(ptr, i16, i16, i16)\n\
         declare void @warpfold_inter_warp_copy(ptr, i32)\n\
         declare void @warpfold_global_to_list_copy(ptr, i32, ptr)\n\
         declare void @warpfold_list_to_global_copy(ptr, i32, ptr)\n\
         declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n\
         declare {runtime}\n\
         define ptx_kernel void @kernel(ptr addrspace(1) %data) convergent {{\n  \
         %copies = alloca [{record} x i8], align 16\n  \
         %list = alloca [{variables} x ptr], align 8\n{entries}  \
         %generic = addrspacecast ptr addrspace(1) %data to ptr\n  \
         %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  \
         call void @warpfold_global_to_list_copy(ptr %generic, i32 %thread, ptr %list)\n  \
         call {callbacks}\n  \
         call void @warpfold_list_to_global_copy(ptr %generic, i32 %thread, ptr %list)\n  \
         ret void\n}}\n",
        variables = list.variables().len(),
        entries = entries.collect::<String>(),
    );
    let bitcode = device_library::runtime_bitcode(tools).unwrap_or_else(|error| panic!("{error}"));
    let modules = &[Input::Ir(&kernel), Input::Ir(&emit_callbacks(list)), Input::Bitcode(&bitcode)];
    let build = PtxBuild { modules, keep: &["kernel"], sm: 90, opt: OptLevel::O2 };
    tools.ptx(&build).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn ptxas_accepts_every_kernel() {
    let tools = tools();
    for case in common::cases() {
        let levels = [OptLevel::O0, OptLevel::O2, OptLevel::O3];
        for (sm, opt) in [80, 90].into_iter().flat_map(|sm| levels.map(|opt| (sm, opt))) {
            let what = format!("{} for sm_{sm} at {opt}", case.name);
            let ptx =
                kernel_ptx(&tools, &case.spec, sm, opt).unwrap_or_else(|error| panic!("{what}: {error}"));
            let report = tools.ptxas_check(&ptx, sm).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!(report.warnings, Vec::<String>::new(), "{what}");
            if opt != OptLevel::O0 {
                for kernel in KERNELS {
                    let kernel = report.function(kernel).unwrap_or_else(|| panic!("{what}: no {kernel}"));
                    assert_eq!((kernel.stack, kernel.spill_stores), (0, 0), "{what}: {kernel:?}");
                }
            }
        }
    }
}

#[test]
fn optimised_kernels_have_no_local_memory_and_no_calls() {
    let tools = tools();
    for case in common::cases() {
        let ptx = kernel_ptx(&tools, &case.spec, 90, OptLevel::O2).unwrap_or_else(|error| panic!("{error}"));
        assert_inlined(&ptx, case.name);
        // The only atomic operation counts the blocks that have stored a record; none accesses data.
        assert_eq!(count(entry(&ptx, "warpfold_reduce"), "atom"), 1, "{}", case.name);
        assert_eq!(count(&ptx, "atom"), 1, "{}", case.name);
        assert_eq!(count(&ptx, "red."), 0, "{}", case.name);
    }
}

#[test]
fn a_full_warp_takes_five_steps_of_shuffles() {
    let tools = tools();
    for case in common::cases() {
        let list = case.spec.list();
        let ptx = reduction_ptx(
            &tools,
            list,
            "void @__warpfold_warp_reduce_full(ptr, ptr)",
            "void @__warpfold_warp_reduce_full(ptr %list, ptr @warpfold_shuffle_and_reduce)",
        );
        // As few 32-bit words as the bytes need, without padding.
        let words = match case.name {
            "small" => 4,
            "find_f16" => 3,
            "aggregates" => 4,
            _ => list.variables().iter().map(|variable| variable.ty.size()).sum::<u32>() / 4,
        };
        assert_eq!(count(&ptx, "shfl.sync.down.b32"), 5 * words as usize, "{}", case.name);
        assert_eq!(count(&ptx, "shfl"), 5 * words as usize, "{}", case.name);
        assert_inlined(&ptx, case.name);
    }
}

#[test]
fn a_block_takes_one_pair_of_barriers_for_the_whole_record() {
    let tools = tools();
    for case in common::cases() {
        let ptx = reduction_ptx(
            &tools,
            case.spec.list(),
            "i32 @__warpfold_block_reduce(ptr, ptr, ptr)",
            "i32 @__warpfold_block_reduce(ptr %list, ptr @warpfold_shuffle_and_reduce, ptr @warpfold_inter_warp_copy)",
        );
        // A block of one warp, which passes neither of them, meets a barrier of its warp.
        let of_warp = count(&ptx, "bar.warp.sync");
        assert_eq!((count(&ptx, "bar") - of_warp, of_warp), (2, 1), "{}:\n{ptx}", case.name);
        assert_inlined(&ptx, case.name);
    }
}

#[test]
fn loads_are_wide_and_do_not_go_through_the_coherent_path() {
    let tools = tools();
    for (case, wide) in common::cases().iter().zip(["v4.b32", "v2.b64", "v4.b32", "v2.b64", "v2.b64"]) {
        let ptx = kernel_ptx(&tools, &case.spec, 90, OptLevel::O2).unwrap_or_else(|error| panic!("{error}"));
        let kernel = entry(&ptx, "warpfold_partial");
        // One per group of the unrolled loop, and one in the loop for the rest, per 16 bytes.
        let loads = count(kernel, &format!("ld.global.nc.{wide}"));
        assert!(loads > case.spec.unroll() as usize, "{}: {loads} wide loads", case.name);
        assert_eq!(count(kernel, "ld.global."), count(kernel, "ld.global.nc."), "{}", case.name);
    }
}

/// A multiprocessor then takes 2048 threads. ptxas would move all loads up, but not across the barrier.
#[test]
fn dot_products_have_half_their_loads_in_flight_and_32_registers() {
    let tools = tools();
    for ty in [Type::F32, Type::F64] {
        let dot = Variable { name: "dot".to_owned(), ty, op: Op::Sum, source: Source::Product(0, 1) };
        let list = ReductionList::new(vec![dot]).expect("a legal list");
        let spec = KernelSpec::new(list, vec![ty; 2], 256).expect("a legal specification");
        for sm in [80, 90, 100] {
            let ptx = kernel_ptx(&tools, &spec, sm, OptLevel::O2).unwrap_or_else(|error| panic!("{error}"));
            let kernel = entry(&ptx, "warpfold_partial");
            let wide = kernel.lines().skip_while(|line| !line.contains("wide.first"));
            // Of the first tile and of the loop over the others.
            let order: String = wide
                .take_while(|line| !line.contains("wide.tiles.last"))
                .filter_map(|line| match line {
                    _ if line.contains("ld.global.nc.v") => Some('l'),
                    _ if line.contains("bar.warp.sync") => Some('|'),
                    _ => None,
                })
                .collect();
            assert_eq!(order, "llll|llllllll|llll", "{ty} for sm_{sm}:\n{kernel}");
            let report = tools.ptxas_check(&ptx, sm).unwrap_or_else(|error| panic!("{error}"));
            for kernel in ["warpfold_reduce", "warpfold_partial"] {
                let kernel = report.function(kernel).expect("the kernel");
                assert!(kernel.registers <= 32, "{ty} for sm_{sm}: {kernel:?}");
            }
        }
    }
}

/// ptxas may fuse `add.f32` and `mul.f64` without a rounding mode, but not with `.rn`.
#[test]
fn float_arithmetic_leaves_nothing_to_fuse() {
    let tools = tools();
    for case in common::cases() {
        for opt in [OptLevel::O0, OptLevel::O2] {
            let ptx = kernel_ptx(&tools, &case.spec, 90, opt).unwrap_or_else(|error| panic!("{error}"));
            for mnemonic in ["add.f", "mul.f", "add.rn.ftz", "fma.rn.ftz"] {
                assert_eq!(count(&ptx, mnemonic), 0, "{mnemonic} in {} at {opt}", case.name);
            }
        }
    }
}

/// PTX instructions per iteration: the table at `UNROLL`, with a margin for other versions of LLVM.
#[test]
fn the_inner_loop_is_tight() {
    let tools = tools();
    for (case, instructions) in common::cases().iter().zip([24, 50, 56, 23, 115]) {
        let ptx = kernel_ptx(&tools, &case.spec, 90, OptLevel::O2).unwrap_or_else(|error| panic!("{error}"));
        let kernel = entry(&ptx, "warpfold_reduce");
        // LLVM writes the block's name after its label; the preheader has no label.
        let labelled = |line: &&str| line.starts_with('$') && line.contains("wide.tiles.body");
        let body = kernel.lines().skip_while(|line| !labelled(line)).skip(1);
        let body: Vec<_> = body.filter(|line| !line.trim_start().starts_with(['.', '/'])).collect();
        let found = body.iter().position(|line| line.contains("bra")).expect("the branch") + 1;
        let most = instructions + 3;
        assert!(found <= most, "{}: {found} instructions, at most {most} expected", case.name);
    }
}

/// A batch is kept in registers, and atomic operations access counters only.
#[test]
fn columns_are_reduced_without_calls_and_local_memory() {
    let tools = tools();
    let variable = |name: &str, ty, op| Variable { name: name.to_owned(), ty, op, source: Source::Array(0) };
    let variables = vec![variable("sum", Type::F32, Op::Sum), variable("most", Type::F32, Op::Max)];
    let spec = ColumnSpec::new(variables, vec![Type::F32], 256).expect("a legal specification");
    assert_eq!(spec.batches().width(), 8);
    for sm in [80, 90] {
        let ptx = columns_ptx(&tools, &spec, sm, OptLevel::O2).unwrap_or_else(|error| panic!("{error}"));
        assert_inlined(&ptx, "the column kernel");
        assert_eq!((count(&ptx, "atom"), count(&ptx, "red.")), (1, 0));
        let report = tools.ptxas_check(&ptx, sm).unwrap_or_else(|error| panic!("{error}"));
        // ptxas spills two words rather than let fewer blocks be resident.
        assert!(report.function(COLUMNS).is_some_and(|kernel| kernel.stack <= 8), "{report:?}");
    }
}

/// Variable names occur in comments and in names of IR values, where no character of theirs may have a
/// meaning.
#[test]
fn any_name_makes_well_formed_ir() {
    let tools = tools();
    let names = ["1", "%x", "a b", "x\n}", "\"", "é", "entry", "list", "0.0", ";"];
    let variable = |name: &&str| Variable {
        name: (*name).to_owned(),
        ty: Type::I32,
        op: Op::Min,
        source: Source::Array(0),
    };
    let list = ReductionList::new(names.iter().map(variable).collect()).expect("a legal list");
    let spec = KernelSpec::new(list, vec![Type::I32], 256).expect("a legal specification");
    kernel_ptx(&tools, &spec, 80, OptLevel::O0).unwrap_or_else(|error| panic!("{error}"));
}

/// The buffers of 32 warps and the runtime's own shared memory fit into the 48 KiB of a block.
#[test]
fn the_largest_record_fits_shared_memory() {
    let tools = tools();
    for count in [190, 256] {
        let variable = Variable {
            name: "v".to_owned(),
            ty: Type::array(Type::F64, count),
            op: Op::Sum,
            source: Source::Array(0),
        };
        let list = ReductionList::new(vec![variable]).expect("a legal list");
        let spec =
            KernelSpec::new(list, vec![Type::array(Type::F64, count)], 1024).expect("a legal specification");
        let ptx = kernel_ptx(&tools, &spec, 90, OptLevel::O0).unwrap_or_else(|error| panic!("{error}"));
        let report = tools.ptxas_check(&ptx, 90).unwrap_or_else(|error| panic!("{error}"));
        let kernel = report.function("warpfold_reduce").expect("the kernel");
        assert!(kernel.shared >= 32 * 1520 && kernel.shared <= 48 * 1024, "{kernel:?}");
    }
}

/// In the canonical order: the loads of a segment together, a barrier only between the levels of the tree.
#[test]
fn kernels_in_the_canonical_order_are_inlined_and_ptxas_accepts_them() {
    let tools = tools();
    for case in common::cases() {
        let spec = case.spec.in_canonical_order();
        for sm in [80, 90] {
            let ptx = kernel_ptx(&tools, &spec, sm, OptLevel::O2).unwrap_or_else(|error| panic!("{error}"));
            assert_inlined(&ptx, case.name);
            assert_eq!(ptx.matches(".entry ").count(), 2, "{}", case.name);
            let [partial, finalize] =
                ["warpfold_partial", "warpfold_finalize"].map(|name| count(entry(&ptx, name), "bar.sync"));
            assert_eq!((partial, finalize), (0, 1), "{}", case.name);
            let report = tools.ptxas_check(&ptx, sm).unwrap_or_else(|error| panic!("{}: {error}", case.name));
            assert_eq!(report.warnings, Vec::<String>::new(), "{}", case.name);
        }
    }
}
