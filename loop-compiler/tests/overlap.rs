//! Tests at run time of whether arrays overlap, to the element: arrays that share one element, at either end, are executed in
//! order, and those that only touch in parallel; whole arrays, parts of them, rows and members.

#[path = "common/programs.rs"]
mod programs;

use std::{fs, path::Path};

use loop_compiler::{
    Options, c,
    parallelize::{CPU, Machine, Original, parallelize},
    report::FloatOrder,
    rewrite,
};
use programs::{Folder, compiled, printed};

/// The functions, and a program that calls them with arrays at all distances. It says what differs, and how often
/// arrays were apart and not. gcc's parallel regions call `GOMP_parallel`, which is counted here: whether a region was
/// executed in parallel does not depend on what threads do.
const SOURCE: &str = r#"
#include <stdio.h>
struct pair { double *x, *y; };
struct record { int before; double v[40]; int after; };
void whole(int n, double *a, double *b) {
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = b[i] + 1;
#pragma endscop
}
void part(int n, int from, double *a, double *b) {
#pragma scop
  for (int i = 2; i < n; i++)
    a[from + i] = b[2 * i + 3] + 1;
#pragma endscop
}
void backwards(int n, double *a, double *b) {
#pragma scop
  for (int i = 0; i < n; i++)
    a[-i] = b[n - i] + 1;
#pragma endscop
}
void rows_and_row(int n, int m, double **a, double *b) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      a[i][j] = b[j] + 1;
#pragma endscop
}
void rows_and_rows(int n, int m, double **a, double **b) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      a[i][j] = b[i][j] + 1;
#pragma endscop
}
void own_rows(int n, int m, double **a) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      a[i][j] = a[i][j] * 3 + 1;
#pragma endscop
}
void members(int n, struct pair *restrict p) {
#pragma scop
  for (int i = 1; i < n; i++)
    p->x[i] = p->y[i] + 1;
#pragma endscop
}
void inside(int n, struct record *r, double *b) {
#pragma scop
  for (int i = 1; i < n; i++)
    b[i] = r->v[i] + 1;
#pragma endscop
}
#ifdef COUNTED
static int forks, apart, together, wrong;
void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags) {
  forks++;
  body(data);
}
static double memory[1000];
/// Two ranges of elements, from the first to the last.
static int are_apart(double *a, long first, long last, double *b, long other_first, long other_last) {
  return a + last < b + other_first || b + other_last < a + first;
}
static void expect(const char *what, long at, int expected) {
  if (expected) apart++; else together++;
  if ((forks > 0) != expected) {
    printf("%s at %ld: %d regions, expected %d\n", what, at, forks, expected);
    wrong++;
  }
  forks = 0;
}
int main(void) {
  double *a = memory + 500;
  for (long at = -60; at <= 60; at++) {
    double *b = a + at;
    whole(10, a, b);
    expect("whole", at, are_apart(a, 0, 9, b, 0, 9));
    whole(1, a, b);
    expect("one element", at, are_apart(a, 0, 0, b, 0, 0));
    part(10, 5, a, b);
    expect("part", at, are_apart(a, 7, 14, b, 7, 21));
    backwards(10, a, b);
    expect("backwards", at, are_apart(a, -9, 0, b, 1, 10));
    struct pair p = {a, b};
    members(10, &p);
    expect("members", at, are_apart(a, 1, 9, b, 1, 9));
    struct record *r = (struct record *) ((char *) a - __builtin_offsetof(struct record, v));
    inside(10, r, b);
    expect("inside", at, are_apart(a, 1, 9, b, 1, 9));
    // Each of three rows of `a`, which lie in this order, and one that moves.
    double *rows[3] = {a, a + 20, a + 40};
    int expected = 1;
    for (int row = 0; row < 3; row++)
      expected &= are_apart(rows[row], 1, 5, b, 1, 5);
    rows_and_row(3, 6, rows, b);
    expect("rows and a row", at, expected);
    // Between rows of the one array lie those of the other.
    double *others[3] = {b, b + 20, b + 40};
    expected = 1;
    for (int row = 0; row < 9; row++)
      expected &= are_apart(rows[row / 3], 1, 5, others[row % 3], 1, 5);
    rows_and_rows(3, 6, rows, others);
    expect("rows and rows", at, expected);
    // One row moves against the one before it, upwards and downwards.
    double *up[3] = {a - 100, a, b}, *down[3] = {a + 100, a, b};
    own_rows(3, 6, up);
    expect("rows upwards", at, at >= 5);
    own_rows(3, 6, down);
    expect("rows downwards", at, at <= -5);
  }
  printf("%d apart, %d not, %d wrong\n", apart, together, wrong);
}
#else
int main(void) { return 0; }
#endif
"#;

#[test]
fn arrays_overlap_to_the_element() {
    let folder = Folder::new("overlap");
    let file = folder.0.join("overlap.c");
    fs::write(&file, SOURCE).unwrap();
    let input = c::Input {
        clang: Path::new("clang-22"),
        file: &file,
        arguments: &[],
        auto: false,
        assume_distinct: false,
    };
    let source = c::read(&input).unwrap();
    let machine = Machine { least_work: 0, fork: 0.0, ..CPU.clone() };
    let text = rewrite::rewritten(&source, |region| {
        let tree = region.tree.as_ref().unwrap();
        let made = parallelize(tree, FloatOrder::Kept, &machine, &Options::default()).unwrap();
        let text = made.text(&Original::from(tree));
        assert!(text.is_some(), "line {} is not parallel", region.at.line);
        text
    });
    let made = folder.0.join("made.c");
    fs::write(&made, text).unwrap();
    let program = compiled("gcc", &["-O1", "-w", "-fopenmp", "-DCOUNTED"], &made);
    let said = printed(&program, "1", &[]);
    let last = said.lines().last().unwrap_or_default();
    assert!(last.ends_with(" not, 0 wrong"), "{said}");
    // Of 121 distances each: 17 or more share an element, or are out of order.
    let counts: Vec<u32> = last.split(' ').filter_map(|word| word.parse().ok()).collect();
    assert!(counts[0] > 400 && counts[1] > 150, "{said}");
}
