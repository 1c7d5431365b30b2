//! The region as C: the source's loops and the parallel ones, which may be in a function of their own.
//!
//! Parallel code calls functions. In the function around the region a compiler would save registers for these calls at its
//! beginning, also where the loops of the source are executed: 3 to 5 ns of each call. One call, which it takes to be seldom, has
//! them saved on its own path.

use std::collections::BTreeSet;

use super::made::Parallelized;
use crate::{
    analysis::arrays,
    c::{self, Before, Names, Passed, Replacement, Surroundings},
    ir::{
        Aliasing, Node, Region, Statement, Step, Storage, Store, Variable, VariableId, types::Scalar, walk,
    },
    rewrite,
    transform::uses,
};

impl Parallelized {
    /// The region as C, in place of the one that it was made from.
    pub fn text(&self, original: &Original<'_>) -> Option<String> {
        let region = self.region.as_ref().filter(|_| original.is_complete())?;
        Some(self.block(original, &conditions(&self.conditions), |indent| {
            self.parallel(region, indent, original.file)
        }))
    }

    /// As [`text`](Self::text), with the parallel code in a function in front of the one around the region if that is of use
    /// and possible. The function's name is added to `names`, those of the file.
    pub fn outlined(
        &self,
        original: &Original<'_>,
        surroundings: Option<&Surroundings>,
        names: &mut Names,
    ) -> Option<Replacement> {
        let file = original.file;
        let found = surroundings
            .filter(|_| self.tests_work && self.maps.is_none() && original.is_complete())
            .and_then(|surroundings| {
                let region = with_pointers(self.region.as_ref()?);
                let body = self.parallel(&region, 2, file);
                let mut taken = names.clone();
                region.variables.iter().for_each(|variable| taken.insert(variable.name.clone()));
                let interface = Interface::of(self, &region, original.tree, &body, surroundings, &taken)?;
                let name = taken.unused(&format!("{}_parallel", original.tree.function));
                names.insert(name.clone());
                let mut function = interface.definition(&name, &self.mode(2), &body);
                function +=
                    &file.map_or(String::new(), |file| format!("#line {} {file}\n", surroundings.line));
                let (work, others) = self.conditions.split_first()?;
                let condition = conditions(&[&[format!("__builtin_expect({work}, 0)")], others].concat());
                let text = self.block(original, &condition, |indent| interface.call(&name, indent));
                Some(Replacement {
                    function: Some((surroundings.at, function)),
                    ..self.in_place(original, text)
                })
            });
        found.or_else(|| Some(self.in_place(original, self.text(original)?)))
    }

    fn in_place(&self, original: &Original<'_>, text: String) -> Replacement {
        Replacement { text, function: None, has_source: self.source(original).is_some() }
    }

    /// The source's text, if it is executed under some conditions.
    fn source<'o>(&self, original: &Original<'o>) -> Option<&'o str> {
        original.text.filter(|_| !self.conditions.is_empty())
    }

    /// A block with parallel code, and the source's loops if the parallel code is executed under conditions.
    fn block(&self, original: &Original<'_>, condition: &str, parallel: impl Fn(usize) -> String) -> String {
        let Original { tree, file, .. } = *original;
        let mut out = format!("{{\n{}", self.mode(2));
        let source = self.source(original);
        if !self.in_loops.is_empty() && source.is_none() {
            out += &format!("  {};\n", c::use_of(&self.in_loops));
        }
        if self.conditions.is_empty() {
            out += &parallel(2);
            return out + "}\n";
        }
        out += &format!("  if ({condition}) {{\n");
        out += &parallel(4);
        if source.is_some() {
            out += &rewrite::indented(&rewrite::behind(tree), "    ");
        }
        out += "  } else {\n";
        match source {
            Some(source) => {
                out += &file.map_or(String::new(), |file| format!("#line {} {file}\n", tree.at.line));
                out += &rewrite::indented(source, "    ");
            }
            None => out += &c::print_lines(tree, 4, file),
        }
        out + "  }\n}\n"
    }

    /// How floats are computed, if results must be the same everywhere.
    fn mode(&self, indent: usize) -> String {
        match self.exact {
            true => format!("{:indent$}#pragma STDC FP_CONTRACT OFF\n", ""),
            false => String::new(),
        }
    }

    /// The parallel code.
    fn parallel(&self, region: &Region, indent: usize, file: Option<&str>) -> String {
        let nodes = match &self.maps {
            None => c::print_lines(region, indent, file),
            Some(maps) => arrays::moved(maps, region, indent, |indent| {
                c::print_device(region, &self.team_threads, indent, file)
            }),
        };
        self.declared_workers(region, indent) + &nodes
    }

    /// The declaration of the number of workers, if it is needed.
    fn declared_workers(&self, region: &Region, indent: usize) -> String {
        let Some(workers) = self.workers else { return String::new() };
        let (name, space) = (&region.variable(workers).name, " ".repeat(indent));
        if let Some(count) = self.fixed_workers {
            return format!("{space}long {name} = {count};\n");
        }
        // With little work the call would take longer than the loops.
        let threads = match &self.enough {
            Some(enough) => format!("{enough} ? omp_get_max_threads() : 1"),
            None => "omp_get_max_threads()".into(),
        };
        format!(
            "#ifdef _OPENMP\n{space}extern int omp_get_max_threads(void);\n{space}long {name} = {threads};\n\
             #else\n{space}long {name} = 1;\n#endif\n"
        )
    }
}

