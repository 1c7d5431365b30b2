//! Queries libLLVM: its NVPTX intrinsics with their types, and whether IR is valid.

use std::ffi::{CStr, CString, c_char, c_uint, c_void};
use std::ptr::null_mut;

use libloading::{Library, Symbol};

/// File names of LLVM 22's library.
const LIBRARIES: [&str; 2] = ["libLLVM.so.22.1", "libLLVM-22.so"];
/// One of the intrinsics. They are numbered target by target, so the others have numbers around it.
const ANCHOR: &str = "llvm.nvvm.activemask";
const PREFIX: &str = "llvm.nvvm.";

type Handle = *mut c_void;

/// An intrinsic with the types of one of its overloads.
pub struct Intrinsic {
    /// Its name, without the types.
    pub name: String,
    /// The type of its result, as IR spells it.
    pub result: String,
    /// The types of its arguments.
    pub arguments: Vec<String>,
    /// Which of them must be constants.
    pub constant: Vec<bool>,
}

/// The library with a context.
pub struct Llvm {
    library: Library,
    context: Handle,
}

impl Llvm {
    /// Loads the library.
    pub fn load() -> Result<Llvm, String> {
        let mut errors = String::new();
        for name in LIBRARIES {
            // SAFETY: LLVM's library may be loaded into any process; its initialisers only register options.
            match unsafe { Library::new(name) } {
                Ok(library) => {
                    let mut llvm = Llvm { library, context: null_mut() };
                    // SAFETY: as LLVM declares it: no parameters, returns a new context.
                    llvm.context =
                        unsafe { llvm.function::<unsafe extern "C" fn() -> Handle>("LLVMContextCreate")?() };
                    return Ok(llvm);
                }
                Err(error) => errors = format!("{errors}\n  {name}: {error}"),
            }
        }
        Err(format!("LLVM 22's library is needed for its intrinsics, but was not found:{errors}"))
    }

