//! How the host names the types of device code: what a generated crate of kernels is made of.
//!
//! The types of kernels and operators exist twice: once in the host program, where the compiler infers
//! them, and once on the device. [`Portable`] leads from the one to the other. [`device_code!`](crate::device_code)
//! writes a module down once for both.

use std::format;
use std::string::{String, ToString};
use std::vec;
use std::vec::Vec;

use crate::reduce::op::{
    All, And, Any, ArgMax, ArgMin, Indexed, Max, Min, Or, Plain, Product, Sum, Xor, elements_per_group,
};

/// The modules of a device crate.
#[derive(Clone, Debug, Default)]
pub struct Code {
    modules: Vec<&'static str>,
}

impl Code {
    /// The path of an item in a module that has this text, which becomes a part of the crate.
    pub fn item(&mut self, module: &'static str, name: &str) -> String {
        let known = self.modules.iter().position(|text| *text == module);
        let at = known.unwrap_or_else(|| {
            self.modules.push(module);
            self.modules.len() - 1
        });
        format!("m{at}::{name}")
    }

    /// The crate's root, with `body` after the modules: a `no_std` crate on top of this one, with the names of
    /// [`reduce::op`](crate::reduce::op) in each module.
    pub fn source(&self, body: &str) -> String {
        const NAMES: &str = "#[allow(unused_imports)] use device_rt::{plain, reduce::op::*};";
        let mut text = format!("#![no_std]\n#![feature(abi_ptx)]\n#![allow(dead_code)]\n{NAMES}\n");
        for (at, module) in self.modules.iter().enumerate() {
            text += &format!("mod m{at} {{\n{NAMES}\n{module}\n}}\n");
        }
        text + body
    }
}

/// A type that device code can name. An operator is a unit struct, so that its name is its value, too.
///
/// Implemented for numbers, arrays and tuples, the operators here, and by [`device_code!`](crate::device_code).
pub trait Portable {
    /// Its name in a crate of this code.
    fn name(code: &mut Code) -> String;
}

/// What an operator reduces: elements of one array, or a tuple of the elements of several.
pub trait Items: Copy {
    /// Elements of each array that a thread of the kernel reads with one load.
    const GROUP: u64;

    /// The names of the elements' types, array by array.
    fn elements(code: &mut Code) -> Vec<String>;
}

impl<T: Plain + Portable> Items for T {
    const GROUP: u64 = elements_per_group::<T>();

    fn elements(code: &mut Code) -> Vec<String> {
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
                let names = [$($name::name(code)),*];
                format!("({})", names.join(", "))
            }
        }

        impl<$($name: Plain + Portable),*> Items for ($($name,)*) {
            const GROUP: u64 = 1;

            fn elements(code: &mut Code) -> Vec<String> {
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
/// The names after `exports` are structs of the module without parameters, which become [`Portable`](crate::code::Portable). The
/// module sees the names of [`reduce::op`](crate::reduce::op) and [`plain!`](crate::plain), and `core`;
/// nothing of what is around it.
///
/// ```
/// device_rt::device_code! {
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
            #[allow(unused_imports)]
            use $crate::{plain, reduce::op::*};

            $($body)*

            #[doc(hidden)]
            const DEVICE_CODE: &str = stringify!($($body)*);

            $(impl $crate::code::Portable for $name {
                fn name(code: &mut $crate::code::Code) -> $crate::code::Name {
                    code.item(DEVICE_CODE, stringify!($name))
                }
            })+
        }
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
    fn names_lead_to_the_modules_that_have_them() {
        let mut code = Code::default();
        assert_eq!(<(Sum, own::Own, ArgMax)>::name(&mut code), "(Sum, m0::Own, ArgMax)");
        assert_eq!(<(own::Data, [i16; 3])>::elements(&mut code), ["m0::Data", "[i16; 3]"]);
        assert_eq!(f64::elements(&mut code), ["f64"]);
        let source = code.source("fn end() {}");
        assert_eq!(source.matches("mod m").count(), 1);
        assert!(source.contains("pub struct Own;") && source.ends_with("fn end() {}"), "{source}");
    }
}
