// Generic mode as OpenMP's code has it, unoptimised and with a runtime of its own: the first thread of a block runs
// the serial part, the others wait for parallel regions. Afterwards y[i] = a * x[i] + y[i].
typedef void (*Region)(int thread, int threads, void **arguments);

typedef struct {
  Region region;
  void **arguments;
  void *values[5];
  float a;
  float *x, *y;
  int first, last;
} State;

static __attribute__((address_space(3))) State shared;

static State *state(void) { return (State *)&shared; }
static int thread_of_block(void) { return __nvvm_read_ptx_sreg_tid_x(); }
static int threads_of_block(void) { return __nvvm_read_ptx_sreg_ntid_x(); }

// Lanes of one warp come from different places.
static void barrier(void) { __nvvm_barrier_sync(0); }

static void parallel(Region body, void **arguments) {
  state()->region = body;
  state()->arguments = arguments;
  barrier();
  body(0, threads_of_block(), arguments);
  barrier();
}

static void saxpy(int thread, int threads, void **arguments) {
  float a = *(float *)arguments[0];
  float *x = *(float **)arguments[1], *y = *(float **)arguments[2];
  int first = *(int *)arguments[3], last = *(int *)arguments[4];
  for (int i = first + thread; i < last; i += threads)
    y[i] = a * x[i] + y[i];
}

__attribute__((nvptx_kernel)) void generic(float a, float *x, float *y, int n, int chunk) {
  int thread = thread_of_block();
  if (thread != 0) {
    for (;;) {
      barrier();
      Region body = state()->region;
      if (!body)
        return;
      body(thread, threads_of_block(), state()->arguments);
      barrier();
    }
  }
  State *s = state();
  int blocks = __nvvm_read_ptx_sreg_nctaid_x();
  for (int first = __nvvm_read_ptx_sreg_ctaid_x() * chunk; first < n; first += blocks * chunk) {
    s->a = a;
    s->x = x;
    s->y = y;
    s->first = first;
    s->last = first + chunk < n ? first + chunk : n;
    s->values[0] = &s->a;
    s->values[1] = &s->x;
    s->values[2] = &s->y;
    s->values[3] = &s->first;
    s->values[4] = &s->last;
    parallel(saxpy, s->values);
  }
  s->region = 0;
  barrier();
}
