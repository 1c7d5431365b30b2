//! Loads user functions, combiners and maps, from C or LLVM IR.
//!
//! The module is reduced to the function and its dependencies, and checked. The function gets a symbol that
//! contains a hash of its code, so that functions of the same name do not clash. After linking it is inlined
//! at each call.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use toolchain::{ClangBuild, Input, IrBuild, OptLevel, PtxBuild, Tools};

use crate::error::Error;
use crate::function::{Combiner, Function, Mapper};
use crate::interner::Interner;
use crate::ir::{LAYOUT_LINE, TRIPLE_LINE};
use crate::signature::{Pointee, mismatch, pointees};
use crate::types::{Leaf, Scalar, Type, shortened};

/// The text of a module with user functions.
#[derive(Clone, Copy, Debug)]
pub enum UserModule<'a> {
    /// C, which cannot include files of its own folder; compiled by clang at -O2 with `-ffp-contract=off`.
    C(&'a str),
    /// LLVM IR.
    Ir(&'a str),
}

/// The oldest supported architecture, for which functions must compile: sm_70.
const OLDEST: u32 = 70;

impl Combiner {
    /// Loads a combiner of values of type `ty`; `origin` is the module's name in messages.
    ///
    /// Its identity is `identity`, one value for each scalar in order, or the constant that a function
    /// `void NAME_identity(T *)` of the module stores. Without an identity each record has a flag that says
    /// whether it holds a value, and the combiner is called only with values. Equal combiners are the same
    /// object, which lives until the program ends.
    ///
    /// # Errors
    ///
    /// [`Error::UserFunction`] with the reason: a function that is not defined, has another signature, refers
    /// to an undefined symbol, or cannot be compiled for a GPU; an identity that is not constant or has
    /// another number of scalars. [`Error::Toolchain`] for tools that are missing.
    pub fn load(
        tools: &Tools,
        origin: &str,
        module: UserModule,
        function: &str,
        ty: Type,
        identity: Option<&[&str]>,
    ) -> Result<&'static Combiner, Error> {
        let loader = Loader { tools, name: format!("{origin}:{function}") };
        let initial = format!("{function}_identity");
        let text = loader.reduced(module, function, &[function, &initial])?;
        loader.expect_pointers(&text, function, &["into", "from"])?;
        loader.expect_types(module, &text, function, &[ty, ty])?;
        let identity = match identity {
            Some(values) => Some(loader.constants(ty, values)?),
            None if parameters(&text, &initial).is_some() => {
                loader.expect_pointers(&text, &initial, &["value"])?;
                loader.expect_types(module, &text, &initial, &[ty])?;
                Some(loader.stored(&text, &initial, ty)?)
            }
            None => None,
        };
        let function = loader.function(&text, function)?;
        static LOADED: Interner<Combiner> = Interner::new();
        Ok(LOADED.intern(Box::new(Combiner { function, ty, identity })))
    }
}

impl Mapper {
    /// Loads a map; `origin` is the module's name in messages. Equal maps are the same object, which lives
    /// until the program ends.
    ///
    /// # Errors
    ///
    /// As [`Combiner::load`].
    pub fn load(
        tools: &Tools,
        origin: &str,
        module: UserModule,
        function: &str,
    ) -> Result<&'static Mapper, Error> {
        let loader = Loader { tools, name: format!("{origin}:{function}") };
        let text = loader.reduced(module, function, &[function])?;
        let inputs = parameters(&text, function).map_or(0, |parameters| parameters.len().saturating_sub(1));
        let names: Vec<_> =
            std::iter::once("out").chain(std::iter::repeat_n("element", inputs.max(1))).collect();
        loader.expect_pointers(&text, function, &names)?;
        let pointees = loader.pointees(module, &text, function)?;
        let function = loader.function(&text, function)?;
        static LOADED: Interner<Mapper> = Interner::new();
        Ok(LOADED.intern(Box::new(Mapper { function, inputs, pointees })))
    }
}

struct Loader<'a> {
    tools: &'a Tools,
    name: String,
}

