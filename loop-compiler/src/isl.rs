//! isl, the integer set library, loaded when it is needed: sets of integer points bounded by affine constraints.
//!
//! Sets are given as text in isl's notation. Every operation counts against a limit of the [`Context`]; beyond it all
//! further ones end with [`IslError::TooComplex`].

use std::{
    ffi::{CStr, CString, c_char, c_int, c_uint, c_ulong, c_void},
    rc::Rc,
    time::{Duration, Instant},
};

use libloading::Library;

/// Names of the library, newest interface first.
const LIBRARIES: [&str; 3] = ["libisl.so.23", "libisl.so.22", "libisl.so"];

/// `isl_dim_param`, `isl_dim_set`.
const DIM_SET: c_uint = 3;

/// `ISL_ON_ERROR_CONTINUE`: errors are results, nothing is printed.
const ON_ERROR_CONTINUE: c_int = 1;

/// Why a question about sets has no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IslError {
    /// The library cannot be loaded.
    #[error("the library isl is missing ({0})\nhint: `apt-get install libisl23`, or run `warpfold setup`")]
    Missing(String),
    /// The limits of the context are reached.
    #[error("more than {operations} operations on sets, or more than {seconds} s")]
    TooComplex {
        /// The limit of operations.
        operations: u64,
        /// The limit of time.
        seconds: u64,
    },
    /// A fault of ours: the text that isl does not take.
    #[error("isl does not take {0}")]
    Rejected(String),
}

type Object = *mut c_void;
type Unary = unsafe extern "C" fn(Object) -> Object;
type Binary = unsafe extern "C" fn(Object, Object) -> Object;
type Test = unsafe extern "C" fn(Object) -> c_int;
type Parse = unsafe extern "C" fn(Object, *const c_char) -> Object;
type Text = unsafe extern "C" fn(Object) -> *mut c_char;

/// The functions that are used.
struct Functions {
    ctx_free: unsafe extern "C" fn(Object),
    ctx_set_max_operations: unsafe extern "C" fn(Object, c_ulong),
    ctx_reset_operations: unsafe extern "C" fn(Object),
    set_read: Parse,
    set_copy: Unary,
    set_free: Unary,
    set_is_empty: Test,
    set_union: Binary,
    set_intersect: Binary,
    set_subtract: Binary,
    set_coalesce: Unary,
    set_complement: Unary,
    set_project_out: unsafe extern "C" fn(Object, c_uint, c_uint, c_uint) -> Object,
    set_dim_min: unsafe extern "C" fn(Object, c_int) -> Object,
    set_dim_max: unsafe extern "C" fn(Object, c_int) -> Object,
    set_dim_min_aff: unsafe extern "C" fn(Object, c_int) -> Object,
    set_dim_max_aff: unsafe extern "C" fn(Object, c_int) -> Object,
    set_dim_is_bounded: unsafe extern "C" fn(Object, c_uint, c_uint) -> c_int,
    set_to_str: Text,
    set_params: Unary,
    val_to_str: Text,
    val_free: Unary,
    build_from_context: Unary,
    build_free: Unary,
    build_expr_from_pw_aff: Binary,
    build_expr_from_set: Binary,
    expr_to_c: Text,
    expr_free: Unary,
    map_read: Parse,
    map_copy: Unary,
    map_free: Unary,
    map_is_empty: Test,
    map_is_equal: unsafe extern "C" fn(Object, Object) -> c_int,
    map_union: Binary,
    map_subtract: Binary,
    map_intersect: Binary,
    map_coalesce: Unary,
    map_to_str: Text,
    // Last: the functions must not outlive it.
    _library: Library,
}

/// isl's state: the library, and the operations that are left.
pub struct Context {
    functions: Functions,
    object: Object,
    operations: u64,
    limit: Duration,
    begin: Instant,
}

impl Context {
    /// Loads isl. At most so many operations, and so much time, are spent on everything that is asked of the context.
    pub fn new(operations: u64, limit: Duration) -> Result<Rc<Context>, IslError> {
        let mut failure = String::new();
        let library = LIBRARIES.iter().find_map(|name| {
            // SAFETY: isl has no code that runs when it is loaded beyond the C library's.
            unsafe { Library::new(*name) }.map_err(|error| failure = error.to_string()).ok()
        });
        let Some(library) = library else { return Err(IslError::Missing(failure)) };
        // SAFETY: the names and signatures are those of isl's headers, versions 0.22 to 0.27.
        unsafe { Context::with(library, operations, limit) }
            .map_err(|error| IslError::Missing(error.to_string()))
    }

