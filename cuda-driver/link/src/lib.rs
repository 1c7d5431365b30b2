//! Hidden symbols `cu*` that jump through the driver table, so that a binding links unmodified.
//!
//! `cust` and `cust_raw` call the driver's functions by symbol and ask the linker for `-lcuda`. Here each of
//! these symbols is one indirect jump through [`cuda_driver::TABLE`]; the arguments stay where the caller put
//! them, so no signature is repeated. The symbols are hidden: they satisfy this program's own references and
//! are not visible to other libraries, so a real `libcuda.so.1` in the same process is not disturbed.
//!
//! A program needs three things:
//!
//! - `CUDA_LIBRARY_PATH` names a folder with `lib64/libcuda.so` while `cust_raw` builds; [`STUB`] is such a
//!   file and is all that `-lcuda` has to find;
//! - something reachable calls [`ensure_linked`], or the linker leaves this crate out;
//! - [`cuda_driver::init`] fills the table before the first call; until then the symbols return
//!   `CUDA_ERROR_NOT_INITIALIZED`.

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
compile_error!(
    "cuda-driver-link has trampolines for x86-64 Linux only; \
     another target needs its own jump through the driver table in cuda-driver/link/src/lib.rs"
);

/// A linker script in place of `libcuda.so`: it defines no symbol, and adds no dependency at run time.
pub const STUB: &str = include_str!("../stub/lib64/libcuda.so");

/// The path of [`STUB`] in the folder that `CUDA_LIBRARY_PATH` names.
pub const STUB_PATH: &str = "lib64/libcuda.so";

macro_rules! trampolines {
    ($($name:ident)*) => {
        // The address of a table entry is known when the program is linked: a jump takes one load. `endbr64`
        // is for indirect calls under control-flow enforcement, and a no-op elsewhere.
        $(core::arch::global_asm!(
            concat!(".pushsection .text.", stringify!($name), ",\"ax\",@progbits"),
            concat!(".globl ", stringify!($name)),
            concat!(".hidden ", stringify!($name)),
            concat!(".type ", stringify!($name), ",@function"),
            ".p2align 4",
            concat!(stringify!($name), ":"),
            "endbr64",
            "jmp qword ptr [rip + {table} + 8 * {at}]",
            concat!(".size ", stringify!($name), ", . - ", stringify!($name)),
            ".popsection",
            table = sym cuda_driver::TABLE,
            at = const cuda_driver::EntryPoint::$name as usize,
        );)*

        // Declared without arguments: they are never called from here, only their addresses are taken.
        unsafe extern "C" {
            $(fn $name();)*
        }

        /// Every trampoline. A reference to this list makes the linker keep all of them.
        static TRAMPOLINES: [unsafe extern "C" fn(); cuda_driver::COUNT] = [$($name),*];
    };
}

cuda_driver::for_each_entry_point!(trampolines);

/// Makes the linker keep the trampolines. Call it from code that is reachable in the program; at run time it
/// does nothing.
pub fn ensure_linked() {
    std::hint::black_box(TRAMPOLINES.as_ptr());
}