    /// A function of LLVM's C API.
    ///
    /// # Safety
    /// `T` must be the type that LLVM declares for it.
    unsafe fn function<T>(&self, name: &str) -> Result<Symbol<'_, T>, String> {
        // SAFETY: as the caller promises.
        unsafe { self.library.get(name.as_bytes()) }.map_err(|error| format!("{name}: {error}"))
    }

    /// Every NVPTX intrinsic; an overloaded one with each combination of types that it accepts.
    pub fn intrinsics(&self) -> Result<Vec<Intrinsic>, String> {
        let mut found = Vec::new();
        for id in self.numbers()? {
            for types in self.overloads(id)? {
                found.extend(self.signature(id, &types)?);
            }
        }
        Ok(found)
    }

    fn numbers(&self) -> Result<std::ops::RangeInclusive<c_uint>, String> {
        // SAFETY: as LLVM declares it.
        let lookup = unsafe {
            self.function::<unsafe extern "C" fn(*const c_char, usize) -> c_uint>("LLVMLookupIntrinsicID")?
        };
        // SAFETY: a name with its length.
        let anchor = unsafe { lookup(ANCHOR.as_ptr().cast(), ANCHOR.len()) };
        if anchor == 0 {
            return Err(format!("the library has no {ANCHOR}"));
        }
        let (mut first, mut last) = (anchor, anchor);
        while self.name(first - 1)?.starts_with(PREFIX) {
            first -= 1;
        }
        while self.name(last + 1)?.starts_with(PREFIX) {
            last += 1;
        }
        Ok(first..=last)
    }

    fn name(&self, id: c_uint) -> Result<String, String> {
        // SAFETY: as LLVM declares it.
        let name = unsafe {
            self.function::<unsafe extern "C" fn(c_uint, *mut usize) -> *const c_char>(
                "LLVMIntrinsicGetName",
            )?
        };
        let mut length = 0;
        // SAFETY: the number of an intrinsic or a neighbour of one; the name is static and ends in NUL.
        Ok(unsafe { CStr::from_ptr(name(id, &mut length)) }.to_string_lossy().into_owned())
    }

    /// Combinations of types to try: at most two of an intrinsic's types can be chosen.
    fn overloads(&self, id: c_uint) -> Result<Vec<Vec<Handle>>, String> {
        // SAFETY: as LLVM declares it.
        let overloaded =
            unsafe { self.function::<unsafe extern "C" fn(c_uint) -> i32>("LLVMIntrinsicIsOverloaded")? };
        // SAFETY: the number of an intrinsic.
        if unsafe { overloaded(id) } == 0 {
            return Ok(vec![Vec::new()]);
        }
        let types = self.types()?;
        let pairs = types.iter().flat_map(|first| types.iter().map(move |second| vec![*first, *second]));
        Ok(pairs.collect())
    }

    /// Types that overloaded intrinsics are tried with.
    fn types(&self) -> Result<Vec<Handle>, String> {
        type Plain = unsafe extern "C" fn(Handle) -> Handle;
        let mut types = Vec::new();
        for name in ["Int16", "Int32", "Int64", "Half", "BFloat", "Float", "Double"] {
            // SAFETY: as LLVM declares all of these; the context lives.
            types.push(unsafe { self.function::<Plain>(&format!("LLVM{name}TypeInContext"))?(self.context) });
        }
        // SAFETY: as LLVM declares it; the element types above live with the context.
        let vector =
            unsafe { self.function::<unsafe extern "C" fn(Handle, c_uint) -> Handle>("LLVMVectorType")? };
        for element in [3, 4] {
            // SAFETY: half and bfloat may be elements.
            types.push(unsafe { vector(types[element], 2) });
        }
        // SAFETY: as LLVM declares it.
        let pointer = unsafe {
            self.function::<unsafe extern "C" fn(Handle, c_uint) -> Handle>("LLVMPointerTypeInContext")?
        };
        for space in [0, 1, 3, 4, 5, 7, 101] {
            // SAFETY: the context lives; any number may be an address space.
            types.push(unsafe { pointer(self.context, space) });
        }
        Ok(types)
    }

    /// The signature for these types; none if they are not accepted.
    fn signature(&self, id: c_uint, types: &[Handle]) -> Result<Option<Intrinsic>, String> {
        type Declare = unsafe extern "C" fn(Handle, c_uint, *const Handle, usize) -> Handle;
        let module = self.module()?;
        // SAFETY: as LLVM declares it; an intrinsic reads as many types as it can choose, at most two.
        let text = unsafe {
            let declare = self.function::<Declare>("LLVMGetIntrinsicDeclaration")?;
            let function = declare(module, id, types.as_ptr(), types.len());
            self.print("LLVMPrintValueToString", function)?
        };
        self.dispose(module)?;
        Ok(parse(&self.name(id)?, &text))
    }

    fn module(&self) -> Result<Handle, String> {
        type Create = unsafe extern "C" fn(*const c_char, Handle) -> Handle;
        // SAFETY: as LLVM declares it; the context lives.
        Ok(unsafe {
            self.function::<Create>("LLVMModuleCreateWithNameInContext")?(c"m".as_ptr(), self.context)
        })
    }

    fn dispose(&self, module: Handle) -> Result<(), String> {
        // SAFETY: as LLVM declares it; the module is ours and is not used again.
        unsafe { self.function::<unsafe extern "C" fn(Handle)>("LLVMDisposeModule")?(module) };
        Ok(())
    }

    /// # Safety
    /// `value` must have the type that the printer expects.
    unsafe fn print(&self, printer: &str, value: Handle) -> Result<String, String> {
        // SAFETY: LLVM's printers have this type; the C string that they return is ours to free.
        unsafe {
            let text = self.function::<unsafe extern "C" fn(Handle) -> *mut c_char>(printer)?(value);
            self.take(text)
        }
    }

    /// # Safety
    /// `message` must be a message of LLVM's that was not freed yet, or null.
    unsafe fn take(&self, message: *mut c_char) -> Result<String, String> {
        if message.is_null() {
            return Ok(String::new());
        }
        // SAFETY: as the caller promises.
        unsafe {
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            self.function::<unsafe extern "C" fn(*mut c_char)>("LLVMDisposeMessage")?(message);
            Ok(text)
        }
    }

    /// Whether this is a valid module. Code generation may still reject it.
    pub fn valid(&self, ir: &str) -> Result<bool, String> {
        type Buffer = unsafe extern "C" fn(*const c_char, usize, *const c_char) -> Handle;
        type Parse = unsafe extern "C" fn(Handle, Handle, *mut Handle, *mut *mut c_char) -> i32;
        type Verify = unsafe extern "C" fn(Handle, c_uint, *mut *mut c_char) -> i32;
        const RETURN_STATUS: c_uint = 2;
        let text = CString::new(ir).map_err(|error| error.to_string())?;
        // SAFETY: as LLVM declares them; parsing takes ownership of the buffer, and returns a module only
        // with status 0.
        unsafe {
            let buffer = self.function::<Buffer>("LLVMCreateMemoryBufferWithMemoryRangeCopy")?(
                text.as_ptr(),
                ir.len(),
                c"ir".as_ptr(),
            );
            let (mut module, mut message) = (null_mut(), null_mut());
            let parsed = self.function::<Parse>("LLVMParseIRInContext")?(
                self.context,
                buffer,
                &mut module,
                &mut message,
            );
            if parsed != 0 {
                self.take(message)?;
                return Ok(false);
            }
            let mut message = null_mut();
            let broken = self.function::<Verify>("LLVMVerifyModule")?(module, RETURN_STATUS, &mut message);
            self.take(message)?;
            self.dispose(module)?;
            Ok(broken == 0)
        }
    }
}

