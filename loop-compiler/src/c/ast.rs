//! clang's syntax tree, as `-ast-dump=json` prints it.

use clang_ast::{Id, Kind, SourceLocation, SourceRange};
use serde::Deserialize;

use super::{
    clang,
    source::{Error, Input},
};

/// Levels of JSON that are read: an expression of some thousand terms. Each is a call deep.
pub(super) const MAX_DEPTH: usize = 12_000;

/// A node of the syntax tree, with what is read of it; most nodes have few of these. (The crate's own node does not take
/// the associations of `_Generic`, which have a field before their identifier.)
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Node {
    #[serde(default)]
    pub id: Id,
    #[serde(default)]
    pub inner: Vec<Node>,
    /// Of a list that leaves elements out: what these are, and in front of which list elements are, see [`parse`].
    #[serde(default, rename = "array_filler")]
    array_filler: Vec<Node>,
    #[serde(deserialize_with = "known_kind", default = "absent")]
    pub kind: Kind,
    #[expect(
        dead_code,
        reason = "locations leave out what the one printed before says: each has to be read"
    )]
    pub loc: Option<SourceLocation>,
    pub range: Option<SourceRange>,
    pub name: Option<String>,
    #[serde(rename = "type")]
    pub of_type: Option<TypeName>,
    pub opcode: Option<String>,
    pub value: Option<serde_json::Value>,
    pub cast_kind: Option<String>,
    pub value_category: Option<String>,
    pub storage_class: Option<String>,
    /// How a variable of which each thread has one is initialised.
    pub tls: Option<String>,
    pub tag_used: Option<String>,
    pub arg_type: Option<TypeName>,
    #[serde(default)]
    pub is_arrow: bool,
    #[serde(default)]
    pub is_bitfield: bool,
    #[serde(default)]
    pub is_postfix: bool,
    #[serde(default)]
    pub inline: bool,
    #[serde(default)]
    pub constexpr: bool,
    #[serde(default)]
    pub has_else: bool,
    #[serde(default)]
    pub has_init: bool,
    #[serde(default)]
    pub has_var: bool,
    #[serde(rename = "computeResultType")]
    pub computed_in: Option<TypeName>,
    pub referenced_decl: Option<Referenced>,
    /// What a type is declared by.
    pub decl: Option<Referenced>,
    pub referenced_member_decl: Option<Id>,
    /// Of labels, and of jumps to them.
    pub decl_id: Option<Id>,
    pub target_label_decl_id: Option<Id>,
    /// How a variable is initialised; there is a child with the value.
    pub init: Option<String>,
}

/// The kind of a child that is not there, which clang prints as `{}`.
fn absent() -> Kind {
    Kind::null
}

/// A type as it is written, and without its aliases where it has some.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TypeName {
    pub qual_type: String,
    pub desugared_qual_type: Option<String>,
}

impl TypeName {
    /// Without aliases.
    pub fn resolved(&self) -> &str {
        self.desugared_qual_type.as_deref().unwrap_or(&self.qual_type)
    }
}

/// What a name stands for.
#[derive(Debug, Deserialize)]
pub(super) struct Referenced {
    pub id: Id,
    #[serde(deserialize_with = "known_kind")]
    pub kind: Kind,
    pub name: Option<String>,
}

/// A kind that the crate does not know becomes one that no region may contain.
fn known_kind<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Kind, D::Error> {
    let name = std::borrow::Cow::<str>::deserialize(deserializer)?;
    Ok(name.parse().unwrap_or(Kind::OpaqueValueExpr))
}

/// Has clang check the file and print its syntax tree.
pub(super) fn dump(input: &Input<'_>) -> Result<Vec<u8>, Error> {
    // The region's loops as they are written: OpenMP's directives would wrap them. The text has the directives.
    let options =
        ["-fno-openmp", "-w", "-fsyntax-only", "-fno-color-diagnostics", "-Xclang", "-ast-dump=json"];
    clang::output(input, &options, None)
}

/// Parses a dump. The caller's stack bounds the depth: see [`MAX_DEPTH`].
pub(super) fn parse(json: &[u8]) -> Result<Node, Error> {
    let depth = depth(json);
    if depth > MAX_DEPTH {
        return Err(Error::SyntaxTree(format!(
            "an expression is nested {depth} levels deep, of {MAX_DEPTH}"
        )));
    }
    let text = std::str::from_utf8(json).map_err(|error| Error::SyntaxTree(error.to_string()))?;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let mut tree =
        Node::deserialize(&mut deserializer).map_err(|error| Error::SyntaxTree(error.to_string()))?;
    list_elements(&mut tree);
    Ok(tree)
}

/// Makes the elements that clang prints behind an array's filler children as all others.
fn list_elements(node: &mut Node) {
    node.inner.extend(std::mem::take(&mut node.array_filler).into_iter().skip(1));
    node.inner.iter_mut().for_each(list_elements);
}

/// How deep arrays and objects nest.
fn depth(json: &[u8]) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0usize, 0, false, false);
    for byte in json {
        match (in_string, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (true, b'"') => in_string = false,
            (true, _) => {}
            (false, b'"') => in_string = true,
            (false, b'{' | b'[') => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            (false, b'}' | b']') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Reading of nodes.
pub(super) trait NodeExt {
    fn is(&self, kind: Kind) -> bool;
    /// The child, if it is there.
    fn child(&self, index: usize) -> Option<&Node>;
    /// The node in parentheses, or in a wrapper that means nothing here.
    fn bare(&self) -> &Node;
    fn opcode(&self) -> &str;
    fn type_name(&self) -> &str;
    /// The bytes of the node in a file: those of the macro's use where a macro made it.
    fn bytes_in(&self, file: &str) -> Option<std::ops::Range<usize>>;
    /// What a name stands for.
    fn referenced(&self) -> Option<Id>;
    /// The value that a declaration gives; attributes may stand behind it.
    fn initial_value(&self) -> Option<&Node>;
}

impl NodeExt for Node {
    fn is(&self, kind: Kind) -> bool {
        self.kind == kind
    }

    fn child(&self, index: usize) -> Option<&Node> {
        self.inner.get(index).filter(|child| !child.is(Kind::null))
    }

    fn bare(&self) -> &Node {
        let mut node = self;
        while matches!(
            node.kind,
            Kind::ParenExpr | Kind::ConstantExpr | Kind::ExprWithCleanups | Kind::MaterializeTemporaryExpr
        ) {
            match node.child(0) {
                Some(child) => node = child,
                None => break,
            }
        }
        node
    }

    fn opcode(&self) -> &str {
        self.opcode.as_deref().unwrap_or_default()
    }

    fn type_name(&self) -> &str {
        self.of_type.as_ref().map_or("", TypeName::resolved)
    }

    fn bytes_in(&self, file: &str) -> Option<std::ops::Range<usize>> {
        let range = self.range.as_ref()?;
        let (begin, end) = (range.begin.expansion_loc.as_ref()?, range.end.expansion_loc.as_ref()?);
        (&*begin.file == file && &*end.file == file)
            .then(|| begin.offset..end.offset.saturating_add(end.tok_len))
    }

    fn referenced(&self) -> Option<Id> {
        self.referenced_decl.as_ref().map(|decl| decl.id)
    }

    fn initial_value(&self) -> Option<&Node> {
        self.init.as_ref()?;
        self.inner.iter().rev().find(|child| child.value_category.is_some())
    }
}
