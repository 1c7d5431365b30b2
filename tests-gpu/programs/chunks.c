//! prints 1 4 7
#include <stdio.h>
#include <stdlib.h>

#ifdef ROUND_ROBIN
#pragma omp begin declare target
const int __warpfold_dist_round_robin = 1;
#pragma omp end declare target
#endif

extern int omp_get_team_num(void);

/* How often the team changes from one iteration to the next, plus one. */
static int chunks(int teams, int n) {
  int *team = malloc(n * sizeof *team);
  int count = 1;
  for (int i = 0; i < n; i++)
    team[i] = -1;
#pragma omp target teams distribute parallel for num_teams(teams) thread_limit(64) map(from : team[0 : n])
  for (int i = 0; i < n; i++)
    team[i] = omp_get_team_num();
  for (int i = 0; i < n; i++) {
    if (team[i] < 0 || team[i] >= teams)
      printf("iteration %d has team %d\n", i, team[i]);
    count += i > 0 && team[i] != team[i - 1];
  }
  free(team);
  return count;
}

int main(void) {
  printf("%d %d %d\n", chunks(1, 1000), chunks(4, 1024), chunks(7, 5000));
  return 0;
}