/// Reads `declare i32 @llvm.nvvm.x(i32, i32 immarg range(i32 0, 4)) #1`.
fn parse(name: &str, declaration: &str) -> Option<Intrinsic> {
    // A comment with the attributes precedes the declaration.
    let text = declaration.lines().find_map(|line| line.strip_prefix("declare "))?;
    let (head, rest) = text.split_once(" @")?;
    let start = rest.find('(')?;
    let end = matching(&rest[start..])? + start;
    let mut intrinsic = Intrinsic {
        name: name.to_owned(),
        result: head.to_owned(),
        arguments: Vec::new(),
        constant: Vec::new(),
    };
    // Attributes of the result precede its type.
    while let Some((attribute, after)) = intrinsic.result.split_once(' ') {
        let known = ["noundef", "signext", "zeroext"].contains(&attribute);
        let range = intrinsic.result.starts_with("range(");
        if !known && !range {
            break;
        }
        intrinsic.result = match range {
            true => intrinsic.result.split_once(") ")?.1.to_owned(),
            false => after.to_owned(),
        };
    }
    for parameter in top_level(&rest[start + 1..end]) {
        let length = type_length(parameter)?;
        if parameter == "..." || parameter.starts_with("metadata") {
            return None;
        }
        intrinsic.arguments.push(parameter[..length].to_owned());
        intrinsic.constant.push(parameter[length..].split(' ').any(|word| word == "immarg"));
    }
    Some(intrinsic)
}

/// The length of the type at the beginning of a parameter.
fn type_length(parameter: &str) -> Option<usize> {
    if parameter.starts_with("ptr addrspace(") {
        return parameter.find(')').map(|at| at + 1);
    }
    if parameter.starts_with(['<', '{', '[']) {
        return matching(parameter).map(|at| at + 1);
    }
    Some(parameter.find(' ').unwrap_or(parameter.len()))
}

/// The position of the bracket that closes the first one of `text`.
fn matching(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '<' | '{' | '[' => depth += 1,
            ')' | '>' | '}' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The parts between the commas outside of brackets.
pub fn top_level(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '<' | '{' | '[' => depth += 1,
            ')' | '>' | '}' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_read() {
        let text = "; Function Attrs: nounwind\ndeclare range(i32 0, 8) { i32, i1 } @llvm.nvvm.x(ptr addrspace(3) writeonly, \
                    <2 x half>, i32 immarg range(i32 0, 4)) #1";
        let intrinsic = parse("llvm.nvvm.x", text).unwrap();
        assert_eq!(intrinsic.result, "{ i32, i1 }");
        assert_eq!(intrinsic.arguments, ["ptr addrspace(3)", "<2 x half>", "i32"]);
        assert_eq!(intrinsic.constant, [false, false, true]);
    }
}
