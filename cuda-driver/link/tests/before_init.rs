//! Calls before a driver is chosen. One test, because the choice belongs to the process.

use cuda_driver::{Kind, Select};
use cust::{CudaFlags, device::Device, error::CudaError};

#[test]
fn a_call_before_init_is_refused_and_the_choice_is_made_once() {
    cuda_driver_link::ensure_linked();

    assert_eq!(cust::init(CudaFlags::empty()), Err(CudaError::NotInitialized));
    assert_eq!(Device::num_devices(), Err(CudaError::NotInitialized));
    // cust asks the driver for the text.
    assert_eq!(CudaError::NotInitialized.to_string(), "\"the driver is not initialised\"");
    assert_eq!(cuda_driver::kind(), None);

    assert_eq!(cuda_driver::init(Select::Emulator), Ok(Kind::Emulator));
    assert_eq!(cuda_driver::init(Select::Auto), Ok(Kind::Emulator));
    let refused = cuda_driver::init(Select::Cuda).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "cuda was asked for, but this process already runs on emulator; the choice is made once"
    );

    // The driver itself still wants cuInit first.
    assert_eq!(Device::num_devices(), Err(CudaError::NotInitialized));
    assert_eq!(cust::init(CudaFlags::empty()), Ok(()));
    assert_eq!(Device::num_devices(), Ok(1));
}