impl Loader<'_> {
    fn rejected(&self, reason: impl Into<String>) -> Error {
        Error::UserFunction { function: self.name.clone(), reason: reason.into() }
    }

    /// A tool that fails on the user's text means that the text is wrong; a missing tool does not.
    fn tool(&self, error: toolchain::Error) -> Error {
        match error {
            toolchain::Error::Command { .. } => self.rejected(error.to_string()),
            other => Error::Toolchain(other),
        }
    }

    /// The module as `opt` prints it, reduced to the functions `kept` and their dependencies.
    fn reduced(&self, module: UserModule, function: &str, kept: &[&str]) -> Result<String, Error> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_.$".contains(c);
        if function.is_empty() || !function.chars().all(plain) {
            return Err(self.rejected("this is not a function name"));
        }
        let compiled = match module {
            UserModule::Ir(text) => with_target(text).into_owned(),
            UserModule::C(source) => {
                let options = &["-ffp-contract=off"];
                let build = ClangBuild { source, sm: OLDEST, opt: OptLevel::O2, options };
                self.tools.clang_ir(&build).map_err(|error| self.tool(error))?
            }
        };
        let list = format!("-internalize-public-api-list={}", kept.join(","));
        let inline: Vec<_> =
            kept.iter().map(|name| format!("-force-attribute={name}:alwaysinline")).collect();
        let mut options =
            vec![list.as_str(), "-force-remove-attribute=noinline", "-force-remove-attribute=optnone"];
        options.extend(inline.iter().map(String::as_str));
        let build = IrBuild {
            modules: &[Input::Ir(&compiled)],
            passes: "forceattrs,internalize,globaldce,strip-dead-prototypes",
            options: &options,
        };
        let text = self.tools.ir(&build).map_err(|error| self.tool(error))?;
        // These attributes would keep it from being inlined into code for other architectures and with
        // builtins.
        let text = text.replace(" \"no-builtins\"", "");
        Ok(["target-cpu", "target-features"].iter().fold(text, |text, key| without_attribute(&text, key)))
    }

    /// Checks that the function returns `void` and takes a pointer for each of `names`.
    fn expect_pointers(&self, text: &str, function: &str, names: &[&str]) -> Result<(), Error> {
        let Some(parameters) = parameters(text, function) else {
            return Err(self.rejected(format!("the module does not define `{function}`")));
        };
        let pointers = parameters.iter().all(|ty| ty == "ptr") && parameters.len() == names.len();
        let returns = result(text, function).unwrap_or_default();
        match pointers && returns == "void" {
            true => Ok(()),
            false => Err(self.rejected(format!(
                "`{function}` has type `{returns} ({})`, but must have type `void ({})`, with parameters {}",
                parameters.join(", "),
                names.iter().map(|_| "ptr").collect::<Vec<_>>().join(", "),
                names.join(", ")
            ))),
        }
    }

    /// Checks what the parameters point to, as far as it is known.
    fn expect_types(
        &self,
        module: UserModule,
        text: &str,
        function: &str,
        types: &[Type],
    ) -> Result<(), Error> {
        let found = self.pointees(module, text, function)?;
        match found.and_then(|found| mismatch(function, &found, types)) {
            Some(reason) => Err(self.rejected(reason)),
            None => Ok(()),
        }
    }

    /// What the parameters point to; `text` is the module as LLVM IR.
    fn pointees(
        &self,
        module: UserModule,
        text: &str,
        function: &str,
    ) -> Result<Option<Vec<Pointee>>, Error> {
        match module {
            UserModule::Ir(_) => Ok(pointees(text, function)),
            UserModule::C(source) => {
                // Only for the types: the code that is linked has no debug information.
                let build = ClangBuild { source, sm: OLDEST, opt: OptLevel::O0, options: &["-g"] };
                let text = self.tools.clang_ir(&build).map_err(|error| self.tool(error))?;
                Ok(pointees(&text, function))
            }
        }
    }

    /// Renames the function to its unique symbol, and checks that it can be compiled for a GPU.
    fn function(&self, text: &str, function: &str) -> Result<Function, Error> {
        let undefined: Vec<_> = undefined(text).collect();
        if !undefined.is_empty() {
            return Err(self.rejected(format!("undefined symbol(s): {}", undefined.join(", "))));
        }
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let symbol = format!("warpfold_user_{function}_{:016x}", hasher.finish());
        let list = format!("-internalize-public-api-list={symbol}");
        let renamed = renamed(text, function, &symbol);
        let modules = &[Input::Ir(&renamed)];
        let build =
            IrBuild { modules, passes: "internalize,globaldce,strip-dead-prototypes", options: &[&list] };
        let module = self.tools.ir(&build).map_err(|error| self.tool(error))?;
        let modules = &[Input::Ir(&module)];
        let build = PtxBuild { modules, keep: &[&symbol], sm: OLDEST, opt: OptLevel::O2 };
        let ptx = self.tools.ptx(&build).map_err(|error| match error {
            toolchain::Error::Command { .. } => {
                self.rejected(format!("LLVM cannot compile it for a GPU: {error}"))
            }
            other => Error::Toolchain(other),
        })?;
        // LLVM turns some operations into calls of library functions.
        if let Some(line) = ptx.lines().find(|line| line.trim_start().starts_with(".extern .func")) {
            let name = line.rsplit([' ', ')']).find(|word| !word.is_empty()).unwrap_or(line);
            return Err(self.rejected(format!("undefined symbol(s): `{name}`")));
        }
        Ok(Function { name: self.name.clone(), symbol, module })
    }

    /// Parses the value of each scalar.
    fn constants(&self, ty: Type, values: &[&str]) -> Result<Vec<u128>, Error> {
        let leaves = ty.leaves();
        if leaves.len() != values.len() {
            let reason =
                format!("its identity has {} scalar(s), but {ty} has {}", values.len(), leaves.len());
            return Err(self.rejected(reason));
        }
        let parse = |(leaf, text): (&Leaf, &&str)| {
            let wrong = || self.rejected(format!("`{}` is not a value of {}", shortened(text), leaf.scalar));
            leaf.scalar.parse_bits(text).ok_or_else(wrong)
        };
        leaves.iter().zip(values).map(parse).collect()
    }

    /// The bits of each scalar that `function` stores, as LLVM's constant folding finds them.
    fn stored(&self, text: &str, function: &str, ty: Type) -> Result<Vec<u128>, Error> {
        let llvm = ty.llvm();
        let mut probe = format!("declare void @{function}(ptr)\n");
        let leaves = ty.leaves();
        for (index, Leaf { scalar, offset }) in leaves.iter().enumerate() {
            let (of, bits) = (scalar.llvm(), 8 * scalar.size());
            probe.push_str(&format!(
                "define i{bits} @warpfold_probe{index}() {{\n  %value = alloca {llvm}, align 16\n  \
                 call void @{function}(ptr %value)\n  \
                 %at = getelementptr i8, ptr %value, i64 {offset}\n  \
                 %scalar = load {of}, ptr %at, align {size}\n  \
                 %bits = bitcast {of} %scalar to i{bits}\n  ret i{bits} %bits\n}}\n",
                size = scalar.size(),
            ));
        }
        let names: Vec<_> = (0..leaves.len()).map(|index| format!("warpfold_probe{index}")).collect();
        let list = format!("-internalize-public-api-list={}", names.join(","));
        let modules = &[Input::Ir(text), Input::Ir(&probe)];
        let build = IrBuild { modules, passes: "internalize,default<O2>,globaldce", options: &[&list] };
        let folded = self.tools.ir(&build).map_err(|error| self.tool(error))?;
        let value = |(leaf, name): (&Leaf, &String)| {
            let body = folded.split_once(&format!("@{name}(")).map_or("", |(_, rest)| rest);
            let line = body.lines().nth(1).unwrap_or_default().trim();
            let number = line.strip_prefix(&format!("ret i{} ", 8 * leaf.scalar.size()));
            let number = number.and_then(|number| number.parse::<i128>().ok());
            number.map(i128::cast_unsigned).ok_or_else(|| {
                self.rejected(format!("`{function}` does not store a constant to all of {ty}"))
            })
        };
        leaves.iter().zip(&names).map(value).collect()
    }
}

