//! reports O2 data-race 162 because LLVM 22 lets all threads initialise a local array that one thread uses
// C++ on the device: templates, lambdas, classes with constructors in every data-sharing clause, operators in
// reductions, virtual functions, and globals that are constructed on the device.
#include "check.h"
#include <omp.h>

#pragma omp begin declare target
// Numbers of constructed and destroyed objects, on host and device.
int made = 0, copied = 0, destroyed = 0;

class Number {
  int v;

public:
  Number() : v(7) {
#pragma omp atomic
    made++;
  }
  explicit Number(int v) : v(v) {
#pragma omp atomic
    made++;
  }
  Number(const Number &other) : v(other.v) {
#pragma omp atomic
    copied++;
  }
  Number &operator=(const Number &other) = default;
  ~Number() {
#pragma omp atomic
    destroyed++;
  }
  Number &operator+=(const Number &other) {
    v += other.v;
    return *this;
  }
  void set(int value) { v = value; }
  int value() const { return v; }
};

struct Vector {
  double x = 0, y = 0;
  Vector operator+(const Vector &o) const { return {x + o.x, y + o.y}; }
  Vector &operator+=(const Vector &o) { return *this = *this + o; }
};

template <class T, int N> struct Array {
  T at[N];
  constexpr int size() const { return N; }
  T &operator[](int i) { return at[i]; }
  const T *begin() const { return at; }
  const T *end() const { return at + N; }
};

template <class T> T largest(const T *from, const T *to) {
  T most = *from;
  for (; from != to; ++from)
    if (most < *from) most = *from;
  return most;
}

template <class F> auto twice(F f, int x) -> decltype(f(x)) { return f(f(x)); }

struct Shape {
  virtual int area() const { return 0; }
  virtual ~Shape() {}
};
struct Square : Shape {
  int side;
  explicit Square(int side) : side(side) {}
  int area() const override { return side * side; }
};
struct Box : Square {
  int height;
  Box(int side, int height) : Square(side), height(height) {}
  int area() const final { return 2 * Square::area() + 4 * side * height; }
};

template <class... T> constexpr int sum_of(T... values) { return (0 + ... + values); }

namespace deep {
inline namespace version {
static constexpr int constant = 11;
int overloaded(int) { return 1; }
int overloaded(double) { return 2; }
int overloaded(const Shape &) { return 3; }
} // namespace version
} // namespace deep
#pragma omp end declare target

#pragma omp declare reduction(+ : Number : omp_out += omp_in) initializer(omp_priv = Number(0))
#pragma omp declare reduction(+ : Vector : omp_out += omp_in)

static int counted(int &counter) {
  int now = 0;
#pragma omp target update from(made, copied, destroyed)
  now = counter;
  return now;
}

static void clauses() {
  enum { T = 64 };
  int sum = 0, lasts = 0;
  made = copied = destroyed = 0;
#pragma omp target update to(made, copied, destroyed)
#pragma omp target map(tofrom : sum, lasts)
  {
    Number first(5), last(0), own(3);
#pragma omp parallel num_threads(T) firstprivate(first) private(own)
    {
      // Each thread has a copy, and a new object.
      int value = first.value() * 100 + own.value();
#pragma omp atomic
      sum += value;
      own.set(0);
    }
    sum += own.value();
#pragma omp parallel for num_threads(T) lastprivate(last)
    for (int i = 0; i < 200; i++) last.set(i);
    lasts = last.value();
  }
  check("firstprivate and private", sum, T * 507 + 3);
  check("lastprivate", lasts, 199);
  check("copies", counted(copied), T);
  // Three of the region, one of each thread for `private` and one for `lastprivate`.
  check("all are destroyed", counted(destroyed), counted(made) + counted(copied));
  check("made", counted(made), 3 + T + T);
}

static void reductions() {
  enum { N = 500 };
  Number number(100);
  Vector vector{1, 2};
  int plain = 3;
#pragma omp target teams distribute parallel for num_teams(5) thread_limit(64) reduction(+ : number, vector, plain) \
    map(tofrom : number, vector, plain)
  for (int i = 0; i < N; i++) {
    number += Number(i);
    vector += Vector{i * 1., i * .5};
    plain += i;
  }
  check("a class", number.value(), 100 + N * (N - 1) / 2);
  check("a struct, x", vector.x, 1 + N * (N - 1) / 2);
  check("a struct, y", vector.y, 2 + N * (N - 1) / 4.);
  check("beside them", plain, 3 + N * (N - 1) / 2);
  int &reference = plain;
  reference = 1;
#pragma omp target parallel for num_threads(64) reduction(+ : reference) map(tofrom : reference)
  for (int i = 0; i < N; i++) reference += i;
  check("a reference", plain, 1 + N * (N - 1) / 2);
}

