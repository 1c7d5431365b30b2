//! The calls, and where their arguments come from.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use super::program::{DEVICES, HandleKind, Program};
use crate::random::Random;

/// A call of an entry point.
pub struct Call {
    /// Whether it makes the device do something.
    pub works: bool,
    run: fn(&mut Caller) -> i32,
}

/// A thread that calls.
pub struct Caller<'p> {
    program: &'p Program,
    random: Random,
    /// Where results are written; what was written is remembered if the call succeeds.
    handle: usize,
    kind: HandleKind,
    /// A copy writes to the program's own memory.
    to_own: bool,
    address: u64,
    context: usize,
    bytes: [usize; 2],
    number: [i32; 2],
    wide: u64,
    text: [c_char; 64],
    name: *const c_char,
    milliseconds: f32,
}

const MODULES: [&CStr; 5] = [
    c".version 8.3
.target sm_80
.address_size 64
.global .u32 g[64];
.const .u32 c[4];
.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
.extern .func (.param .b64 r) malloc(.param .b64 n);
.global .align 1 .b8 s[1];
.visible .entry k(.param .u64 p, .param .u32 n)
{
    .reg .b64 %d<2>;
    .reg .b32 %r<3>;
    .reg .pred %p<2>;
    ld.param.u64 %d1, [p];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, 0;
again:
    st.global.u32 [%d1], %r2;
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, %r1;
    @%p1 bra again;
    ret;
}
.visible .entry sh()
{
    .reg .b32 %r<2>;
    .shared .align 4 .b8 x[1024];
    mov.u32 %r1, 1;
    st.shared.u32 [x], %r1;
    bar.sync 0;
    ret;
}
.visible .entry say()
{
    .reg .b64 %d<3>;
    .reg .b32 %r<2>;
    mov.u64 %d1, s;
    mov.u64 %d2, 0;
    {
    .param .b64 a; .param .b64 b; .param .b32 r;
    st.param.b64 [a], %d1;
    st.param.b64 [b], %d2;
    call.uni (r), vprintf, (a, b);
    ld.param.b32 %r1, [r];
    }
    ret;
}
.visible .entry take()
{
    .reg .b64 %d<3>;
    mov.u64 %d1, 4000;
    {
    .param .b64 a; .param .b64 r;
    st.param.b64 [a], %d1;
    call.uni (r), malloc, (a);
    ld.param.b64 %d2, [r];
    }
    st.global.u64 [%d2], %d1;
    ret;
}
",
    c".version 8.3\n.target sm_80\n.address_size 64\n.global .u8 a[8]\n",
    c".version 8.3\n.target sm_80\n.address_size 64\n.global .u8 a[3000000000];\n.visible .entry k() { ret; }\n",
    c".version 8.3\n.target sm_101\n.address_size 64\n.visible .entry k() { ret; }\n",
    c"",
];

const NAMES: [&CStr; 6] = [c"k", c"sh", c"say", c"take", c"g", c"nothing"];

/// A host function.
unsafe extern "C" fn host_function(_: *mut c_void) {
    let mut bytes = 0usize;
    // Not permitted here.
    call!(cuMemGetInfo_v2(&mut bytes => *mut usize, &mut bytes => *mut usize));
}

unsafe extern "C" fn stream_callback(_stream: usize, _status: i32, _: *mut c_void) {}

type HostFunction = Option<unsafe extern "C" fn(*mut c_void)>;
type StreamCallback = Option<unsafe extern "C" fn(usize, i32, *mut c_void)>;

