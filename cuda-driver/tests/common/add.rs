//! A kernel that adds 1 to the elements of an array, one for each thread of a block.

use cuda_driver::Select;

const ADD: &std::ffi::CStr = c".version 8.3
.target sm_80
.address_size 64
.visible .entry add(.param .u64 p)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
    ld.u32 %r2, [%rd3];
    add.u32 %r2, %r2, 1;
    st.u32 [%rd3], %r2;
    ret;
}";

/// The kernel `add`, in a context that is destroyed with it.
pub struct Add {
    pub context: usize,
    pub function: usize,
}

impl Drop for Add {
    fn drop(&mut self) {
        assert_eq!(call!(cuCtxDestroy_v2(self.context => usize)), 0);
    }
}

#[allow(dead_code, reason = "not every test file needs it")]
pub fn context() -> Add {
    context_on(0)
}

/// As [`context`], on another device; the context is the thread's current one.
pub fn context_on(ordinal: i32) -> Add {
    cuda_driver::init(Select::Emulator).expect("the emulator is always there");
    let (mut device, mut context, mut module, mut function) = (0, 0usize, 0usize, 0usize);
    assert_eq!(call!(cuInit(0 => u32)), 0);
    assert_eq!(call!(cuDeviceGet(&mut device => *mut i32, ordinal => i32)), 0);
    assert_eq!(call!(cuCtxCreate_v2(&mut context => *mut usize, 0 => u32, device => i32)), 0);
    assert_eq!(call!(cuModuleLoadData(&mut module => *mut usize, ADD.as_ptr() => *const i8)), 0);
    let name = c"add".as_ptr();
    assert_eq!(
        call!(cuModuleGetFunction(&mut function => *mut usize, module => usize, name => *const i8)),
        0
    );
    Add { context, function }
}

/// Launches the kernel and waits for it.
pub fn launch(Add { function, .. }: &Add, address: u64, threads: u32) -> i32 {
    let parameters = [std::ptr::from_ref(&address)];
    let launched = call!(cuLaunchKernel(
        *function => usize, 1 => u32, 1 => u32, 1 => u32, threads => u32, 1 => u32, 1 => u32, 0 => u32,
        0 => usize, parameters.as_ptr() => *const *const u64, std::ptr::null() => *const u8,
    ));
    if launched == 0 { call!(cuCtxSynchronize()) } else { launched }
}
