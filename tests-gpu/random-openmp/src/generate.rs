//! Programs from seeds: functions in C or C++ with one target region each.
//!
//! The body of a region's loop is a list of statements that add to a number, each of which can be left out.
//! They do what compilers get wrong: structs passed by value, local tables, references, captured scalars of all
//! types. Every value is a small whole number, so that floating-point numbers are exact in any order.

use std::fmt::Write as _;

use tests_gpu::random::random;

/// Scalar types of C. `_Bool` is `bool` in C++.
const TYPES: [&str; 13] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "float",
    "double",
    "_Bool",
];

/// What a program may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language {
    /// C++ rather than C.
    pub cpp: bool,
    /// Whether structs are passed by value.
    pub by_value: bool,
    /// Whether loops of `target teams loop` reduce. Their bodies call functions.
    pub loop_reductions: bool,
}

/// A function `long fSEED(void)` with a target region.
#[derive(Clone, Debug)]
pub struct Case {
    /// The seed that it is made from.
    pub seed: u64,
    language: Language,
    /// Types and functions before it.
    declarations: String,
    /// Its variables.
    variables: String,
    /// The region's directives and loop: before the statements, and after them.
    region: [String; 2],
    /// The statements of the loop's body.
    pub statements: Vec<String>,
}

struct Dice(Box<dyn Iterator<Item = u64>>);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        let word = self.0.next().expect("the sequence has no end");
        ((u128::from(word) * n as u128) >> 64) as usize
    }

    fn chance(&mut self, n: usize, of: usize) -> bool {
        self.below(of) < n
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn numbers(&mut self, count: usize, most: usize) -> String {
        (0..count).map(|_| self.below(most + 1).to_string()).collect::<Vec<_>>().join(", ")
    }
}

/// The largest number that a type holds in these programs.
fn most(ty: &str) -> usize {
    if ty == "_Bool" { 1 } else { 63 }
}

/// A whole number, made small enough for a type.
fn small(ty: &str, number: &str) -> String {
    format!("({ty})((long)({number}) & {})", most(ty))
}

impl Case {
    /// The case of a seed.
    pub fn new(seed: u64, language: Language) -> Case {
        let mut dice = Dice(Box::new(random(seed)));
        let mut made = Maker { dice: &mut dice, seed, language, fields: Vec::new(), scalars: Vec::new() };
        let declarations = made.declarations();
        let variables = made.variables();
        let count = 2 + made.dice.below(6);
        let statements = (0..count).map(|number| made.statement(number)).collect();
        let region = made.region();
        Case { seed, language, declarations, variables, region, statements }
    }

    /// Whether it is C++.
    pub fn is_cpp(&self) -> bool {
        self.language.cpp
    }

    fn print(&self, text: &mut String) {
        let Case { seed, declarations, variables, region: [before, after], statements, .. } = self;
        let body: String = statements.iter().map(|statement| format!("    {statement}\n")).collect();
        let _ = write!(text, "{declarations}\nlong f{seed}(void) {{\n{variables}{before}{body}{after}}}\n\n");
    }
}

/// The source of a program of several cases: it prints the result of each.
pub fn program(cases: &[Case]) -> String {
    let cpp = cases.first().is_some_and(|case| case.language.cpp);
    let mut text = String::from(match cpp {
        true => "#include <algorithm>\n#include <cstdio>\n#include <cstring>\n#define _Bool bool\n\n",
        false => "#include <stdio.h>\n#include <string.h>\n\n",
    });
    text.push_str(
        "static long mix(long hash, long value) { return (long)((unsigned long)hash * 31 + (unsigned long)value); }\n\n",
    );
    cases.iter().for_each(|case| case.print(&mut text));
    text.push_str("int main(void) {\n");
    for Case { seed, .. } in cases {
        let _ = writeln!(text, "  printf(\"{seed} %ld\\n\", f{seed}());\n  fflush(stdout);");
    }
    text.push_str("  return 0;\n}\n");
    text
}

