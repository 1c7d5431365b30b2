//! Functions whose calls are values: they have no effects and depend on their arguments alone.

use std::collections::HashSet;

use clang_ast::{Id, Kind};

use super::{
    ast::{Node, NodeExt},
    scope::{Declarations, body},
    types,
};

/// Functions of the C library on `double`; each has an `f` form for `float`.
const MATHEMATICS: [&str; 48] = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "ilogb",
    "ldexp",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "nearbyint",
    "nextafter",
    "pow",
    "remainder",
    "rint",
    "round",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
];

/// Other functions without effects: of integers, of complex numbers, classification.
const OTHERS: [&str; 41] = [
    "abs",
    "labs",
    "llabs",
    "cabs",
    "cabsf",
    "carg",
    "cargf",
    "cexp",
    "cexpf",
    "cimag",
    "cimagf",
    "clog",
    "clogf",
    "conj",
    "conjf",
    "ccos",
    "ccosf",
    "cpow",
    "cpowf",
    "creal",
    "crealf",
    "csin",
    "csinf",
    "csqrt",
    "csqrtf",
    "tgamma",
    "tgammaf",
    "isnan",
    "isinf",
    "isfinite",
    "isnormal",
    "signbit",
    "isnanf",
    "isinff",
    "scalbn",
    "scalbnf",
    "popcount",
    "popcountl",
    "clz",
    "ctz",
    "parity",
];

/// Levels of calls that are followed.
const MAX_DEPTH: usize = 16;

/// Whether a function of that name in the C library is pure.
pub fn is_pure(name: &str) -> bool {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    MATHEMATICS.contains(&name)
        || name.strip_suffix('f').is_some_and(|name| MATHEMATICS.contains(&name))
        || OTHERS.contains(&name)
}

/// Why calls of a function are no values; `None` if they are.
pub(super) fn effects(declarations: &Declarations<'_>, id: Id, name: &str) -> Option<String> {
    effects_within(declarations, id, name, MAX_DEPTH)
}

fn effects_within(declarations: &Declarations<'_>, id: Id, name: &str, depth: usize) -> Option<String> {
    let has = |kind| {
        let declared =
            declarations.functions.get(&id).into_iter().copied().chain(declarations.definition(id));
        declared.flat_map(|function| &function.inner).any(|child| child.is(kind))
    };
    if is_pure(name) || has(Kind::ConstAttr) {
        return None;
    }
    let Some(definition) = declarations.definition(id) else {
        if has(Kind::PureAttr) {
            return Some(format!(
                "`{name}` may read what the region stores, as it is `pure`; hint: declare it \
                 `__attribute__((const))` if its value depends on its arguments alone"
            ));
        }
        return Some(format!(
            "`{name}` may have effects; hint: declare it `__attribute__((const))` if it has none"
        ));
    };
    if depth == 0 {
        return Some(format!("`{name}` calls itself or nests too deeply"));
    }
    let mut check = Check { declarations, locals: HashSet::new(), depth };
    let parameters = definition.inner.iter().filter(|child| child.is(Kind::ParmVarDecl));
    for parameter in parameters {
        if types::scalar(parameter.type_name()).is_none() {
            return Some(format!("`{name}` takes a pointer or a structure"));
        }
        check.locals.insert(parameter.id);
    }
    let found = body(definition).and_then(|body| check.statement(body))?;
    Some(format!("`{name}` {found}"))
}

struct Check<'d, 't> {
    declarations: &'d Declarations<'t>,
    locals: HashSet<Id>,
    depth: usize,
}

impl Check<'_, '_> {
    /// What a statement or expression does besides computing a value.
    fn statement(&mut self, node: &Node) -> Option<String> {
        match node.kind {
            Kind::VarDecl if node.storage_class.is_some() => {
                return Some("keeps a static variable".into());
            }
            Kind::VarDecl => {
                self.locals.insert(node.id);
            }
            Kind::DeclRefExpr => return self.name(node),
            Kind::CallExpr => {
                let callee = node.child(0)?.bare();
                let callee = callee.child(0).map_or(callee, NodeExt::bare);
                let Some(decl) = &callee.referenced_decl else {
                    return Some("calls through a pointer".into());
                };
                let name = decl.name.as_deref().unwrap_or_default();
                if let Some(found) = effects_within(self.declarations, decl.id, name, self.depth - 1) {
                    return Some(format!("calls a function with effects: {found}"));
                }
                return node.inner.iter().skip(1).find_map(|argument| self.statement(argument));
            }
            Kind::UnaryOperator if matches!(node.opcode(), "*" | "&") => return Some("uses pointers".into()),
            Kind::MemberExpr if node.is_arrow => return Some("uses pointers".into()),
            Kind::GCCAsmStmt | Kind::StmtExpr | Kind::CXXThrowExpr => return Some("has effects".into()),
            _ => {}
        }
        node.inner.iter().find_map(|child| self.statement(child))
    }

    fn name(&self, node: &Node) -> Option<String> {
        let decl = node.referenced_decl.as_ref()?;
        let name = decl.name.as_deref().unwrap_or_default();
        match decl.kind {
            Kind::EnumConstantDecl => None,
            _ if self.locals.contains(&decl.id) => None,
            Kind::VarDecl => {
                // Not what a pointer points to, which may change also if the pointer does not.
                let constant = self.declarations.globals.get(&decl.id).is_some_and(|global| {
                    let name = global.type_name();
                    let is_constant = name.starts_with("const ") || name.contains(" const ");
                    is_constant
                        && global.tls.is_none()
                        && types::shape(name).is_some_and(|shape| shape.pointers == 0 && !shape.volatile)
                });
                (!constant).then(|| format!("uses the variable `{name}` of the file"))
            }
            _ => Some(format!("uses `{name}`")),
        }
    }
}
