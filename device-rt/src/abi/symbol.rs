//! What a host knows of the exported symbols: names, types, meanings and contracts.

use std::format;
use std::string::String;
use std::vec::Vec;

use core::ffi::c_void;
use core::mem::MaybeUninit;

use super::callbacks::{
    BufferCallback, CopyPrivate, InterWarpCopy, LoopBody32, LoopBody64, ShuffleReduce, ShuffleReduceMasked,
    SwapReduce,
};
use super::layout::{
    AllocatorTrait, Complex, DoacrossDimension, KernelEnvironment, LaunchEnvironment, Task, TaskRoutine,
};

/// Symbols that belong together.
#[derive(Clone, Copy, Debug)]
pub struct SymbolGroup {
    /// What they are for, in one line.
    pub title: &'static str,
    /// Who uses them.
    pub interface: Interface,
    /// The symbols.
    pub symbols: &'static [Symbol],
}

/// Who uses a symbol. The reductions by themselves have the interface for kernels alone; the OpenMP library
/// has all three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interface {
    /// Kernels of warpfold and of other generators.
    Kernels,
    /// clang and flang, which call these functions, and libomptarget, which finds variables by name.
    Compilers,
    /// Programs, by the names of omp.h, ompx.h and the libraries of C and C++.
    Programs,
}

/// One exported symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name.
    pub name: &'static str,
    /// What kind of symbol it is.
    pub kind: SymbolKind,
    /// What it does or holds, in one line.
    pub meaning: &'static str,
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A function.
    Function {
        /// Names and types of its parameters.
        parameters: &'static [(&'static str, Type)],
        /// What it returns.
        returns: Type,
        /// What its callers must keep to and may rely on.
        contract: Contract,
    },
    /// A variable of the module.
    Variable {
        /// Its size in bytes.
        bytes: usize,
        /// Where it lies.
        space: AddressSpace,
    },
}

/// LLVM's address spaces for NVPTX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressSpace {
    /// Generic addresses.
    Generic = 0,
    /// Global memory.
    Global = 1,
    /// The block's shared memory.
    Shared = 3,
    /// Constant memory.
    Constant = 4,
}

/// What callers of a function must keep to, and what they may rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// Which threads call it together.
    pub callers: &'static str,
    /// Which memory accesses it orders, and for which threads.
    pub orders: &'static str,
    /// Which threads hold the result, and what is returned to which.
    pub result: &'static str,
}

/// The type of a parameter or of a result, as C and LLVM IR write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// As a C declaration has it before the name.
    pub c: &'static str,
    /// As LLVM IR writes it.
    pub llvm: &'static str,
}

/// A Rust type that the declarations of symbols use.
pub trait AbiType {
    /// Its name in C and LLVM IR.
    const TYPE: Type;
}

macro_rules! abi_types {
    ($($ty:ty: $c:literal $llvm:literal;)*) => {$(
        impl AbiType for $ty {
            const TYPE: Type = Type { c: $c, llvm: $llvm };
        }
    )*};
}

abi_types! {
    (): "void " "void";
    bool: "bool " "i1";
    i8: "int8_t " "i8";
    u8: "uint8_t " "i8";
    i16: "int16_t " "i16";
    u16: "uint16_t " "i16";
    i32: "int32_t " "i32";
    u32: "uint32_t " "i32";
    i64: "int64_t " "i64";
    u64: "uint64_t " "i64";
    f32: "float " "float";
    f64: "double " "double";
    Complex<f32>: "float _Complex " "{ float, float }";
    Complex<f64>: "double _Complex " "{ double, double }";
    *mut c_void: "void *" "ptr";
    *const c_void: "const void *" "ptr";
    *mut *mut c_void: "void **" "ptr";
    *mut i32: "int32_t *" "ptr";
    *mut u32: "uint32_t *" "ptr";
    *mut i64: "int64_t *" "ptr";
    *mut u64: "uint64_t *" "ptr";
    *mut f32: "float *" "ptr";
    *mut f64: "double *" "ptr";
    *const KernelEnvironment: "const warpfold_kernel_environment *" "ptr";
    *mut LaunchEnvironment: "warpfold_launch_environment *" "ptr";
    *const AllocatorTrait: "const void *" "ptr";
    *const DoacrossDimension: "const void *" "ptr";
    *mut Task: "void *" "ptr";
    ShuffleReduce: "warpfold_shuffle_reduce_fn *" "ptr";
    ShuffleReduceMasked: "warpfold_shuffle_reduce_masked_fn *" "ptr";
    SwapReduce: "warpfold_swap_reduce_fn *" "ptr";
    InterWarpCopy: "warpfold_inter_warp_copy_fn *" "ptr";
    BufferCallback: "warpfold_buffer_fn *" "ptr";
    LoopBody32: "warpfold_loop_body_32_fn *" "ptr";
    LoopBody64: "warpfold_loop_body_64_fn *" "ptr";
    CopyPrivate: "const void *" "ptr";
    TaskRoutine: "const void *" "ptr";
}

/// On the device, a parameter that LLVM's passes shall not look through (`arch::freeze`).
impl<T: AbiType> AbiType for MaybeUninit<T> {
    const TYPE: Type = T::TYPE;
}

impl Symbol {
    /// Its type as LLVM IR writes it; of a variable with its address space.
    pub fn llvm(&self) -> String {
        match self.kind {
            SymbolKind::Function { parameters, returns, .. } => {
                let types: Vec<&str> = parameters.iter().map(|(_, ty)| ty.llvm).collect();
                format!("{} ({})", returns.llvm, types.join(", "))
            }
            SymbolKind::Variable { bytes, space } => format!("[{bytes} x i8] addrspace({})", space as u32),
        }
    }

    /// Its declaration in C, without attributes.
    pub fn c(&self) -> String {
        match self.kind {
            SymbolKind::Function { parameters: [], returns, .. } => {
                format!("{}{}(void)", returns.c, self.name)
            }
            SymbolKind::Function { parameters, returns, .. } => {
                let declared: Vec<String> =
                    parameters.iter().map(|(name, ty)| format!("{}{name}", ty.c)).collect();
                format!("{}{}({})", returns.c, self.name, declared.join(", "))
            }
            SymbolKind::Variable { bytes, .. } => format!("unsigned char {}[{bytes}]", self.name),
        }
    }
}
