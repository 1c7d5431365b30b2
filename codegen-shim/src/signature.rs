//! The types that a user function's parameters point to, as far as debug information says.
//!
//! In LLVM IR every pointer is a `ptr`: a combiner of `int` values is linked without a complaint into kernels that
//! reduce `float`. Debug information still has the types. What it does not say, such as the target of a `void *`,
//! is not checked.

use std::collections::HashMap;

use crate::types::{Class, Leaf, Scalar, Type};

/// The largest number of scalars of a type that is compared; the record of a kernel has fewer.
const MAX_FOUND: usize = 4096;

/// The largest depth of types within types.
const MAX_DEPTH: u32 = 64;

/// The type behind a pointer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pointee {
    /// As C spells it.
    name: String,
    /// Its size in bytes, and its numbers in order of their offsets; none where that is not known.
    layout: Option<(u32, Vec<Number>)>,
}

/// A number in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Number {
    offset: u32,
    size: u32,
    kind: NumberKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum NumberKind {
    Signed,
    Unsigned,
    /// `char`, `bool` and enumerations, which C programs use for both.
    EitherInteger,
    Float,
    Bfloat,
}

impl Pointee {
    /// Whether memory of the type `ty` may be accessed as this type: it has the same numbers at the same places, or
    /// it is an array of such values, or the parts of a complex number.
    pub(crate) fn fits(&self, ty: Type) -> bool {
        let Some((size, numbers)) = &self.layout else { return true };
        let same = |leaf: &Leaf, number: &Number| {
            leaf.offset == number.offset
                && leaf.scalar.size() == number.size
                && match number.kind {
                    NumberKind::Signed => leaf.scalar.class() == Class::Signed,
                    NumberKind::Unsigned => leaf.scalar.class() == Class::Unsigned,
                    NumberKind::EitherInteger => !leaf.scalar.is_float(),
                    NumberKind::Float => leaf.scalar.is_float() && leaf.scalar != Scalar::BF16,
                    NumberKind::Bfloat => leaf.scalar == Scalar::BF16,
                }
        };
        let leaves = ty.leaves();
        let equal = *size == ty.size()
            && leaves.len() == numbers.len()
            && leaves.iter().zip(numbers).all(|(leaf, number)| same(leaf, number));
        equal
            || match ty {
                Type::Array(element, _) => self.fits(*element),
                Type::Complex(part) => self.fits(Type::Scalar(part)),
                _ => false,
            }
    }
}

/// What is wrong with a function `void (T *, const U *…)` that is used for values of these types: the type that it has,
/// and the one that it must have.
pub(crate) fn mismatch(function: &str, found: &[Pointee], types: &[Type]) -> Option<String> {
    if found.iter().zip(types).all(|(found, ty)| found.fits(*ty)) {
        return None;
    }
    let parameters = |names: Vec<String>| {
        let parameter =
            |(at, name): (usize, &String)| format!("{}{name} *", if at > 0 { "const " } else { "" });
        names.iter().enumerate().map(parameter).collect::<Vec<_>>().join(", ")
    };
    let used: Vec<_> = types.iter().map(ToString::to_string).collect();
    Some(format!(
        "`{function}` has type `void ({})`, but must have type `void ({})` for values of {}",
        parameters(found.iter().map(|found| found.name.clone()).collect()),
        parameters(types.iter().map(|ty| in_c(*ty)).collect()),
        match used.iter().all(|name| *name == used[0]) {
            true => format!("type {}", used[0]),
            false => format!("the types {}", used.join(", ")),
        }
    ))
}

/// The type as C spells it.
fn in_c(ty: Type) -> String {
    match ty {
        Type::Scalar(scalar) => match scalar {
            Scalar::F16 => "_Float16".into(),
            Scalar::BF16 => "__bf16".into(),
            Scalar::F32 => "float".into(),
            Scalar::F64 => "double".into(),
            Scalar::I128 => "__int128".into(),
            Scalar::U128 => "unsigned __int128".into(),
            _ => {
                let sign = if scalar.class() == Class::Unsigned { "u" } else { "" };
                format!("{sign}int{}_t", 8 * scalar.size())
            }
        },
        Type::Complex(part) => format!("_Complex {}", in_c(Type::Scalar(part))),
        Type::Array(element, length) => format!("{}[{length}]", in_c(*element)),
        Type::Struct(members) => {
            let members: Vec<_> = members.iter().map(|member| format!("{};", in_c(*member))).collect();
            format!("struct {{ {} }}", members.join(" "))
        }
    }
}

