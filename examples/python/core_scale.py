"""A kernel in C++ that cuda.core compiles and launches while the program runs."""

import ctypes

from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch

SOURCE = """
template <typename T> __global__ void scale(T *data, T factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= factor;
}
"""

device = Device()
device.set_current()
stream = device.create_stream()
program = Program(SOURCE, code_type="c++", options=ProgramOptions(std="c++17", arch=f"sm_{device.arch}"))
kernel = program.compile("ptx", name_expressions=("scale<float>",)).get_kernel("scale<float>")

n = 1000
buffer = device.allocate(4 * n, stream=stream)
host = (ctypes.c_float * n)(*range(n))
source = ctypes.addressof(host)


def copy(to, origin):
    from cuda.bindings import driver

    (error,) = driver.cuMemcpy(to, origin, 4 * n)
    assert error == driver.CUresult.CUDA_SUCCESS, error


copy(int(buffer.handle), source)
launch(stream, LaunchConfig(grid=8, block=128), kernel, buffer, ctypes.c_float(0.5), ctypes.c_int(n))
stream.sync()
copy(source, int(buffer.handle))
assert list(host) == [0.5 * i for i in range(n)]
print(f"last: {host[n - 1]}")
