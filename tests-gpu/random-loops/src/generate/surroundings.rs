//! Regions in what stands around them.

use super::scene::Scene;
use crate::tree::{Node, SourceLine};

/// How a region stands in its function, by tags, with weights.
pub const SURROUNDINGS: &[(usize, &str)] = &[
    (40, "plain"),
    (8, "if-region"),
    (8, "if-bare-region"),
    (5, "else-bare-region"),
    (5, "for-region"),
    (6, "for-bare-region"),
    (3, "while-bare-region"),
    (4, "switch-region"),
    (4, "loops-on-one-line"),
    (4, "region-ends-outside"),
    (3, "moving-pointer"),
    (3, "label-region"),
    (3, "statements-in-region"),
    (2, "early-return"),
    (3, "two-regions"),
    (2, "block-region"),
];

impl Scene {
    /// One or more regions.
    pub fn surrounded(&mut self) -> Vec<Node> {
        let tag = self.dice.weighted(SURROUNDINGS);
        let nests = match tag {
            "if-bare-region" | "for-bare-region" | "else-bare-region" | "while-bare-region" => 2,
            "region-ends-outside" => 1,
            _ => self.dice.weighted(&[(60, 1), (30, 2), (10, 3)]),
        };
        let mut all: Vec<Vec<Node>> = (0..nests).map(|_| self.nest()).collect();
        let condition = self.dice.of(&["m > 4", "m < 5", "n > 3", "n % 2", "m != 5"]);
        let region = |all: Vec<Vec<Node>>| Node::Region(all.into_iter().flatten().collect());
        // A body without braces is the first statement behind the pragma: declarations stand before it.
        let hoisted = |all: &mut Vec<Vec<Node>>| -> Vec<Node> {
            let first = &mut all[0];
            let at = first.iter().position(|node| matches!(node, Node::Block { .. })).unwrap_or(0);
            first.drain(..at).collect()
        };
        let head = |text: String| Node::line(tag, text);
        let bare = |text: String, all: Vec<Vec<Node>>| Node::Block {
            head: SourceLine::new(tag, text),
            body: vec![region(all)],
            bare: true,
        };
        match tag {
            "if-region" => {
                let mut nodes = vec![Node::block(tag, format!("if ({condition})"), vec![region(all)])];
                if self.dice.percent(40) {
                    let other = vec![self.nest()];
                    nodes.push(Node::block(tag, "else", vec![region(other)]));
                }
                nodes
            }
            "if-bare-region" => {
                let mut nodes = hoisted(&mut all);
                nodes.push(bare(format!("if ({condition})"), all));
                nodes
            }
            "else-bare-region" => {
                let mut nodes = hoisted(&mut all);
                let (target, keep) = (self.fresh("e"), "_@");
                self.globals.push(SourceLine::new(tag, format!("static int {target}{keep};")));
                self.shown.push(SourceLine::new(tag, format!("show(\"{target}\", {target}{keep});")));
                nodes.push(bare(format!("if ({condition}) {target}{keep} += 1; else"), all));
                nodes
            }
            "for-region" => {
                let k = self.fresh("time");
                let times = self.dice.between(2, 3);
                vec![Node::block(tag, format!("for (int {k} = 0; {k} < {times}; {k}++)"), vec![region(all)])]
            }
            "for-bare-region" => {
                let k = self.fresh("time");
                let mut nodes = hoisted(&mut all);
                nodes.push(bare(format!("for (int {k} = 0; {k} < 3; {k}++)"), all));
                nodes
            }
            "while-bare-region" => {
                let k = self.fresh("time");
                let mut nodes = hoisted(&mut all);
                nodes.push(head(format!("int {k} = 2;")));
                nodes.push(bare(format!("while ({k}-- > 0)"), all));
                nodes
            }
            "switch-region" => {
                let other = self.dice.percent(50).then(|| self.nest());
                let mut body = vec![Node::line(tag, "case 0:;"), region(all)];
                if self.dice.percent(60) {
                    body.push(Node::line(tag, "break;"));
                }
                body.push(Node::line(tag, "default:;"));
                body.extend(other.map(|nest| region(vec![nest])));
                vec![Node::block(tag, "switch (m % 3)", body)]
            }
            "loops-on-one-line" => {
                let second = all.last().cloned().unwrap_or_default();
                let text = |nodes: &[Node]| -> Option<String> {
                    let [Node::Block { head, body, .. }] = nodes else { return None };
                    let [Node::Line(line)] = body.as_slice() else { return None };
                    let is_line = head.text.starts_with("for") && line.text.ends_with(';');
                    is_line.then(|| format!("{} {{ {} }}", head.text, line.text))
                };
                let first = self.nest();
                match (text(&first), text(&second)) {
                    (Some(first), Some(second)) => {
                        vec![Node::Region(vec![Node::line(tag, format!("{first} {second}"))])]
                    }
                    _ => vec![Node::Region(first.into_iter().chain(all.into_iter().flatten()).collect())],
                }
            }
            "region-ends-outside" => {
                let k = self.fresh("time");
                let mut inside = vec![Node::line(tag, "#pragma scop")];
                inside.extend(all.into_iter().flatten());
                vec![
                    Node::block(tag, format!("for (int {k} = 0; {k} < 2; {k}++)"), inside),
                    Node::line(tag, "#pragma endscop"),
                ]
            }
            "moving-pointer" => {
                let base = self.names.iter().find(|name| name.is_base && name.is_written).cloned();
                match base {
                    None => vec![region(all)],
                    Some(base) => {
                        let (k, q) = (self.fresh("time"), self.fresh("q"));
                        let (c, text) = (base.of.c(), &base.text);
                        let inside = vec![
                            Node::line(tag, format!("{c} *{q} = {text} + {k};")),
                            Node::Region(vec![Node::block(
                                tag,
                                "for (int i = 0; i < n; i++)",
                                vec![Node::line(tag, format!("{text}[i + 1] = {q}[i] + 1;"))],
                            )]),
                        ];
                        let times = Node::block(tag, format!("for (int {k} = 0; {k} < 3; {k}++)"), inside);
                        vec![times, region(all)]
                    }
                }
            }
            "label-region" => {
                vec![head(format!("if ({condition}) goto past;")), region(all), head("past:;".into())]
            }
            "statements-in-region" => {
                let (name, mut body) = (self.fresh("w"), Vec::new());
                body.push(Node::line(tag, format!("int {name} = n / 2 + m;")));
                body.extend(all.into_iter().flatten());
                let keep = format!("last_{name}_@");
                self.globals.push(SourceLine::new(tag, format!("static int {keep};")));
                self.shown.push(SourceLine::new(tag, format!("show(\"{keep}\", {keep});")));
                body.push(Node::line(tag, format!("{keep} = {name} + 1;")));
                vec![Node::Region(body)]
            }
            "early-return" if self.result.1.is_empty() => {
                vec![head(format!("if (!({condition})) return;")), region(all)]
            }
            "two-regions" => {
                let first = self.nest();
                vec![region(vec![first]), Node::line(tag, ";"), region(all)]
            }
            "block-region" => vec![Node::block(tag, "", vec![region(all)])],
            _ => vec![region(all)],
        }
    }
}
