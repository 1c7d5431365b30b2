void sums(int n, int m, const signed char a[restrict n][m], int *restrict o) {
#pragma scop
  {
    if (((__UINTPTR_TYPE__) (&o[(long) n - 1] + 1) <= (__UINTPTR_TYPE__) &a[0l] || (__UINTPTR_TYPE__) (&a[(long) n - 1] + 1) <= (__UINTPTR_TYPE__) &o[0l])
        && (double) ((long) n > 0 ? (long) n : 0l) * (double) (long) m >= 100000) {
      long o_first = 0l, o_count = (long) n >= 1 || 1l == 0l ? (long) n : 0l;
      long a_first = 0l, a_count = (long) n >= 1 && (long) m >= 1 ? (long) n : 0l;
      #pragma omp target data map(tofrom: o[o_first:o_count]) map(to: a[a_first:a_count])
      {
        #pragma omp target teams distribute thread_limit(32)
        for (int i = 0; i < n; i++) {
          o[i] = 0;
          unsigned int o_all = 0;
          #pragma omp parallel for reduction(+: o_all) firstprivate(a)
          for (int lane = 0; lane < 32; lane++) {
            long j_trips = (long) m > 0 ? (long) m : 0l;
            long a_head = (long) (-(unsigned long) &a[i][0l] % 16 / 1);
            long j_head = a_head < j_trips ? a_head : j_trips;
            long j_behind = j_head + (j_trips - j_head) / 16 * 16;
            #pragma GCC unroll 4
            for (long j_group = j_head + 16 * (long) lane; j_group < j_behind; j_group += 512l) {
              signed char a_group[16];
              __builtin_memcpy(a_group, __builtin_assume_aligned(&a[i][j_group], 16), 16);
              #pragma GCC unroll 16
              for (int element = 0; element < 16; element++) {
                o_all += (int) a_group[element];
              }
            }
            for (long j_left = (long) lane; j_left < j_trips - (j_behind - j_head); j_left += 32l) {
              int j = (int) (j_left < j_head ? j_left : j_left + (j_behind - j_head));
              o_all += (int) a[i][j];
            }
          }
          #pragma omp parallel num_threads(1) firstprivate(o)
          {
            if (0 < m) {
              o[i] += o_all;
            }
          }
        }
      }
    } else {
      for (int i = 0; i < n; i++) {
        o[i] = 0;
        #pragma warpfold strategy(vector_accumulator, 32)
        for (int j = 0; j < m; j++) {
          o[i] += (int) a[i][j];
        }
      }
    }
  }
#pragma endscop
}
void products(int n, int m, const double a[restrict n][m], const double *restrict b, double *restrict o) {
#pragma scop
  {
    if (((__UINTPTR_TYPE__) (&o[(long) n - 1] + 1) <= (__UINTPTR_TYPE__) &a[0l] || (__UINTPTR_TYPE__) (&a[(long) n - 1] + 1) <= (__UINTPTR_TYPE__) &o[0l])
        && ((__UINTPTR_TYPE__) (&o[(long) n - 1] + 1) <= (__UINTPTR_TYPE__) &b[0l] || (__UINTPTR_TYPE__) (&b[(long) m - 1] + 1) <= (__UINTPTR_TYPE__) &o[0l])
        && (((__UINTPTR_TYPE__) (&a[(long) n - 1] + 1) <= (__UINTPTR_TYPE__) &b[0l] || (__UINTPTR_TYPE__) (&b[(long) m - 1] + 1) <= (__UINTPTR_TYPE__) &a[0l]) || ((__UINTPTR_TYPE__) &a[0l] == (__UINTPTR_TYPE__) &b[0l] && (__UINTPTR_TYPE__) (&a[(long) n - 1] + 1) == (__UINTPTR_TYPE__) (&b[(long) m - 1] + 1)))
        && (double) ((long) n > 0 ? (long) n : 0l) * (double) (long) m >= 100000) {
      long o_first = 0l, o_count = (long) n >= 1 && (long) m >= 1 ? (long) n : 0l;
      long a_first = 0l, a_count = (long) n >= 1 && (long) m >= 1 ? (long) n : 0l;
      long b_first = 0l, b_count = (long) n >= 1 && (long) m >= 1 ? (long) m : 0l;
      #pragma omp target data map(tofrom: o[o_first:o_count]) map(to: a[a_first:a_count]) map(to: b[b_first:b_count])
      {
        #pragma omp target teams distribute thread_limit(64)
        for (int i = 0; i < n; i++) {
          double o_all = -0.0;
          #pragma omp parallel for reduction(+: o_all) firstprivate(a, b)
          for (int lane = 0; lane < 64; lane++) {
            long j_trips = (long) m > 0 ? (long) m : 0l;
            long a_head = (long) (-(unsigned long) &a[i][0l] % 16 / 8);
            long b_head = (long) (-(unsigned long) &b[0l] % 16 / 8);
            long j_head = b_head == a_head ? (a_head < j_trips ? a_head : j_trips) : j_trips;
            long j_behind = j_head + (j_trips - j_head) / 2 * 2;
            #pragma GCC unroll 4
            for (long j_group = j_head + 2 * (long) lane; j_group < j_behind; j_group += 128l) {
              double a_group[2];
              __builtin_memcpy(a_group, __builtin_assume_aligned(&a[i][j_group], 16), 16);
              double b_group[2];
              __builtin_memcpy(b_group, __builtin_assume_aligned(&b[j_group], 16), 16);
              #pragma GCC unroll 2
              for (int element = 0; element < 2; element++) {
                o_all += a_group[element] * b_group[element];
              }
            }
            #pragma GCC unroll 4
            for (long j_left = (long) lane; j_left < j_trips - (j_behind - j_head); j_left += 64l) {
              int j = (int) (j_left < j_head ? j_left : j_left + (j_behind - j_head));
              o_all += a[i][j] * b[j];
            }
          }
          #pragma omp parallel num_threads(1) firstprivate(o)
          {
            if (0 < m) {
              o[i] += o_all;
            }
          }
        }
      }
    } else {
      for (int i = 0; i < n; i++) {
        #pragma warpfold strategy(vector_accumulator, 64)
        for (int j = 0; j < m; j++) {
          o[i] += a[i][j] * b[j];
        }
      }
    }
  }
#pragma endscop
}
void steps(int n, int m, const int *restrict a, int *restrict o) {
#pragma scop
  {
    if (((__UINTPTR_TYPE__) (&a[((long) n - 1) * (long) m + (long) m - 1] + 1) <= (__UINTPTR_TYPE__) &o[0l] || (__UINTPTR_TYPE__) (&o[(long) n - 1] + 1) <= (__UINTPTR_TYPE__) &a[0l])
        && (double) ((long) n > 0 ? (long) n : 0l) * (double) ((long) m > 0 ? (long) m : 0l) >= 100000) {
      long a_first = 0l, a_count = (long) n >= 1 && (long) m >= 1 ? ((long) n - 1) * (long) m + (long) m : 0l;
      long o_first = 0l, o_count = (long) n >= 1 && (long) m >= 1 ? (long) n : 0l;
      #pragma omp target data map(to: a[a_first:a_count]) map(tofrom: o[o_first:o_count])
      {
        #pragma omp target teams distribute thread_limit(32)
        for (int i = 0; i < n; i++) {
          int o_all = -2147483647 - 1;
          for (long j_of_lane_0 = 0l; j_of_lane_0 < ((long) m > 0 ? (long) m : 0l); j_of_lane_0 += 32l) {
            int o_all_of_step = -2147483647 - 1;
            #pragma omp parallel for reduction(max: o_all_of_step) firstprivate(a, j_of_lane_0)
            for (int lane = 0; lane < 32; lane++) {
              if (j_of_lane_0 + (long) lane < ((long) m > 0 ? (long) m : 0l)) {
                int j = (int) (j_of_lane_0 + (long) lane);
                o_all_of_step = (a[i * m + j] > o_all_of_step ? a[i * m + j] : o_all_of_step) > o_all_of_step ? (a[i * m + j] > o_all_of_step ? a[i * m + j] : o_all_of_step) : o_all_of_step;
              }
            }
            o_all = o_all_of_step > o_all ? o_all_of_step : o_all;
          }
          #pragma omp parallel num_threads(1) firstprivate(o)
          {
            if (0 < m) {
              o[i] = o_all > o[i] ? o_all : o[i];
            }
          }
        }
      }
    } else {
      for (int i = 0; i < n; i++) {
        #pragma warpfold strategy(inner_reduction)
        for (int j = 0; j < m; j++) {
          o[i] = a[i * m + j] > o[i] ? a[i * m + j] : o[i];
        }
      }
    }
  }
#pragma endscop
}
