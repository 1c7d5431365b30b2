//! User functions: which are rejected, and how they are compiled.

use codegen_shim::{
    Combiner, Error, KERNELS, KernelSpec, Mapper, Op, ReductionList, Source, Type, UserModule, Variable,
    emit_kernels, kernel_ptx,
};
use toolchain::{OptLevel, Tools};

const PAIR: Type = Type::Struct(&[Type::F32, Type::I32]);

const PAIR_C: &str = "
typedef struct { float value; int index; } Pair;
static int is_better(const Pair *a, const Pair *b) { return a->value < b->value; }
__attribute__((noinline)) void better(Pair *into, const Pair *from) {
  if (is_better(from, into)) *into = *from;
}
void better_identity(Pair *into) { into->value = 1.0f / 0.0f; into->index = -1; }
void swapped(Pair *out, const int *index, const float *value) { out->value = *value; out->index = *index; }
";

fn tools() -> Tools {
    Tools::find().unwrap_or_else(|error| panic!("{error}"))
}

fn rejection(module: UserModule, function: &str, identity: Option<&[&str]>) -> String {
    match Combiner::load(&tools(), "file", module, function, PAIR, identity) {
        Err(error @ Error::UserFunction { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn errors_say_what_is_wrong() {
    let c = |text, function| rejection(UserModule::C(text), function, None);
    let missing = c("void other(int *a, const int *b) {}", "f");
    assert_eq!(missing, "file:f: the module does not define `f`");
    let fewer = c("void f(int *a) {}", "f");
    assert!(
        fewer.contains(
            "`f` has type `void (ptr)`, but must have type `void (ptr, ptr)`, with parameters into, from"
        ),
        "{fewer}"
    );
    let returns = c("int f(int *a, const int *b) { return *a + *b; }", "f");
    assert!(returns.contains("`f` has type `i32 (ptr, ptr)`"), "{returns}");
    let by_value = c("void f(int *a, int b) { *a += b; }", "f");
    assert!(by_value.contains("`f` has type `void (ptr, i32)`"), "{by_value}");
    let undefined = c(
        "extern int g(int); extern int v; void f(void *a, const void *b) { *(int *)a = g(*(int *)b) + v; }",
        "f",
    );
    assert!(undefined.contains("undefined symbol(s): `v`, `g`"), "{undefined}");
    let library = c(
        "void f(void *a, const void *b) { *(double *)a = __builtin_pow(*(double *)a, *(double *)b); }",
        "f",
    );
    assert!(library.contains("file:f: LLVM cannot compile it for a GPU"), "{library}");
    assert!(library.contains("Cannot select") && library.contains("fpow"), "{library}");
    let wrong = c("void f(int *a, const int *b) { *a = c; }", "f");
    assert!(wrong.contains("undeclared identifier"), "{wrong}");
    let types = c("typedef float Number; void f(Number *a, const Number *b) { *a += *b; }", "f");
    assert_eq!(
        types,
        "file:f: `f` has type `void (Number *, const Number *)`, but must have type `void (struct { float; int32_t; } *, \
         const struct { float; int32_t; } *)` for values of type {f32,i32}"
    );
    let signed =
        c("struct p { float a; unsigned b; }; void f(struct p *a, const struct p *b) { a->b = b->b; }", "f");
    assert!(signed.contains("has type `void (struct p *, const struct p *)`"), "{signed}");
    let no_ir = rejection(UserModule::Ir("define void @f(ptr %a, ptr %b) { oops }"), "f", None);
    assert!(no_ir.contains("oops"), "{no_ir}");
    let name = c("", "f,g");
    assert!(name.contains("not a function name"), "{name}");
}

#[test]
fn llvm_ir_needs_no_target() {
    let text = "define void @f(ptr %into, ptr %from) {
  %a = load i32, ptr %into
  %b = load i32, ptr %from
  %sum = add i32 %a, %b
  store i32 %sum, ptr %into
  ret void
}";
    let loaded = Combiner::load(&tools(), "f.ll", UserModule::Ir(text), "f", Type::I32, Some(&["0"]));
    let combiner = loaded.unwrap_or_else(|error| panic!("{error}"));
    let source = Source::Array(0);
    let list = vec![Variable { name: "s".to_owned(), ty: Type::I32, op: Op::User(combiner), source }];
    let list = ReductionList::new(list).expect("a legal list");
    let spec = KernelSpec::new(list, vec![Type::I32], 64).expect("a legal kernel");
    kernel_ptx(&tools(), &spec, 90, OptLevel::O2).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn identities_are_constants() {
    let with = |identity: &str| {
        let text =
            format!("typedef struct {{ float a; int b; }} P; void f(P *a, const P *b) {{}}\n{identity}");
        rejection(UserModule::C(&text), "f", None)
    };
    let partial = with("void f_identity(P *p) { p->a = 0; }");
    assert!(partial.contains("`f_identity` does not store a constant to all of {f32,i32}"), "{partial}");
    let varying = with("int n; void f_identity(P *p) { p->a = 0; p->b = n++; }");
    assert!(varying.contains("does not store a constant"), "{varying}");
    let signature = with("int f_identity(P *p) { return 0; }");
    assert!(signature.contains("`f_identity` has type `i32 (ptr)`"), "{signature}");
    let given = |values: &[&str]| rejection(UserModule::C(PAIR_C), "better", Some(values));
    assert!(given(&["0"]).contains("its identity has 1 scalar(s), but {f32,i32} has 2"));
    assert!(given(&["0", "x"]).contains("`x` is not a value of i32"));
}

#[test]
fn calls_are_inlined() {
    let tools = tools();
    let module = UserModule::C(PAIR_C);
    let better = Combiner::load(&tools, "pair.c", module, "better", PAIR, None).expect("a combiner");
    let swapped = Mapper::load(&tools, "pair.c", module, "swapped").expect("a map");
    assert_eq!((better.name(), swapped.inputs()), ("pair.c:better", 2));
    let again = Combiner::load(&tools, "pair.c", module, "better", PAIR, None).expect("a combiner");
    assert!(std::ptr::eq(better, again));
    let source = Source::map(swapped, &[1, 0]);
    let variable = |op| Variable { name: "best".to_owned(), ty: PAIR, op: Op::User(op), source };
    // Without an identity a flag is stored, but the code needs no call either.
    let flagged = "typedef struct { float value; int index; } Pair;
                   void f(Pair *into, const Pair *from) { if (from->value < into->value) *into = *from; }";
    let flagged = Combiner::load(&tools, "f.c", UserModule::C(flagged), "f", PAIR, None).expect("a combiner");
    for (combiner, bytes) in [(better, 8), (flagged, 12)] {
        let list = ReductionList::new(vec![variable(combiner)]).expect("a legal list");
        assert_eq!(list.record().size, bytes);
        let spec = KernelSpec::new(list, vec![Type::F32, Type::I32], 256).expect("a legal kernel");
        let ir = emit_kernels(&spec);
        assert!(ir.contains("call void @warpfold_user_"), "{ir}");
        for opt in [OptLevel::O0, OptLevel::O2] {
            let ptx = kernel_ptx(&tools, &spec, 90, opt).unwrap_or_else(|error| panic!("{error}"));
            let report = tools.ptxas_check(&ptx, 90).unwrap_or_else(|error| panic!("{error}"));
            let names = |line: &&str| line.contains("warpfold_user_") && !line.starts_with('$');
            assert_eq!(ptx.lines().find(names), None, "{opt}");
            if opt == OptLevel::O2 {
                assert!(!ptx.contains("call") && !ptx.contains(".local"), "{ptx}");
                for kernel in KERNELS {
                    assert_eq!(report.function(kernel).map(|kernel| kernel.stack), Some(0), "{kernel}");
                }
            }
        }
    }
}

#[test]
fn types_and_arity_are_checked() {
    let tools = tools();
    let module = UserModule::C(PAIR_C);
    let better = Combiner::load(&tools, "pair.c", module, "better", PAIR, None).expect("a combiner");
    let swapped = Mapper::load(&tools, "pair.c", module, "swapped").expect("a map");
    let variable = |ty, source| Variable { name: "best".to_owned(), ty, op: Op::User(better), source };
    let error = ReductionList::new(vec![variable(Type::F32, Source::Array(0))]).unwrap_err().to_string();
    assert_eq!(error, "reduction variable `best` has type f32, but pair.c:better combines {f32,i32}");
    let list = ReductionList::new(vec![variable(PAIR, Source::map(swapped, &[0]))]).expect("a legal list");
    let error = KernelSpec::new(list, vec![Type::F32], 64).unwrap_err().to_string();
    assert!(error.contains("`best`: pair.c:swapped takes 2 element(s), but 1 array(s) are given"), "{error}");
    let list = ReductionList::new(vec![variable(PAIR, Source::map(swapped, &[0, 1]))]).expect("a legal list");
    let error = KernelSpec::new(list, vec![Type::F32, Type::I32], 64).unwrap_err().to_string();
    let found =
        "pair.c:swapped: `swapped` has type `void (Pair *, const int *, const float *)`, but must have type";
    assert!(
        error.contains(found) && error.contains("for values of the types {f32,i32}, f32, i32"),
        "{error}"
    );
}
