//! isl, the integer set library, loaded when it is needed: sets of integer points bounded by affine constraints.
//!
//! Sets are given as text in isl's notation. Every operation counts against a limit of the [`Context`]; beyond it all
//! further ones end with [`IslError::TooComplex`].

use std::{
    ffi::{CStr, CString, c_char, c_int, c_uint, c_ulong, c_void},
    rc::Rc,
    str::FromStr,
    time::{Duration, Instant},
};

use libloading::Library;

use crate::watchdog::Watch;

/// Names of the library, newest interface first.
const LIBRARIES: [&str; 3] = ["libisl.so.23", "libisl.so.22", "libisl.so"];

/// `isl_dim_cst`, `isl_dim_param`, `isl_dim_set`, `isl_dim_div`.
const DIM_CONSTANT: c_int = 0;
const DIM_PARAMETER: c_int = 1;
const DIM_SET: c_uint = 3;
const DIM_LOCAL: c_int = 4;

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
type At = unsafe extern "C" fn(Object, c_int) -> Object;
type Columns = unsafe extern "C" fn(Object, c_int, c_int, c_int, c_int) -> Object;

/// The functions that are used.
struct Functions {
    ctx_abort: unsafe extern "C" fn(Object),
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
    set_apply: Binary,
    set_affine_hull: Unary,
    set_make_disjoint: Unary,
    set_count: Unary,
    set_intersect_params: Binary,
    set_basic_sets: Unary,
    basic_sets_size: Test,
    basic_sets_at: At,
    basic_sets_free: Unary,
    basic_set_free: Unary,
    basic_set_equalities: Columns,
    basic_set_inequalities: Columns,
    set_from_basic_set: Unary,
    matrix_rows: Test,
    matrix_columns: Test,
    matrix_at: unsafe extern "C" fn(Object, c_int, c_int) -> Object,
    matrix_free: Unary,
    single_map_read: Parse,
    map_restrict: Binary,
    union_from_set: Unary,
    union_of_sets: Binary,
    build_options: Binary,
    build_node: Binary,
    node_free: Unary,
    node_type: Test,
    for_iterator: Unary,
    for_init: Unary,
    for_condition: Unary,
    for_increment: Unary,
    for_body: Unary,
    if_condition: Unary,
    if_then: Unary,
    if_has_else: Test,
    if_else: Unary,
    block_children: Unary,
    nodes_size: Test,
    nodes_at: At,
    nodes_free: Unary,
    user_expression: Unary,
    call_arguments: Test,
    call_argument: At,
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
    /// Dropped by hand, before isl's context.
    watch: Option<Watch>,
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
            ctx_abort: function!(b"isl_ctx_abort\0"),
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
            set_apply: function!(b"isl_set_apply\0"),
            set_affine_hull: function!(b"isl_set_affine_hull\0"),
            set_make_disjoint: function!(b"isl_set_make_disjoint\0"),
            set_count: function!(b"isl_set_count_val\0"),
            set_intersect_params: function!(b"isl_set_intersect_params\0"),
            set_basic_sets: function!(b"isl_set_get_basic_set_list\0"),
            basic_sets_size: function!(b"isl_basic_set_list_n_basic_set\0"),
            basic_sets_at: function!(b"isl_basic_set_list_get_basic_set\0"),
            basic_sets_free: function!(b"isl_basic_set_list_free\0"),
            basic_set_free: function!(b"isl_basic_set_free\0"),
            basic_set_equalities: function!(b"isl_basic_set_equalities_matrix\0"),
            basic_set_inequalities: function!(b"isl_basic_set_inequalities_matrix\0"),
            set_from_basic_set: function!(b"isl_set_from_basic_set\0"),
            matrix_rows: function!(b"isl_mat_rows\0"),
            matrix_columns: function!(b"isl_mat_cols\0"),
            matrix_at: function!(b"isl_mat_get_element_val\0"),
            matrix_free: function!(b"isl_mat_free\0"),
            single_map_read: function!(b"isl_map_read_from_str\0"),
            map_restrict: function!(b"isl_union_map_intersect_domain\0"),
            union_from_set: function!(b"isl_union_set_from_set\0"),
            union_of_sets: function!(b"isl_union_set_union\0"),
            build_options: function!(b"isl_ast_build_set_options\0"),
            build_node: function!(b"isl_ast_build_node_from_schedule_map\0"),
            node_free: function!(b"isl_ast_node_free\0"),
            node_type: function!(b"isl_ast_node_get_type\0"),
            for_iterator: function!(b"isl_ast_node_for_get_iterator\0"),
            for_init: function!(b"isl_ast_node_for_get_init\0"),
            for_condition: function!(b"isl_ast_node_for_get_cond\0"),
            for_increment: function!(b"isl_ast_node_for_get_inc\0"),
            for_body: function!(b"isl_ast_node_for_get_body\0"),
            if_condition: function!(b"isl_ast_node_if_get_cond\0"),
            if_then: function!(b"isl_ast_node_if_get_then\0"),
            if_has_else: function!(b"isl_ast_node_if_has_else\0"),
            if_else: function!(b"isl_ast_node_if_get_else\0"),
            block_children: function!(b"isl_ast_node_block_get_children\0"),
            nodes_size: function!(b"isl_ast_node_list_n_ast_node\0"),
            nodes_at: function!(b"isl_ast_node_list_get_ast_node\0"),
            nodes_free: function!(b"isl_ast_node_list_free\0"),
            user_expression: function!(b"isl_ast_node_user_get_expr\0"),
            call_arguments: function!(b"isl_ast_expr_get_op_n_arg\0"),
            call_argument: function!(b"isl_ast_expr_get_op_arg\0"),
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
        let begin = Instant::now();
        // SAFETY: the watch is dropped before the context, see `drop`; the function is isl's.
        let watch = unsafe { Watch::new(object, functions.ctx_abort, begin + limit) };
        Ok(Rc::new(Context { functions, object, operations, limit, begin, watch: Some(watch) }))
    }

    fn too_complex(&self) -> IslError {
        IslError::TooComplex { operations: self.operations, seconds: self.limit.as_secs_f64().round() as u64 }
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

    /// The text of an expression of C, which is freed.
    ///
    /// # Safety
    /// The object is an expression that belongs to nobody else, or null.
    unsafe fn c_text(&self, expression: Object) -> Result<String, IslError> {
        let functions = &self.functions;
        if expression.is_null() {
            return Err(self.too_complex());
        }
        // SAFETY: as the caller says; isl keeps the expression for the text.
        unsafe {
            let text = (functions.expr_to_c)(expression);
            (functions.expr_free)(expression);
            self.text(text)
        }
    }

    fn test(&self, result: c_int) -> Result<bool, IslError> {
        if result < 0 { Err(self.too_complex()) } else { Ok(result != 0) }
    }

    /// A value of isl's, which is freed, if it is a number of this type.
    ///
    /// # Safety
    ///
    /// The value belongs to the caller alone, or is null.
    unsafe fn number<T: FromStr>(&self, value: Object) -> Result<Option<T>, IslError> {
        if value.is_null() {
            return Err(self.too_complex());
        }
        // SAFETY: isl keeps the value for the text.
        let text = unsafe { (self.functions.val_to_str)(value) };
        // SAFETY: nobody else uses it.
        unsafe { (self.functions.val_free)(value) };
        Ok(self.text(text)?.parse().ok())
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
        self.watch = None;
        // SAFETY: objects hold the context, so none is left, and nobody watches it.
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
        // SAFETY: isl takes a copy and returns a value, which nobody else has.
        unsafe { self.context.number(of((functions.set_copy)(self.object), dimension as c_int)) }
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
            self.context.c_text(expression)
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
            self.context.c_text(expression)
        }
    }

    /// What a relation makes of the elements: `{ [i, j] -> [i + 1, j] }`.
    pub fn mapped(&self, relation: &str) -> Result<Set, IslError> {
        let functions = &self.context.functions;
        let relation = self.context.parse(functions.single_map_read, relation)?;
        // SAFETY: isl takes the relation, and a copy of the set of the same context.
        self.same_context(unsafe { (functions.set_apply)((functions.set_copy)(self.object), relation) })
    }

    /// With what a condition leaves of the parameters: `[n] -> { : n = 8 }`.
    pub fn with_parameters(&self, condition: &str) -> Result<Set, IslError> {
        let condition = Set::parse(&self.context, condition)?;
        let functions = &self.context.functions;
        // SAFETY: isl takes copies of both, which belong to the same context.
        let object = unsafe {
            let copy = functions.set_copy;
            (functions.set_intersect_params)(copy(self.object), copy(condition.object))
        };
        self.same_context(object)
    }

    /// The same set.
    pub fn copy(&self) -> Result<Set, IslError> {
        // SAFETY: isl counts the references of the object.
        self.same_context(unsafe { (self.context.functions.set_copy)(self.object) })
    }

    /// The number of elements, of all parameters together, if it is finite.
    pub fn count(&self) -> Result<Option<u64>, IslError> {
        self.context.check_time()?;
        // SAFETY: isl keeps the set and returns a value, which nobody else has.
        unsafe { self.context.number((self.context.functions.set_count)(self.object)) }
    }

    /// Disjoint convex sets, each of one conjunction of constraints, whose union it is: few, where isl finds few.
    pub fn pieces(&self) -> Result<Vec<Set>, IslError> {
        self.context.check_time()?;
        let functions = &self.context.functions;
        // SAFETY: isl takes copies; every object that it returns is owned by a set of ours, or freed.
        unsafe {
            let mut all = self.same_context((functions.set_coalesce)((functions.set_copy)(self.object)))?;
            let mut list = (functions.set_basic_sets)(all.object);
            if (functions.basic_sets_size)(list) > 1 {
                (functions.basic_sets_free)(list);
                let disjoint = (functions.set_make_disjoint)((functions.set_copy)(all.object));
                all = self.same_context((functions.set_coalesce)(disjoint))?;
                list = (functions.set_basic_sets)(all.object);
            }
            let size = (functions.basic_sets_size)(list);
            let pieces = (0..size.max(0)).map(|index| {
                self.same_context((functions.set_from_basic_set)((functions.basic_sets_at)(list, index)))
            });
            let pieces = pieces.collect();
            (functions.basic_sets_free)(list);
            if size < 0 { Err(self.context.too_complex()) } else { pieces }
        }
    }

    /// The constraints of one piece: of [`Set::pieces`], or of the affine hull.
    fn constraints_of(&self, piece: Object) -> Result<Constraints, IslError> {
        let functions = &self.context.functions;
        let rows = |of: Columns| {
            // SAFETY: isl keeps the piece, and returns a matrix that is freed here with all of its values.
            unsafe {
                let matrix = of(piece, DIM_CONSTANT, DIM_PARAMETER, DIM_SET as c_int, DIM_LOCAL);
                if matrix.is_null() {
                    return Err(self.context.too_complex());
                }
                let (height, width) = ((functions.matrix_rows)(matrix), (functions.matrix_columns)(matrix));
                let value = |row, column| {
                    let value = (functions.matrix_at)(matrix, row, column);
                    let text = self.context.text((functions.val_to_str)(value));
                    (functions.val_free)(value);
                    text.and_then(|text| text.parse().map_err(|_| self.context.too_complex()))
                };
                let rows = (0..height).map(|row| (0..width).map(|column| value(row, column)).collect());
                let rows: Result<Vec<Vec<i64>>, _> = rows.collect();
                (functions.matrix_free)(matrix);
                rows.map(|rows| (rows, width as usize))
            }
        };
        let (equalities, columns) = rows(functions.basic_set_equalities)?;
        let (inequalities, _) = rows(functions.basic_set_inequalities)?;
        Ok(Constraints { equalities, inequalities, columns })
    }

    /// The constraints of a set that is one piece.
    pub fn constraints(&self) -> Result<Constraints, IslError> {
        let functions = &self.context.functions;
        // SAFETY: isl keeps the set; the list and its element are freed after use.
        unsafe {
            let list = (functions.set_basic_sets)(self.object);
            if (functions.basic_sets_size)(list) != 1 {
                (functions.basic_sets_free)(list);
                return Err(IslError::Rejected(self.text()?));
            }
            let piece = (functions.basic_sets_at)(list, 0);
            let constraints = self.constraints_of(piece);
            (functions.basic_set_free)(piece);
            (functions.basic_sets_free)(list);
            constraints
        }
    }

    /// The equalities that all elements satisfy, independent of each other.
    pub fn equalities(&self) -> Result<Constraints, IslError> {
        self.context.check_time()?;
        let functions = &self.context.functions;
        // SAFETY: isl takes a copy; the hull is freed after use.
        unsafe {
            let hull = (functions.set_affine_hull)((functions.set_copy)(self.object));
            if hull.is_null() {
                return Err(self.context.too_complex());
            }
            let constraints = self.constraints_of(hull);
            (functions.basic_set_free)(hull);
            constraints
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

/// What isl knows of a convex set, by rows whose columns are the constant, the parameters, the dimensions, and the local
/// variables of divisions.
pub struct Constraints {
    /// Rows whose sum of products is 0.
    pub equalities: Vec<Vec<i64>>,
    /// Rows whose sum of products is 0 or more.
    pub inequalities: Vec<Vec<i64>>,
    /// The length of a row.
    pub columns: usize,
}

/// Loops that go through the elements of sets, in an order. Values are expressions of C.
#[derive(Debug)]
pub enum Scan {
    /// `for (iterator = first; condition; iterator += step)`.
    Loop {
        /// The name of the iterator.
        iterator: String,
        /// Its first value.
        first: String,
        /// While it holds the loop goes on.
        condition: String,
        /// What is added to the iterator.
        step: String,
        /// What is executed.
        body: Box<Scan>,
    },
    /// A guard.
    If {
        /// The condition.
        condition: String,
        /// If it holds.
        then: Box<Scan>,
        /// If not.
        otherwise: Option<Box<Scan>>,
    },
    /// One after the other.
    Sequence(Vec<Scan>),
    /// An element: the name of its set, and its coordinates.
    Element(String, Vec<String>),
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

    /// Loops that go through the elements of named sets in the order in which this relation, a schedule, places them. Of
    /// the parameters holds what `context` says; `options` are isl's for the dimensions, as `{ [i] -> separate[0] }`.
    pub fn scan(&self, elements: &[Set], context: &Set, options: &Relation) -> Result<Scan, IslError> {
        self.context.check_time()?;
        let functions = &self.context.functions;
        // SAFETY: isl takes copies, and unions that it has made of copies; the nodes are freed by `scanned`.
        unsafe {
            let copy = |set: &Set| (functions.union_from_set)((functions.set_copy)(set.object));
            let Some((first, others)) = elements.split_first() else { return Ok(Scan::Sequence(Vec::new())) };
            let all = others.iter().fold(copy(first), |all, set| (functions.union_of_sets)(all, copy(set)));
            let schedule = (functions.map_restrict)((functions.map_copy)(self.object), all);
            let build = (functions.build_from_context)((functions.set_copy)(context.object));
            let build = (functions.build_options)(build, (functions.map_copy)(options.object));
            let node = (functions.build_node)(build, schedule);
            (functions.build_free)(build);
            self.scanned(node)
        }
    }

    /// A node of isl's syntax tree, which is freed.
    ///
    /// # Safety
    /// The object is such a node that belongs to nobody else, or null.
    unsafe fn scanned(&self, node: Object) -> Result<Scan, IslError> {
        /// `isl_ast_node_for`, `_if`, `_block`.
        const FOR: c_int = 1;
        const IF: c_int = 2;
        const BLOCK: c_int = 3;
        let functions = &self.context.functions;
        if node.is_null() {
            return Err(self.context.too_complex());
        }
        // SAFETY: the node lives until it is freed below; what isl returns of it belongs to the caller.
        unsafe {
            let text = |of: Unary| self.context.c_text(of(node));
            let child = |of: Unary| self.scanned(of(node)).map(Box::new);
            let scan = (|| {
                Ok(match (functions.node_type)(node) {
                    FOR => Scan::Loop {
                        iterator: text(functions.for_iterator)?,
                        first: text(functions.for_init)?,
                        condition: text(functions.for_condition)?,
                        step: text(functions.for_increment)?,
                        body: child(functions.for_body)?,
                    },
                    IF => Scan::If {
                        condition: text(functions.if_condition)?,
                        then: child(functions.if_then)?,
                        otherwise: match (functions.if_has_else)(node) {
                            1 => Some(child(functions.if_else)?),
                            _ => None,
                        },
                    },
                    BLOCK => {
                        let list = (functions.block_children)(node);
                        let size = (functions.nodes_size)(list);
                        let scans =
                            (0..size.max(0)).map(|index| self.scanned((functions.nodes_at)(list, index)));
                        let scans: Result<Vec<_>, _> = scans.collect();
                        (functions.nodes_free)(list);
                        Scan::Sequence(scans?)
                    }
                    _ => {
                        let call = (functions.user_expression)(node);
                        let size = (functions.call_arguments)(call);
                        let argument = |index| self.context.c_text((functions.call_argument)(call, index));
                        let parts: Result<Vec<_>, _> = (0..size.max(0)).map(argument).collect();
                        (functions.expr_free)(call);
                        let mut parts = parts?.into_iter();
                        Scan::Element(parts.next().unwrap_or_default(), parts.collect())
                    }
                })
            })();
            (functions.node_free)(node);
            scan
        }
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
