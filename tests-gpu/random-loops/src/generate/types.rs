//! The types of what programs compute with.

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Type {
    Bool,
    Schar,
    Uchar,
    Short,
    Ushort,
    Int,
    Unsigned,
    Long,
    Ulong,
    Float,
    Double,
}

impl Type {
    /// Types of arrays, with weights.
    pub const OF_ARRAYS: [(usize, Type); 11] = [
        (40, Type::Int),
        (20, Type::Double),
        (8, Type::Float),
        (9, Type::Unsigned),
        (6, Type::Long),
        (5, Type::Short),
        (6, Type::Uchar),
        (4, Type::Schar),
        (2, Type::Ushort),
        (2, Type::Ulong),
        (1, Type::Bool),
    ];

    pub fn c(self) -> &'static str {
        match self {
            Type::Bool => "_Bool",
            Type::Schar => "signed char",
            Type::Uchar => "unsigned char",
            Type::Short => "short",
            Type::Ushort => "unsigned short",
            Type::Int => "int",
            Type::Unsigned => "unsigned",
            Type::Long => "long",
            Type::Ulong => "unsigned long",
            Type::Float => "float",
            Type::Double => "double",
        }
    }

    /// In names of functions of the support.
    pub fn suffix(self) -> &'static str {
        match self {
            Type::Bool => "bool",
            Type::Schar => "schar",
            Type::Uchar => "uchar",
            Type::Ushort => "ushort",
            Type::Ulong => "ulong",
            _ => self.c(),
        }
    }

    /// The name of the arena, before the program's number.
    pub fn arena(self) -> &'static str {
        match self {
            Type::Bool => "Ab",
            Type::Schar => "Ac",
            Type::Uchar => "Auc",
            Type::Short => "As",
            Type::Ushort => "Aus",
            Type::Int => "Ai",
            Type::Unsigned => "Au",
            Type::Long => "Al",
            Type::Ulong => "Aul",
            Type::Float => "Af",
            Type::Double => "Ad",
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Type::Float | Type::Double)
    }

    /// Whether overflow wraps around.
    pub fn wraps(self) -> bool {
        matches!(self, Type::Unsigned | Type::Ulong)
    }

    /// The function that shows a value.
    pub fn show(self) -> &'static str {
        if self.is_float() { "show_number" } else { "show" }
    }

    /// The type with the other sign, whose objects its own lvalues may access.
    pub fn other_sign(self) -> Option<Type> {
        match self {
            Type::Int => Some(Type::Unsigned),
            Type::Unsigned => Some(Type::Int),
            Type::Long => Some(Type::Ulong),
            Type::Ulong => Some(Type::Long),
            Type::Short => Some(Type::Ushort),
            Type::Ushort => Some(Type::Short),
            _ => None,
        }
    }
}