struct Maker<'a> {
    dice: &'a mut Dice,
    seed: u64,
    language: Language,
    /// The types of the struct's fields.
    fields: Vec<&'static str>,
    /// The types of the captured scalars.
    scalars: Vec<&'static str>,
}

impl Maker<'_> {
    fn declarations(&mut self) -> String {
        let (seed, cpp, by_value) = (self.seed, self.language.cpp, self.language.by_value);
        let count = 1 + self.dice.below(5);
        self.fields = (0..count).map(|_| self.dice.pick(&TYPES)).collect();
        let fields = self.fields.clone();
        let array = self.dice.chance(1, 4).then(|| (self.dice.pick(&TYPES[..12]), 2 + self.dice.below(3)));
        let mut members: String = fields.iter().enumerate().map(|(k, ty)| format!(" {ty} m{k};")).collect();
        if let Some((ty, length)) = array {
            let _ = write!(members, " {ty} more[{length}];");
        }
        let mut text = format!("typedef struct S{seed} {{{members} }} S{seed};\n");
        let storage = |dice: &mut Dice| dice.pick(&["static ", "", "static inline "]);
        // How a struct gets into a function: by value, through a pointer, or through a reference.
        let passing = |dice: &mut Dice| match dice.below(if cpp { 4 } else { 3 }) {
            0 | 1 if by_value => ("", ".", ""),
            3 if by_value => ("", ".", ""),
            2 | 3 if cpp => ("const ", ".", "&"),
            _ => ("const ", "->", "*"),
        };
        let zero = if cpp { "{}" } else { "{0}" };
        let rest = |left: &str| match array {
            Some((ty, length)) => {
                format!(
                    " for (int k = 0; k < {length}; k++) r.more[k] = {};",
                    small(ty, &format!("{left} + k"))
                )
            }
            None => String::new(),
        };
        // From a number.
        let assigned: String = fields
            .iter()
            .enumerate()
            .map(|(k, ty)| format!(" r.m{k} = {};", small(ty, &format!("x * {} + {k}", k + 1))))
            .collect();
        let _ = writeln!(
            text,
            "{}S{seed} make{seed}(long x) {{ S{seed} r = {zero};{assigned}{} return r; }}",
            storage(self.dice),
            rest("x")
        );
        // To a number.
        let (qualifier, access, mark) = passing(self.dice);
        let sum: String = fields
            .iter()
            .enumerate()
            .map(|(k, _)| format!(" + {} * (long)a{access}m{k}", 2 * k + 1))
            .collect();
        let sum_more =
            array.map_or(String::new(), |(_, length)| format!(" + (long)a{access}more[{}]", length - 1));
        let _ = writeln!(
            text,
            "{}long sum{seed}({qualifier}S{seed} {mark}a) {{ return 1{sum}{sum_more}; }}",
            storage(self.dice)
        );
        let sum_argument = |value: &str| if mark == "*" { format!("&{value}") } else { value.to_string() };
        let _ = writeln!(text, "#define SUM{seed}(value) sum{seed}({})", sum_argument("(value)"));
        // Two structs to one.
        let ((q1, a1, m1), (q2, a2, m2)) = (passing(self.dice), passing(self.dice));
        let combined: String = fields
            .iter()
            .enumerate()
            .map(|(k, ty)| {
                let value = small(ty, &format!("(long)a{a1}m{k} + {} * (long)b{a2}m{k}", k + 1));
                format!(" r.m{k} = {value};")
            })
            .collect();
        let _ = writeln!(
            text,
            "{}S{seed} join{seed}({q1}S{seed} {m1}a, {q2}S{seed} {m2}b) {{ S{seed} r = {zero};{combined}{} return r; }}",
            storage(self.dice),
            rest(&format!("(long)b{a2}m0"))
        );
        let address = |mark: &str| if mark == "*" { "&" } else { "" };
        let _ = writeln!(
            text,
            "#define JOIN{seed}(one, other) join{seed}({}(one), {}(other))",
            address(m1),
            address(m2)
        );
        // One that adds the fields, for reductions: commutative and exact.
        let (q1, a1, m1) = passing(self.dice);
        let (q2, a2, m2) = passing(self.dice);
        let _ = writeln!(
            text,
            "typedef struct T{seed} {{ double x; long y; int z; }} T{seed};\n{}T{seed} add{seed}({q1}T{seed} {m1}a, \
             {q2}T{seed} {m2}b) {{ T{seed} r = {{a{a1}x + b{a2}x, a{a1}y + b{a2}y, a{a1}z > b{a2}z ? a{a1}z : b{a2}z}}; \
             return r; }}\n#define ADD{seed}(one, other) add{seed}({}(one), {}(other))",
            storage(self.dice),
            address(m1),
            address(m2)
        );
        let _ = writeln!(
            text,
            "#pragma omp declare reduction(add{seed} : T{seed} : omp_out = ADD{seed}(omp_out, omp_in)) \
             initializer(omp_priv = T{seed}{})",
            if cpp { "{0, 0, 0}" } else { "_ZERO" }
        );
        let zero_of = format!("T{seed}_ZERO");
        text = text.replace(&zero_of, &format!("(T{seed}){{0, 0, 0}}"));
        // A function that changes a variable, and one that reads a table.
        let ty = self.dice.pick(&TYPES[..12]);
        let mark = if cpp && self.dice.chance(1, 2) { "&" } else { "*" };
        let target = if mark == "&" { "x" } else { "*x" };
        let _ = writeln!(
            text,
            "{}void bump{seed}({ty} {mark}x, long by) {{ {target} = {}; }}\n#define BUMP{seed}(x, by) bump{seed}({}x, by)\n\
             typedef {ty} bumped{seed};",
            storage(self.dice),
            small(ty, &format!("(long){target} + by")),
            if mark == "&" { "" } else { "&" }
        );
        let _ = writeln!(
            text,
            "{}long look{seed}(const {ty} *table, long at) {{ return (long)table[at & 3]; }}",
            storage(self.dice)
        );
        if cpp {
            let _ = writeln!(
                text,
                "template <class T> static T larger{seed}(T a, T b) {{ return a < b ? b : a; }}\n\
                 struct W{seed} {{ const long &r; long by; long operator()(long x) const {{ return r + by * x; }} }};"
            );
        }
        text
    }

    fn variables(&mut self) -> String {
        let seed = self.seed;
        let count = 1 + self.dice.below(4);
        self.scalars = (0..count).map(|_| self.dice.pick(&TYPES)).collect();
        let n = self.dice.pick(&[0, 1, 7, 31, 64, 100, 129, 200]);
        let mut text = format!(
            "  enum {{ N = {n} }};\n  long out[N + 1], hash = 0, r_sum = 5;\n  int in[N + 1];\n  S{seed} all[N + 1];\n  \
             T{seed} r_add = {{1, 2, 3}};\n  memset(out, 0, sizeof out);\n  memset(all, 0, sizeof all);\n  \
             for (int i = 0; i <= N; i++) {{ in[i] = i * 37 % 61; all[i] = make{seed}(i * 11 % 53); }}\n"
        );
        for (k, ty) in self.scalars.iter().enumerate() {
            let value = 1 + self.dice.below(most(ty));
            let _ = writeln!(text, "  {ty} c{k} = {value};");
        }
        let _ = writeln!(text, "  S{seed} whole = make{seed}({});", self.dice.below(50));
        let ty = self.dice.pick(&TYPES);
        let _ = writeln!(text, "  {ty} r_max = 1;");
        self.scalars.push(ty);
        text
    }

    /// A struct.
    fn value(&mut self) -> String {
        let seed = self.seed;
        match self.dice.below(6) {
            0 => "all[i]".into(),
            1 => format!("all[(i * 7 + {}) % (N + 1)]", self.dice.below(9)),
            2 => "whole".into(),
            3 => "mine".into(),
            4 => "(*p)".into(),
            _ => format!("pair[(i + {}) & 1]", self.dice.below(2)),
        }
        .replace("SEED", &seed.to_string())
    }

    fn statement(&mut self, number: usize) -> String {
        let (seed, cpp) = (self.seed, self.language.cpp);
        let captured = self.dice.below(self.scalars.len() - 1);
        let ty = self.scalars[captured];
        match self.dice.below(if cpp { 13 } else { 10 }) {
            0 | 1 => {
                let ty = self.dice.pick(&TYPES);
                let length = self.dice.pick(&[2, 4, 8, 16]);
                let kind = self.dice.pick(&["const ", "const ", "", "static const "]);
                let values = self.dice.numbers(length, most(ty));
                let at = self.dice.below(7);
                format!(
                    "{{ {kind}{ty} t{number}[{length}] = {{{values}}}; v += (long)t{number}[(i + {at}) & {}]; }}",
                    length - 1
                )
            }
            2 => {
                let (a, b) = (self.value(), self.value());
                format!(
                    "{{ S{seed} mine = make{seed}(in[i]), pair[2] = {{whole, all[i]}}, *p = &all[(i + 1) % (N + 1)]; (void)p; \
                     (void)pair; S{seed} q = JOIN{seed}({a}, {b}); v += SUM{seed}(q); }}"
                )
            }
            3 => {
                let a = self.value();
                format!(
                    "{{ S{seed} mine = whole, pair[2] = {{all[i], whole}}; const S{seed} *p = &whole; (void)p; (void)pair; \
                     (void)mine; v += SUM{seed}({a}); mine.m0 = {}; v += SUM{seed}(mine); }}",
                    small(self.fields[0], "i")
                )
            }
            4 => format!("v += (long)c{captured} * (i & 7);"),
            5 => format!(
                "{{ bumped{seed} x = {}; BUMP{seed}(x, in[i]); BUMP{seed}(x, (long)c{captured}); v += (long)x; }}",
                self.dice.below(60)
            ),
            6 => {
                let kind = self.dice.pick(&["const ", "", "static const "]);
                let values = self.dice.numbers(4, 63);
                format!(
                    "{{ {kind}bumped{seed} t[4] = {{{values}}}; v += look{seed}(t, i + {}); }}",
                    self.dice.below(4)
                )
            }
            7 => format!(
                "{{ {ty} t[4]; for (int j = 0; j < 4; j++) t[j] = {}; for (int j = 0; j < (i & 7); j++) v += (long)t[j & 3]; }}",
                small(ty, "i * j + 3")
            ),
            8 => format!(
                "switch (in[i] & 3) {{ case 0: v += (long)c{captured}; break; case 1: v -= 3; break; case 2: v += out[i]; \
                 break; default: v ^= i; }}"
            ),
            9 => {
                let values = self.dice.numbers(3, most(self.fields[0]).min(1));
                format!(
                    "{{ const S{seed} t[3] = {{{{{0}}}, {{{1}}}, {{{2}}}}}; v += SUM{seed}(t[i % 3]); }}",
                    values.split(", ").next().unwrap_or("0"),
                    values.split(", ").nth(1).unwrap_or("0"),
                    values.split(", ").nth(2).unwrap_or("0")
                )
            }
            10 => {
                let function = self.dice.pick(&["std::min", "std::max", "std::min", "larger"]);
                let function =
                    if function == "larger" { format!("larger{seed}") } else { function.to_string() };
                format!("v += (long){function}<{ty}>(c{captured}, {});", small(ty, "in[i]"))
            }
            11 => {
                let capture = self.dice.pick(&["=", "&"]);
                format!(
                    "{{ auto f = [{capture}](long x) {{ return x * 3 + (long)c{captured}; }}; v += f(in[i]) + f(1); }}"
                )
            }
            _ => format!("{{ long base = i; W{seed} w = {{base, (long)c{captured}}}; v += w(2); }}"),
        }
    }

    fn region(&mut self) -> [String; 2] {
        let seed = self.seed;
        let maps = "map(tofrom: out) map(to: in, all)";
        let reduction = self.dice.below(4);
        let clause = match reduction {
            0 => String::new(),
            1 => " reduction(+: r_sum)".into(),
            2 => " reduction(max: r_max)".into(),
            _ => format!(" reduction(add{seed}: r_add)"),
        };
        let map_result = match reduction {
            0 => "",
            1 => " map(tofrom: r_sum)",
            2 => " map(tofrom: r_max)",
            _ => " map(tofrom: r_add)",
        };
        // Some of the captured variables in clauses.
        let captured = self.dice.below(self.scalars.len() - 1);
        let sharing = match self.dice.below(4) {
            0 => format!(" firstprivate(c{captured})"),
            1 => format!(" map(to: c{captured})"),
            2 => " map(to: whole)".into(),
            _ => String::new(),
        };
        let ty = self.scalars[self.scalars.len() - 1];
        let last = match reduction {
            0 => String::new(),
            1 => "    r_sum += v;\n".into(),
            2 => format!("    {{ {ty} x = {}; if (r_max < x) r_max = x; }}\n", small(ty, "v")),
            _ => format!(
                "    {{ T{seed} x = {{(double)(v & 1023), v, in[i]}}; r_add = ADD{seed}(r_add, x); }}\n"
            ),
        };
        let tail = format!(
            "    out[i] = v;\n{last}  }}\nCLOSE  for (int i = 0; i < N; i++) hash = mix(hash, out[i]);\n  \
             hash = mix(mix(mix(hash, r_sum), (long)r_max), (long)r_add.x + r_add.y + r_add.z);\n  return hash;\n"
        );
        let schedule =
            self.dice.pick(&["", " schedule(static, 1)", " schedule(dynamic, 3)", " schedule(guided)"]);
        let threads = self.dice.pick(&["", " num_threads(33)", " num_threads(64)"]);
        let loop_head = "  for (int i = 0; i < N; i++) {\n    long v = i;\n";
        let one = |directive: String| (format!("#pragma omp {directive}\n{loop_head}"), String::new());
        let (before, close) = match self.dice.below(10) {
            0 | 1 => one(format!("target teams distribute parallel for{clause} {maps}{map_result}{sharing}")),
            2 => {
                one(format!("target teams distribute parallel for simd{clause} {maps}{map_result}{sharing}"))
            }
            3 => one(format!("target parallel for{schedule}{threads}{clause} {maps}{map_result}{sharing}")),
            4 if reduction == 0 || self.language.loop_reductions => {
                one(format!("target teams loop{clause} {maps}{map_result}{sharing}"))
            }
            4 => one(format!("target parallel loop{clause} {maps}{map_result}{sharing}")),
            5 => one(format!("target simd{clause} {maps}{map_result}{sharing}")),
            6 => (
                format!(
                    "#pragma omp target {maps}{map_result}{sharing}\n  {{\n#pragma omp parallel{threads}\n  {{\n#pragma omp \
                     for{schedule}{clause}\n{loop_head}"
                ),
                "  }\n  }\n".into(),
            ),
            7 => (
                format!(
                    "#pragma omp target {maps}{map_result}{sharing}\n  {{\n  whole.m0 = {};\n#pragma omp parallel \
                     for{schedule}{clause}\n{loop_head}",
                    small(self.fields[0], "2")
                ),
                "  }\n".into(),
            ),
            8 => (
                format!(
                    "#pragma omp target teams distribute{clause} {maps}{map_result}{sharing}\n  for (int b = 0; b < N; b += 16) \
                     {{\n  int end = b + 16 < N ? b + 16 : N;\n#pragma omp parallel for{clause}\n  for (int i = b; i < end; \
                     i++) {{\n    long v = i;\n"
                ),
                "  }\n".into(),
            ),
            _ => (
                format!(
                    "#pragma omp target teams num_teams(3){clause} {maps}{map_result}{sharing}\n  {{\n  S{seed} held = whole; \
                     (void)held;\n#pragma omp distribute parallel for{clause}\n{loop_head}    v += SUM{seed}(held);\n"
                ),
                "  }\n".into(),
            ),
        };
        [before, tail.replace("CLOSE", &close)]
    }
}
