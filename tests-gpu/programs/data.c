// What programs share with the device: variables and functions of it, pointers, structs, allocators, asynchronous
// regions, and text.
#include "check.h"
#include <assert.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int n;
  double *values;
  struct {
    short s[3];
  } inner;
} Box;

#pragma omp begin declare target
// Fully initialised: clang 22 rejects an array with only some elements initialised.
int table[6] = {1, 2, 3, 4, 5, 6};
static const char words[3][8] = {"zero", "one", "two"};
double scale = 1.5;
static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int (*const operators[2])(int, int) = {add, subtract};
static int length(const char *text) {
  int n = 0;
  while (text[n]) n++;
  return n;
}
static int count(void) {
  static int calls;
  int old;
#pragma omp atomic capture
  old = calls++;
  return old;
}
#pragma omp end declare target

static void globals(void) {
  int sum = 0, called = 0, long_words = 0, counted = 0;
  double scaled = 0;
  table[3] = 40;
  scale = 2.5;
#pragma omp target update to(table, scale)
#pragma omp target map(tofrom : sum, called, long_words, counted, scaled)
  {
    for (int i = 0; i < 6; i++) sum += table[i];
    table[5] = 55;
    for (int i = 0; i < 2; i++) called = called * 100 + operators[i](7, 3);
    for (int i = 0; i < 3; i++) long_words += length(words[i]);
    scaled = scale * 2;
#pragma omp parallel num_threads(32)
    {
      int mine = count();
#pragma omp atomic
      counted += mine;
    }
    counted += 1000 * count();
  }
#pragma omp target update from(table)
  check("a table", sum, 57);
  check("a table changed there", table[5], 55);
  check("functions by address", called, 1004);
  check("text", long_words, 10);
  check("scale", scaled, 5);
  check("static counter", counted, 31 * 16 + 32000);
}

static void structs(void) {
  enum { N = 100 };
  double values[N];
  Box box = {N, values, {{1, 2, 3}}};
  for (int i = 0; i < N; i++) values[i] = i;
  double sum = 0;
#pragma omp target teams distribute parallel for map(tofrom : box, box.values[0 : N]) reduction(+ : sum)
  for (int i = 0; i < box.n; i++) {
    box.values[i] *= box.inner.s[i % 3];
    sum += box.values[i];
  }
  double expected = 0;
  for (int i = 0; i < N; i++) {
    check("through a struct", values[i], i * (i % 3 + 1));
    expected += values[i];
  }
  check("its sum", sum, expected);
  int small = 3;
  short narrow = -4;
  float f = .5f;
  int *nothing = NULL;
  int passed = 0;
#pragma omp target firstprivate(small, narrow, f) map(from : passed)
  {
    small += narrow;
    passed = small * 100 + (int)(f * 10) + (nothing == NULL);
  }
  check("by value", passed, -94);
  check("unchanged", small, 3);
}

#pragma omp declare mapper(whole : Box b) map(tofrom : b, b.values[0 : b.n])

static void mapped(void) {
  double values[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  Box box = {10, values, {{0}}};
#pragma omp target map(mapper(whole), tofrom : box)
  for (int i = 0; i < box.n; i++) box.values[i] += .5;
  for (int i = 0; i < 10; i++) check("declare mapper", values[i], i + 1.5);
  // LLVM 22 leaves the struct mapped; another variable could get its address.
#pragma omp target exit data map(delete : box)

  int a[100], always = 1, total = 0;
  for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp target enter data map(to : a, always)
  a[0] = -1;
  always = 2;
#pragma omp target map(always, to : always) map(from : total) map(present, alloc : a)
  {
    total = always;
    for (int i = 0; i < 100; i++) total += a[i];
    a[99] = 1000;
  }
  check("present and always", total, 4950 + 2);
  check("not yet back", a[99], 99);
#pragma omp target update from(a[99])
  check("a part", a[99], 1000);
  check("not the rest", a[0], -1);
#pragma omp target data use_device_addr(a)
  {
#pragma omp target has_device_addr(a)
    a[1] = 77;
  }
#pragma omp target exit data map(from : a) map(release : always)
  check("exit", a[1], 77);
  check("and all", a[0], 0);

  int device = omp_get_default_device(), host = omp_get_initial_device();
  int *p = omp_target_alloc(sizeof a, device), back[100];
#pragma omp target teams distribute parallel for is_device_ptr(p)
  for (int i = 0; i < 100; i++) p[i] = 3 * i;
  omp_target_memcpy(back, p, sizeof back, 0, 0, host, device);
  omp_target_free(p, device);
  for (int i = 0; i < 100; i++) check("omp_target_alloc", back[i], 3 * i);
}

static void asynchronous(void) {
  enum { N = 8 };
  int v[N] = {0}, chain = 1, sum = 0;
  for (int i = 0; i < N; i++) {
#pragma omp target nowait map(tofrom : v[i : 1]) firstprivate(i)
    v[i] = i * i;
  }
#pragma omp target nowait depend(out : chain) map(tofrom : chain)
  chain = chain * 2 + 1;
#pragma omp target nowait depend(inout : chain) map(tofrom : chain)
  chain = chain * 10;
#pragma omp task depend(in : chain) shared(sum, chain)
  sum = chain;
#pragma omp taskwait
  for (int i = 0; i < N; i++) check("nowait", v[i], i * i);
  check("depend", chain, 30);
  check("task after targets", sum, 30);
  int where = -1;
#pragma omp target if (0) map(tofrom : where)
  where = omp_is_initial_device();
  check("if(0) is the host's", where, 1);
#pragma omp target device(0) map(tofrom : where) defaultmap(tofrom : scalar)
  where = omp_is_initial_device();
  check("device(0)", where, 0);
}

static void allocators(void) {
  int bad = 0, sum = 0, from_trait = 0;
#pragma omp target teams num_teams(3) thread_limit(64) map(tofrom : bad, sum)
  {
    static int of_team[64];
#pragma omp allocate(of_team) allocator(omp_pteam_mem_alloc)
#pragma omp parallel num_threads(64)
    {
      int me = omp_get_thread_num();
      of_team[me] = omp_get_team_num() * 100 + me;
#pragma omp barrier
      if (of_team[63 - me] != omp_get_team_num() * 100 + 63 - me) {
#pragma omp atomic
        bad++;
      }
      char *mine = malloc((size_t)me + 1);
      memset(mine, me, (size_t)me + 1);
#pragma omp atomic
      sum += mine[me];
      free(mine);
    }
  }
  check("of a team", bad, 0);
  check("malloc", sum, 3 * 63 * 32);
#pragma omp target map(tofrom : from_trait) uses_allocators(omp_cgroup_mem_alloc) \
    allocate(omp_cgroup_mem_alloc : sum) firstprivate(sum)
  from_trait = sum;
  check("uses_allocators", from_trait, 3 * 63 * 32);
}

static void asserts(void) {
  int n = 5;
#pragma omp target parallel num_threads(32) map(tofrom : n)
  {
    assert(omp_get_thread_num() < 32);
    assert(n == 5 && "it holds");
  }
  check("asserted", n, 5);
}

int main(void) {
  globals();
  structs();
  mapped();
  asynchronous();
  allocators();
  asserts();
  return report();
}
