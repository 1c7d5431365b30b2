//! Settings of the emulator. One test, because they are the process's.

use cuda_driver::{Select, emulator};
use cust::{error::CudaError, module::Module, stream::Stream, stream::StreamFlags};

const PTX: &str = "
.version 7.8
.target sm_70
.address_size 64
.visible .entry forever()
{
again:
    bra again;
}
";

#[test]
fn settings_apply_before_and_after_init() {
    cuda_driver_link::ensure_linked();
    let machine = emulator::preset("v100").expect("a preset");
    let settings = emulator::Settings { machine: Some(machine), ..Default::default() };
    emulator::configure(settings.clone()).unwrap();
    cuda_driver::init(Select::Emulator).unwrap();
    let context = cust::quick_init().unwrap();
    assert_eq!(cust::device::Device::get_device(0).unwrap().name().unwrap(), "V100 (emulated)");

    let error = emulator::configure(settings).unwrap_err();
    assert_eq!(error, emulator::ConfigureError::MachineInUse { contexts: 1 });

    let launch = emulator::LaunchOptions { step_limit: 1000, ..emulator::launch_options().unwrap() };
    emulator::configure(emulator::Settings { launch: Some(launch), ..Default::default() }).unwrap();
    let module = Module::from_ptx(PTX, &[]).unwrap();
    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    let function = module.get_function("forever").unwrap();
    // SAFETY: the kernel takes no parameters.
    unsafe { stream.launch(&function, 1, 32, 0, &[]) }.unwrap();
    assert_eq!(stream.synchronize(), Err(CudaError::LaunchTimeout));
    assert!(emulator::last_fault().unwrap().contains("1000"));
    drop((module, stream, context));
}