/// What each parameter of `function` points to, in a module with debug information; none where the module has none.
pub(crate) fn pointees(module: &str, function: &str) -> Option<Vec<Pointee>> {
    let name = format!(" @{function}(");
    let line = module.lines().find(|line| line.starts_with("define ") && line.contains(&name))?;
    let subprogram = line.rsplit_once(" !dbg ")?.1.split_whitespace().next()?;
    let nodes = Nodes::of(module);
    let signature = nodes.get(nodes.get(subprogram)?.reference("type")?)?.reference("types")?;
    let types = nodes.get(signature)?.elements();
    // The first is the type of the result.
    Some(types.skip(1).map(|id| nodes.pointee(id)).collect())
}

/// The metadata nodes of a module, by their names: `!7`.
struct Nodes<'a>(HashMap<&'a str, Node<'a>>);

/// The text of a node: `!DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)`, or `!{!1, !2}`.
#[derive(Clone, Copy)]
struct Node<'a>(&'a str);

impl<'a> Node<'a> {
    fn field(self, name: &str) -> Option<&'a str> {
        let (_, fields) = self.0.split_once('(')?;
        let start = format!("{name}: ");
        let value = match fields.strip_prefix(&start) {
            Some(value) => value,
            None => fields.split_once(&format!(", {start}"))?.1,
        };
        match value.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next(),
            None => value.split([',', ')']).next(),
        }
    }

    fn reference(self, name: &str) -> Option<&'a str> {
        self.field(name).filter(|value| value.starts_with('!'))
    }

    /// A number of bits, in bytes; 0 where it is not given.
    fn bytes(self, name: &str) -> Option<u32> {
        let bits: u32 = self.field(name).unwrap_or("0").parse().ok()?;
        bits.is_multiple_of(8).then_some(bits / 8)
    }

    fn is(self, tag: &str) -> bool {
        self.field("tag") == Some(tag)
    }

    /// The nodes that a list names; `null` where an element is none.
    fn elements(self) -> impl Iterator<Item = &'a str> {
        let list = self.0.trim_start_matches("!{").trim_end_matches('}');
        list.split(", ").filter(|element| !element.is_empty())
    }
}

impl<'a> Nodes<'a> {
    fn of(module: &'a str) -> Nodes<'a> {
        let node = |line: &'a str| {
            let (id, text) = line.strip_prefix('!').and(line.split_once(" = "))?;
            Some((id, Node(text.strip_prefix("distinct ").unwrap_or(text))))
        };
        Nodes(module.lines().filter_map(node).collect())
    }