/// What parallel code takes the place of.
#[derive(Clone, Copy, Debug)]
pub struct Original<'o> {
    /// The region that it was made from.
    pub tree: &'o Region,
    /// Its text in the source, which is executed where the parallel code is not; without it the tree is printed.
    pub text: Option<&'o str>,
    /// The name of the file for `#line` directives, by a [`c::string`], if there are to be such.
    pub file: Option<&'o str>,
}

impl Original<'_> {
    /// Whether what is executed where pointers overlap is known.
    fn is_complete(&self) -> bool {
        self.text.is_some() || !self.tree.is_conditional
    }
}

impl<'o> From<&'o Region> for Original<'o> {
    fn from(tree: &'o Region) -> Original<'o> {
        Original { tree, text: None, file: None }
    }
}

/// All of some conditions.
fn conditions(all: &[String]) -> String {
    all.join("\n      && ")
}

/// The region with the function's arrays as what they are in another function: parameters.
fn with_pointers(region: &Region) -> Region {
    let mut region = region.clone();
    for variable in region.variables.iter_mut().filter(|variable| is_array(variable)) {
        variable.storage = Storage::Parameter;
    }
    region
}

fn is_array(variable: &Variable) -> bool {
    variable.storage == Storage::Local && !variable.extents.is_empty()
}

/// What a function and its caller give each other.
#[derive(Default)]
struct Interface {
    /// Scalars that the function reads, which may be lengths in what follows, then arrays, then results.
    parameters: [Vec<Parameter>; 3],
    /// Lines of the caller before and after the call.
    around_call: [Vec<String>; 2],
    /// Lines of the function before and after its code.
    around_body: [Vec<String>; 2],
}

struct Parameter {
    declared: String,
    argument: String,
}

impl Interface {
    /// The interface of a function with that body, which is made of a region; none if the function cannot take what it needs.
    /// `taken` are names that are used.
    fn of(
        made: &Parallelized,
        region: &Region,
        original: &Region,
        body: &str,
        surroundings: &Surroundings,
        taken: &Names,
    ) -> Option<Interface> {
        let used = names_in(body);
        if surroundings.inside.iter().any(|name| used.contains(name.as_str())) {
            return None;
        }
        let written = written(region);
        // A scalar of the function that a loop's body declares now has the same name there.
        let inner: BTreeSet<VariableId> =
            made.workers.into_iter().chain(walk(&region.body).filter_map(Node::declared)).collect();
        let inner: BTreeSet<&str> = inner.iter().map(|id| region.variable(*id).name.as_str()).collect();
        let mut interface = Interface::default();
        let (mut lengths, mut known) = (Vec::new(), BTreeSet::new());
        for (index, variable) in region.variables.iter().enumerate() {
            let (id, name) = (VariableId(index), &variable.name);
            let is_outer = matches!(variable.storage, Storage::Local | Storage::Parameter | Storage::Pointer);
            if !is_outer || inner.contains(name.as_str()) || !used.contains(name.as_str()) {
                continue;
            }
            let passed = surroundings.variables.get(name)?;
            lengths.extend(&passed.lengths);
            known.insert(name);
            match (written.contains(&id), variable.storage == Storage::Local) {
                // clang 22 would make vectors of the parts of such a result, also in the loops of the source, which took 1.7
                // times as long.
                (true, _) if matches!(variable.scalar, Scalar::Complex { .. }) => return None,
                (true, true) => interface.add_result(name, passed, is_set_first(original, id), taken)?,
                (true, false) => return None,
                (false, true) => interface.add(0, passed.declared(name), name.clone()),
                (false, false) => {
                    let is_distinct = variable.aliasing == Aliasing::Distinct;
                    interface.add(1, passed.array(name, is_distinct), name.clone());
                }
            }
        }
        for name in lengths {
            if known.insert(name) {
                interface.add(0, surroundings.variables.get(name)?.declared(name), name.clone());
            }
        }
        Some(interface)
    }

