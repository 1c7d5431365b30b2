//! `symbols!`: one declaration for each exported symbol.
//!
//! ```text
//! symbols! {
//!     /// What the group is for.
//!     const GROUP for Compilers;
//!
//!     device { use crate::openmp::query; }
//!
//!     /// What the function does, in one line.
//!     ///
//!     /// # Safety
//!     /// Of an `unsafe fn`: what its callers guarantee.
//!     #[inline(always)]
//!     unsafe fn __kmpc_name(thread: i32) -> i32 { callers: ALONE, orders: NOTHING, result: EACH } => body;
//!
//!     functions in "arch/file.ll" { ... }
//!     variables in "arch/file.ll" { ... }
//! }
//! ```
//!
//! On the device each function becomes an `extern "C"` function of that name, preceded by the items under
//! `device`: imports and helpers of the bodies. A body only forwards the call. The body of
//! an `unsafe fn` is an unsafe block: it calls functions whose contract is the declared one, or says why it
//! may. On the host the same declaration becomes a [`SymbolGroup`](super::SymbolGroup): names, types, the
//! first line of the documentation and the contract. A function without a contract concerns its caller alone.
//! Symbols that `.ll` files define are declared under `functions` and `variables`, the latter with their
//! address spaces.

#[cfg(target_arch = "nvptx64")]
macro_rules! symbols {
    (
        #[doc = $title:expr]
        const $group:ident for $interface:ident;
        $(device { $($device:item)* })?
        $(
            #[doc = $meaning:expr]
            $(#[$attribute:meta])*
            // Never matched: the lifetime makes the keyword usable in a repetition.
            $(unsafe $($never:lifetime)?)? $(extern $abi:literal)?
            fn $name:ident($($parameter:ident: $ty:ty),* $(,)?) $(-> $returns:ty)? $({ $($contract:tt)* })?
            => $body:expr;
        )*
        $(functions in $functions_file:literal { $($functions:tt)* })?
        $(variables in $variables_file:literal { $($variables:tt)* })?
    ) => {
        $($($device)*)?
        $(
            $(#[$attribute])*
            #[unsafe(no_mangle)]
            #[allow(unused_variables, missing_abi, reason = "declarations name all parameters, and \"C\" is the default")]
            pub $($($never)? unsafe)? extern $($abi)? fn $name($($parameter: $ty),*) $(-> $returns)? {
                // SAFETY: the declared contract is that of what the body calls.
                $($($never)? unsafe)? { $body }
            }
        )*
    };
}

#[cfg(not(target_arch = "nvptx64"))]
macro_rules! symbols {
    (
        #[doc = $title:expr]
        const $group:ident for $interface:ident;
        $(device { $($device:tt)* })?
        $(
            #[doc = $meaning:expr]
            $(#[$attribute:meta])*
            $(unsafe)? $(extern $abi:literal)?
            fn $name:ident($($parameter:ident: $ty:ty),* $(,)?) $(-> $returns:ty)? $({ $($contract:tt)* })?
            => $body:expr;
        )*
        $(functions in $functions_file:literal {
            $(
                #[doc = $defined:expr]
                fn $function:ident($($argument:ident: $argument_ty:ty),*) $({ $($function_contract:tt)* })?;
            )*
        })?
        $(variables in $variables_file:literal {
            $(
                #[doc = $held:expr]
                static $variable:ident: [u8; $bytes:expr] in $space:ident;
            )*
        })?
    ) => {
        #[doc = $title]
        pub(super) const $group: $crate::abi::SymbolGroup = {
            #[allow(unused_imports, reason = "a group uses a part")]
            use $crate::abi::contract::*;
            $crate::abi::SymbolGroup {
                title: $title.trim_ascii(),
                interface: $crate::abi::Interface::$interface,
                symbols: &[
                    $($crate::abi::Symbol {
                        name: stringify!($name),
                        kind: $crate::abi::SymbolKind::Function {
                            parameters: &[$((
                                stringify!($parameter),
                                <$ty as $crate::abi::AbiType>::TYPE,
                            )),*],
                            returns: returns!($($returns)?),
                            contract: contract!($({ $($contract)* })? $(-> $returns)?),
                        },
                        meaning: $meaning.trim_ascii(),
                    },)*
                    $($($crate::abi::Symbol {
                        name: stringify!($function),
                        kind: $crate::abi::SymbolKind::Function {
                            parameters: &[$((
                                stringify!($argument),
                                <$argument_ty as $crate::abi::AbiType>::TYPE,
                            )),*],
                            returns: returns!(),
                            contract: contract!($({ $($function_contract)* })?),
                        },
                        meaning: $defined.trim_ascii(),
                    },)*)?
                    $($($crate::abi::Symbol {
                        name: stringify!($variable),
                        kind: $crate::abi::SymbolKind::Variable {
                            bytes: $bytes,
                            space: $crate::abi::AddressSpace::$space,
                        },
                        meaning: $held.trim_ascii(),
                    },)*)?
                ],
            }
        };
    };
}

/// The type that a function returns, or that of none.
#[cfg(not(target_arch = "nvptx64"))]
macro_rules! returns {
    () => {
        <() as $crate::abi::AbiType>::TYPE
    };
    ($returns:ty) => {
        <$returns as $crate::abi::AbiType>::TYPE
    };
}

/// A contract as it is declared; without one, that of a function which concerns its caller alone.
#[cfg(not(target_arch = "nvptx64"))]
macro_rules! contract {
    (
        { callers: $callers:expr, orders: $orders:expr, result: $result:expr $(,)? } $(-> $returns:ty)?
    ) => {
        $crate::abi::Contract { callers: $callers, orders: $orders, result: $result }
    };
    () => {
        $crate::abi::Contract { callers: ALONE, orders: NOTHING, result: NONE }
    };
    (-> $returns:ty) => {
        $crate::abi::Contract { callers: ALONE, orders: NOTHING, result: EACH }
    };
}
