import ctypes
import subprocess

import warpfold

FAULTY = b"""
.version 7.8
.target sm_90
.address_size 64
.visible .entry faulty() {
  .reg .b64 %a;
  mov.b64 %a, 0;
  st.global.b64 [%a], %a;
  ret;
}
"""


def test_program(warpfold_emulator):
    assert warpfold_emulator == warpfold.driver_dir()
    with open("openmp/pi.out", "rb") as expected:
        assert subprocess.run(["./pi"], check=True, stdout=subprocess.PIPE).stdout == expected.read()


def test_faulty_kernel(warpfold_emulator):
    driver = ctypes.CDLL("libcuda.so.1")
    context, module, kernel = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    assert driver.cuInit(0) == 0
    assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
    assert driver.cuCtxSetCurrent(context) == 0
    assert driver.cuModuleLoadData(ctypes.byref(module), FAULTY) == 0
    assert driver.cuModuleGetFunction(ctypes.byref(kernel), module, b"faulty") == 0
    driver.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, None, None, None)
    driver.cuCtxSynchronize()