impl<'p> Caller<'p> {
    pub fn new(program: &'p Program) -> Caller<'p> {
        let mut caller = Caller {
            program,
            random: Random::new(0, 0),
            handle: 0,
            kind: HandleKind::Context,
            to_own: false,
            address: 0,
            context: 0,
            bytes: [0; 2],
            number: [0; 2],
            wide: 0,
            text: [0; 64],
            name: ptr::null(),
            milliseconds: 0.0,
        };
        let device = caller.random.below(DEVICES as usize) as i32;
        call!(cuDevicePrimaryCtxRetain(&mut caller.handle => *mut usize, device => i32));
        call!(cuCtxSetCurrent(caller.handle => usize));
        caller
    }

    /// Makes a call, whose arguments are drawn from a number.
    pub fn call(&mut self, call: &Call, number: u64) -> i32 {
        self.random = Random::new(number, 0);
        (self.handle, self.address, self.context) = (0, 0, 0);
        let status = (call.run)(self);
        if status == 0 {
            if self.handle != 0 {
                self.program.keep_handle(self.kind, self.handle, &mut self.random);
            }
            if self.address != 0 {
                self.program.keep_address(self.address, &mut self.random);
            }
            if self.context != 0 {
                self.program.keep_context(self.context);
                self.program.keep_handle(HandleKind::Context, self.context, &mut self.random);
            }
        }
        status
    }

    /// A pointer to a result, seldom null.
    fn out<T>(&mut self, result: fn(&mut Self) -> &mut T) -> *mut T {
        if self.random.one_in(40) { ptr::null_mut() } else { result(self) }
    }

    fn out_handle(&mut self, kind: HandleKind) -> *mut usize {
        self.kind = kind;
        self.out(|c| &mut c.handle)
    }

    fn out_context(&mut self) -> *mut usize {
        self.out(|c| &mut c.context)
    }

    fn out_address(&mut self) -> *mut u64 {
        self.out(|c| &mut c.address)
    }

    fn out_bytes(&mut self, which: usize) -> *mut usize {
        &mut self.bytes[which]
    }

    fn out_number(&mut self, which: usize) -> *mut i32 {
        &mut self.number[which]
    }

    fn out_wide(&mut self) -> *mut u64 {
        self.out(|c| &mut c.wide)
    }

    /// A handle, mostly of the right kind.
    fn handle(&mut self, kind: HandleKind) -> usize {
        match self.random.below(24) {
            0 => 0,
            1 => 1,
            2 => 2,
            3 => self.random.next() as usize,
            4 => {
                let other = *self.random.pick(&HandleKind::ALL);
                self.program.handle(other, &mut self.random)
            }
            _ => self.program.handle(kind, &mut self.random),
        }
    }

    /// A stream: more often the default one.
    fn stream(&mut self) -> usize {
        if self.random.one_in(3) { 0 } else { self.handle(HandleKind::Stream) }
    }

    /// An address of the device or the host, or of nothing.
    fn address(&mut self) -> u64 {
        match self.random.below(16) {
            0 => 0,
            1 => self.random.next(),
            2 => u64::MAX - self.random.below(256) as u64,
            3 => self.program.address(&mut self.random) + self.random.below(5000) as u64,
            4 => self.own(),
            _ => self.program.address(&mut self.random),
        }
    }

    /// An address in the program's own memory.
    fn own(&mut self) -> u64 {
        let (start, bytes) = self.program.own();
        start + self.random.below(bytes / 2) as u64
    }

    /// Pageable memory for a copy, which may be missing or read-only.
    fn pageable(&mut self) -> u64 {
        match self.random.below(12) {
            0 => 0x1000,
            1 => MODULES.as_ptr() as u64,
            2 => self.address(),
            _ => self.own(),
        }
    }

    fn page(&mut self) -> u64 {
        self.program.own().0 + 4096 * self.random.below(4) as u64
    }

    /// Any size.
    fn size(&mut self) -> usize {
        const SIZES: [usize; 16] = [
            0,
            1,
            3,
            4,
            255,
            256,
            4096,
            65536,
            1 << 20,
            usize::MAX,
            usize::MAX - 255,
            1 << 63,
            1 << 47,
            1 << 32,
            (1 << 32) - 1,
            1 << 62,
        ];
        if self.random.one_in(3) { *self.random.pick(&SIZES) } else { self.random.below(8192) }
    }

    /// A size that an allocation can have, mostly.
    fn moderate(&mut self) -> usize {
        match self.random.below(24) {
            0 => self.size(),
            1 => 1 << (20 + self.random.below(6)),
            _ => self.random.below(65537),
        }
    }

    fn small(&mut self) -> usize {
        self.random.below(8192)
    }

    fn number(&mut self) -> u32 {
        const NUMBERS: [u32; 12] =
            [0, 1, 2, 3, 32, 1024, 1025, 65535, 65536, i32::MAX as u32, 1 << 31, u32::MAX];
        if self.random.one_in(2) { *self.random.pick(&NUMBERS) } else { self.random.below(64) as u32 }
    }

    /// A number that is right more often than not.
    fn mostly(&mut self, right: u32) -> u32 {
        if self.random.one_in(8) { self.number() } else { right }
    }

    fn device(&mut self) -> i32 {
        let right = self.random.below(DEVICES as usize) as u32;
        self.mostly(right) as i32
    }

    fn text(&mut self) -> *const c_char {
        if self.random.one_in(40) { ptr::null() } else { self.random.pick(&NAMES).as_ptr() }
    }

    fn kernel_name(&mut self) -> *const c_char {
        NAMES[self.random.below(4)].as_ptr()
    }

    fn module_text(&mut self) -> *const c_char {
        let number = if self.random.one_in(8) { self.random.below(MODULES.len()) } else { 0 };
        MODULES[number].as_ptr()
    }

    /// `CUDA_MEMCPY2D` and `CUDA_MEMCPY3D`, as words.
    fn copy2d(&mut self) -> i32 {
        let mut words = [0u64; 16];
        words.iter_mut().for_each(|word| *word = if self.random.one_in(4) { self.size() } else { 0 } as u64);
        self.source(&mut words, 2);
        self.target(&mut words, 9);
        (words[14], words[15]) = (self.small() as u64, self.random.below(40) as u64);
        if self.to_own {
            words[7..14]
                .iter_mut()
                .zip([0, 0, 1, self.own(), 0, 0, 0])
                .for_each(|(word, value)| *word = value);
            (words[14], words[15]) = (words[14] % 64, words[15] % 8);
        }
        call!(cuMemcpy2D_v2(words.as_ptr() => *const u64))
    }

    fn copy3d(&mut self) -> i32 {
        let mut words = [0u64; 25];
        words.iter_mut().for_each(|word| *word = if self.random.one_in(4) { self.size() } else { 0 } as u64);
        self.source(&mut words, 4);
        self.target(&mut words, 15);
        (words[22], words[23], words[24]) =
            (self.small() as u64, self.random.below(10) as u64, self.random.below(10) as u64);
        if self.to_own {
            words[11..22].fill(0);
            (words[15], words[16]) = (1, self.own());
            (words[22], words[23], words[24]) = (words[22] % 64, words[23] % 8, words[24] % 8);
        }
        call!(cuMemcpy3D_v2(words.as_ptr() => *const u64))
    }

    /// Memory type, host address and device address of a source.
    fn source(&mut self, words: &mut [u64], at: usize) {
        words[at] = u64::from(*self.random.pick(&[1u32, 2, 2, 2, 3, 4]));
        (words[at + 1], words[at + 2]) = (self.pageable(), self.address());
    }

    /// The same of a target: memory of the device, of nobody, or the program's own, where the extent is small.
    fn target(&mut self, words: &mut [u64], at: usize) {
        words[at] = u64::from(*self.random.pick(&[2u32, 2, 3]));
        (words[at + 1], words[at + 2]) = (0x1000, self.address());
        self.to_own = self.random.one_in(4);
    }

    /// An address that a call writes to if it is the host's: what the driver has freed is not the program's.
    fn writable(&mut self) -> u64 {
        match self.address() {
            address if address < 1 << 47 => self.own(),
            address => address,
        }
    }

    fn launch(&mut self) -> i32 {
        let (function, stream) = (self.handle(HandleKind::Function), self.stream());
        let (address, count) = (self.address(), self.random.below(2000) as u32);
        let parameters =
            [ptr::from_ref(&address).cast::<c_void>(), ptr::from_ref(&count).cast(), ptr::null()];
        let parameters = if self.random.one_in(20) { ptr::null() } else { parameters.as_ptr() };
        call!(cuLaunchKernel(
            function => usize,
            self.mostly(1) => u32, self.mostly(1) => u32, self.mostly(1) => u32,
            self.mostly(32) => u32, self.mostly(1) => u32, self.mostly(1) => u32,
            self.mostly(0) => u32, stream => usize,
            parameters => *const *const c_void, ptr::null() => *const *const c_void,
        ))
    }

    /// A launch of a fresh function, so that many launches succeed.
    fn launch_by_name(&mut self) -> i32 {
        let (mut module, mut function, name) = (0usize, 0usize, self.kernel_name());
        let loaded = call!(cuModuleLoadData(&mut module => *mut usize, MODULES[0].as_ptr() => *const c_char));
        if loaded != 0 {
            return loaded;
        }
        self.program.keep_handle(HandleKind::Module, module, &mut self.random);
        let found = call!(cuModuleGetFunction(
            &mut function => *mut usize, module => usize, name => *const c_char
        ));
        if found != 0 {
            return found;
        }
        (self.handle, self.kind) = (function, HandleKind::Function);
        let (address, count, stream) =
            (self.program.address(&mut self.random), self.number() % 4096, self.stream());
        let parameters = [ptr::from_ref(&address).cast::<c_void>(), ptr::from_ref(&count).cast()];
        call!(cuLaunchKernel(
            function => usize, self.mostly(2) => u32, 1 => u32, 1 => u32, 64 => u32, 1 => u32, 1 => u32,
            0 => u32, stream => usize, parameters.as_ptr() => *const *const c_void,
            ptr::null() => *const *const c_void,
        ))
    }

    fn launch_from_buffer(&mut self) -> i32 {
        let buffer = [self.address(), u64::from(self.number())];
        let mut size = *self.random.pick(&[0usize, 12, 16]);
        let extra: [*const c_void; 5] = [
            ptr::without_provenance(1),
            buffer.as_ptr().cast(),
            ptr::without_provenance(2),
            ptr::from_mut(&mut size).cast_const().cast(),
            ptr::null(),
        ];
        call!(cuLaunchKernel(
            self.handle(HandleKind::Function) => usize, 1 => u32, 1 => u32, 1 => u32, self.mostly(1) => u32, 1 => u32, 1 => u32,
            0 => u32, self.stream() => usize, ptr::null() => *const *const c_void,
            extra.as_ptr() => *const *const c_void,
        ))
    }

    fn create_pool(&mut self) -> i32 {
        let mut properties = [0u32; 22];
        (properties[0], properties[2]) = (self.mostly(1), self.mostly(1));
        call!(cuMemPoolCreate(self.out_handle(HandleKind::Pool) => *mut usize, properties.as_ptr() => *const u32))
    }

    fn pointer_attributes(&mut self) -> i32 {
        let attributes = [self.number() as i32 % 20, 2, 11];
        let mut values = [0u64; 3];
        let values = values.each_mut().map(ptr::from_mut);
        call!(cuPointerGetAttributes(
            3 => u32, attributes.as_ptr() => *const i32, values.as_ptr() => *const *mut u64, self.address() => u64
        ))
    }
}

macro_rules! calls {
    (
        $c:ident;
        $($works:literal $name:ident($($value:expr => $ty:ty),* $(,)?);)*
        $(by $method:path, $does:literal;)*
    ) => {
        [
            $(Call { works: $works, run: |$c| { let _ = &$c; call!($name($($value => $ty),*)) } },)*
            $(Call { works: $does, run: |$c| $method($c) },)*
        ]
    };
}

/// Every call that is tried; frequent ones are there more than once. The number of a call in an input is a byte.
pub static CALLS: &[Call] = &calls! { c;
    false cuCtxCreate_v2(c.out_context() => *mut usize, c.mostly(0) => u32, c.device() => i32);
    false cuCtxDestroy_v2(c.handle(HandleKind::Context) => usize);
    false cuCtxSetCurrent(c.handle(HandleKind::Context) => usize);
    false cuCtxPushCurrent_v2(c.handle(HandleKind::Context) => usize);
    false cuCtxPopCurrent_v2(c.out_handle(HandleKind::Context) => *mut usize);
    false cuCtxGetCurrent(c.out_handle(HandleKind::Context) => *mut usize);
    false cuCtxSynchronize();
    false cuCtxSetLimit(c.number() % 8 => u32, c.size() => usize);
    false cuCtxGetLimit(c.out_bytes(0) => *mut usize, c.number() % 8 => u32);
    false cuCtxGetId(c.handle(HandleKind::Context) => usize, c.out_wide() => *mut u64);
    false cuCtxGetFlags(c.out_number(0) => *mut i32);
    false cuCtxGetApiVersion(c.handle(HandleKind::Context) => usize, c.out_number(0) => *mut i32);
    false cuDevicePrimaryCtxRetain(c.out_handle(HandleKind::Context) => *mut usize, c.device() => i32);
    false cuDevicePrimaryCtxRelease_v2(c.device() => i32);
    false cuDeviceGetAttribute(c.out_number(0) => *mut i32, c.number() as i32 => i32, c.device() => i32);
    false cuDeviceGetName(c.out(|c| &mut c.text[0]) => *mut c_char, 64 => i32, c.device() => i32);
    false cuEventCreate(c.out_handle(HandleKind::Event) => *mut usize, c.number() % 8 => u32);
    false cuEventCreate(c.out_handle(HandleKind::Event) => *mut usize, 0 => u32);
    false cuEventDestroy_v2(c.handle(HandleKind::Event) => usize);
    false cuEventRecord(c.handle(HandleKind::Event) => usize, c.stream() => usize);
    false cuEventRecord(c.handle(HandleKind::Event) => usize, 0 => usize);
    false cuEventQuery(c.handle(HandleKind::Event) => usize);
    false cuEventSynchronize(c.handle(HandleKind::Event) => usize);
    false cuEventElapsedTime(c.out(|c| &mut c.milliseconds) => *mut f32, c.handle(HandleKind::Event) => usize, c.handle(HandleKind::Event) => usize);
    false cuStreamCreate(c.out_handle(HandleKind::Stream) => *mut usize, c.number() % 2 => u32);
    false cuStreamCreate(c.out_handle(HandleKind::Stream) => *mut usize, c.number() % 2 => u32);
    false cuStreamCreateWithPriority(c.out_handle(HandleKind::Stream) => *mut usize, c.mostly(1) => u32, c.number() as i32 => i32);
    false cuStreamDestroy_v2(c.handle(HandleKind::Stream) => usize);
    false cuStreamSynchronize(c.stream() => usize);
    false cuStreamQuery(c.stream() => usize);
    false cuStreamWaitEvent(c.stream() => usize, c.handle(HandleKind::Event) => usize, c.mostly(0) => u32);
    false cuStreamGetCtx(c.stream() => usize, c.out_handle(HandleKind::Context) => *mut usize);
    false cuStreamGetId(c.stream() => usize, c.out_wide() => *mut u64);
    false cuStreamGetFlags(c.stream() => usize, c.out_number(0) => *mut i32);
    false cuStreamAddCallback(
        c.stream() => usize, Some(stream_callback) => StreamCallback, ptr::null_mut() => *mut c_void,
        c.mostly(0) => u32,
    );
    false cuLaunchHostFunc(
        c.stream() => usize, Some(host_function) => HostFunction, ptr::null_mut() => *mut c_void,
    );
    false cuLaunchHostFunc(c.stream() => usize, None => HostFunction, ptr::null_mut() => *mut c_void);
    false cuMemGetInfo_v2(c.out_bytes(0) => *mut usize, c.out_bytes(1) => *mut usize);
    false cuMemAlloc_v2(c.out_address() => *mut u64, c.moderate() => usize);
    false cuMemAlloc_v2(c.out_address() => *mut u64, c.moderate() => usize);
    false cuMemAlloc_v2(c.out_address() => *mut u64, c.moderate() => usize);
    false cuMemAllocAsync(c.out_address() => *mut u64, c.moderate() => usize, c.stream() => usize);
    false cuMemAllocManaged(c.out_address() => *mut u64, c.moderate() => usize, c.mostly(1) => u32);
    false cuMemAllocHost_v2(c.out_address() => *mut u64, c.moderate() => usize);
    false cuMemHostAlloc(c.out_address() => *mut u64, c.moderate() => usize, c.number() % 9 => u32);
    false cuMemAllocPitch_v2(
        c.out_address() => *mut u64, c.out_bytes(0) => *mut usize, c.small() => usize, c.small() % 300 => usize,
        c.mostly(4) => u32,
    );
    false cuMemFree_v2(c.address() => u64);
    false cuMemFree_v2(c.program.address(&mut c.random) => u64);
    false cuMemFreeAsync(c.address() => u64, c.stream() => usize);
    false cuMemFreeHost(c.address() => u64);
    false cuMemHostRegister_v2(c.page() => u64, 4096 => usize, c.number() % 16 => u32);
    false cuMemHostRegister_v2(c.pageable() => u64, c.size() => usize, c.number() % 16 => u32);
    false cuMemHostUnregister(c.page() => u64);
    false cuMemHostGetDevicePointer_v2(c.out_wide() => *mut u64, c.address() => u64, c.mostly(0) => u32);
    false cuMemHostGetFlags(c.out_number(0) => *mut i32, c.address() => u64);
    false cuMemGetAddressRange_v2(c.out_wide() => *mut u64, c.out_bytes(0) => *mut usize, c.address() => u64);
    false cuPointerGetAttribute(c.out_wide() => *mut u64, (c.number() % 24) as i32 => i32, c.address() => u64);
    true cuMemcpyDtoD_v2(c.address() => u64, c.address() => u64, c.size() => usize);
    true cuMemcpyDtoDAsync_v2(c.address() => u64, c.address() => u64, c.small() => usize, c.stream() => usize);
    true cuMemcpyHtoD_v2(c.address() => u64, c.pageable() => u64, c.size() => usize);
    true cuMemcpyDtoH_v2(c.own() => u64, c.address() => u64, c.small() => usize);
    true cuMemcpyHtoDAsync_v2(c.address() => u64, c.pageable() => u64, c.small() => usize, c.stream() => usize);
    true cuMemcpyDtoHAsync_v2(c.own() => u64, c.address() => u64, c.small() => usize, c.stream() => usize);
    true cuMemcpy(c.writable() => u64, c.pageable() => u64, c.small() => usize);
    true cuMemcpyPeer(c.address() => u64, c.handle(HandleKind::Context) => usize, c.address() => u64, c.handle(HandleKind::Context) => usize, c.small() => usize);
    true cuMemcpyPeerAsync(c.address() => u64, c.handle(HandleKind::Context) => usize, c.address() => u64, c.handle(HandleKind::Context) => usize, c.small() => usize, c.stream() => usize);
    true cuMemcpyAsync(c.writable() => u64, c.address() => u64, c.small() => usize, c.stream() => usize);
    true cuMemsetD8_v2(c.address() => u64, 1 => u8, c.size() => usize);
    true cuMemsetD16_v2(c.address() => u64, 1 => u16, c.small() => usize);
    true cuMemsetD32_v2(c.address() => u64, 1 => u32, c.small() => usize);
    true cuMemsetD32Async(c.address() => u64, 1 => u32, c.small() => usize, c.stream() => usize);
    true cuMemsetD2D32_v2(
        c.address() => u64, c.size() => usize, 7 => u32, c.size() => usize, c.size() => usize,
    );
    false cuModuleLoadData(c.out_handle(HandleKind::Module) => *mut usize, c.module_text() => *const c_char);
    false cuModuleLoadData(c.out_handle(HandleKind::Module) => *mut usize, c.module_text() => *const c_char);
    false cuModuleLoadDataEx(
        c.out_handle(HandleKind::Module) => *mut usize, c.module_text() => *const c_char, 0 => u32,
        ptr::null_mut() => *mut u32, ptr::null_mut() => *mut usize,
    );
    false cuModuleUnload(c.handle(HandleKind::Module) => usize);
    false cuModuleGetFunction(c.out_handle(HandleKind::Function) => *mut usize, c.handle(HandleKind::Module) => usize, c.text() => *const c_char);
    false cuModuleGetFunction(c.out_handle(HandleKind::Function) => *mut usize, c.handle(HandleKind::Module) => usize, c.kernel_name() => *const c_char);
    false cuModuleGetGlobal_v2(
        c.out_address() => *mut u64, c.out_bytes(0) => *mut usize, c.handle(HandleKind::Module) => usize, c.text() => *const c_char,
    );
    false cuModuleGetFunctionCount(c.out_number(0) => *mut i32, c.handle(HandleKind::Module) => usize);
    false cuFuncGetAttribute(c.out_number(0) => *mut i32, (c.number() % 18) as i32 => i32, c.handle(HandleKind::Function) => usize);
    false cuFuncSetAttribute(c.handle(HandleKind::Function) => usize, (c.number() % 18) as i32 => i32, c.number() as i32 => i32);
    false cuFuncGetName(c.out(|c| &mut c.name) => *mut *const c_char, c.handle(HandleKind::Function) => usize);
    false cuFuncGetModule(c.out_handle(HandleKind::Module) => *mut usize, c.handle(HandleKind::Function) => usize);
    false cuFuncGetParamInfo(
        c.handle(HandleKind::Function) => usize, c.small() % 4 => usize, c.out_bytes(0) => *mut usize, c.out_bytes(1) => *mut usize,
    );
    false cuLibraryLoadData(
        c.out_handle(HandleKind::Module) => *mut usize, c.module_text() => *const c_char, ptr::null_mut() => *mut u32,
        ptr::null_mut() => *mut usize, 0 => u32, ptr::null_mut() => *mut u32, ptr::null_mut() => *mut usize,
        0 => u32,
    );
    false cuLibraryGetKernel(c.out_handle(HandleKind::Function) => *mut usize, c.handle(HandleKind::Module) => usize, c.kernel_name() => *const c_char);
    false cuLibraryUnload(c.handle(HandleKind::Module) => usize);
    false cuKernelGetFunction(c.out_handle(HandleKind::Function) => *mut usize, c.handle(HandleKind::Function) => usize);
    false cuOccupancyMaxActiveBlocksPerMultiprocessor(
        c.out_number(0) => *mut i32, c.handle(HandleKind::Function) => usize, c.number() as i32 => i32, c.size() => usize,
    );
    false cuOccupancyMaxPotentialBlockSize(
        c.out_number(0) => *mut i32, c.out_number(1) => *mut i32, c.handle(HandleKind::Function) => usize, None => HostFunction,
        c.size() => usize, c.number() as i32 => i32,
    );
    false cuOccupancyAvailableDynamicSMemPerBlock(
        c.out_bytes(0) => *mut usize, c.handle(HandleKind::Function) => usize, c.number() as i32 => i32, c.number() as i32 => i32,
    );
    false cuDeviceGetDefaultMemPool(c.out_handle(HandleKind::Pool) => *mut usize, c.device() => i32);
    false cuDeviceSetMemPool(c.device() => i32, c.handle(HandleKind::Pool) => usize);
    false cuMemPoolDestroy(c.handle(HandleKind::Pool) => usize);
    false cuMemPoolTrimTo(c.handle(HandleKind::Pool) => usize, c.size() => usize);
    false cuMemAllocFromPoolAsync(
        c.out_address() => *mut u64, c.moderate() => usize, c.handle(HandleKind::Pool) => usize, c.stream() => usize,
    );
    false cuMemPrefetchAsync(c.address() => u64, c.size() => usize, c.device() => i32, c.stream() => usize);
    by Caller::create_pool, false;
    by Caller::pointer_attributes, false;
    by Caller::copy2d, true;
    by Caller::copy3d, true;
    by Caller::launch, true;
    by Caller::launch_from_buffer, true;
    by Caller::launch_by_name, true;
    by Caller::launch_by_name, true;
    by Caller::launch_by_name, true;
};
