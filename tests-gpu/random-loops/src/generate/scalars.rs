//! Scalars that a function sums into, and what becomes of them.

use super::scene::{Flavour, Scalar, Scene};
use super::types::Type;
use crate::tree::{Node, SourceLine};

/// Where scalars lie, by their tags, with weights.
pub const PLACES: &[(usize, &str)] = &[
    (40, "local-scalar"),
    (8, "pointed-scalar"),
    (8, "file-scalar"),
    (8, "scalar-and-pointer"),
    (4, "static-scalar"),
    (3, "thread-local-scalar"),
    (1, "volatile-scalar"),
    (4, "member-scalar"),
    (4, "element-scalar"),
    (3, "address-taken"),
];

impl Scene {
    /// Scalars for the function.
    pub fn add_scalars(&mut self) {
        for _ in 0..1 + self.dice.below(3) {
            let place = self.dice.weighted(PLACES);
            let of = match self.flavour {
                Flavour::Sums => self.dice.weighted(&[
                    (30, Type::Int),
                    (20, Type::Unsigned),
                    (20, Type::Double),
                    (8, Type::Long),
                    (5, Type::Ulong),
                    (5, Type::Float),
                    (4, Type::Uchar),
                    (3, Type::Schar),
                    (3, Type::Short),
                    (2, Type::Bool),
                ]),
                Flavour::Comparisons => self.dice.weighted(&[
                    (30, Type::Int),
                    (15, Type::Unsigned),
                    (10, Type::Double),
                    (10, Type::Float),
                    (10, Type::Schar),
                    (10, Type::Uchar),
                    (8, Type::Long),
                    (5, Type::Short),
                    (2, Type::Ulong),
                ]),
            };
            self.add_scalar(place, of);
        }
    }

    fn add_scalar(&mut self, tag: &'static str, of: Type) {
        let c = of.c();
        let first = match self.flavour {
            Flavour::Sums => self.dice.of(&["0", "0", "1", "3"]),
            Flavour::Comparisons if of.is_float() => self.dice.of(&["0", "-0.0", "5", "-3", "-INFINITY"]),
            Flavour::Comparisons => self.dice.of(&["0", "0", "1", "5", "-3", "INT_MIN", "INT_MAX"]),
        };
        let starts = |scene: &mut Scene, text: &str| {
            if scene.dice.percent(60) {
                scene.locals.push(Node::line(tag, format!("{text} = {first};")));
            }
        };
        let shown = |text: &str| SourceLine::new(tag, format!("{}(\"{text}\", {text});", of.show()));
        let text = match tag {
            "local-scalar" | "address-taken" => {
                let name = self.fresh("x");
                self.locals.push(Node::line(tag, format!("{c} {name} = {first};")));
                if tag == "address-taken" {
                    self.locals.push(Node::line(tag, format!("{c} *volatile at_{name} = &{name};")));
                }
                let value = if tag == "address-taken" { format!("*at_{name}") } else { name.clone() };
                if self.result.1.is_empty() && self.dice.percent(40) {
                    self.result = (c, value);
                } else {
                    let keep = format!("last_{name}_@");
                    self.globals.push(SourceLine::new(tag, format!("static {c} {keep};")));
                    self.after.push(Node::line(tag, format!("{keep} = {value};")));
                    self.shown.push(shown(&keep));
                }
                name
            }
            "pointed-scalar" => {
                let name = self.fresh("o");
                let places = self.place(of, false);
                self.parameter(tag, format!("{c} *{name}"), places);
                starts(self, &format!("*{name}"));
                self.dice.of(&["*{}", "{}[0]"]).replace("{}", &name)
            }
            "element-scalar" => {
                let name = self.fresh("o");
                let places = self.place(of, true);
                self.parameter(tag, format!("{c} *restrict {name}"), places);
                starts(self, &format!("{name}[1]"));
                format!("{name}[1]")
            }
            "static-scalar" => {
                let name = self.fresh("x");
                self.locals.push(Node::line(tag, format!("static {c} {name} = {first};")));
                starts(self, &name);
                let keep = format!("last_{name}_@");
                self.globals.push(SourceLine::new(tag, format!("static {c} {keep};")));
                self.after.push(Node::line(tag, format!("{keep} = {name};")));
                self.shown.push(shown(&keep));
                name
            }
            "member-scalar" => {
                let (kind, name) = (self.fresh("S"), self.fresh("s"));
                self.globals.push(SourceLine::new(tag, format!("struct {kind}_@ {{ int k; {c} sum; }};")));
                self.globals.push(SourceLine::new(tag, format!("static struct {kind}_@ {name}_@;")));
                self.shown.push(shown(&format!("{name}_@.sum")));
                let text = if self.dice.percent(50) {
                    let arguments = vec![format!("&{name}_@"); self.calls()];
                    self.parameter(tag, format!("struct {kind}_@ *{name}"), arguments);
                    format!("{name}->sum")
                } else {
                    format!("{name}_@.sum")
                };
                starts(self, &text);
                text
            }
            _ => {
                let name = self.fresh("g") + "_@";
                let before = match tag {
                    "thread-local-scalar" => "static _Thread_local ",
                    "volatile-scalar" => "static volatile ",
                    _ => self.dice.of(&["", "static "]),
                };
                self.globals.push(SourceLine::new(tag, format!("{before}{c} {name};")));
                self.shown.push(shown(&name));
                starts(self, &name);
                if tag == "scalar-and-pointer" {
                    let before = self.dice.of(&["static ", ""]);
                    let after = self.dice.of(&["const ", "", ""]);
                    self.globals
                        .push(SourceLine::new(tag, format!("{before}{c} *{after}p{name} = &{name};")));
                    // An array of one element of another name.
                    let text = format!("*p{name}");
                    self.scalars.push(Scalar { text, of, is_used: false });
                }
                name
            }
        };
        self.scalars.push(Scalar { text, of, is_used: false });
    }
}