/// LLVM IR with a target. LLVM's tools take a module without one for the machine that they run on, and do not link it
/// with device code. The text keeps its lines, which messages name.
fn with_target(text: &str) -> Cow<'_, str> {
    let has = |what: &str| text.lines().any(|line| line.trim_start().starts_with(what));
    let missing = |what: &str, line: &str| if has(what) { String::new() } else { format!("{line} ") };
    match missing("target triple", TRIPLE_LINE) + &missing("target datalayout", LAYOUT_LINE) {
        none if none.is_empty() => text.into(),
        target => (target + text).into(),
    }
}

/// The line that defines `function`: the text before its name, and its parameters.
fn definition<'a>(text: &'a str, function: &str) -> Option<(&'a str, &'a str)> {
    let name = format!(" @{function}(");
    let line = text.lines().find(|line| line.starts_with("define ") && line.contains(&name))?;
    let (before, after) = line.split_once(&name)?;
    let mut depth = 1;
    let end = after.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0
    })?;
    Some((before, &after[..end]))
}

/// The return type of a defined function.
fn result<'a>(text: &'a str, function: &str) -> Option<&'a str> {
    definition(text, function)?.0.rsplit(' ').next()
}

/// The types of a defined function's parameters.
fn parameters(text: &str, function: &str) -> Option<Vec<String>> {
    let (_, parameters) = definition(text, function)?;
    let mut depth = 0;
    let split = |c: char| {
        depth += i32::from("([{<".contains(c)) - i32::from(")]}>".contains(c));
        c == ',' && depth == 0
    };
    let all = parameters.split(split).map(str::trim).filter(|parameter| !parameter.is_empty());
    let ty = |parameter: &str| match parameter.strip_prefix("ptr addrspace") {
        Some(_) => parameter.split_whitespace().take(2).collect::<Vec<_>>().join(" "),
        None => parameter.split_whitespace().next().unwrap_or_default().to_owned(),
    };
    Some(all.map(ty).collect())
}

