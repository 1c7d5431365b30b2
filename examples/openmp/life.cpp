// Conway's Game of Life: a class whose cells are on the device for the lifetime of the object.
// warpfold c++ -O2 life.cpp -o life && warpfold run ./life
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

// Whether a cell lives in the next generation. The field is a torus.
static bool lives_on(const uint8_t *cells, int width, int height, int x, int y) {
  int around = 0;
  for (int dy : {height - 1, 0, 1})
    for (int dx : {width - 1, 0, 1})
      if (dx || dy) around += cells[(y + dy) % height * width + (x + dx) % width];
  return around == 3 || (around == 2 && cells[y * width + x]);
}

class Life {
public:
  Life(int width, int height) : width(width), height(height), cells(size()), next(size()) {
    uint8_t *a = cells.data(), *b = next.data();
#pragma omp target enter data map(to : a[ : size()]) map(alloc : b[ : size()])
  }
  ~Life() {
    uint8_t *a = cells.data(), *b = next.data();
#pragma omp target exit data map(delete : a[ : size()], b[ : size()])
  }
  Life(const Life &) = delete;
  Life &operator=(const Life &) = delete;

  void set(int x, int y) {
    uint8_t *cell = &cells[y * width + x];
    *cell = 1;
#pragma omp target update to(cell[ : 1])
  }

  void step() {
    const uint8_t *from = cells.data();
    uint8_t *to = next.data();
    const int width = this->width, height = this->height;
#pragma omp target teams distribute parallel for collapse(2)
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) to[y * width + x] = lives_on(from, width, height, x, y);
    std::swap(cells, next);
  }

  int population() const {
    const uint8_t *from = cells.data();
    const int n = size();
    int living = 0;
#pragma omp target teams distribute parallel for reduction(+ : living)
    for (int i = 0; i < n; i++) living += from[i];
    return living;
  }

  const std::vector<uint8_t> &fetch() {
    uint8_t *from = cells.data();
#pragma omp target update from(from[ : size()])
    return cells;
  }

private:
  int size() const { return width * height; }

  int width, height;
  std::vector<uint8_t> cells, next;
};

int main() {
  constexpr int width = 32, height = 20, generations = 40;
  Life life(width, height);
  std::vector<uint8_t> cells(width * height);
  // A glider, and the r-pentomino.
  constexpr int start[][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}, {17, 9}, {18, 9}, {16, 10}, {17, 10}, {17, 11}};
  for (auto [x, y] : start) {
    life.set(x, y);
    cells[y * width + x] = 1;
  }
  int wrong = 0;
  std::printf("population %d", life.population());
  for (int g = 1; g <= generations; g++) {
    life.step();
    std::vector<uint8_t> next(cells.size());
    int living = 0;
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        const bool lives = lives_on(cells.data(), width, height, x, y);
        next[y * width + x] = lives;
        living += lives;
      }
    cells = std::move(next);
    const int population = life.population();
    wrong += population != living;
    if (g % 10 == 0) std::printf(", %d", population);
  }
  const auto &field = life.fetch();
  wrong += field != cells;
  std::printf("\n");
  for (int y = 0; y < height; y++, std::putchar('\n'))
    for (int x = 0; x < width; x++) std::putchar(field[y * width + x] ? '#' : '.');
  std::printf("the host %s\n", wrong ? "disagrees" : "agrees");
  return wrong != 0;
}
