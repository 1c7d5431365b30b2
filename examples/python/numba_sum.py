"""The sum of squares, by a kernel of numba-cuda with shared memory and an atomic addition."""

import numpy as np
from numba import cuda, float64

THREADS = 128


@cuda.jit
def sum_of_squares(data, total):
    part = cuda.shared.array(THREADS, float64)
    thread = cuda.threadIdx.x
    value = 0.0
    for i in range(cuda.grid(1), data.size, cuda.gridsize(1)):
        value += data[i] * data[i]
    part[thread] = value
    cuda.syncthreads()
    step = THREADS // 2
    while step > 0:
        if thread < step:
            part[thread] += part[thread + step]
        cuda.syncthreads()
        step //= 2
    if thread == 0:
        cuda.atomic.add(total, 0, part[0])


data = np.arange(10_000, dtype=np.float64)
total = cuda.to_device(np.zeros(1))
sum_of_squares[8, THREADS](cuda.to_device(data), total)
assert total.copy_to_host()[0] == (data * data).sum()
largest = cuda.reduce(lambda a, b: max(a, b))(data)
print(f"sum of squares: {total.copy_to_host()[0]:.0f}, largest: {largest:.0f}")