/// The functions and variables that a module declares and does not define, except LLVM's intrinsics.
fn undefined(text: &str) -> impl Iterator<Item = String> {
    let name = |line: &str| {
        let rest = line.split_once('@')?.1;
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || "_.$-".contains(c))).unwrap_or(rest.len());
        Some(format!("`{}`", &rest[..end]))
    };
    let is_undefined = |line: &&str| {
        line.starts_with("declare ") && !line.contains(" @llvm.")
            || line.starts_with('@') && (line.contains(" = external ") || line.contains(" = extern_weak "))
    };
    text.lines().filter(is_undefined).filter_map(name)
}

/// `text` with every name `@from` replaced by `@to`.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        let mut quoted = false;
        // Strings, such as file names in debug information, are not changed.
        while let Some(at) = rest.find(['"', '@']) {
            out.push_str(&rest[..=at]);
            let is_name = rest.as_bytes()[at] == b'@';
            quoted ^= !is_name;
            rest = &rest[at + 1..];
            if let Some(after) = rest.strip_prefix(from).filter(|_| is_name && !quoted) {
                let continues = after.starts_with(|c: char| c.is_ascii_alphanumeric() || "_.$-".contains(c));
                if !continues {
                    out.push_str(to);
                    rest = after;
                }
            }
        }
        out.push_str(rest);
    }
    out
}