    fn get(&self, id: &str) -> Option<Node<'a>> {
        self.0.get(id).copied()
    }

    /// The node behind qualifiers and typedefs, and the name of the outermost typedef.
    fn unqualified(&self, mut id: &'a str) -> Option<(Node<'a>, Option<&'a str>)> {
        const TRANSPARENT: [&str; 5] =
            ["typedef", "const_type", "volatile_type", "restrict_type", "atomic_type"];
        let mut name = None;
        for _ in 0..MAX_DEPTH {
            let node = self.get(id)?;
            if !TRANSPARENT.iter().any(|tag| node.is(&format!("DW_TAG_{tag}"))) {
                return Some((node, name));
            }
            if node.is("DW_TAG_typedef") {
                name = name.or(node.field("name"));
            }
            id = node.reference("baseType")?;
        }
        None
    }

    fn pointee(&self, parameter: &'a str) -> Pointee {
        let target = || {
            let (pointer, _) = self.unqualified(parameter)?;
            let is_pointer = pointer.is("DW_TAG_pointer_type");
            is_pointer.then(|| pointer.reference("baseType")).flatten()
        };
        match target() {
            Some(id) => {
                let mut numbers = Vec::new();
                let size = self.numbers(id, 0, 0, &mut numbers);
                numbers.sort_by_key(|number: &Number| number.offset);
                Pointee { name: self.name(id, 0), layout: size.map(|size| (size, numbers)) }
            }
            None => Pointee { name: "void".into(), layout: None },
        }
    }

    /// The name of a type in C.
    fn name(&self, id: &'a str, depth: u32) -> String {
        let unknown = || "a type without a name".to_owned();
        let Some((node, typedef)) = self.unqualified(id).filter(|_| depth < MAX_DEPTH) else {
            return unknown();
        };
        match (typedef, node.field("name")) {
            (Some(name), _) => name.into(),
            (None, Some("complex")) => match node.bytes("size") {
                Some(8) => "_Complex float".into(),
                _ => "_Complex double".into(),
            },
            (None, Some(name)) if node.is("DW_TAG_structure_type") => format!("struct {name}"),
            (None, Some(name)) => name.into(),
            (None, None) if node.is("DW_TAG_array_type") => {
                let element = node.reference("baseType").map_or_else(unknown, |id| self.name(id, depth + 1));
                let lengths = self.lengths(node).unwrap_or_default();
                element + &lengths.iter().map(|length| format!("[{length}]")).collect::<String>()
            }
            (None, None) => unknown(),
        }
    }

    /// The extents of an array.
    fn lengths(&self, array: Node<'a>) -> Option<Vec<u32>> {
        let ranges = self.get(array.reference("elements")?)?.elements();
        ranges.map(|range| self.get(range)?.field("count")?.parse().ok()).collect()
    }

    /// Adds the numbers of a type at `offset`; returns the type's size.
    fn numbers(&self, id: &'a str, offset: u32, depth: u32, numbers: &mut Vec<Number>) -> Option<u32> {
        let (node, _) = self.unqualified(id).filter(|_| depth < MAX_DEPTH && numbers.len() < MAX_FOUND)?;
        let size = node.bytes("size")?;
        if node.0.starts_with("!DIBasicType(") {
            let mut add = |offset, size, kind| numbers.push(Number { offset, size, kind });
            match node.field("encoding")? {
                "DW_ATE_signed" => add(offset, size, NumberKind::Signed),
                "DW_ATE_unsigned" => add(offset, size, NumberKind::Unsigned),
                "DW_ATE_signed_char" if node.field("name") == Some("signed char") => {
                    add(offset, size, NumberKind::Signed)
                }
                "DW_ATE_unsigned_char" if node.field("name") == Some("unsigned char") => {
                    add(offset, size, NumberKind::Unsigned);
                }
                "DW_ATE_signed_char" | "DW_ATE_unsigned_char" | "DW_ATE_boolean" => {
                    add(offset, size, NumberKind::EitherInteger);
                }
                "DW_ATE_float" if node.field("name") == Some("__bf16") => {
                    add(offset, size, NumberKind::Bfloat)
                }
                "DW_ATE_float" => add(offset, size, NumberKind::Float),
                "DW_ATE_complex_float" => {
                    add(offset, size / 2, NumberKind::Float);
                    add(offset + size / 2, size / 2, NumberKind::Float);
                }
                _ => return None,
            }
        } else if node.is("DW_TAG_enumeration_type") {
            numbers.push(Number { offset, size, kind: NumberKind::EitherInteger });
        } else if node.is("DW_TAG_array_type") {
            let element = node.reference("baseType")?;
            let count =
                self.lengths(node)?.iter().try_fold(1u32, |product, length| product.checked_mul(*length))?;
            for index in 0..count {
                let of_element = size.checked_div(count)?;
                self.numbers(element, offset + index * of_element, depth + 1, numbers)?;
            }
        } else if node.is("DW_TAG_structure_type") {
            for member in self.get(node.reference("elements")?)?.elements() {
                let member = self.get(member)?;
                if !member.is("DW_TAG_member") || member.0.contains("DIFlagBitField") {
                    return None;
                }
                let offset = offset.checked_add(member.bytes("offset")?)?;
                self.numbers(member.reference("baseType")?, offset, depth + 1, numbers)?;
            }
        } else {
            return None;
        }
        Some(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What clang 22 writes for `typedef struct { float value; int index[2]; _Complex double z; } Pair;` and
    /// `void f(Pair *into, const Pair *from, void *p, const char *restrict c)`.
    const MODULE: &str = "\
define dso_local void @f(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noalias noundef %3) #0 !dbg !7 {
!7 = distinct !DISubprogram(name: \"f\", scope: !8, file: !8, line: 2, type: !9, unit: !0, retainedNodes: !40)
!9 = !DISubroutineType(types: !10)
!10 = !{null, !11, !26, !28, !29}
!11 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !12, size: 64)
!12 = !DIDerivedType(tag: DW_TAG_typedef, name: \"Pair\", file: !8, line: 1, baseType: !13)
!13 = distinct !DICompositeType(tag: DW_TAG_structure_type, file: !8, line: 1, size: 256, elements: !14)
!14 = !{!15, !17, !22}
!15 = !DIDerivedType(tag: DW_TAG_member, name: \"value\", scope: !13, file: !8, line: 1, baseType: !16, size: 32)
!16 = !DIBasicType(name: \"float\", size: 32, encoding: DW_ATE_float)
!17 = !DIDerivedType(tag: DW_TAG_member, name: \"index\", scope: !13, baseType: !18, size: 64, offset: 32)
!18 = !DICompositeType(tag: DW_TAG_array_type, baseType: !19, size: 64, elements: !20)
!19 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)
!20 = !{!21}
!21 = !DISubrange(count: 2)
!22 = !DIDerivedType(tag: DW_TAG_member, name: \"z\", scope: !13, baseType: !23, size: 128, offset: 128)
!23 = !DIBasicType(name: \"complex\", size: 128, encoding: DW_ATE_complex_float)
!26 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !27, size: 64)
!27 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !12)
!28 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!29 = !DIDerivedType(tag: DW_TAG_restrict_type, baseType: !30)
!30 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !31, size: 64)
!31 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !32)
!32 = !DIBasicType(name: \"char\", size: 8, encoding: DW_ATE_signed_char)
";

    fn ty(text: &str) -> Type {
        text.parse().unwrap()
    }

    #[test]
    fn types_fit_their_numbers_and_places() {
        let found = pointees(MODULE, "f").unwrap();
        let names: Vec<_> = found.iter().map(|found| found.name.as_str()).collect();
        assert_eq!(names, ["Pair", "Pair", "void", "char"]);
        let pair = "{f32,[i32;2],complex<f64>}";
        for other in [pair, "[{f32,[i32;2],complex<f64>};3]", "{f32,i32,i32,f64,f64}"] {
            assert!(found[0].fits(ty(other)) && found[1].fits(ty(other)), "{other}");
        }
        for other in ["f32", "{f32,[i32;3],f64}", "{f32,[u32;2],complex<f64>}", "{i32,[i32;2],complex<f64>}"]
        {
            assert!(!found[0].fits(ty(other)), "{other}");
            assert!(found[2].fits(ty(other)), "the type behind a `void *` is not known");
        }
        assert!(found[3].fits(Type::I8) && found[3].fits(Type::U8) && found[3].fits(ty("[u8;5]")));
        assert!(!found[3].fits(Type::I16));
        assert_eq!(mismatch("f", &found, &[ty(pair), ty(pair), Type::F64, Type::I8]), None);
        let wrong = "`f` has type `void (Pair *, const Pair *)`, but must have type `void (float *, const float *)` \
                     for values of type f32";
        assert_eq!(mismatch("f", &found[..2], &[Type::F32; 2]).as_deref(), Some(wrong));
    }

    #[test]
    fn modules_without_debug_information_say_nothing() {
        assert_eq!(pointees("define void @f(ptr %0) {\n}\n", "f"), None);
        assert_eq!(pointees(MODULE, "g"), None);
        // Types that contain themselves, and lists that are missing, end the search.
        let endless = MODULE.replace("baseType: !16,", "baseType: !13,").replace("!20 = ", "!99 = ");
        assert!(pointees(&endless, "f").unwrap()[0].layout.is_none());
    }

    #[test]
    fn types_are_spelled_in_c() {
        let text = "{f16,bf16,[u8;3],complex<f32>,i128}";
        assert_eq!(in_c(ty(text)), "struct { _Float16; __bf16; uint8_t[3]; _Complex float; __int128; }");
        assert_eq!(in_c(Type::F64), "double");
    }
}
