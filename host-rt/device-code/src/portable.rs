//! Types and operators of a host program as text, for crates of device code.
//!
//! The types of kernels and operators exist twice: once in the host program, where the compiler infers them,
//! and once on the device. [`Portable`] maps a host type to its name there.
//! [`device_code!`](crate::device_code!) defines a module once for both.

use device_rt::reduce::op::{
    All, And, Any, ArgMax, ArgMin, Elements, Indexed, Max, Min, Or, Product, Sum, Xor,
};

/// The modules of a device crate.
#[derive(Clone, Debug, Default)]
pub struct Code {
    modules: Vec<&'static str>,
}

impl Code {
    /// The path of an item in the module with this text, which becomes a module of the crate.
    pub fn item(&mut self, module: &'static str, name: &str) -> String {
        let known = self.modules.iter().position(|text| *text == module);
        let at = known.unwrap_or_else(|| {
            self.modules.push(module);
            self.modules.len() - 1
        });
        format!("m{at}::{name}")
    }

    /// The crate's root, with `body` after the modules: a `no_std` crate on top of `device_rt`, with the
    /// names of [`reduce::op`](device_rt::reduce::op) in each module.
    pub fn source(&self, body: &str) -> String {
        const NAMES: &str = "#[allow(unused_imports)] use device_rt::{plain, reduce::op::*};";
        let mut text = format!("#![no_std]\n#![feature(abi_ptx)]\n#![allow(dead_code)]\n{NAMES}\n");
        for (at, module) in self.modules.iter().enumerate() {
            text += &format!("mod m{at} {{\n{NAMES}\n{module}\n}}\n");
        }
        text + body
    }
}

/// A type that device code can name. An operator is a unit struct, so its name is also its value.
///
/// Implemented for numbers, arrays and tuples, the operators of `device_rt`, and by
/// [`device_code!`](crate::device_code!).
pub trait Portable {
    /// Its name in the crate with this code.
    fn name(code: &mut Code) -> String;
}

/// [`Elements`] whose types device code can name.
pub trait Items: Elements {
    /// The names of the elements' types, array by array.
    fn elements(code: &mut Code) -> Vec<String>;
}

impl<T: Elements<Types: TypeNames>> Items for T {
    fn elements(code: &mut Code) -> Vec<String> {
        T::Types::names(code)
    }
}

/// A tuple of types that device code can name.
pub trait TypeNames {
    /// Their names.
    fn names(code: &mut Code) -> Vec<String>;
}

impl<T: Portable> TypeNames for (T,) {
    fn names(code: &mut Code) -> Vec<String> {
        vec![T::name(code)]
    }
}

macro_rules! named {
    ($($ty:ident)*) => {$(
        impl Portable for $ty {
            fn name(_: &mut Code) -> String {
                stringify!($ty).to_string()
            }
        }
    )*};
}

named! { i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 }
named! { Sum Product Min Max And Or Xor All Any ArgMin ArgMax }

impl<T: Portable> Portable for Indexed<T> {
    fn name(code: &mut Code) -> String {
        format!("Indexed<{}>", T::name(code))
    }
}

impl<T: Portable, const N: usize> Portable for [T; N] {
    fn name(code: &mut Code) -> String {
        format!("[{}; {N}]", T::name(code))
    }
}

macro_rules! tuples {
    ($($($name:ident)*;)*) => {$(
        impl<$($name: Portable),*> Portable for ($($name,)*) {
            fn name(code: &mut Code) -> String {
                format!("({})", Self::names(code).join(", "))
            }
        }

        impl<$($name: Portable),*> TypeNames for ($($name,)*) {
            fn names(code: &mut Code) -> Vec<String> {
                vec![$($name::name(code)),*]
            }
        }
    )*};
}

tuples! {
    A B;
    A B C;
    A B C D;
}

/// A module for host and device: its items are compiled in place, and kept as text for a device crate.
///
/// The names after `exports` are structs of the module without parameters, which become
/// [`Portable`](crate::Portable). The module sees the names of
/// [`reduce::op`](device_rt::reduce::op) and [`plain!`](device_rt::plain), and `core`, but no names of the
/// module around it. It is `no_std` on the device: macros that print or allocate are rejected.
///
/// ```compile_fail
/// device_code::device_code! {
///     mod loud exports Loud {
///         pub struct Loud;
///         pub fn shout() {
///             println!("loud");
///         }
///     }
/// }
/// ```
///
/// ```
/// device_code::device_code! {
///     mod range exports Range {
///         /// Smallest and largest at once.
///         #[derive(Clone, Copy)]
///         pub struct Range;
///
///         impl Reduce<[f32; 2]> for Range {
///             fn combine(self, [low, high]: [f32; 2], [lower, higher]: [f32; 2]) -> [f32; 2] {
///                 [Min.combine(low, lower), Max.combine(high, higher)]
///             }
///         }
///
///         impl Lift<f32> for Range {
///             type Value = [f32; 2];
///
///             fn lift(self, item: f32, _index: u64) -> [f32; 2] {
///                 [item; 2]
///             }
///         }
///     }
/// }
///
/// assert_eq!(device_rt::reduce::op::reduce(range::Range, [2.0, -1.0, 7.0]), Some([-1.0, 7.0]));
/// ```
#[macro_export]
macro_rules! device_code {
    ($(#[$meta:meta])* $vis:vis mod $module:ident exports $($name:ident),+ { $($body:tt)* }) => {
        $(#[$meta])*
        $vis mod $module {
            #[allow(unused_imports, reason = "operators use a part")]
            use $crate::device_rt::{plain, reduce::op::*};
            // The host's macros would be accepted here, and missing on the device.
            #[allow(unused_imports, reason = "operators use a part")]
            use $crate::{
                __not_on_the_device as dbg, __not_on_the_device as eprint, __not_on_the_device as eprintln,
                __not_on_the_device as format, __not_on_the_device as print,
                __not_on_the_device as println, __not_on_the_device as vec,
            };

            $($body)*

            #[doc(hidden)]
            const DEVICE_CODE: &str = stringify!($($body)*);

            $(impl $crate::Portable for $name {
                fn name(code: &mut $crate::Code) -> $crate::Name {
                    code.item(DEVICE_CODE, stringify!($name))
                }
            })+
        }
    };
}

/// What the macros of the host's library are in [`device_code!`](crate::device_code!).
#[doc(hidden)]
#[macro_export]
macro_rules! __not_on_the_device {
    ($($arguments:tt)*) => {
        compile_error!(
            "device code has no println!, print!, eprintln!, eprint!, dbg!, format! and vec!: it is no_std; return what is to be \
             printed"
        )
    };
}

/// The name of a type.
pub type Name = String;

#[cfg(test)]
mod tests {
    use super::*;

    crate::device_code! {
        mod own exports Own, Data {
            #[derive(Clone, Copy)]
            pub struct Own;

            plain! {
                #[derive(Clone, Copy)]
                pub struct Data { pub x: f32 }
            }
        }
    }

    #[test]
    fn names_are_paths_into_their_modules() {
        let mut code = Code::default();
        assert_eq!(<(Sum, own::Own, ArgMax)>::name(&mut code), "(Sum, m0::Own, ArgMax)");
        assert_eq!(<(own::Data, [i16; 3])>::elements(&mut code), ["m0::Data", "[i16; 3]"]);
        assert_eq!(f64::elements(&mut code), ["f64"]);
        let source = code.source("fn end() {}");
        assert_eq!(source.matches("mod m").count(), 1);
        assert!(source.contains("pub struct Own;") && source.ends_with("fn end() {}"), "{source}");
    }
}
