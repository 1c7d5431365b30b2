//! Simplified reductions.

use loop_compiler::{
    Options,
    notation::{parse, print},
    report::FloatOrder,
    simplify::{Search, Setting, simplify},
    verify::verify,
};

#[test]
fn show() {
    let text = r#"
func @Prefix(n: index, A: memref<n x i32>, B: memref<n x i32>) {
  for i in range(0 : n) {
    B[i] = 0
    for j in range(0 : i + 1) { B[i] += A[j] }
  }
}
func @Accumulated(n: index, A: memref<n x i32>, B: memref<n x i32>) {
  for i in range(0 : n) {
    for j in range(0 : i + 1) { B[i] += A[j] }
  }
}
func @Local(n: index, A: memref<n x i32>, B: memref<n x i32>) {
  for i in range(0 : n) {
    s: i32 = 0
    for j in range(0 : i + 1) { s += A[j] }
    B[i] = s * 2
  }
}
func @Dependent(n: index, A: memref<n + 1 x i64>, B: memref<n x i64>) {
  for i in range(0 : n) {
    B[i] = 0
    for j in range(0 : i + 1) { B[i] += A[j] }
    A[i + 1] = (3 * B[i] + 1) % 101
  }
}
func @Area(n: index, m: index, A: memref<n x m x i32>, B: memref<n x m x i32>) {
  for i in range(0 : n) {
    for j in range(0 : m) {
      B[i, j] = 0
      for a in range(0 : i + 1) { for b in range(0 : j + 1) { B[i, j] += A[a, b] } }
    }
  }
}
func @Window(n: index, k: index, A: memref<n + k x i32>, B: memref<n x i32>) {
  for i in range(0 : n) {
    B[i] = 0
    for j in range(i : i + k) { B[i] += A[j] }
  }
}
func @Suffix(n: index, A: memref<n x i32>, B: memref<n x i32>) {
  for i in range(0 : n) {
    B[i] = 0
    for j in range(i : n) { if A[j] > B[i] { B[i] = A[j] } }
  }
}
func @Alone(n: index, A: memref<n x n x n x i32>, B: memref<n x n x i32>) {
  for i in range(0 : n) { for j in range(0 : n) { B[i, j] = 0
    for k in range(0 : n) { B[i, j] += A[i, j, k] } } }
}
"#;
    for region in parse(text, "t").unwrap() {
        let options = Options::default();
        let setting = Setting { search: Search::Heuristic, order: FloatOrder::Free, options: &options, forced: None };
        let result = simplify(&region, &setting).unwrap();
        for report in &result.reductions {
            println!("{report:?}");
        }
        println!("{}", print(std::slice::from_ref(&result.region)));
        println!("{:?}", verify(&result.region).err().map(|e| e.to_string()));
    }
}