    fn add(&mut self, group: usize, declared: String, argument: String) {
        self.parameters[group].push(Parameter { declared, argument });
    }

    /// A scalar that the function sets for its caller. It has no address in either function, and so stays in a register.
    fn add_result(&mut self, name: &str, passed: &Passed, is_set_first: bool, taken: &Names) -> Option<()> {
        let (copy, pointer) = (taken.unused(&format!("{name}_result")), taken.unused(&format!("{name}_at")));
        let (in_caller, in_function) = match passed.before {
            _ if is_set_first => (String::new(), String::new()),
            Before::Set => (format!(" = {name}"), format!(" = *{pointer}")),
            // A value of its own that no iteration sets is none.
            Before::Unset => (String::new(), format!(" = *{pointer}")),
            Before::Unknown => return None,
        };
        self.add(2, passed.pointer(&pointer), format!("&{copy}"));
        self.around_call[0].push(format!("{}{in_caller};", passed.declared(&copy)));
        self.around_call[1].push(format!("{name} = {copy};"));
        self.around_body[0].push(format!("{}{in_function};", passed.declared(name)));
        self.around_body[1].push(format!("*{pointer} = {name};"));
        Some(())
    }

    /// The function. Its mode of floats comes first: C has such pragmas nowhere else in a block.
    fn definition(&self, name: &str, mode: &str, body: &str) -> String {
        let parameters: Vec<&str> =
            self.parameters.iter().flatten().map(|one| one.declared.as_str()).collect();
        let parameters = if parameters.is_empty() { "void".into() } else { parameters.join(", ") };
        let [first, last] = [0, 1].map(|side| indented(&self.around_body[side], 2));
        format!(
            "static __attribute__((noinline)) void {name}({parameters}) {{\n{mode}{first}{body}{last}}}\n\n"
        )
    }

    fn call(&self, name: &str, indent: usize) -> String {
        let arguments: Vec<&str> =
            self.parameters.iter().flatten().map(|one| one.argument.as_str()).collect();
        let [first, last] = [0, 1].map(|side| indented(&self.around_call[side], indent));
        format!("{first}{:indent$}{name}({});\n{last}", "", arguments.join(", "))
    }
}

fn indented(lines: &[String], indent: usize) -> String {
    lines.iter().map(|line| format!("{:indent$}{line}\n", "")).collect()
}

/// The names in C, but for those of members.
fn names_in(text: &str) -> BTreeSet<&str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = BTreeSet::new();
    for line in text.lines().filter(|line| !line.starts_with("#line")) {
        let mut rest = line;
        while let Some(begin) = rest.find(is_part) {
            let length = rest[begin..].find(|c| !is_part(c)).unwrap_or(rest.len() - begin);
            if !rest[..begin].ends_with('.') {
                names.insert(&rest[begin..begin + length]);
            }
            rest = &rest[begin + length..];
        }
    }
    names
}

/// The variables that nodes give values, but not those whose elements they store to.
fn written(region: &Region) -> BTreeSet<VariableId> {
    let one = |node: &Node| match node {
        Node::Loop(looped) => (!looped.declares).then_some(looped.iterator),
        Node::Statement(Statement { target, .. }) => {
            let is_element = target.path.iter().any(|step| matches!(step, Step::Index(_)));
            (!is_element).then_some(target.variable)
        }
        Node::ReduceDimension(reduce) => {
            reduce.target.filter(|target| region.variable(*target).extents.is_empty())
        }
        _ => None,
    };
    walk(&region.body).filter_map(one).collect()
}

/// Whether a region gives a variable a value before it uses it, whatever the sizes are.
fn is_set_first(region: &Region, variable: VariableId) -> bool {
    for node in &region.body {
        let sets = match node {
            Node::Loop(looped) => {
                looped.iterator == variable && !looped.declares && !looped.lower.mentions(variable)
            }
            Node::Statement(statement) => {
                let target = &statement.target;
                let is_variable = target.variable == variable && target.path.is_empty();
                is_variable && statement.store == Store::Assign && !statement.value.mentions(variable)
            }
            _ => false,
        };
        if sets || uses(std::slice::from_ref(node), variable) {
            return sets;
        }
    }
    false
}
