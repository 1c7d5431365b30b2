//! NVIDIA's assembler accepts the PTX of the cases' own kernels.

use codegen_shim::Type;
use host_rt::OptLevel;
use tests_gpu::{bench::Source, block, warp};
use toolchain::Tools;

fn accepted(tools: &Tools, source: &Source) {
    for sm in [80, 90] {
        for opt in [OptLevel::O0, OptLevel::O2] {
            let ptx = source.ptx(tools, sm, opt);
            tools.ptxas_check(&ptx, sm).unwrap_or_else(|error| panic!("sm_{sm}, {opt:?}: {error}"));
        }
    }
}

#[test]
fn kernels_of_the_cases() {
    let tools = Tools::find().unwrap_or_else(|error| panic!("{error}"));
    accepted(&tools, &warp::SOURCE);
    for (ty, define) in
        [(Type::I32, "-DTYPE=int"), (Type::I64, "-DTYPE=long long"), (Type::F64, "-DTYPE=double")]
    {
        accepted(&tools, &block::source(&block::list(ty), &[define]));
    }
}