    /// # Safety
    /// The library is isl.
    unsafe fn with(
        library: Library,
        operations: u64,
        limit: Duration,
    ) -> Result<Rc<Context>, libloading::Error> {
        macro_rules! function {
            ($name:literal) => {
                // SAFETY: the caller says that the library is isl; the field's type is the function's.
                *unsafe { library.get($name) }?
            };
        }
        let alloc: unsafe extern "C" fn() -> Object = function!(b"isl_ctx_alloc\0");
        let on_error: unsafe extern "C" fn(Object, c_int) -> c_int = function!(b"isl_options_set_on_error\0");
        let functions = Functions {
            ctx_free: function!(b"isl_ctx_free\0"),
            ctx_set_max_operations: function!(b"isl_ctx_set_max_operations\0"),
            ctx_reset_operations: function!(b"isl_ctx_reset_operations\0"),
            set_read: function!(b"isl_set_read_from_str\0"),
            set_copy: function!(b"isl_set_copy\0"),
            set_free: function!(b"isl_set_free\0"),
            set_is_empty: function!(b"isl_set_is_empty\0"),
            set_union: function!(b"isl_set_union\0"),
            set_intersect: function!(b"isl_set_intersect\0"),
            set_subtract: function!(b"isl_set_subtract\0"),
            set_coalesce: function!(b"isl_set_coalesce\0"),
            set_complement: function!(b"isl_set_complement\0"),
            set_project_out: function!(b"isl_set_project_out\0"),
            set_dim_min: function!(b"isl_set_dim_min_val\0"),
            set_dim_max: function!(b"isl_set_dim_max_val\0"),
            set_dim_min_aff: function!(b"isl_set_dim_min\0"),
            set_dim_max_aff: function!(b"isl_set_dim_max\0"),
            set_dim_is_bounded: function!(b"isl_set_dim_is_bounded\0"),
            set_to_str: function!(b"isl_set_to_str\0"),
            set_params: function!(b"isl_set_params\0"),
            val_to_str: function!(b"isl_val_to_str\0"),
            val_free: function!(b"isl_val_free\0"),
            build_from_context: function!(b"isl_ast_build_from_context\0"),
            build_free: function!(b"isl_ast_build_free\0"),
            build_expr_from_pw_aff: function!(b"isl_ast_build_expr_from_pw_aff\0"),
            build_expr_from_set: function!(b"isl_ast_build_expr_from_set\0"),
            expr_to_c: function!(b"isl_ast_expr_to_C_str\0"),
            expr_free: function!(b"isl_ast_expr_free\0"),
            map_read: function!(b"isl_union_map_read_from_str\0"),
            map_copy: function!(b"isl_union_map_copy\0"),
            map_free: function!(b"isl_union_map_free\0"),
            map_is_empty: function!(b"isl_union_map_is_empty\0"),
            map_is_equal: function!(b"isl_union_map_is_equal\0"),
            map_union: function!(b"isl_union_map_union\0"),
            map_subtract: function!(b"isl_union_map_subtract\0"),
            map_intersect: function!(b"isl_union_map_intersect\0"),
            map_coalesce: function!(b"isl_union_map_coalesce\0"),
            map_to_str: function!(b"isl_union_map_to_str\0"),
            _library: library,
        };
        // SAFETY: as declared by isl; the context is freed when this one is dropped, after all of its objects.
        let object = unsafe {
            let object = alloc();
            on_error(object, ON_ERROR_CONTINUE);
            (functions.ctx_set_max_operations)(object, operations as c_ulong);
            (functions.ctx_reset_operations)(object);
            object
        };
        Ok(Rc::new(Context { functions, object, operations, limit, begin: Instant::now() }))
    }

    fn too_complex(&self) -> IslError {
        IslError::TooComplex { operations: self.operations, seconds: self.limit.as_secs() }
    }

    fn check_time(&self) -> Result<(), IslError> {
        if self.begin.elapsed() > self.limit { Err(self.too_complex()) } else { Ok(()) }
    }

    fn parse(&self, parse: Parse, text: &str) -> Result<Object, IslError> {
        self.check_time()?;
        let c_text = CString::new(text).map_err(|_| IslError::Rejected(text.into()))?;
        // SAFETY: the context lives, the text ends with a zero byte; isl copies it.
        let object = unsafe { parse(self.object, c_text.as_ptr()) };
        // Without an object the limit was met: the texts are made by this crate and tested.
        if object.is_null() { Err(self.too_complex()) } else { Ok(object) }
    }

