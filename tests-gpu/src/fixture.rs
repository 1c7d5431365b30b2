//! A device and the tools to build and launch a case's kernels on it.

use codegen_shim::ReductionList;
use cust::{
    context::{Context, CurrentContext, ResourceLimit},
    device::Device as CudaDevice,
    error::CudaResult,
    memory::{DeviceBuffer, DeviceCopy},
    module::{Module, ModuleJitOption},
    stream::{Stream, StreamFlags},
};
use host_rt::{Device, OptLevel, Select};
use toolchain::{ClangBuild, Input, Tools};

/// Bytes of a thread's stack, where it is deep.
const DEEP_STACK: usize = 16 << 10;

/// An open device.
pub struct Fixture {
    /// The device, as host-rt represents it.
    pub device: Device,
    /// The tools that build kernels.
    pub tools: Tools,
    context: Context,
}

/// The source of kernels, and what is linked with them.
pub struct Source<'a> {
    /// C text.
    pub text: &'a str,
    /// Options of the compiler, such as `-DTYPE=int`.
    pub options: &'a [&'a str],
    /// The list whose callbacks are linked.
    pub callbacks: Option<&'a ReductionList>,
    /// The kernels.
    pub kernels: &'a [&'a str],
}

impl Source<'_> {
    /// The kernels, linked with the runtime.
    ///
    /// # Panics
    /// If they do not compile.
    pub fn ptx(&self, tools: &Tools, sm: u32, opt: OptLevel) -> String {
        let runtime = device_library::runtime_bitcode(tools).unwrap_or_else(|error| panic!("{error}"));
        let callbacks = self.callbacks.map(codegen_shim::emit_callbacks);
        let mut modules = vec![Input::Bitcode(&runtime)];
        modules.extend(callbacks.as_deref().map(Input::Ir));
        let build = ClangBuild { source: self.text, sm, opt, options: self.options };
        tools.clang_ptx(&build, &modules, self.kernels).unwrap_or_else(|error| panic!("{error}"))
    }
}

impl Fixture {
    /// Opens the device. Without a GPU, prints the reason and returns `None`.
    ///
    /// # Panics
    /// If the emulator or the tools are missing: every machine that runs the tests needs both.
    pub fn open(select: Select) -> Option<Fixture> {
        let device = match Device::open(select) {
            Ok(device) => device,
            Err(error) if select == Select::Cuda => {
                println!("skipped, no GPU: {error}");
                return None;
            }
            Err(error) => panic!("{error}"),
        };
        let tools = Tools::find().unwrap_or_else(|error| panic!("{error}"));
        let context = Context::new(CudaDevice::get_device(0).unwrap()).unwrap();
        Some(Fixture { device, tools, context })
    }

    /// The device's architecture, as `sm` counts it.
    pub fn sm(&self) -> u32 {
        let (major, minor) = self.device.compute_capability();
        (major * 10 + minor).min(90)
    }

    /// Lets threads have deep stacks, as code that is not optimised has: where functions are called through pointers a GPU's
    /// compiler does not know how deep. A GPU with less memory keeps its default, which may do.
    pub fn deepen_stacks(&self) {
        let _ = CurrentContext::set_current(&self.context)
            .and_then(|()| CurrentContext::set_resource_limit(ResourceLimit::StackSize, DEEP_STACK));
    }

    /// Compiles kernels, links them with the runtime and loads them.
    pub fn load(&self, source: &Source, opt: OptLevel) -> Kernels {
        self.load_ptx(&source.ptx(&self.tools, self.sm(), opt))
    }

    /// Loads PTX.
    pub fn load_ptx(&self, ptx: &str) -> Kernels {
        self.try_load_ptx(ptx).unwrap()
    }

    /// As [`Fixture::load_ptx`].
    ///
    /// # Errors
    /// The driver's error.
    pub fn try_load_ptx(&self, ptx: &str) -> CudaResult<Kernels> {
        CurrentContext::set_current(&self.context)?;
        // A block of 1024 threads has 64 registers for each; the driver takes no more only where it is told.
        let module = Module::from_ptx(ptx, &[ModuleJitOption::MaxRegisters(64)])?;
        Ok(Kernels { module, stream: Stream::new(StreamFlags::NON_BLOCKING, None)? })
    }

    /// Device memory with a copy of `values`.
    pub fn upload<T: DeviceCopy>(&self, values: &[T]) -> DeviceBuffer<T> {
        CurrentContext::set_current(&self.context).unwrap();
        DeviceBuffer::from_slice(values).unwrap()
    }
}

/// Loaded kernels and a stream for them.
pub struct Kernels {
    module: Module,
    stream: Stream,
}

impl Kernels {
    /// Launches one block of a kernel and waits for it. Every word is one parameter, of at most 64 bits.
    pub fn run(&self, kernel: &str, threads: u32, words: &[u64]) {
        self.run_blocks(kernel, 1, threads, words);
    }

    /// Launches a kernel with parameters given as bytes, and waits for it.
    ///
    /// # Errors
    /// The driver's error at the launch or at its end.
    pub fn launch(
        &self,
        kernel: &str,
        grid: [u32; 3],
        block: [u32; 3],
        shared: u32,
        parameters: &[Vec<u8>],
    ) -> Result<(), cust::error::CudaError> {
        let function = self.module.get_function(kernel)?;
        let parameters: Vec<_> = parameters.iter().map(|bytes| bytes.as_ptr().cast_mut().cast()).collect();
        let (grid, block) = ((grid[0], grid[1], grid[2]), (block[0], block[1], block[2]));
        // SAFETY: a case passes as many bytes for each parameter as its own kernel has, with addresses of
        // buffers that are large enough and outlive the wait below.
        unsafe { self.stream.launch(&function, grid, block, shared, &parameters) }?;
        self.stream.synchronize()
    }

    /// As [`Kernels::run`], of several blocks.
    pub fn run_blocks(&self, kernel: &str, blocks: u32, threads: u32, words: &[u64]) {
        self.try_run_blocks(kernel, blocks, threads, words)
            .unwrap_or_else(|error| panic!("{kernel} with {threads} threads: {error}"));
    }

    /// As [`Kernels::run_blocks`].
    ///
    /// # Errors
    /// The driver's error. After a kernel that failed, the context cannot be used.
    pub fn try_run_blocks(&self, kernel: &str, blocks: u32, threads: u32, words: &[u64]) -> CudaResult<()> {
        let function = self.module.get_function(kernel)?;
        let parameters: Vec<_> =
            words.iter().map(|word| std::ptr::from_ref(word).cast_mut().cast()).collect();
        // SAFETY: a case passes one word for each parameter of its own kernel, with addresses of buffers that
        // are large enough and outlive the wait below.
        unsafe { self.stream.launch(&function, blocks, threads, 0, &parameters) }?;
        self.stream.synchronize()
    }
}
