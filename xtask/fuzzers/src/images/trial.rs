//! Tries one image: reads it, lists what it holds, loads it through the driver, and launches its kernel.

use std::ffi::c_void;
use std::ptr;

use cuda_driver::{Select, image, reports};

use crate::memory;
use crate::target::Outcome;

/// Bytes of memory that an image may take.
const MOST_MEMORY: usize = 512 << 20;
/// The device that images are read for.
const SM: u32 = 90;
/// Bytes behind an image that are there and not the image's.
const BEHIND: usize = 4096;

/// Places in the counts of an outcome.
const LOADED: usize = 0;
const LAUNCHES: usize = 1;
const WITH_SOURCE: usize = 2;

/// Calls an entry point of the driver and returns its status.
macro_rules! call {
    ($name:ident($($value:expr => $ty:ty),* $(,)?)) => {{
        let address = cuda_driver::EntryPoint::$name.address();
        // SAFETY: this is the entry point's signature in cuda.h.
        let entry = unsafe { std::mem::transmute::<*mut (), unsafe extern "C" fn($($ty),*) -> i32>(address) };
        // SAFETY: every pointer is to a live value of its type, as the entry point asks.
        unsafe { entry($($value),*) }
    }};
}

type Handle = *mut c_void;

/// Starts the driver.
pub fn start() -> Result<(), String> {
    cuda_driver::init(Select::Emulator).map_err(|error| error.to_string())?;
    match call!(cuInit(0 => u32)) {
        0 => Ok(()),
        status => Err(format!("cuInit returned {status}")),
    }
}

/// Tries an image; an error describes the violated guarantee.
pub fn run(image: &[u8]) -> Result<Outcome, String> {
    let mut padded = image.to_vec();
    padded.resize(image.len() + BEHIND, 0);
    let (outcome, bytes) = memory::peak(|| checked(&padded, image.len()));
    let mut outcome = outcome?;
    if bytes > MOST_MEMORY {
        return Err(format!("{} bytes took {bytes} bytes of memory", image.len()));
    }
    outcome.largest = bytes as u64 >> 10;
    Ok(outcome)
}

/// Tries the first `length` bytes; the driver gets only their address.
fn checked(padded: &[u8], length: usize) -> Result<Outcome, String> {
    let image = &padded[..length];
    let mut outcome = Outcome::default();
    match image::ptx(image, SM) {
        Ok(units) if units.is_empty() => return Err("it was read, and holds no unit".to_owned()),
        Ok(_) => outcome.passed = true,
        Err(error) => message(&error.to_string())?,
    }
    for found in image::embedded(image) {
        found.runs_on(SM);
    }
    load(padded, &mut outcome)?;
    Ok(outcome)
}

/// Loads the image from its address, launches `k`, and checks the reports.
fn load(image: &[u8], outcome: &mut Outcome) -> Result<(), String> {
    // A structure of the host's points to an image: its pointer would be read as one.
    if image.starts_with(&0x4662_43b1_u32.to_le_bytes()) {
        return Ok(());
    }
    let mut context = ptr::null_mut();
    let status = call!(cuCtxCreate_v2(&raw mut context => *mut Handle, 0 => u32, 0 => i32));
    if status != 0 {
        return Err(format!("cuCtxCreate returned {status}"));
    }
    let loaded = in_context(image, outcome);
    let status = call!(cuCtxDestroy_v2(context => Handle));
    loaded.and_then(|()| if status == 0 { Ok(()) } else { Err(format!("cuCtxDestroy returned {status}")) })
}

fn in_context(image: &[u8], outcome: &mut Outcome) -> Result<(), String> {
    let (mut module, mut function) = (ptr::null_mut(), ptr::null_mut());
    let status = call!(cuModuleLoadData(&raw mut module => *mut Handle, image.as_ptr() => *const u8));
    if status != 0 {
        return message(&reports::last_report().unwrap_or_default());
    }
    outcome.counts[LOADED] = 1;
    let name = c"k".as_ptr();
    let found = call!(cuModuleGetFunction(
        &raw mut function => *mut Handle, module => Handle, name => *const std::ffi::c_char
    ));
    if found == 0 { launch(function, outcome) } else { Ok(()) }
}

fn launch(function: Handle, outcome: &mut Outcome) -> Result<(), String> {
    let mut parameter = 64u64;
    let mut parameters = [(&raw mut parameter).cast::<c_void>(); 8];
    let launched = call!(cuLaunchKernel(
        function => Handle, 1 => u32, 1 => u32, 1 => u32, 2 => u32, 1 => u32, 1 => u32, 0 => u32,
        ptr::null_mut() => Handle, parameters.as_mut_ptr() => *mut *mut c_void,
        ptr::null_mut() => *mut *mut c_void
    ));
    if launched != 0 {
        return Ok(());
    }
    outcome.counts[LAUNCHES] = 1;
    if call!(cuCtxSynchronize()) != 0 {
        let report = reports::last_report().unwrap_or_default();
        outcome.counts[WITH_SOURCE] = u64::from(!report.starts_with("kernel "));
        let wide = report.lines().any(|line| line.chars().count() > 110);
        if report.is_empty() || wide || report.lines().count() > 24 {
            return Err(format!("the report is empty or too large:\n{report}"));
        }
        if report.contains(|c: char| c.is_control() && c != '\n') {
            return Err(format!("the report has control characters:\n{report}"));
        }
        // Of the files that generated images name, one is below the working folder.
        let quotes = |line: &str| line.starts_with("    ") && line.contains(" | ");
        if report.lines().any(quotes) && !report.starts_with("Cargo.toml:") {
            return Err(format!("the report quotes a file that it may not show:\n{report}"));
        }
    }
    Ok(())
}

/// Checks that a message is one short line.
fn message(text: &str) -> Result<(), String> {
    if text.is_empty() || text.chars().count() > 1000 || text.contains(char::is_control) {
        return Err(format!("the message is not a readable line: {text:?}"));
    }
    Ok(())
}
