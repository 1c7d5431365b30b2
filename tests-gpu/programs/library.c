//! options -lm
//! prints from the device: 42 1.50 1099511627776
//! prints thread 3 of 32
//! prints warning: mind the gap
//! prints 0 failures
// Functions that programs can call on the device: queries, memory, clocks, printf. Prints how many checks
// failed.
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void check(const char *what, long got, long expected) {
  if (got != expected) {
    failures++;
    printf("%s: %ld, not %ld\n", what, got, expected);
  }
}

static void queries(void) {
  long q[64] = {0};
  double seconds[3];
  // The host's memory: LLVM 22 drops the call if it has moved a variable of the kernel to shared memory.
  char text[8];
#pragma omp target map(tofrom : q, seconds, text)
  {
    int n = 0;
    q[n++] = omp_get_thread_num();
    q[n++] = omp_get_num_threads();
    q[n++] = omp_get_level();
    q[n++] = omp_get_active_level();
    q[n++] = omp_in_parallel();
    q[n++] = omp_get_ancestor_thread_num(0);
    q[n++] = omp_get_ancestor_thread_num(1);
    q[n++] = omp_get_team_size(0);
    q[n++] = omp_get_team_size(1);
    q[n++] = omp_get_dynamic();
    q[n++] = omp_get_max_active_levels();
    q[n++] = omp_get_supported_active_levels();
    q[n++] = omp_get_cancellation();
    q[n++] = omp_get_proc_bind();
    q[n++] = omp_get_num_places();
    q[n++] = omp_get_num_teams();
    q[n++] = omp_get_team_num();
    q[n++] = omp_get_device_num();
    q[n++] = omp_get_num_devices() >= 1;
    q[n++] = omp_is_initial_device();
    q[n++] = omp_get_num_procs() > 100;
    q[n++] = omp_get_max_task_priority();
    q[n++] = omp_get_initial_device() == omp_get_num_devices();
    q[n++] = omp_get_max_threads() == omp_get_thread_limit();
    omp_set_num_threads(33);
    q[n++] = omp_get_max_threads();
    omp_set_max_active_levels(0);
    q[n++] = 10 * omp_get_max_active_levels() + omp_get_max_threads();
#pragma omp parallel
    {
      if (omp_get_thread_num() == 0)
        q[n] = omp_get_num_threads();
    }
    n++;
    omp_set_max_active_levels(3);
    q[n++] = omp_get_max_active_levels();
    text[0] = 'x';
    q[n] = (long)omp_get_affinity_format(text, sizeof text);
    q[n++] += text[0];
    q[n++] = omp_pause_resource_all(omp_pause_soft) != 0;
    q[n++] = omp_control_tool(1, 0, NULL);
    seconds[0] = omp_get_wtime();
    for (volatile int i = 0; i < 200; i++)
      ;
    seconds[1] = omp_get_wtime();
    seconds[2] = omp_get_wtick();
  }
  static const long expected[] = {0, 1, 0, 0, 0, 0, -1, 1, -1, 0, 1, 1, 0, 0, 0, 1, 0, 0,
                                  1, 0, 1, 0, 1, 1, 33, 1, 1, 1, 0, 1, -2};
  for (unsigned i = 0; i < sizeof expected / sizeof *expected; i++)
    if (q[i] != expected[i]) {
      failures++;
      printf("query %u: %ld, not %ld\n", i, q[i], expected[i]);
    }
  check("time goes on", seconds[1] > seconds[0] && seconds[1] - seconds[0] < 60, 1);
  check("ticks", seconds[2] > 0 && seconds[2] < 1e-3, 1);
}

