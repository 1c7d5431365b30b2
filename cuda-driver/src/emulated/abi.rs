//! What crosses the C boundary of the emulated driver: checked arguments, and the wrapper of every call.

use std::{
    any::Any,
    borrow::Cow,
    ffi::{CStr, c_char},
    fmt::{self, Debug},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr::NonNull,
};

use ptx_emulator::Machine;

use super::process;
use crate::{EntryPoint, Status, image, log};

/// What an entry point returns.
pub(crate) type DriverResult = Result<(), Status>;

/// An entry point and its address.
pub(super) type Entry = (EntryPoint, *mut ());

/// Defines entry points: `extern "C"` functions whose body returns a [`DriverResult`], and `entries()`, the
/// list of them. A name that is not on the list of entry points does not compile.
///
/// Callers of an entry point promise what `cuda.h` asks of them: a pointer is null or points to what its type
/// says, and host memory has the size that is given with it. [`Out`], [`Text`], [`HostSource`] and
/// [`HostTarget`] hold that promise, so that the bodies are safe code.
macro_rules! entry_points {
    ($($(#[$meta:meta])* fn $name:ident($($argument:ident: $ty:ty),* $(,)?) $body:block)*) => {
        $(
            $(#[$meta])*
            #[allow(non_snake_case, reason = "the names are CUDA's")]
            pub(crate) unsafe extern "C" fn $name($($argument: $ty),*) -> i32 {
                $crate::emulated::abi::call(
                    stringify!($name),
                    &[$((stringify!($argument), &$argument as &dyn ::std::fmt::Debug)),*],
                    || -> $crate::emulated::abi::DriverResult { $body },
                )
            }
        )*

        /// The entry points of this file.
        pub(super) fn entries() -> Vec<$crate::emulated::abi::Entry> {
            vec![$((
                $crate::EntryPoint::$name,
                $name as unsafe extern "C" fn($($ty),*) -> i32 as *mut (),
            )),*]
        }
    };
}
pub(super) use entry_points;

/// Runs the body of an entry point: no panic crosses the boundary, and the call is logged if asked for.
pub(super) fn call(name: &str, arguments: &[(&str, &dyn Debug)], body: impl FnOnce() -> DriverResult) -> i32 {
    // A panic would be an error of this program. The state is memory-safe at any point, the lock is taken
    // again without regard to poisoning, and the caller gets an error.
    let result = check_allowed(name).and_then(|()| {
        catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
            log::call(format_args!("{name} panicked: {}", panic_text(&*panic)));
            Err(Status::UNKNOWN)
        })
    });
    if log::enabled() {
        let arguments: Vec<String> =
            arguments.iter().map(|(name, value)| format!("{name}={value:?}")).collect();
        match result {
            Ok(()) => log::call(format_args!("{name}({})", arguments.join(", "))),
            Err(status) => log::call(format_args!("{name}({}) -> {status}", arguments.join(", "))),
        }
    }
    result.err().map_or(0, Status::code)
}

/// Rejects calls where CUDA allows none: inside a callback, and in a process that was forked from one that
/// uses the driver, which has none of its threads. The names and texts of errors are always available.
fn check_allowed(name: &str) -> DriverResult {
    match name {
        "cuGetErrorName" | "cuGetErrorString" => Ok(()),
        _ if process::in_callback() => Err(Status::NOT_PERMITTED),
        _ if process::is_forked() => Err(Status::NOT_INITIALIZED),
        _ => Ok(()),
    }
}

/// What a panic says.
pub(super) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no text")
}

/// A handle as the caller sees it: a number that is looked up and never dereferenced.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub(crate) struct Handle(pub usize);

impl Handle {
    pub const NULL: Handle = Handle(0);
}

impl Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// A device address, or a host address that is looked up: never dereferenced here.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Address(pub u64);

impl Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// A pointer to a result: null, or valid for one write of a `T`.
#[repr(transparent)]
pub(crate) struct Out<T>(*mut T);

impl<T> Copy for Out<T> {}

