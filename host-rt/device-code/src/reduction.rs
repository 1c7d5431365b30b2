//! The crate of kernels for a reduction by an operator that is a Rust type.

use device_rt::reduce::op::{Lift, Storable};
use toolchain::OptLevel;

use crate::{Code, Items, KernelCrate, Portable};

/// The kernel of a [`reduction_crate`]: the number of elements and the index of the first, the counters and records of their chunks, the result, and
/// the arrays.
pub const REDUCTION_KERNEL: &str = "warpfold_reduce";

/// Bytes of a record: the size of a value or of its stored form, whichever is larger, because the device may order the
/// fields differently.
pub const fn record_bytes<T: Storable>() -> usize {
    let (value, stored) = (size_of::<T>(), size_of::<T::Plain>());
    if value > stored { value } else { stored }
}

/// The root of the crate that reduces elements of type `I` by the operator `O` ([`reduction_crate`]). It contains the
/// sizes and alignments of values on the host, and does not compile if the device's differ.
pub fn reduction_source<I, O>() -> String
where
    I: Items,
    O: Lift<I> + Portable,
    O::Value: Storable,
{
    const {
        assert!(size_of::<O>() == 0, "an operator is a unit struct: its name is its value");
        assert!(record_bytes::<O::Value>() > 0, "values of size 0 cannot be reduced");
    }
    let mut code = Code::default();
    let op = O::name(&mut code);
    let elements = I::elements(&mut code);
    let arrays: Vec<String> =
        elements.iter().enumerate().map(|(i, element)| format!("a{i}: *const {element}")).collect();
    let names: Vec<String> = (0..elements.len()).map(|i| format!("a{i}")).collect();
    let tuple = |list: &[String]| match list {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    };
    let (item, pointers, parameters) = (tuple(&elements), tuple(&names), arrays.join(", "));
    let (size, align) =
        (size_of::<<O::Value as Storable>::Plain>(), align_of::<<O::Value as Storable>::Plain>());
    let (item_bytes, record) = (size_of::<I>(), record_bytes::<O::Value>());
    code.source(&format!(
        "type Item = {item};\n\
         type Value = <{op} as Lift<Item>>::Value;\n\
         type Stored = <Value as Storable>::Plain;\n\
         const SAME_LAYOUT: bool = size_of::<Stored>() == {size} && align_of::<Stored>() == {align}\n\
         \x20   && size_of::<Value>() <= {record} && size_of::<Item>() == {item_bytes};\n\
         const _: () = assert!(SAME_LAYOUT, \"host and device lay out values differently\");\n\
         #[unsafe(no_mangle)]\n\
         pub unsafe extern \"ptx-kernel\" fn {REDUCTION_KERNEL}(\n\
         \x20   n: u64, first: u64, counters: *mut core::ffi::c_void, records: *mut core::ffi::c_void, result: *mut Stored,\n\
         \x20   {parameters}\n\
         ) {{\n\
         \x20   unsafe {{ device_rt::arrays::reduce({op}, n, first, {pointers}, counters, records, result) }}\n\
         }}\n"
    ))
}

/// The crate with this root, as its only source.
pub fn reduction_crate<'a>(sources: &'a [(&'a str, &'a str); 1], opt: OptLevel) -> KernelCrate<'a> {
    KernelCrate { name: "reduction", sources, kernels: &[REDUCTION_KERNEL], opt }
}
