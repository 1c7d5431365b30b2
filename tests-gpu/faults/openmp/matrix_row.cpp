//! fault out-of-bounds
//! note A matrix class multiplies the row by the number of rows, not columns; the twin by that of columns.
#include <cstdio>
struct Matrix {
  int rows, columns, *data;
  int &at(int i, int j) const {
    return data[i * rows + j]; //faulty
    //fixed: return data[i * columns + j];
  }
};
int main() {
  int rows = 24, columns = 10, values[240], sum = 0;
  for (int i = 0; i < 240; i++) values[i] = i;
#pragma omp target teams distribute parallel for num_teams(1) thread_limit(32) map(tofrom : values)
  for (int i = 0; i < rows; i++) {
    Matrix m{rows, columns, values};
    for (int j = 0; j < columns; j++) m.at(i, j) += 1000 * i; //~
  }
  for (int i = 0; i < 240; i++) sum += values[i];
  std::printf("%d\n", sum);
}
