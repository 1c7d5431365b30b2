//! Names of memory: pointers and arrays of every provenance.

use super::scene::{EXTENT, Flavour, Name, ROW, ROWS, Scene, Shape};
use super::types::Type;
use crate::tree::{Node, SourceLine};

/// All provenances, by the tag of their names, with weights.
pub const PROVENANCES: &[(usize, &str)] = &[
    (10, "parameter"),
    (10, "restrict-parameter"),
    (3, "const-parameter"),
    (3, "array-parameter"),
    (8, "file-array"),
    (9, "file-pointer"),
    (3, "file-pointer-restrict"),
    (5, "file-pointer-constant"),
    (4, "static-pointer"),
    (6, "local-pointer"),
    (9, "based-on-restrict"),
    (4, "rows-based-on-restrict"),
    (4, "rows-parameter"),
    (4, "sized-rows-parameter"),
    (4, "member-pointer"),
    (3, "file-structure-pointer"),
    (10, "member-rows"),
    (6, "rows-of-pointers"),
    (2, "thread-local-array"),
    (2, "thread-local-pointer"),
    (1, "volatile-array"),
    (4, "may-alias"),
    (4, "characters"),
    (4, "alias-attribute"),
    (4, "structures"),
    (4, "structures-parameter"),
    (3, "other-sign"),
    (2, "conditional-pointer"),
    (2, "copied-structure"),
    (3, "assigned-pointer"),
    (3, "moved-parameter"),
    (3, "file-pointer-from-restrict"),
    (2, "returned-pointer"),
    (2, "pointer-to-pointer"),
    (2, "local-restrict"),
    (3, "local-array"),
    (3, "member-arrays"),
];

impl Scene {
    /// Names for the function: most of them of one type.
    pub fn add_names(&mut self) {
        let count = 2 + self.dice.below(3);
        let first = self.dice.weighted(&Type::OF_ARRAYS);
        for number in 0..count {
            let of = match number == 0 || self.dice.percent(70) {
                true => first,
                false => self.dice.weighted(&Type::OF_ARRAYS),
            };
            // Nests of two loops are for rows.
            let is_row = |tag: &str| tag.contains("rows");
            let wanted = self.wide && self.dice.percent(45);
            let fitting: Vec<(usize, &str)> =
                PROVENANCES.iter().filter(|(_, tag)| is_row(tag) == wanted).copied().collect();
            let provenance = self.dice.weighted(&fitting);
            self.add_name(provenance, of);
        }
        if self.names.iter().all(|name| !name.is_written) {
            self.add_name("parameter", first);
        }
        if self.is_calm {
            let is_row = |name: &Name| name.is_written && name.shape != Shape::Line;
            let rows: Vec<usize> = (0..self.names.len()).filter(|at| is_row(&self.names[*at])).collect();
            let last = match rows.is_empty() {
                true => self.names.iter().rposition(|name| name.is_written),
                false => Some(self.dice.of(&rows)),
            };
            for at in 0..self.names.len() {
                let stays = Some(at) == last || self.dice.percent(30);
                let name = &mut self.names[at];
                name.is_written &= stays;
                name.is_read = !name.is_written;
            }
        }
    }

    fn push(&mut self, tag: &'static str, of: Type, shape: Shape, text: impl Into<String>) -> &mut Name {
        let is_base = shape == Shape::Line;
        self.names.push(Name {
            text: text.into(),
            member: "",
            of,
            shape,
            is_written: true,
            is_read: true,
            tag,
            is_base,
        });
        let last = self.names.len() - 1;
        &mut self.names[last]
    }

    fn set(&mut self, tag: &'static str, name: &str, places: &[String]) {
        for (setup, place) in self.setup.iter_mut().zip(places) {
            setup.push(SourceLine::new(tag, format!("{name} = {place};")));
        }
    }

    /// How a place is written as another type of pointers.
    fn cast(places: Vec<String>, to: &str) -> Vec<String> {
        places.into_iter().map(|place| format!("({to})({place})")).collect()
    }