/// `text` without the attributes `"key"="…"`.
fn without_attribute(text: &str, key: &str) -> String {
    let start = format!("\"{key}\"=\"");
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(&start) {
        out.push_str(before);
        rest = after.split_once('"').map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out
}

impl Scalar {
    /// The bits of a number given in decimal (floats also `inf`, `-inf`, `nan`), rounded to a float's type.
    pub(crate) fn parse_bits(self, text: &str) -> Option<u128> {
        let text = text.trim();
        let mask = u128::MAX >> (128 - 8 * self.size());
        match self {
            Scalar::F16 => text.parse().ok().map(|value| half::f16::from_f64(value).to_bits().into()),
            Scalar::BF16 => text.parse().ok().map(|value| half::bf16::from_f64(value).to_bits().into()),
            Scalar::F32 => text.parse::<f32>().ok().map(|value| value.to_bits().into()),
            Scalar::F64 => text.parse::<f64>().ok().map(|value| value.to_bits().into()),
            Scalar::U128 => text.parse().ok(),
            _ => {
                let value: i128 = text.parse().ok()?;
                let signed = self.class() == crate::Class::Signed;
                let shift = 128 - 8 * self.size();
                let kept = (value.cast_unsigned() & mask).cast_signed();
                let back = if signed { kept << shift >> shift } else { kept };
                (back == value).then(|| value.cast_unsigned() & mask)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "define dso_local noundef void @f(ptr noundef captures(none) %0, ptr align 4 %1) #0 {\n";

    #[test]
    fn definitions_are_parsed() {
        assert_eq!(parameters(TEXT, "f").unwrap(), ["ptr", "ptr"]);
        assert_eq!(result(TEXT, "f"), Some("void"));
        assert_eq!(parameters(TEXT, "g"), None);
        let text = "define i32 @g({ i32, ptr } %x, ptr addrspace(1) %y, [2 x i8] %z) {";
        assert_eq!(parameters(text, "g").unwrap(), ["{", "ptr addrspace(1)", "[2"]);
        assert_eq!(parameters("define void @g() {", "g").unwrap(), [""; 0]);
    }

    #[test]
    fn modules_get_the_target_that_they_lack() {
        let text = "define void @f() {\n}\n";
        let with = with_target(text);
        assert!(
            with.starts_with("target triple = \"nvptx64") && with.contains("target datalayout"),
            "{with}"
        );
        assert_eq!(with.lines().count(), text.lines().count());
        let both = format!("{LAYOUT_LINE}\n{TRIPLE_LINE}\n{text}");
        assert_eq!(with_target(&both), both);
        let triple = format!("{TRIPLE_LINE}\n{text}");
        assert_eq!(with_target(&triple), format!("{LAYOUT_LINE} {triple}"));
    }

    #[test]
    fn renaming_does_not_change_strings() {
        let text = "call void @f(ptr @f.1) ; \"@f\"\n@x = c\"@f\", @f\n@ff @f";
        assert_eq!(renamed(text, "f", "g"), "call void @g(ptr @f.1) ; \"@f\"\n@x = c\"@f\", @g\n@ff @g");
    }

    #[test]
    fn attributes_are_removed() {
        let text = r#"{ nounwind "target-cpu"="sm_70" "a"="b" }"#;
        assert_eq!(without_attribute(text, "target-cpu"), r#"{ nounwind  "a"="b" }"#);
    }

    #[test]
    fn undefined_symbols_are_found() {
        let text = "declare i32 @foo(i32)\ndeclare float @llvm.fabs.f32(float)\n@v = external global i32\n";
        assert_eq!(undefined(text).collect::<Vec<_>>(), ["`foo`", "`v`"]);
    }

    #[test]
    fn numbers_are_parsed_to_bits() {
        assert_eq!(Scalar::I8.parse_bits("-1"), Some(255));
        assert_eq!(Scalar::U8.parse_bits("255"), Some(255));
        for (scalar, text) in [(Scalar::I8, "128"), (Scalar::U8, "-1"), (Scalar::U64, "18446744073709551616")]
        {
            assert_eq!(scalar.parse_bits(text), None, "{text}");
        }
        assert_eq!(Scalar::I128.parse_bits("-1"), Some(u128::MAX));
        assert_eq!(Scalar::F16.parse_bits("-inf"), Some(0xFC00));
        assert_eq!(Scalar::F32.parse_bits("1"), Some(0x3F80_0000));
    }
}
