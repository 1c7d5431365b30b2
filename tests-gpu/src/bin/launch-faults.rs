//! Launches the kernels of a planted fault (`tests-gpu/src/faults.rs`) on the emulated driver, as their directives
//! say, and prints the words of the first argument.
//!
//! Arguments: a file with the directives, and one with PTX.

use std::{collections::HashMap, error::Error, ffi::c_void, process::ExitCode};

use cust::{
    context::{Context, CurrentContext},
    device::Device as CudaDevice,
    error::CudaResult,
    memory::{DeviceBuffer, GpuBuffer},
    module::Module,
    sys,
};
use host_rt::{Device, Select};
use tests_gpu::faults::{Argument, Directives, HostStep};

/// `CU_STREAM_NON_BLOCKING`.
const NON_BLOCKING: u32 = 1;

fn main() -> ExitCode {
    match run() {
        Ok(words) => {
            println!("{}", words.iter().map(u32::to_string).collect::<Vec<_>>().join(" "));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("launch-faults: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The bytes of an argument, and the buffer that it points to.
struct Passed {
    value: u64,
    buffer: Option<DeviceBuffer<u32>>,
}

impl Passed {
    fn new(argument: Argument) -> CudaResult<Passed> {
        // SAFETY: what a kernel does with memory that nobody wrote is what the emulator's checks are tried with; this
        // program reads it only as words, which any bytes are.
        let undefined = |count: u32| unsafe { DeviceBuffer::<u32>::uninitialized(count as usize) };
        let buffer = match argument {
            Argument::Words(count) => DeviceBuffer::from_slice(&(0..count).collect::<Vec<_>>())?,
            Argument::Zeros(count) => DeviceBuffer::from_slice(&vec![0; count as usize])?,
            Argument::Undefined(count) => undefined(count)?,
            Argument::Freed(count) => {
                let buffer = undefined(count)?;
                let value = buffer.as_device_ptr().as_raw();
                DeviceBuffer::drop(buffer).map_err(|(error, _)| error)?;
                return Ok(Passed { value, buffer: None });
            }
            Argument::Number(value) => return Ok(Passed { value: value.into(), buffer: None }),
        };
        Ok(Passed { value: buffer.as_device_ptr().as_raw(), buffer: Some(buffer) })
    }
}

fn run() -> Result<Vec<u32>, Box<dyn Error>> {
    let mut files = std::env::args_os().skip(1);
    let mut file = || -> Result<String, Box<dyn Error>> {
        Ok(std::fs::read_to_string(files.next().ok_or("two files are needed: directives and PTX")?)?)
    };
    let directives = Directives::read(&file()?, false)?;
    let ptx = file()?;

    // Fills the table of the driver's entry points.
    let _device = Device::open(Select::Emulator)?;
    let _context = Context::new(CudaDevice::get_device(0)?)?;
    let module = Module::from_ptx(&ptx, &[])?;
    let only = ptx.split(".entry ").nth(1).and_then(|rest| rest.split(['(', '\n', ' ', '{']).next());
    let mut passed: Vec<Passed> = Vec::new();
    for argument in &directives.arguments {
        passed.push(Passed::new(*argument)?);
    }
    let mut parameters: Vec<*mut c_void> =
        passed.iter_mut().map(|passed| (&raw mut passed.value).cast()).collect();
    let mut streams: HashMap<u32, sys::CUstream> = HashMap::new();
    for step in &directives.steps {
        let HostStep::Launch { kernel, stream, blocks, threads, shared } = step else {
            CurrentContext::synchronize()?;
            continue;
        };
        let name = kernel.as_deref().or(only).ok_or("the PTX has no kernel")?;
        let function = module.get_function(name)?;
        let queue = match stream {
            0 => std::ptr::null_mut(),
            number => {
                if !streams.contains_key(number) {
                    let mut stream = std::ptr::null_mut();
                    // cust 0.3.2 passes no flags, so that its streams wait for the default stream.
                    // SAFETY: there is a current context, and a place for the handle.
                    let status = unsafe { sys::cuStreamCreate(&mut stream, NON_BLOCKING) };
                    if status != sys::CUresult::CUDA_SUCCESS {
                        return Err(format!("creating a stream: {status:?}").into());
                    }
                    streams.insert(*number, stream);
                }
                streams[number]
            }
        };
        // SAFETY: a value of 8 bytes for each parameter, which has 4 or 8; the driver copies them before it returns.
        // What the kernel does with them is checked by the emulator, for which this program is made.
        let status = unsafe {
            sys::cuLaunchKernel(
                function.to_raw(),
                *blocks,
                1,
                1,
                *threads,
                1,
                1,
                *shared,
                queue,
                parameters.as_mut_ptr(),
                std::ptr::null_mut(),
            )
        };
        if status != sys::CUresult::CUDA_SUCCESS {
            return Err(format!("launching {name}: {status:?}").into());
        }
    }
    CurrentContext::synchronize()?;
    match passed.first().and_then(|first| first.buffer.as_ref()) {
        Some(buffer) => Ok(buffer.as_host_vec()?),
        None => Ok(Vec::new()),
    }
}