static void functions() {
  int got[10] = {0};
  const int captured = 4;
  auto by_value = [captured](int x) { return x * captured; };
#pragma omp target map(tofrom : got)
  {
    got[0] = by_value(5);
    auto inner = [&](int x) { return got[0] + x; };
    got[1] = inner(2);
    got[2] = twice([](int x) { return x * x; }, 3);
    Array<int, 5> array = {{3, 1, 4, 1, 5}};
    int sum = 0;
    for (int x : array) sum += x;
    got[3] = sum * 10 + array.size();
    got[4] = largest(array.begin(), array.end());
    got[5] = sum_of(1, 2, 3, 4);
    got[6] = deep::constant + deep::overloaded(1) * 100 + deep::overloaded(1.0) * 1000;
    auto [x, y] = Vector{1, 2} + Vector{3, 4};
    got[7] = (int)(x * 10 + y);
    int loop = 0;
#pragma omp parallel for num_threads(32) reduction(+ : loop)
    for (int i = 0; i < 100; i++) loop += [i] { return i % 3; }();
    got[8] = loop;
    got[9] = by_value(twice(by_value, 1));
  }
  const int expected[] = {20, 22, 81, 145, 5, 10, 2111, 46, 99, 64};
  for (int i = 0; i < 10; i++) check("function", got[i], expected[i]);
}

// Objects constructed on the device have the device's virtual function tables.
static void virtuals() {
  int areas[3] = {0}, chosen = 0;
#pragma omp target map(tofrom : areas, chosen)
  {
    Shape shape;
    Square square(3);
    Box box(2, 5);
    const Shape *all[] = {&shape, &square, &box};
    for (int i = 0; i < 3; i++) areas[i] = all[i]->area();
    chosen = deep::overloaded(*all[2]);
#pragma omp parallel num_threads(32)
    {
      Box mine(omp_get_thread_num(), 1);
      const Shape &any = mine;
#pragma omp atomic
      chosen += 10 * any.area();
    }
  }
  int sum = 3;
  for (int i = 0; i < 32; i++) sum += 10 * (2 * i * i + 4 * i);
  check("shape", areas[0], 0);
  check("square", areas[1], 9);
  check("box", areas[2], 48);
  check("in threads", chosen, sum);
}

class Field {
  int n;
  double *values;

public:
  explicit Field(int n) : n(n), values(new double[n]) {
#pragma omp target enter data map(to : this[0 : 1]) map(alloc : values[0 : n])
  }
  ~Field() {
#pragma omp target exit data map(delete : values[0 : n]) map(delete : this[0 : 1])
    delete[] values;
  }
  void fill(double step) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) values[i] = i * step;
  }
  double sum() const {
    double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += values[i];
    return s;
  }
};

static void members() {
  Field field(1000);
  field.fill(.5);
  check("members of this", field.sum(), 999 * 1000 / 2 * .5);
}

#pragma omp begin declare target
struct Constructed {
  int v;
  Constructed(int v) : v(v * 2) {}
};
Constructed constructed(21);
#pragma omp end declare target

static void globals() {
  int got = 0;
#pragma omp target map(from : got)
  got = constructed.v;
  check("a global with a constructor", got, 42);
}

#pragma omp begin declare target
struct Counted {
  int *copies, *ends;
  Counted(int *copies, int *ends) : copies(copies), ends(ends) {}
  Counted(const Counted &other) : copies(other.copies), ends(other.ends) { ++*copies; }
  ~Counted() { ++*ends; }
};
#pragma omp end declare target

// The copies of a task are destroyed when it has run: as many as were made, and with the variable itself one more.
static void tasks_of_objects() {
  int copies = 0, ends = 0, ran = 0;
#pragma omp target map(tofrom : copies, ends, ran)
  {
    Counted counted(&copies, &ends);
    for (int i = 0; i < 3; i++) {
#pragma omp task firstprivate(counted) shared(ran)
      ran += counted.copies != nullptr;
#pragma omp task if (0) firstprivate(counted) shared(ran)
      ran += counted.copies != nullptr;
    }
  }
  check("tasks of objects", ran, 6);
  check("their copies", copies > 0, 1);
  check("their ends", ends, copies + 1);
}

int main() {
  tasks_of_objects();
  clauses();
  reductions();
  functions();
  virtuals();
  members();
  globals();
  return report();
}