    fn test(&self, result: c_int) -> Result<bool, IslError> {
        if result < 0 { Err(self.too_complex()) } else { Ok(result != 0) }
    }

    fn text(&self, text: *mut c_char) -> Result<String, IslError> {
        if text.is_null() {
            return Err(self.too_complex());
        }
        // SAFETY: isl returns a string of its own, allocated by `malloc`, that the caller frees.
        unsafe {
            let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
            free(text.cast());
            Ok(owned)
        }
    }
}

unsafe extern "C" {
    /// The C library's, which isl uses.
    fn free(pointer: *mut c_void);
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: objects hold the context, so none is left.
        unsafe { (self.functions.ctx_free)(self.object) };
    }
}

/// A set of integer points, in one space.
pub struct Set {
    context: Rc<Context>,
    object: Object,
}

impl Set {
    /// A set from isl's notation: `[n] -> { [i, j] : 0 <= i < n and j = 2i }`.
    pub fn parse(context: &Rc<Context>, text: &str) -> Result<Set, IslError> {
        let object = context.parse(context.functions.set_read, text)?;
        Ok(Set { context: context.clone(), object })
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> Result<bool, IslError> {
        self.context.check_time()?;
        // SAFETY: the object lives; isl keeps it.
        self.context.test(unsafe { (self.context.functions.set_is_empty)(self.object) })
    }

    /// The elements of either.
    pub fn union(self, other: Set) -> Result<Set, IslError> {
        let function = self.context.functions.set_union;
        self.binary(function, other)
    }

    /// The elements of both.
    pub fn intersect(self, other: Set) -> Result<Set, IslError> {
        let function = self.context.functions.set_intersect;
        self.binary(function, other)
    }

    /// The points that are not in the other set.
    pub fn subtract(self, other: Set) -> Result<Set, IslError> {
        let function = self.context.functions.set_subtract;
        self.binary(function, other)
    }

    /// Without `count` of the dimensions, from `first` on: the points for which some value of them is in the set.
    pub fn project_out(self, first: usize, count: usize) -> Result<Set, IslError> {
        let project = self.context.functions.set_project_out;
        // SAFETY: isl takes a copy; it checks the range of dimensions.
        let object = unsafe {
            let copy = (self.context.functions.set_copy)(self.object);
            project(copy, DIM_SET, first as c_uint, count as c_uint)
        };
        self.same_context(object)
    }

    /// The least value of a dimension over all points and parameters, where there is one.
    pub fn least(&self, dimension: usize) -> Result<Option<i64>, IslError> {
        self.extreme(self.context.functions.set_dim_min, dimension)
    }

    /// The greatest value of a dimension over all points and parameters, where there is one.
    pub fn greatest(&self, dimension: usize) -> Result<Option<i64>, IslError> {
        self.extreme(self.context.functions.set_dim_max, dimension)
    }

    fn extreme(
        &self,
        of: unsafe extern "C" fn(Object, c_int) -> Object,
        dimension: usize,
    ) -> Result<Option<i64>, IslError> {
        let functions = &self.context.functions;
        // SAFETY: isl takes a copy and returns a value, which is freed here.
        let text = unsafe {
            let value = of((functions.set_copy)(self.object), dimension as c_int);
            if value.is_null() {
                return Err(self.context.too_complex());
            }
            let text = (functions.val_to_str)(value);
            (functions.val_free)(value);
            text
        };
        Ok(self.context.text(text)?.parse().ok())
    }

    /// The least and the greatest value of a dimension as C expressions of the parameters, which hold where there are
    /// points. `None` if it has no bounds.
    pub fn bounds(&self, dimension: usize) -> Result<Option<(String, String)>, IslError> {
        self.context.check_time()?;
        let functions = &self.context.functions;
        // SAFETY: the object lives; isl keeps it.
        let bounded = unsafe { (functions.set_dim_is_bounded)(self.object, DIM_SET, dimension as c_uint) };
        if !self.context.test(bounded)? {
            return Ok(None);
        }
        let bound = |of: unsafe extern "C" fn(Object, c_int) -> Object| {
            self.as_c(|copy, build| {
                // SAFETY: isl takes the copy and the bound, and keeps the build.
                unsafe { (functions.build_expr_from_pw_aff)(build, of(copy, dimension as c_int)) }
            })
        };
        Ok(Some((bound(functions.set_dim_min_aff)?, bound(functions.set_dim_max_aff)?)))
    }

    /// When there are points, as a C expression of the parameters.
    pub fn has_points(&self) -> Result<String, IslError> {
        let functions = &self.context.functions;
        // SAFETY: isl takes the copies, and keeps the build of an empty context.
        unsafe {
            let parameters = (functions.set_params)((functions.set_copy)(self.object));
            let all = (functions.set_union)(
                (functions.set_copy)(parameters),
                (functions.set_complement)((functions.set_copy)(parameters)),
            );
            let build = (functions.build_from_context)(all);
            let expression = (functions.build_expr_from_set)(build, parameters);
            (functions.build_free)(build);
            self.c_text(expression)
        }
    }

    /// The C text of an expression that is made from a copy of the set, for parameters with which it has points.
    fn as_c(&self, expression: impl FnOnce(Object, Object) -> Object) -> Result<String, IslError> {
        self.context.check_time()?;
        let functions = &self.context.functions;
        // SAFETY: isl takes copies; the build lives until the expression is made.
        unsafe {
            let build =
                (functions.build_from_context)((functions.set_params)((functions.set_copy)(self.object)));
            let expression = expression((functions.set_copy)(self.object), build);
            (functions.build_free)(build);
            self.c_text(expression)
        }
    }

    /// The text of an expression of C, which is freed.
    ///
    /// # Safety
    /// The object is an expression that belongs to nobody else, or null.
    unsafe fn c_text(&self, expression: Object) -> Result<String, IslError> {
        let functions = &self.context.functions;
        if expression.is_null() {
            return Err(self.context.too_complex());
        }
        // SAFETY: as the caller says; isl keeps the expression for the text.
        unsafe {
            let text = (functions.expr_to_c)(expression);
            (functions.expr_free)(expression);
            self.context.text(text)
        }
    }

    fn binary(self, function: Binary, other: Set) -> Result<Set, IslError> {
        self.context.check_time()?;
        // SAFETY: isl takes copies of both, which belong to the same context.
        let object = unsafe {
            let copy = self.context.functions.set_copy;
            function(copy(self.object), copy(other.object))
        };
        self.same_context(object)
    }

    fn same_context(&self, object: Object) -> Result<Set, IslError> {
        if object.is_null() {
            return Err(self.context.too_complex());
        }
        Ok(Set { context: self.context.clone(), object })
    }

    /// The set in isl's notation.
    pub fn text(&self) -> Result<String, IslError> {
        // SAFETY: isl takes a copy, and keeps the object for the text.
        unsafe {
            let copy = (self.context.functions.set_copy)(self.object);
            let simple = (self.context.functions.set_coalesce)(copy);
            let text = (self.context.functions.set_to_str)(simple);
            (self.context.functions.set_free)(simple);
            self.context.text(text)
        }
    }
}

impl Drop for Set {
    fn drop(&mut self) {
        // SAFETY: the object belongs to this set alone.
        unsafe { (self.context.functions.set_free)(self.object) };
    }
}

/// Relations between points of several spaces: isl's union maps.
pub struct Relation {
    context: Rc<Context>,
    object: Object,
}

impl Relation {
    /// A relation from isl's notation: `[n] -> { S[i] -> T[i + 1] : 0 <= i < n }`.
    pub fn parse(context: &Rc<Context>, text: &str) -> Result<Relation, IslError> {
        let object = context.parse(context.functions.map_read, text)?;
        Ok(Relation { context: context.clone(), object })
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> Result<bool, IslError> {
        // SAFETY: the object lives; isl keeps it.
        self.context.test(unsafe { (self.context.functions.map_is_empty)(self.object) })
    }

    /// Whether both have the same elements.
    pub fn is_equal(&self, other: &Relation) -> Result<bool, IslError> {
        // SAFETY: both live; isl keeps them.
        self.context.test(unsafe { (self.context.functions.map_is_equal)(self.object, other.object) })
    }

    /// The elements of either.
    pub fn union(&self, other: &Relation) -> Result<Relation, IslError> {
        self.binary(self.context.functions.map_union, other)
    }

    /// The elements of both.
    pub fn intersect(&self, other: &Relation) -> Result<Relation, IslError> {
        self.binary(self.context.functions.map_intersect, other)
    }

    /// The pairs that are not in the other relation.
    pub fn subtract(&self, other: &Relation) -> Result<Relation, IslError> {
        self.binary(self.context.functions.map_subtract, other)
    }

    fn binary(&self, function: Binary, other: &Relation) -> Result<Relation, IslError> {
        self.context.check_time()?;
        // SAFETY: isl takes copies of both, which belong to the same context.
        let object = unsafe {
            let copy = self.context.functions.map_copy;
            function(copy(self.object), copy(other.object))
        };
        if object.is_null() {
            return Err(self.context.too_complex());
        }
        Ok(Relation { context: self.context.clone(), object })
    }

    /// The relation in isl's notation.
    pub fn text(&self) -> Result<String, IslError> {
        // SAFETY: isl takes a copy, and keeps the object for the text.
        unsafe {
            let copy = (self.context.functions.map_copy)(self.object);
            let simple = (self.context.functions.map_coalesce)(copy);
            let text = (self.context.functions.map_to_str)(simple);
            (self.context.functions.map_free)(simple);
            self.context.text(text)
        }
    }
}

impl Drop for Relation {
    fn drop(&mut self) {
        // SAFETY: the object belongs to this relation alone.
        unsafe { (self.context.functions.map_free)(self.object) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context() -> Rc<Context> {
        Context::new(1_000_000, Duration::from_secs(10)).unwrap()
    }

    #[test]
    fn sets_are_compared_and_printed() {
        let context = context();
        let set = |text: &str| Set::parse(&context, text).unwrap();
        assert!(set("[n] -> { [i] : 0 <= i < n and n < 0 }").is_empty().unwrap());
        let rest = set("{ [i] : 0 <= i < 9 }").subtract(set("{ [i] : 2 <= i }")).unwrap();
        assert_eq!(rest.text().unwrap(), "{ [i] : 0 <= i <= 1 }");
        assert_eq!((rest.least(0).unwrap(), rest.greatest(0).unwrap()), (Some(0), Some(1)));
        let pairs = set("{ [i, j] : 0 <= i < 3 and j = 2i }").project_out(0, 1).unwrap();
        assert!(pairs.subtract(set("{ [0]; [2]; [4] }")).unwrap().is_empty().unwrap());
        assert_eq!(set("[n] -> { [i] : i < n }").greatest(0).unwrap(), None);
    }

    #[test]
    fn bounds_are_c() {
        let context = context();
        let set = |text: &str| Set::parse(&context, text).unwrap();
        let triangle = set("[n] -> { [c] : exists (i, j : 0 <= i < n and 0 <= j < i and c = i - 1) }");
        assert_eq!(triangle.bounds(0).unwrap(), Some(("0".into(), "n - 2".into())));
        assert_eq!(triangle.has_points().unwrap(), "n >= 2");
        let either = set("[n, m] -> { [c] : 0 <= c < n or 0 <= c < m }");
        let greatest = either.bounds(0).unwrap().unwrap().1;
        assert_eq!(greatest, "n >= 1 && n >= m + 1 ? n - 1 : m - 1");
        assert_eq!(set("[n] -> { [c] : c >= n }").bounds(0).unwrap(), None);
        assert_eq!(set("[n] -> { [c] : 2c = n }").bounds(0).unwrap().unwrap().0, "n / 2");
        assert_eq!(set("{ [c] : 0 <= c < 4 }").has_points().unwrap(), "1");
    }

    #[test]
    fn relations_are_compared() {
        let context = context();
        let relation = |text: &str| Relation::parse(&context, text).unwrap();
        let all = relation("{ S[i] -> T[i + 1] : 0 <= i < 9; T[i] -> S[i] : i = 3 }");
        let part = relation("{ S[i] -> T[j] : j = i + 1 and 0 <= i < 9 }");
        let rest = all.subtract(&part).unwrap();
        assert!(rest.is_equal(&relation("{ T[3] -> S[3] }")).unwrap());
        assert!(all.intersect(&part).unwrap().is_equal(&part).unwrap() && !rest.is_empty().unwrap());
        assert!(rest.union(&part).unwrap().is_equal(&all).unwrap());
        assert_eq!(rest.text().unwrap(), "{ T[i = 3] -> S[3] }");
    }

    #[test]
    fn the_limit_of_operations_ends_the_work() {
        let context = Context::new(50, Duration::from_secs(10)).unwrap();
        let result =
            Set::parse(&context, "[n] -> { [i, j, k] : 0 <= i < n and i <= j < n and (i + j) mod 7 = k }")
                .and_then(|set| set.project_out(0, 2))
                .and_then(|set| set.is_empty());
        assert!(matches!(result, Err(IslError::TooComplex { .. })), "{result:?}");
    }
}
