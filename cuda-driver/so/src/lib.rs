//! `libcuda.so.1` over the PTX emulator: every entry point of the driver's list as an exported function.
//!
//! A program that finds this library in place of NVIDIA's runs on the emulator, unmodified. It never looks
//! for a real driver, whatever `WARPFOLD_DEVICE` says; the other variables of [`cuda_driver`] hold. The first
//! call of any entry point fills the driver table. Entry points that the emulated driver does not have return
//! `CUDA_ERROR_NOT_SUPPORTED` and are logged by name where `WARPFOLD_LOG` asks for it. What `cuGetExportTable`
//! returns is not documented: programs with NVIDIA's own runtime library (libcudart) are told to use this project's.
//!
//! Install the library as `libcuda.so.1` with a symbolic link `libcuda.so` beside it (`cargo xtask so`), and
//! put the folder on `LD_LIBRARY_PATH`: libomptarget opens the second name, programs linked with `-lcuda` the
//! first.

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
compile_error!(
    "cuda-driver-so exports functions for x86-64 Linux only; \
     another target needs its own jump through the driver table in cuda-driver/so/src/lib.rs"
);

mod host_tasks;
mod signals;

use std::{
    arch::naked_asm,
    io::Write,
    panic::catch_unwind,
    sync::{
        Once,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
};

use libloading::os::unix::Library;

use cuda_driver::{COUNT, EntryPoint, Select, Status, TABLE, for_each_entry_point};

/// Distinguishes this library from a real driver: programs that look for a GPU and can emulate one themselves
/// reject it.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "the names are CUDA's")]
pub static warpfold_emulated_driver: u8 = 1;

/// Runs at the end of the process. LLVM's host runtime, among others, never destroys its contexts.
extern "C" fn finish() {
    // A panic must not unwind into the C library.
    let _ = catch_unwind(cuda_driver::reports::report_leaks);
}

// The dynamic linker calls this after all functions that the program itself has registered for its end.
#[used]
#[unsafe(link_section = ".fini_array")]
static FINISH: extern "C" fn() = finish;

/// Whether the table is filled, or filling it has failed. Read by the exported functions.
static READY: AtomicBool = AtomicBool::new(false);

/// Fills the table; the first thread does it, and others wait. In a process that was forked meanwhile nobody fills
/// it: then false, without waiting.
extern "C" fn prepare() -> bool {
    /// The process that fills the table, 0 before.
    static PROCESS: AtomicU32 = AtomicU32::new(0);
    static ONCE: Once = Once::new();
    let this = std::process::id();
    let filling = PROCESS.compare_exchange(0, this, Ordering::Relaxed, Ordering::Relaxed);
    if filling.is_err_and(|process| process != this) {
        return READY.load(Ordering::Acquire);
    }
    ONCE.call_once(|| {
        register_nvptx();
        let result = catch_unwind(|| cuda_driver::init(Select::Emulator));
        // The program knows only CUDA's codes; the reports say what is wrong.
        cuda_driver::reports::show_reports();
        let watched = cuda_driver::variable("WARPFOLD_REPORT_SIGNALS").is_some_and(|value| value == "1");
        let problem = match result {
            Ok(Ok(_)) if watched => {
                signals::watch().err().map(|error| format!("signals are not reported: {error}"))
            }
            Ok(Ok(_)) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some("the emulated driver could not start".to_owned()),
        };
        // The table keeps the functions that return CUDA_ERROR_NOT_INITIALIZED, which programs report as
        // "no device": the reason has to be written here.
        if let Some(problem) = problem {
            let _ = writeln!(std::io::stderr(), "warpfold: {problem}");
        }
        READY.store(true, Ordering::Release);
    });
    true
}

/// Registers LLVM's back end for NVIDIA's devices where the program has LLVM loaded: Debian's libomptarget
/// does not, and then cannot compile bitcode images. It looks the back end up after its first calls of this
/// library.
fn register_nvptx() {
    const PARTS: [&str; 4] = ["TargetInfo", "Target", "TargetMC", "AsmPrinter"];
    let program = Library::this();
    for part in PARTS {
        // SAFETY: LLVM's C interface declares these functions so. They may be called more than once.
        unsafe {
            if let Ok(register) =
                program.get::<unsafe extern "C" fn()>(format!("LLVMInitializeNVPTX{part}\0"))
            {
                register();
            }
        }
    }
}

/// Calls [`prepare`] and preserves every register that may hold an argument. Its result is in `r11b`.
#[unsafe(naked)]
unsafe extern "C" fn prepare_and_keep_arguments() {
    // Called from a function that was called: the stack is aligned to 16 here, and again after seven pushes
    // and the space for the vector registers.
    naked_asm!(
        "push rdi",
        "push rsi",
        "push rdx",
        "push rcx",
        "push r8",
        "push r9",
        "push rax",
        "sub rsp, 136",
        "movups [rsp], xmm0",
        "movups [rsp + 16], xmm1",
        "movups [rsp + 32], xmm2",
        "movups [rsp + 48], xmm3",
        "movups [rsp + 64], xmm4",
        "movups [rsp + 80], xmm5",
        "movups [rsp + 96], xmm6",
        "movups [rsp + 112], xmm7",
        "call {prepare}",
        "mov r11d, eax",
        "movups xmm0, [rsp]",
        "movups xmm1, [rsp + 16]",
        "movups xmm2, [rsp + 32]",
        "movups xmm3, [rsp + 48]",
        "movups xmm4, [rsp + 64]",
        "movups xmm5, [rsp + 80]",
        "movups xmm6, [rsp + 96]",
        "movups xmm7, [rsp + 112]",
        "add rsp, 136",
        "pop rax",
        "pop r9",
        "pop r8",
        "pop rcx",
        "pop rdx",
        "pop rsi",
        "pop rdi",
        "ret",
        prepare = sym prepare,
    )
}

macro_rules! exports {
    ($($name:ident)*) => {
        $(
            /// The driver's function with this name; its arguments are those in `cuda.h`.
            ///
            /// # Safety
            ///
            /// As CUDA's documentation of the function says.
            // Naked, so that the arguments stay where the caller put them and no signature is repeated.
            #[allow(non_snake_case, reason = "the names are CUDA's")]
            #[unsafe(naked)]
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name() {
                naked_asm!(
                    "endbr64",
                    "cmp byte ptr [rip + {ready}], 0",
                    "jne 2f",
                    "call {prepare}",
                    "test r11b, r11b",
                    "je 3f",
                    "2:",
                    "jmp qword ptr [rip + {table} + 8 * {at}]",
                    "3:",
                    "mov eax, {not_initialized}",
                    "ret",
                    ready = sym READY,
                    prepare = sym prepare_and_keep_arguments,
                    table = sym TABLE,
                    at = const EntryPoint::$name as usize,
                    not_initialized = const Status::NOT_INITIALIZED.code(),
                )
            }
        )*

        /// How many functions are exported: one for each entry point.
        const EXPORTS: usize = [$(stringify!($name)),*].len();
    };
}

for_each_entry_point!(exports);

const _: () = assert!(EXPORTS == COUNT);