    fn add_name(&mut self, tag: &'static str, of: Type) {
        let c = of.c();
        match tag {
            "parameter" | "restrict-parameter" | "const-parameter" | "array-parameter" => {
                let name = self.fresh("p");
                let text = match tag {
                    "parameter" => format!("{c} *{name}"),
                    "restrict-parameter" if self.dice.percent(25) => format!("{c} {name}[restrict]"),
                    "restrict-parameter" => format!("{c} *restrict {name}"),
                    "const-parameter" => format!("const {c} *{name}"),
                    _ if self.dice.percent(50) => format!("{c} {name}[static 1]"),
                    // Which is the length on a device, if the elements that are accessed are not known.
                    _ => format!("{c} {name}[{EXTENT}]"),
                };
                let places = self.place(of, tag == "restrict-parameter");
                self.parameter(tag, text, places);
                self.push(tag, of, Shape::Line, name).is_written = tag != "const-parameter";
            }
            "file-array" => {
                let arena = self.arena(of);
                self.push(tag, of, Shape::Line, arena);
            }
            "file-pointer" | "file-pointer-restrict" | "thread-local-pointer" => {
                let name = self.fresh("P") + "_@";
                let before = match tag {
                    "thread-local-pointer" => "static _Thread_local ",
                    _ if self.dice.percent(50) => "static ",
                    _ => "",
                };
                let is_restrict = tag == "file-pointer-restrict";
                let restrict = if is_restrict { "restrict " } else { "" };
                self.globals.push(SourceLine::new(tag, format!("{before}{c} *{restrict}{name};")));
                let places = self.place(of, is_restrict);
                self.set(tag, &name, &places);
                self.push(tag, of, Shape::Line, name);
            }
            "file-pointer-constant" => {
                let name = self.fresh("P") + "_@";
                let arena = self.arena(of);
                let at = self.dice.of(&[0, 1, 1, 2, 30, 64]);
                let before = self.dice.of(&["static ", ""]);
                let after = self.dice.of(&["const ", "const ", ""]);
                let text = format!("{before}{c} *{after}{name} = {arena} + {at};");
                self.later.push(SourceLine::new(tag, text));
                self.push(tag, of, Shape::Line, name);
            }
            "static-pointer" => {
                let name = self.fresh("y");
                let arena = self.arena(of);
                let at = self.dice.of(&[0, 1, 1, 2, 30]);
                self.locals.push(Node::line(tag, format!("static {c} *{name} = {arena} + {at};")));
                self.push(tag, of, Shape::Line, name);
            }
            "local-pointer" | "based-on-restrict" | "rows-based-on-restrict" | "conditional-pointer" => {
                let wanted = if tag.contains("restrict") { "restrict-parameter" } else { "" };
                let base = self.base(wanted, of);
                let name = self.fresh("q");
                let at = self.dice.of(&["", "", " + 1", " + 1", " + 2", " + n", " + m", " + 3"]);
                if tag == "rows-based-on-restrict" {
                    let text = match self.dice.percent(50) {
                        true => format!("{c} (*{name})[{ROW}] = ({c} (*)[{ROW}])({base}{at});"),
                        false => format!("{c} (*{name})[{ROW}] = (void *)({base}{at});"),
                    };
                    self.locals.push(Node::line(tag, text));
                    self.push(tag, of, Shape::Rows, name);
                } else if tag == "conditional-pointer" {
                    let other = self.names.iter().rposition(|name| name.is_base && name.of == of);
                    let other = other.map_or(base.clone(), |other| self.names[other].text.clone());
                    let text = format!("{c} *{name} = m > 4 ? {base}{at} : ({c} *){other};");
                    self.locals.push(Node::line(tag, text));
                    self.push(tag, of, Shape::Line, name).is_base = false;
                } else {
                    let before = self.dice.of(&["", "", "", "const "]);
                    let cast = match self.dice.below(10) {
                        0 | 1 => format!("({before}{c} *)(void *)"),
                        2 => format!("({before}{c} *)(__UINTPTR_TYPE__)"),
                        _ => String::new(),
                    };
                    let value = match at.is_empty() {
                        true => base.clone(),
                        false if cast.is_empty() && self.dice.percent(30) => format!("&{base}[{}]", &at[3..]),
                        false => format!("({base}{at})"),
                    };
                    self.locals.push(Node::line(tag, format!("{before}{c} *{name} = {cast}{value};")));
                    let pushed = self.push(tag, of, Shape::Line, name);
                    (pushed.is_written, pushed.is_base) = (before.is_empty(), false);
                }
            }
            "assigned-pointer" => {
                let base = self.base("", of);
                let name = self.fresh("q");
                let other = self.names.iter().find(|name| name.is_base && name.of == of);
                let other = other.map_or(base.clone(), |other| other.text.clone());
                let text = match self.dice.below(3) {
                    0 => format!("{c} *{name}; {name} = {base} + 1;"),
                    1 => format!("{c} *{name} = {base}; {name}++;"),
                    _ => format!("{c} *{name} = {base}; if (m < 5) {name} = ({c} *){other} + 1;"),
                };
                self.locals.push(Node::line(tag, text));
                self.push(tag, of, Shape::Line, name).is_base = false;
            }
            "moved-parameter" => {
                let wanted = self.dice.of(&["parameter", "restrict-parameter"]);
                self.add_name(wanted, of);
                let name = self.names.last().map(|name| name.text.clone()).unwrap_or_default();
                let text = match self.dice.below(3) {
                    0 => format!("{name}++;"),
                    1 => format!("{name} = {name} + 2;"),
                    _ => format!("if (m > 4) {name} += 1;"),
                };
                self.locals.push(Node::line(tag, text));
            }
            "file-pointer-from-restrict" => {
                let base = self.base("restrict-parameter", of);
                let name = self.fresh("P") + "_@";
                self.globals.push(SourceLine::new(tag, format!("{c} *{name};")));
                let at = self.dice.of(&["", " + 1", " + 2"]);
                self.locals.push(Node::line(tag, format!("{name} = {base}{at};")));
                self.push(tag, of, Shape::Line, name).is_base = false;
            }
            "returned-pointer" => {
                let (name, get) = (self.fresh("q"), self.fresh("get") + "_@");
                let arena = self.arena(of);
                let at = self.dice.of(&[0, 1, 2]);
                self.later.push(SourceLine::new(
                    tag,
                    format!("static {c} *{get}(void) {{ return {arena} + {at}; }}"),
                ));
                self.locals.push(Node::line(tag, format!("{c} *{name} = {get}();")));
                self.push(tag, of, Shape::Line, name).is_base = false;
            }
            "pointer-to-pointer" => {
                let (name, to) = (self.fresh("p"), self.fresh("P") + "_@");
                self.globals.push(SourceLine::new(tag, format!("static {c} *{to};")));
                let places = self.place(of, false);
                self.set(tag, &to, &places);
                let arguments = vec![format!("&{to}"); self.calls()];
                self.parameter(tag, format!("{c} **{name}"), arguments);
                self.push(tag, of, Shape::Line, format!("(*{name})"));
            }
            "local-restrict" => {
                let name = self.fresh("q");
                // The same place in all calls.
                let place = self.place(of, true).swap_remove(0);
                self.locals.push(Node::line(tag, format!("{c} *restrict {name} = {place};")));
                self.push(tag, of, Shape::Line, name);
            }
            "local-array" => {
                let (name, keep) = (self.fresh("a"), self.fresh("kept") + "_@");
                let (suffix, seed) = (of.suffix(), self.dice.below(1000));
                self.globals.push(SourceLine::new(tag, format!("static unsigned long {keep};")));
                self.locals.push(Node::line(tag, format!("{c} {name}[{EXTENT}];")));
                self.locals.push(Node::line(tag, format!("fill_{suffix}({name}, {EXTENT}, {seed}, 0);")));
                self.after.push(Node::line(tag, format!("{keep} = sum_{suffix}({name}, {EXTENT});")));
                self.shown.push(SourceLine::new(tag, format!("show_sum(\"{keep}\", {keep});")));
                self.push(tag, of, Shape::Line, name);
            }
            "member-arrays" => {
                let (kind, name) = (self.fresh("S"), self.fresh("s"));
                let text = format!("struct {kind}_@ {{ {c} a[{EXTENT}]; int k; {c} b[{EXTENT}]; }};");
                self.globals.push(SourceLine::new(tag, text));
                self.globals.push(SourceLine::new(tag, format!("static struct {kind}_@ {name}_@[2];")));
                for (at, member) in [(0, "a"), (0, "b"), (1, "a"), (1, "b")] {
                    let array = format!("{name}_@[{at}].{member}");
                    let (suffix, seed) = (of.suffix(), self.dice.below(1000));
                    let text = format!("fill_{suffix}({array}, {EXTENT}, {seed}, 0);");
                    self.setup.iter_mut().for_each(|setup| setup.push(SourceLine::new(tag, text.clone())));
                    let text = format!("show_sum(\"{member}\", sum_{suffix}({array}, {EXTENT}));");
                    self.shown.push(SourceLine::new(tag, text));
                }
                // Two pointers to one object, or to two.
                for parameter in ["u", "w"] {
                    let place = |at: i64| format!("{name}_@ + {at}");
                    let places = (0..self.calls()).map(|_| place(self.dice.of(&[0, 0, 1])));
                    let places: Vec<String> = places.collect();
                    self.parameter(tag, format!("struct {kind}_@ *{parameter}{name}"), places);
                    let member = self.dice.of(&["a", "b"]);
                    self.push(tag, of, Shape::Line, format!("{parameter}{name}->{member}"));
                }
            }
            "rows-parameter" | "sized-rows-parameter" => {
                let name = self.fresh("r");
                let is_restrict = self.dice.percent(40);
                let restrict = if is_restrict { "restrict " } else { "" };
                let is_sized = tag == "sized-rows-parameter";
                let row = if is_sized { "m".into() } else { ROW.to_string() };
                if is_sized {
                    self.sizes.iter_mut().for_each(|[_, m]| *m = (*m).max(1));
                }
                let text = match self.dice.percent(50) {
                    true => format!("{c} (*{restrict}{name})[{row}]"),
                    false => format!("{c} {name}[{restrict}][{row}]"),
                };
                let places = self.place(of, is_restrict);
                let places = Self::cast(places, "void *");
                self.parameter(tag, text, places);
                self.push(tag, of, if is_sized { Shape::SizedRows } else { Shape::Rows }, name);
            }
            "member-pointer" | "file-structure-pointer" | "copied-structure" => {
                let (kind, variable) = (self.fresh("S"), self.fresh("s"));
                self.globals.push(SourceLine::new(tag, format!("struct {kind}_@ {{ {c} *a, *b; int k; }};")));
                self.globals.push(SourceLine::new(tag, format!("static struct {kind}_@ {variable}_@;")));
                for member in ["a", "b"] {
                    let places = self.place(of, false);
                    self.set(tag, &format!("{variable}_@.{member}"), &places);
                }
                let text = match tag {
                    "member-pointer" => {
                        let arguments = vec![format!("&{variable}_@"); self.calls()];
                        let before = self.dice.of(&["", "const "]);
                        let after = self.dice.of(&["", "restrict "]);
                        let text = format!("{before}struct {kind}_@ *{after}{variable}");
                        self.parameter(tag, text, arguments);
                        format!("{variable}->")
                    }
                    "copied-structure" => {
                        let arguments = vec![format!("{variable}_@"); self.calls()];
                        self.parameter(tag, format!("struct {kind}_@ {variable}"), arguments);
                        format!("{variable}.")
                    }
                    _ => format!("{variable}_@."),
                };
                self.push(tag, of, Shape::Line, format!("{text}a"));
                self.push(tag, of, Shape::Line, format!("{text}b"));
            }
            "member-rows" | "rows-of-pointers" => {
                let kind = self.fresh("S");
                let variable = self.fresh("s");
                let members: &[&str] = if tag == "member-rows" { &["a", "b"] } else { &["a"] };
                let declared: String =
                    members.iter().map(|member| format!("{c} *{member}[{ROWS}]; ")).collect();
                self.globals.push(SourceLine::new(tag, format!("struct {kind}_@ {{ {declared}}};")));
                self.globals.push(SourceLine::new(tag, format!("static struct {kind}_@ {variable}_@;")));
                let arena = self.arena(of);
                for member in members {
                    for setup in &mut self.setup {
                        // Rows in order, in reverse, shared, in another order, and overlapping.
                        let row = self.dice.of(&[
                            format!("k * {ROW}"),
                            format!("({} - k) * {ROW}", ROWS - 1),
                            format!("k / 2 * {ROW}"),
                            format!("k * 7 % {ROWS} * {ROW}"),
                            format!("k * 7 % {} * {ROW}", ROWS / 2),
                            format!("k * {}", ROW - 3),
                            "k".into(),
                            format!("k % 2 * {ROW}"),
                        ]);
                        let at = self.dice.of(&[0, 0, 1, ROW, 2 * ROW, 8 * ROW, 16 * ROW, EXTENT]);
                        let text = format!(
                            "for (int k = 0; k < {ROWS}; k++) {variable}_@.{member}[k] = {arena} + {at} + {row};"
                        );
                        setup.push(SourceLine::new(tag, text));
                    }
                }
                if tag == "rows-of-pointers" {
                    let arguments = vec![format!("{variable}_@.a"); self.calls()];
                    self.parameter(tag, format!("{c} **{variable}"), arguments);
                    self.push(tag, of, Shape::Rows, variable);
                } else {
                    let text = match self.dice.percent(70) {
                        true => {
                            let arguments = vec![format!("&{variable}_@"); self.calls()];
                            self.parameter(tag, format!("struct {kind}_@ *{variable}"), arguments);
                            format!("{variable}->")
                        }
                        false => format!("{variable}_@."),
                    };
                    self.push(tag, of, Shape::Rows, format!("{text}a"));
                    self.push(tag, of, Shape::Rows, format!("{text}b"));
                }
            }
            "thread-local-array" => {
                let name = self.fresh("t") + "_@";
                self.globals
                    .push(SourceLine::new(tag, format!("static _Thread_local {c} {name}[{EXTENT}];")));
                let seed = self.dice.below(1000);
                let text = format!("fill_{}({name}, {EXTENT}, {seed}, 0);", of.suffix());
                self.setup.iter_mut().for_each(|setup| setup.push(SourceLine::new(tag, text.clone())));
                let text = format!("show_sum(\"{name}\", sum_{}({name}, {EXTENT}));", of.suffix());
                self.shown.push(SourceLine::new(tag, text));
                self.push(tag, of, Shape::Line, name);
            }
            "volatile-array" => {
                let name = self.fresh("v");
                let places = self.place(of, false);
                self.parameter(tag, format!("volatile {c} *{name}"), places);
                self.push(tag, of, Shape::Line, name).is_base = false;
            }
            // Other types than unsigned ones would have values of any size, which overflow.
            "may-alias" if self.flavour == Flavour::Sums => {
                let (of, through) = self.dice.of(&[
                    (Type::Unsigned, Type::Ushort),
                    (Type::Unsigned, Type::Short),
                    (Type::Ulong, Type::Unsigned),
                    (Type::Ulong, Type::Ushort),
                ]);
                let (kind, name) = (self.fresh("M"), self.fresh("p"));
                let text = format!("typedef {} __attribute__((may_alias)) {kind}_@;", through.c());
                self.globals.push(SourceLine::new(tag, text));
                let places = self.place(of, false);
                let places = Self::cast(places, &format!("{kind}_@ *"));
                if self.dice.percent(50) {
                    self.parameter(tag, format!("{kind}_@ *{name}"), places);
                    self.push(tag, through, Shape::Line, name);
                } else {
                    self.globals.push(SourceLine::new(tag, format!("static {kind}_@ *{name}_@;")));
                    self.set(tag, &format!("{name}_@"), &places);
                    self.push(tag, through, Shape::Line, format!("{name}_@"));
                }
                self.names.last_mut().into_iter().for_each(|name| name.is_base = false);
                let other = self.dice.of(&["parameter", "file-pointer", "file-array"]);
                self.add_name(other, of);
            }
            "characters" if self.flavour == Flavour::Sums => {
                let name = self.fresh("p");
                let of = self.dice.of(&[Type::Unsigned, Type::Ulong, Type::Ushort]);
                let places = self.place(of, false);
                let places = Self::cast(places, "unsigned char *");
                self.parameter(tag, format!("unsigned char *{name}"), places);
                self.push(tag, Type::Uchar, Shape::Line, name);
                let other = self.dice.of(&["parameter", "file-pointer", "file-array"]);
                self.add_name(other, of);
            }
            "alias-attribute" => {
                let name = self.fresh("B") + "_@";
                let arena = self.arena(of);
                let text =
                    format!("extern {c} {name}[{}] __attribute__((alias(\"{arena}\")));", EXTENT + 100);
                self.later.push(SourceLine::new(tag, text));
                self.push(tag, of, Shape::Line, name);
            }
            "structures" | "structures-parameter" => {
                let (kind, name) = (self.fresh("E"), self.fresh("e"));
                let other = self.dice.of(&["char", "int", "double"]);
                self.globals.push(SourceLine::new(
                    tag,
                    format!("struct {kind}_@ {{ {c} x; {other} z; {c} y[2]; }};"),
                ));
                self.globals
                    .push(SourceLine::new(tag, format!("static struct {kind}_@ {name}_@[{}];", 2 * EXTENT)));
                let text = format!(
                    "for (int k = 0; k < {0}; k++) {name}_@[k] = (struct {kind}_@){{k % 5, 1, {{k % 3, k % 2}}}};",
                    2 * EXTENT
                );
                self.setup.iter_mut().for_each(|setup| setup.push(SourceLine::new(tag, text.clone())));
                let text = format!(
                    "for (int k = 0; k < {0}; k++) {{ static {c} all[{0} * 3]; all[3 * k] = {name}_@[k].x; all[3 * k + 1] = {name}_@[k].y[0]; all[3 * k + 2] = {name}_@[k].y[1]; if (k == {0} - 1) show_sum(\"e\", sum_{1}(all, {0} * 3)); }}",
                    2 * EXTENT,
                    of.suffix()
                );
                self.shown.push(SourceLine::new(tag, text));
                if tag == "structures" {
                    for member in [".x", ".y[1]"] {
                        let pushed = self.push(tag, of, Shape::Line, format!("{name}_@"));
                        (pushed.member, pushed.is_base) = (member, false);
                    }
                } else {
                    for (parameter, member) in [("u", ".x"), ("w", ".y[0]")] {
                        let place = |at: i64| format!("{name}_@ + {at}");
                        let places =
                            (0..self.calls()).map(|_| place(self.dice.of(&[0, 0, 1, 5, EXTENT - 1])));
                        let places: Vec<String> = places.collect();
                        self.parameter(tag, format!("struct {kind}_@ *{parameter}{name}"), places);
                        let member = if self.dice.percent(60) { ".x" } else { member };
                        let pushed = self.push(tag, of, Shape::Line, format!("{parameter}{name}"));
                        (pushed.member, pushed.is_base) = (member, false);
                    }
                }
            }
            "other-sign" if of.other_sign().is_some() => {
                let other = of.other_sign().unwrap_or(of);
                let name = self.fresh("p");
                let places = self.place(of, false);
                let places = Self::cast(places, &format!("{} *", other.c()));
                self.parameter(tag, format!("{} *{name}", other.c()), places);
                self.push(tag, other, Shape::Line, name);
            }
            _ => self.add_name("file-pointer", of),
        }
    }

    /// A pointer that another name is based on, of a parameter of that kind if one is wanted.
    fn base(&mut self, wanted: &'static str, of: Type) -> String {
        let found = self
            .names
            .iter()
            .rposition(|name| name.is_base && name.is_written && name.of == of && name.tag.contains(wanted));
        let base = found.unwrap_or_else(|| {
            self.add_name(if wanted.is_empty() { "parameter" } else { wanted }, of);
            self.names.len() - 1
        });
        self.names[base].text.clone()
    }
}