impl<T> Clone for Out<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Out<T> {
    /// A pointer that came inside another argument.
    pub fn at(pointer: *mut T) -> Out<T> {
        Out(pointer)
    }

    /// An element of an array of results.
    pub fn at_index(self, index: usize) -> Out<T> {
        // Null stays null.
        Out(if self.0.is_null() { self.0 } else { self.0.wrapping_add(index) })
    }

    /// Rejects null.
    pub fn check(self) -> DriverResult {
        if self.0.is_null() { Err(Status::INVALID_VALUE) } else { Ok(()) }
    }

    /// The value before a result is written; null is rejected.
    pub fn get(self) -> Result<T, Status>
    where
        T: Copy,
    {
        In(self.0.cast_const()).get()
    }

    /// Writes the result; null is rejected.
    pub fn set(self, value: T) -> DriverResult {
        self.check()?;
        self.set_if_wanted(value);
        Ok(())
    }

    /// Writes the result unless the caller passed null.
    pub fn set_if_wanted(self, value: T) {
        if !self.0.is_null() {
            // SAFETY: not null, so valid for a write by the caller's promise. Unaligned, because some
            // callers pass a pointer into a packed struct.
            unsafe { self.0.write_unaligned(value) }
        }
    }
}

impl Out<u64> {
    /// The pointer to a result that is 32 bits wide.
    pub fn narrow(self) -> Out<u32> {
        Out(self.0.cast())
    }
}

impl Out<u8> {
    /// Writes `text` with a terminating NUL, cut to `capacity` bytes.
    pub fn set_text(self, text: &str, capacity: i32) -> DriverResult {
        self.check()?;
        let capacity = usize::try_from(capacity).unwrap_or(0);
        let Some(most) = capacity.checked_sub(1) else { return Err(Status::INVALID_VALUE) };
        let text = &text.as_bytes()[..text.len().min(most)];
        // SAFETY: the caller promises `capacity` bytes here, and `text.len() + 1 <= capacity`; the caller's
        // buffer cannot overlap the driver's own text.
        unsafe {
            self.0.copy_from_nonoverlapping(text.as_ptr(), text.len());
            self.0.add(text.len()).write(0);
        }
        Ok(())
    }
}

impl<T> Debug for Out<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.0, f)
    }
}

/// A structure that a call reads: null, or a pointer to a whole one; any bytes are a valid value of its type.
#[repr(transparent)]
pub(crate) struct In<T>(*const T);

impl<T> Copy for In<T> {}

impl<T> Clone for In<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Copy> In<T> {
    /// The structure; null is rejected.
    pub fn get(&self) -> Result<T, Status> {
        if self.0.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: not null, so a pointer to a whole structure, by the caller's promise.
        Ok(unsafe { self.0.read_unaligned() })
    }

    /// An element of an array of structures.
    pub fn at(&self, index: usize) -> In<T> {
        // Null stays null.
        In(if self.0.is_null() { self.0 } else { self.0.wrapping_add(index) })
    }

    /// An array of structures; null is accepted where there is none.
    pub fn list(&self, count: usize) -> Result<Vec<T>, Status> {
        (0..count).map(|at| self.at(at).get()).collect()
    }

    /// A structure that another one points to.
    pub fn pointed(address: usize) -> In<T> {
        In(address as *const T)
    }
}

impl In<u64> {
    /// An argument that is 32 bits wide.
    pub fn narrow(&self) -> In<u32> {
        In(self.0.cast())
    }
}

impl<T> Debug for In<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.0, f)
    }
}

/// A C string: null, or NUL-terminated and unchanged during the call.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Text(*const c_char);

impl Text {
    /// The bytes before the NUL; null is rejected.
    pub fn bytes(&self) -> Result<&[u8], Status> {
        if self.0.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: not null, so a C string that lives during the call, by the caller's promise.
        Ok(unsafe { CStr::from_ptr(self.0) }.to_bytes())
    }

