//! Malformed files of loops, each with its message; and files that are damaged at random, which never panic.

use std::fs;
use std::path::Path;

use loop_compiler::interpret::{IterationOrder, Memory, Options, Sizes, run};
use loop_compiler::notation::{parse, print};

/// The second line of a function with the parameters of [`in_function`], and what is wrong with it.
#[rustfmt::skip]
const BODIES: &[(&str, &str)] = &[
    ("x = 1", "2:1: `x` is not declared; declare it as a parameter, `name: type`, or in a body around its use"),
    ("a[0, 1] = 1.0", "2:1: `a` has 1 dimension, and is given 2 subscripts; give one for each dimension"),
    ("a = 1.0", "2:1: `a` has 1 dimension, and is given 0 subscripts; give one for each dimension"),
    ("s[0] = 1", "2:1: `s` has 0 dimensions, and is given 1 subscript; it is a scalar"),
    ("a[i] = 1.0", "2:3: `i` is not declared; declare it as a parameter, `name: type`, or in a body around its use"),
    ("a[0.5] = 1.0", "2:1: a subscript of `a` is f64; convert it: `i64(…)`"),
    ("%a[0] = 1.0", "2:1: expected a statement, found `%`; names have no sigil: write `name`, not `%name`"),
    ("a[0] = %s", "2:8: expected a value, found `%`; names have no sigil: write `name`, not `%name`"),
    ("a[0] == 1.0", "2:6: expected `=`, found `==`; a statement is `target = value` or `target += value`"),
    ("a[0] = ", "3:1: expected a value, found `}`; a value is a number, a variable, a call or an operation"),
    ("a[0] = reduce(s, 1)", "2:8: expected a value, found `reduce`; a reduction is a statement of its own"),
    ("s = reduce_dimension(t, p, 0)", "2:5: `reduce_dimension` has no value; its target is its first argument: `reduce_dimension(target, source, 0)`"),
    ("s = 1 +* 2", "2:8: expected a value, found `*`; a value is a number, a variable, a call or an operation"),
    ("s = (1", "3:1: expected `)`, found `}`; a parenthesis is open"),
    ("s = a[0", "3:1: expected `,`, found `}`; subscripts are `a[i, j]` or `a[i][j]`"),
    ("s = 1 $", "2:7: `$` is not declared; declare it as a parameter, `name: type`, or in a body around its use"),
    ("s = sqrt(1.0, 2.0)", "2:5: `sqrt` takes 1 argument, and is given 2"),
    ("s = unknown(1)", "2:5: there is no function `unknown` of these arguments; declare it before the function: `declare func @unknown(f64) -> f64`"),
    ("s = 1.5 % 2", "2:9: `%` is not defined for f64 and i32; convert an operand: `type(operand)`"),
    ("s = ~1.5", "2:5: `~` is not defined for f64; convert the operand: `type(operand)`"),
    ("s = real(1.5)", "2:5: `real` is not defined for f64; convert the operand: `type(operand)`"),
    ("s = 99999999999999999999", "2:5: the number has more than 64 bits; give its type: `1i128`"),
    ("s = 300u8", "2:5: the number is not in the range of u8"),
    ("s = -1u8", "2:6: the number is not in the range of u8"),
    ("s = 1e999", "2:5: the number is too large for f64; infinity is `inf` or `inf32`"),
    ("s = 3e39f32", "2:5: the number is too large for f32; infinity is `inf` or `inf32`"),
    ("s = 12abc", "2:7: `abc` is no suffix of a number; suffixes are types: `1i64`, `0.5f32`, and `j` and `j32` of imaginary numbers"),
    ("s = s ? 1", "3:1: expected `:`, found `}`; a choice is `condition ? value : other`"),
    ("s = for", "2:5: expected a value, found `for`; a value is a number, a variable, a call or an operation"),
    ("for = 1", "2:5: expected the iterator's name, found `=`; a name is a word, or in backquotes"),
    ("n: f64", "2:1: `n` is declared already, at 1:9; choose another name"),
    ("i8: f64", "2:1: expected a statement, found `i8`; `for`, `par.for`, `if`, `reduce(…)`, `name: type`, `name[…] = value`"),
    ("s: i32 [global]", "2:9: a variable of a body is neither a parameter nor outside of it; only parameters say where they are"),
    ("y: i32 [local]", "2:9: a variable of a body is neither a parameter nor outside of it; only parameters say where they are"),
    ("y: i32 [blue]", r#"2:9: there is no attribute `blue`; attributes are [local], [parameter], [pointer], [global], [shared], [rows] and [as "type in C"]"#),
    ("y: i32 [as 3]", r#"2:9: `as` has no text in quotes behind it; attributes are [local], [parameter], [pointer], [global], [shared], [rows] and [as "type in C"]"#),
    ("y: memref<f64>", "2:11: expected an extent, found `f64`; a memref has a dimension: `memref<1 x f64>`; a scalar is `f64`"),
    ("y: memref<2xf64>", "2:12: `xf64` is no suffix of a number; write blanks around the `x` of a shape: `2 x …`"),
    ("y: memref<2 x>", "2:14: expected a value, found `>`; a value is a number, a variable, a call or an operation"),
    ("y: memref<? x f64>", "2:1: an extent of `y` is not known; memory of a body has all its extents"),
    ("y: memref<2 x f64> = 1.0", "2:1: `y` has dimensions and a value; set its elements in a loop"),
    ("y: u7", "2:4: expected a type, found the name `u7`; types are bool, i8 to i128, u8 to u128, f32, f64, c32, c64, index and memref<…>"),
    (r#"y = memref<2 x f64> <"argmax">"#, r#"2:1: "argmax" has no identity of f64; private memory is filled with the identity of +, *, min, max, &, |, ^, && or ||"#),
    ("y = memref<2 x f64> <+>", r#"2:22: expected an operator in quotes, found `+`; operators are "+", "*", "min", "max", "fmin", "fmax", "argmin", "argmax", "&", "|", "^", "&&", "||", "first", "last""#),
    (r#"y = memref<2 x f64> <"plus">"#, r#"2:22: "plus" is not an operator of reductions; operators are "+", "*", "min", "max", "fmin", "fmax", "argmin", "argmax", "&", "|", "^", "&&", "||", "first", "last""#),
    ("break", "2:1: `break` is in no loop; put it into the loop that it leaves"),
    ("par.for i in range(0 : n) { break }", "2:29: `break` leaves a parallel loop; its other iterations may run already: make it a `for`"),
    ("for i in range(0 : n) { i = 1 }", "2:25: `i` is the iterator of a loop; only the loop changes its iterator"),
    ("for i in range(0 : n) { for i in range(0 : n) { } }", "2:29: `i` is declared already, at 2:5; choose another name"),
    ("for i in range(0 : 0 : n) { }", "2:1: the step of `i` is 0; the loop would not end"),
    ("for i in 0 : n { }", "2:10: expected `range`, found a number; a loop is `for i in range(begin : end)`"),
    ("for i in range(0, n) { }", "2:17: expected `:`, found `,`; the parts of a range are separated by colons: `range(begin : step : end)`"),
    ("for i in range(0) { }", "2:17: expected `:`, found `)`; the parts of a range are separated by colons: `range(begin : step : end)`"),
    ("for i : f64 in range(0 : n) { }", "2:16: expected an iterator of an integer type, found the name `range`; declare it as `i: index`"),
    ("for i = range(0 : n) { }", "2:5: `i` is not declared; a loop that declares its iterator is `for i in range(begin : end)`"),
    ("for n = range(0 : n) { } n = 1 for s = range(0 : n) { s += 1 }", "2:1: `n` is read as a variable in its own loop; there it is `ExpressionKind::Iterator`"),
    ("for i in while(0 : 1) { }", "2:21: expected `:`, found `)`; a loop with a condition is `while(begin : step : condition)`"),
    ("for i in range(0 : n) {", "3:2: expected a statement, found the end of the file; `for`, `par.for`, `if`, `reduce(…)`, `name: type`, `name[…] = value`"),
    ("par for i in range(0 : n) { }", "2:5: expected `.`, found `for`; a parallel loop is `par.for`"),
    ("i = 1 for i in range(0 : n) { }", "2:1: `i` is not declared; declare it as a parameter, `name: type`, or in a body around its use"),
    ("if s { ", "3:2: expected a statement, found the end of the file; `for`, `par.for`, `if`, `reduce(…)`, `name: type`, `name[…] = value`"),
    ("else { }", "2:1: expected a statement, found `else`; `for`, `par.for`, `if`, `reduce(…)`, `name: type`, `name[…] = value`"),
    ("if s = 1 { }", "2:6: expected a statement, found `=`; `for`, `par.for`, `if`, `reduce(…)`, `name: type`, `name[…] = value`"),
    (r#"reduce(a, 1.0) <"+", 0.0>"#, "2:8: `a` has 1 dimension, and is given 0 subscripts; give one for each dimension"),
    (r#"reduce(a[0], 1.0) <"&", 0.0>"#, r#"2:1: "&" does not reduce f64; bits are of integers, an order is of real numbers, sums are not of bool"#),
    (r#"reduce(a[0], 1.0) <"max", 0.0"#, r#"3:1: expected `>`, found `}`; the operator follows, and where it begins: `<"+", 0.0>`"#),
    (r#"reduce(s, 1) <"first", 0>"#, r#"2:1: "first" needs the place of each value; `reduce` has the operators +, *, min, max, &, |, ^, && and ||"#),
    (r#"reduce(result, 0, a[1]) <"+", 0.0>"#, "2:8: `result` is not declared; declare it as a parameter, `name: type`, or in a body around its use"),
    ("reduce(a[0], 1.0)", r#"3:1: expected `<`, found `}`; the operator follows, and where it begins: `<"+", 0.0>`"#),
    (r#"reduce_dimension(t, p, 2) <"+">"#, "2:1: `p` has 2 dimensions, and no dimension 2; dimensions are counted from 0"),
    (r#"reduce_dimension(t, p, 1) <"+">"#, "2:1: 0 indices for the 1 dimension before; give an index for each dimension before the reduced one"),
    (r#"reduce_dimension(t, p, 0, [], [0], []) <"+">"#, "2:36: the ends of the ranges are not as many as their begins; `_` in both lists stands for a whole dimension"),
    (r#"reduce_dimension(t, p, 0, [], [0, 0], [1, 1]) <"+">"#, "2:1: 2 ranges for the 1 dimension behind; give a range for each dimension behind the reduced one, or none at all"),
    (r#"reduce_dimension(t, p, 0, map [0]) <"+">"#, "2:1: dimension 0 of `p` cannot index the target; each mapped dimension is another one, and not the reduced one"),
    (r#"reduce_dimension(t, p, 0, map []) <"+">"#, "2:1: 0 dimensions of the source mapped to the 1 of `t`; name the dimensions of the source that index the target: `map [0, 2]`"),
    (r#"reduce_dimension(p, p, 0) <"+">"#, "2:1: `p` is target and source; use `reduce_dimension_inplace`"),
    (r#"reduce_dimension(t, p, 0) <"argmax">"#, r#"2:1: "argmax" stores an index, and `t` is f64; its target is of an integer type"#),
    (r#"reduce_dimension(t, p, 0) <"last">"#, r#"2:1: "last" is no operator of a dimension; which iterations have stored a value is not known any more"#),
    (r#"reduce_dimension_inplace(p, 0) <"argmin">"#, r#"2:1: "argmin" in place would store an index among the values; give it a target: `reduce_dimension(target, …)`"#),
    (r#"reduce_dimension_inplace(p, 0, tree) <"+", 1>"#, "2:1: a tree has an initial value; combine it with the result"),
    (r#"reduce_dimension_inplace(p, 0, map [1]) <"+">"#, "2:1: the form in place has no target to map dimensions to; leave `map` out"),
    (r#"reduce_dimension(s, p, 0, [], [0], [2], map []) <"+">"#, "2:1: dimension 1 of `p` does not index the target; only its index 0 is read: its range is 0 to 1"),
    (r#"reduce_dimension(t, p, x) <"+">"#, r#"2:24: expected a dimension's number, found the name `x`; it is `reduce_dimension(target, source, dimension, [indices], [begins], [ends]) <"+", 0.0>`"#),
    (r#"reduce_dimension(t, p, 0, [], [0.5], [1]) <"+">"#, "2:1: a range's begin is f64; convert it: `i64(…)`"),
    ("s ++", "2:3: expected `=`, found `+`; a statement is `target = value` or `target += value`"),
    ("s += q[0]", "2:6: `q` is a structure; name one of its members: `p[i].x`"),
    ("s <<= 1.5", "2:3: `<<=` is not defined for i32 and f64; convert the value: `type(value)`"),
    ("s &&= 1", "2:3: expected `=`, found `&&`; a statement is `target = value` or `target += value`"),
    ("q[0].z = 1", "2:1: `q` has no member `.z`; declare it with its type: `memref<n x {x: f64, v[]: i32}>`"),
    ("q[0] = 1", "2:1: `q` is a structure; name one of its members: `p[i].x`"),
    ("s.x = 1", "2:1: `s` has no member `.x`; declare it with its type: `memref<n x {x: f64, v[]: i32}>`"),
    ("q[0].v = 1.0", "2:1: `q` has no member `.v`; declare it with its type: `memref<n x {x: f64, v[]: i32}>`"),
    ("/* no end", "2:1: the comment does not end; write `*/` after it"),
    (r#"s = "text""#, "2:5: expected a value, found a text in quotes; a value is a number, a variable, a call or an operation"),
    (r#"y: i32 as "t"#, r#"2:11: the quote " is not closed in its line; write " behind the text"#),
    ("`", "2:1: the quote ` is not closed in its line; write ` behind the text"),
    ("``  = 1", "2:1: a name is empty; write a name between the backquotes"),
    ("s = 1\u{7}", "2:6: the character `\\u{7}` has no meaning here; comments begin with `//`"),
    ("s = é", "2:5: `é` is not declared; declare it as a parameter, `name: type`, or in a body around its use"),
];

/// Whole files.
#[rustfmt::skip]
const FILES: &[(&str, &str)] = &[
    ("func", "1:5: expected `@`, found the end of the file; the name of a function begins with `@`"),
    ("func f() { }", "1:6: expected `@`, found the name `f`; the name of a function begins with `@`"),
    ("func @f { }", "1:9: expected `(`, found `{`; parameters follow, in parentheses"),
    ("func @f() ", "1:11: expected `{`, found the end of the file; the body follows, in braces"),
    ("func @f(n) { }", "1:10: expected `:`, found `)`; a parameter is `name: type`"),
    ("func @f(n: index n: index) { }", "1:18: expected `,`, found the name `n`; a comma separates parameters"),
    ("func @f(n: index, n: index) { }", "1:19: `n` is declared already, at 1:9; choose another name"),
    ("func @f(a: memref<n x f64>, n: index) { }", "1:19: `n` is not declared; declare it as a parameter, `name: type`, or in a body around its use"),
    ("func @f(a: memref<2 x f64>, b: memref<i64(a[0]) x f64>) { }", "1:1: an extent of `b` reads what is not a size; extents are made of numbers and integer parameters"),
    ("func @f() -> f64 { }", "1:14: expected `void`, found `f64`; a function returns nothing: its results are in memrefs"),
    ("for i in range(0 : 3) { }", "1:1: expected `func`, found `for`; a file has functions: `func @name(parameters) { … }`"),
    ("declare func @g(f64)", "1:21: expected `->`, found the end of the file; a function of C is declared as `declare func @name(f64) -> f64`"),
    ("declare func @g(f64) -> f64 func @f(x: f64) { x = g(x, x) }", "1:51: `g` takes 1 argument, and is given 2"),
    ("func @f(p: {x: f64, x: f64}) { }", "1:21: the member is declared twice; leave one out"),
    ("func @f(p: {}) { }", "1:13: expected a member's name, found `}`; a name is a word, or in backquotes"),
    ("func @f(b: memref<2 x u7>) { }", "1:23: `u7` is not declared; declare it as a parameter, `name: type`, or in a body around its use"),
];

fn in_function(body: &str) -> String {
    let arrays =
        "a: memref<n x f64>, t: memref<4 x f64>, p: memref<2 x 4 x f64>, q: memref<n x {x: f64, v[]: f32}>";
    format!("func @f(n: index, s: i32, c: c64, {arrays}) {{\n{body}\n}}")
}

fn message(text: &str) -> String {
    parse(text, "f.loops").expect_err(text).to_string()
}

#[test]
fn malformed_files_have_their_messages() {
    assert!(BODIES.len() + FILES.len() >= 40);
    for (body, expected) in BODIES {
        assert_eq!(message(&in_function(body)), format!("f.loops:{expected}"), "{body}");
    }
    for (text, expected) in FILES {
        assert_eq!(message(text), format!("f.loops:{expected}"), "{text}");
    }
}

#[test]
fn too_much_of_anything_is_an_error() {
    let nested = |open: &str, inner: &str, close: &str| {
        in_function(&format!("{}{inner}{}", open.repeat(100_000), close.repeat(100_000)))
    };
    for (text, what) in [
        (nested("if s { ", "", "}"), "more than 100 bodies in each other"),
        (nested("if s ", "s = 1", ""), "more than 100 bodies in each other"),
        (nested("if s { } else ", "s = 1", ""), "more than 100 bodies in each other"),
        (
            in_function(&format!("s = {}1{}", "(".repeat(100_000), ")".repeat(100_000))),
            "is more than 200 deep",
        ),
        (in_function(&format!("s = {}1", "-(".repeat(100_000))), "is more than 200 deep"),
        (in_function(&format!("s = {}s", "!".repeat(100_000))), "is more than 200 deep"),
        (in_function(&format!("s = {}1", "s ? 1 : ".repeat(100_000))), "is more than 200 deep"),
        (in_function(&format!("s = {}1", "s + ".repeat(100_000))), "is more than 200 deep"),
        (in_function(&format!("s = {}s", "p[1, ".repeat(100_000))), "is more than 200 deep"),
        (in_function(&format!("s = {}s", "sqrt(".repeat(100_000))), "is more than 200 deep"),
        (in_function(&format!("y: memref<{} f64>", "(".repeat(100_000))), "is more than 200 deep"),
        (" ".repeat((16 << 20) + 1), "the text has 16777217 bytes, more than 16777216"),
    ] {
        assert!(message(&text).contains(what), "{}", message(&text));
    }
    // Just within the limits.
    for text in [
        in_function(&format!("s = {}s", "s + ".repeat(199))),
        in_function(&format!("s = {}s{}", "(s * ".repeat(99), ")".repeat(99))),
        in_function(&format!("{}s = 1{}", "if s { ".repeat(99), "}".repeat(99))),
    ] {
        let regions = parse(&text, "").unwrap();
        let printed = print(&regions);
        assert_eq!(print(&parse(&printed, "").unwrap()), printed);
        let mut memory = Memory::new(&regions[0], &Sizes::of([("n", 3)]), &Options::default()).unwrap();
        run(&regions[0], &mut memory, &Options::default()).unwrap();
    }
}

/// A small generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// Replaces, removes, repeats and swaps pieces of a text between blanks and symbols.
fn damage(text: &str, random: &mut Random) -> String {
    let mut pieces: Vec<&str> = text.split_inclusive([' ', '(', ')', '[', ']', ',', '<', '\n']).collect();
    for _ in 0..1 + random.below(4) {
        let (here, there) = (random.below(pieces.len()), random.below(pieces.len()));
        match random.below(6) {
            0 => drop(pieces.remove(here)),
            1 => pieces.insert(here, pieces[there]),
            2 => pieces.swap(here, there),
            3 => pieces[here] = pieces[there],
            4 => {
                const WORDS: [&str; 12] = [
                    "-",
                    "9223372036854775807 ",
                    "0 ",
                    "(",
                    "}",
                    "{ ",
                    "par.",
                    "\"",
                    "f32(",
                    "? x ",
                    "-1i8 ",
                    "1e308 * ",
                ];
                pieces.insert(here, WORDS[random.below(WORDS.len())]);
            }
            _ => {
                let cut =
                    pieces[here].char_indices().map(|(index, _)| index).nth(random.below(3)).unwrap_or(0);
                pieces[here] = &pieces[here][cut..];
            }
        }
    }
    pieces.concat()
}

#[test]
fn damaged_files_never_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loops");
    let mut texts: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    texts.sort();
    let texts: Vec<String> = texts.into_iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let mut random = Random(1);
    let (mut parsed, mut executed) = (0, 0);
    for round in 0..6000 {
        let text = damage(&texts[random.below(texts.len())], &mut random);
        let Ok(regions) = parse(&text, "") else { continue };
        parsed += 1;
        let printed = print(&regions);
        let again = parse(&printed, "").unwrap_or_else(|error| panic!("{error}\n{text}\n{printed}"));
        assert_eq!(print(&again), printed, "{text}");
        let order =
            if round % 2 == 0 { IterationOrder::Sequential } else { IterationOrder::Interleaved(round) };
        let options = Options { order, steps: 20_000, memory: 1 << 20, ..Options::default() };
        for region in &regions {
            let sizes = Sizes { unknown: Some(3), ..Sizes::default() };
            let Ok(mut memory) = Memory::new(region, &sizes, &options) else { continue };
            memory.fill(round);
            executed += usize::from(run(region, &mut memory, &options).is_ok());
        }
    }
    assert!(parsed > 500 && executed > 100, "{parsed} parsed, {executed} executed");
}
