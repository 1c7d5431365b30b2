//! note teams wait for each other
//! orders in-order reversed random
// The owner of a nestable lock is a thread of the whole launch, not one number of a thread in its team.
#include <omp.h>
#include "check.h"

#pragma omp begin declare target
static omp_nest_lock_t lock;
static int step = 0;

static void wait_for(int value) {
  int now;
  do {
#pragma omp atomic read acquire
    now = step;
  } while (now != value);
}

static void go_on(int value) {
#pragma omp atomic write release
  step = value;
}
#pragma omp end declare target

int main(void) {
  int depth[4] = {-1, -1, -1, -1};
#pragma omp target
  omp_init_nest_lock(&lock);
#pragma omp target teams num_teams(2) thread_limit(32) map(tofrom : depth)
  if (omp_get_team_num() == 0) {
    omp_set_nest_lock(&lock);
    depth[0] = omp_test_nest_lock(&lock);
    go_on(1);
    wait_for(2);
    omp_unset_nest_lock(&lock);
    go_on(3);
    wait_for(4);
    omp_unset_nest_lock(&lock);
    go_on(5);
  } else {
    wait_for(1);
    depth[1] = omp_test_nest_lock(&lock);
    go_on(2);
    wait_for(3);
    depth[2] = omp_test_nest_lock(&lock);
    go_on(4);
    wait_for(5);
    depth[3] = omp_test_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
  }
  check("the owner again", depth[0], 2);
  check("another team's thread", depth[1], 0);
  check("while it is held once more", depth[2], 0);
  check("when it is free", depth[3], 1);
  return report();
}
