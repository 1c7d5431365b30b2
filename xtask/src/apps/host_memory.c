/* The device memory of a host without devices: its own. LLVM has these routines in libomptarget only, which crashes in
 * a program that was compiled without offloading. */
#include <stdlib.h>
#include <string.h>

/* A program may have its own. */
#define WEAK __attribute__((weak))

WEAK void *omp_target_alloc(size_t size, int device) { return malloc(size); }
WEAK void omp_target_free(void *pointer, int device) { free(pointer); }
WEAK int omp_target_is_present(const void *pointer, int device) { return 1; }
WEAK int omp_target_is_accessible(const void *pointer, size_t size, int device) { return 1; }
WEAK void *omp_get_mapped_ptr(const void *pointer, int device) { return (void *)pointer; }
WEAK int omp_target_memcpy(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset,
                           int to_device, int from_device) {
  memmove((char *)to + to_offset, (const char *)from + from_offset, size);
  return 0;
}
WEAK void *omp_target_memset(void *to, int byte, size_t size, int device) { return memset(to, byte, size); }
