//! Settings of the emulated driver. One test, because they belong to the process.

use cuda_driver::{Select, reports, settings};
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
    let machine = "v100".parse::<settings::GpuModel>().expect("a model").description();
    let settings = settings::Settings { machines: Some(vec![machine]), ..Default::default() };
    settings::configure(settings.clone()).unwrap();
    cuda_driver::init(Select::Emulator).unwrap();
    let context = cust::quick_init().unwrap();
    assert_eq!(cust::device::Device::get_device(0).unwrap().name().unwrap(), "V100 (emulated)");

    let error = settings::configure(settings).unwrap_err();
    assert_eq!(error, settings::ConfigureError::MachineInUse { contexts: 1 });

    let launch = settings::LaunchOptions { step_limit: 1000, ..settings::launch_options().unwrap() };
    settings::configure(settings::Settings { launch: Some(launch), ..Default::default() }).unwrap();
    let module = Module::from_ptx(PTX, &[]).unwrap();
    let stream = Stream::new(StreamFlags::DEFAULT, None).unwrap();
    let function = module.get_function("forever").unwrap();
    // SAFETY: the kernel takes no parameters.
    unsafe { stream.launch(&function, 1, 32, 0, &[]) }.unwrap();
    assert_eq!(stream.synchronize(), Err(CudaError::LaunchTimeout));
    assert!(reports::last_report().unwrap().contains("1000"));
    drop((module, stream, context));
}