// Each thread allocates memory of many sizes and alignments.
static void memory(void) {
  int bad = 0, null = 0;
#pragma omp target teams distribute parallel for num_teams(4) thread_limit(64) map(tofrom : bad, null)
  for (int i = 0; i < 256; i++) {
    int wrong = 0;
    size_t bytes = 8 + (size_t)i * 3;
    unsigned char *a = omp_alloc(bytes, omp_default_mem_alloc);
    unsigned char *b = omp_aligned_alloc(256, bytes, omp_large_cap_mem_alloc);
    int *c = omp_calloc((size_t)i + 1, sizeof *c, omp_null_allocator);
    int *d = omp_aligned_calloc(64, (size_t)i + 1, sizeof *d, omp_high_bw_mem_alloc);
    if (!a || !b || !c || !d) {
#pragma omp atomic
      null++;
    } else {
      wrong += (uintptr_t)a % 16 != 0;
      wrong += (uintptr_t)b % 256 != 0;
      wrong += (uintptr_t)d % 64 != 0;
      for (int k = 0; k <= i; k++)
        wrong += c[k] != 0 || d[k] != 0;
      for (size_t k = 0; k < bytes; k++)
        a[k] = (unsigned char)(k + (size_t)i), b[k] = (unsigned char)i;
      a = omp_realloc(a, 2 * bytes, omp_default_mem_alloc, omp_default_mem_alloc);
      for (size_t k = 0; k < bytes; k++)
        wrong += a[k] != (unsigned char)(k + (size_t)i) || b[k] != (unsigned char)i;
    }
    omp_free(a, omp_default_mem_alloc);
    omp_free(b, omp_null_allocator);
    omp_free(c, omp_null_allocator);
    omp_free(d, omp_high_bw_mem_alloc);
#pragma omp atomic
    bad += wrong;
  }
  check("memory", bad, 0);
  check("no memory", null, 0);
}

static void allocators(void) {
  int got[6] = {0};
#pragma omp target map(tofrom : got)
  {
    omp_alloctrait_t traits[] = {{omp_atk_alignment, 512}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t own = omp_init_allocator(omp_default_mem_space, 2, traits);
    got[0] = own != omp_null_allocator;
    void *p = omp_alloc(100, own);
    got[1] = p && (uintptr_t)p % 512 == 0;
    omp_free(p, own);
    got[2] = omp_alloc((size_t)1 << 40, own) == NULL;
    got[3] = omp_alloc(0, own) == NULL;
    omp_destroy_allocator(own);
    got[4] = omp_get_default_allocator() == omp_default_mem_alloc;
    char *q = malloc(10);
    memset(q, 7, 10);
    got[5] = q[9] == 7 && memcmp(q, q, 10) == 0;
    free(q);
  }
  for (int i = 0; i < 6; i++)
    check("allocator", got[i], 1);
}

struct three {
  double x, y, z;
};

// Objects for which the hardware has no atomic instruction.
static void large_atomics(void) {
  double _Complex z = 0;
#pragma omp target teams distribute parallel for num_teams(3) thread_limit(64) map(tofrom : z)
  for (int i = 0; i < 300; i++) {
#pragma omp atomic
    z += 1.0 + 2.0i;
  }
  check("complex, real", __real__ z, 300);
  check("complex, imaginary", __imag__ z, 600);
}

static void prints(void) {
#pragma omp target
  {
    printf("%s %d %.2f %ld\n", "from the device:", 42, 1.5, 1L << 40);
#pragma omp parallel num_threads(32)
    if (omp_get_thread_num() == 3)
      printf("thread %d of %d\n", omp_get_thread_num(), omp_get_num_threads());
#pragma omp error at(execution) severity(warning) message("mind the gap")
  }
}

// Quiet NaNs with their payloads, as the host's library makes them.
static void not_numbers(void) {
  static const char texts[][24] = {"", "7", "0x1fF", "017", "08", "a", "12x", "4503599627370495", "0x"};
  enum { N = sizeof texts / sizeof texts[0] };
  double wide[N];
  float narrow[N];
#pragma omp target map(to : texts) map(from : wide, narrow)
  for (int i = 0; i < N; i++) {
    wide[i] = nan(texts[i]);
    narrow[i] = nanf(texts[i]);
  }
  for (int i = 0; i < N; i++) {
    double expected = nan(texts[i]);
    float expected_narrow = nanf(texts[i]);
    check("nan", memcmp(&wide[i], &expected, sizeof expected), 0);
    check("nanf", memcmp(&narrow[i], &expected_narrow, sizeof expected_narrow), 0);
  }
}

int main(void) {
  not_numbers();
  queries();
  memory();
  allocators();
  large_atomics();
  prints();
  printf("%d failures\n", failures);
  return failures != 0;
}