    /// The text; null, and bytes that are not UTF-8, are rejected.
    pub fn text(&self) -> Result<&str, Status> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Status::INVALID_VALUE)
    }
}

impl Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Names fit; whole PTX modules need not be in the log.
        const SHOWN: usize = 40;
        match self.bytes() {
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN)]);
                write!(f, "{text:?}{}", if bytes.len() > SHOWN { "…" } else { "" })
            }
            Err(_) => f.write_str("null"),
        }
    }
}

/// A device image: null, or PTX text with a NUL, or a cubin or fat binary that is whole; unchanged during the
/// call.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct ImageSource(*const u8);

impl ImageSource {
    /// The image's bytes; null is rejected.
    pub fn bytes(&self) -> Result<Cow<'_, [u8]>, image::Error> {
        if self.0.is_null() {
            return Err(image::Error::Damaged("it is a null pointer".into()));
        }
        // SAFETY: not null, so an image that lives during the call, by the caller's promise.
        unsafe { image::read_from_memory(self.0) }
    }
}

impl Debug for ImageSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.0, f)
    }
}

/// Host memory to read from: null, or valid for reads of as many bytes as the call says.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct HostSource(*const u8);

impl Debug for HostSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.0, f)
    }
}

impl HostSource {
    /// The address as a number.
    pub fn address(self) -> u64 {
        self.0 as u64
    }

    /// The first `bytes` bytes; null is rejected unless `bytes` is 0.
    pub fn bytes(&self, bytes: usize) -> Result<&[u8], Status> {
        if bytes == 0 {
            return Ok(&[]);
        }
        check_range(self.0, bytes)?;
        // SAFETY: not null and of a size that a slice can have; by the caller's promise the range is
        // readable and not written to during the call.
        Ok(unsafe { std::slice::from_raw_parts(self.0, bytes) })
    }
}

/// Host memory to write to: null, or valid for writes of as many bytes as the call says.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct HostTarget(*mut u8);

impl Debug for HostTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.0, f)
    }
}

impl HostTarget {
    /// The host memory at an address that came as a number.
    pub fn at(address: u64) -> HostTarget {
        HostTarget(address as *mut u8)
    }

    /// The start of the first `bytes` bytes, at least one, for use beyond the call.
    pub fn range(&self, bytes: usize) -> Result<NonNull<u8>, Status> {
        check_range(self.0, bytes)?;
        NonNull::new(self.0).filter(|_| bytes != 0).ok_or(Status::INVALID_VALUE)
    }

    /// Host memory to read, at the same address.
    pub fn as_source(self) -> HostSource {
        HostSource(self.0)
    }

    /// The first `bytes` bytes; null is rejected unless `bytes` is 0.
    pub fn bytes(&mut self, bytes: usize) -> Result<&mut [u8], Status> {
        if bytes == 0 {
            return Ok(&mut []);
        }
        check_range(self.0, bytes)?;
        // SAFETY: not null and of a size that a slice can have; by the caller's promise the range is
        // writable and nobody else touches it during the call. Only writes go through the slice.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.0, bytes) })
    }
}

impl HostTarget {
    /// Copies `bytes` bytes of host memory here; the ranges may overlap. Null is rejected unless `bytes` is 0.
    pub fn copy_from(self, from: HostSource, bytes: usize) -> DriverResult {
        if bytes == 0 {
            return Ok(());
        }
        check_range(self.0, bytes)?;
        check_range(from.0, bytes)?;
        // SAFETY: by the caller's promise the one range is writable and the other readable, and nobody else
        // touches them during the call.
        unsafe { self.0.copy_from(from.0, bytes) }
        Ok(())
    }
}

fn check_range(start: *const u8, bytes: usize) -> DriverResult {
    // An address that no process of the host can have is one of the device, or invalid.
    let end = (start as u64).checked_add(bytes as u64);
    let fits = isize::try_from(bytes).is_ok() && end.is_some_and(|end| end <= Machine::HOST_END);
    if start.is_null() || !fits { Err(Status::INVALID_VALUE) } else { Ok(()) }
}
