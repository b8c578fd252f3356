/* A rule pack with a fault in each of its rules, for the tests of `mooncake pack check`. */
#include "mooncake_pack.h"
#include <fenv.h>
#include <math.h>
#include <stdlib.h>

/* One function for both float types. */
#define FUNCTION(name, ...) \
    static float name##_f32(float x) { typedef float T; (void)sizeof(T); __VA_ARGS__ } \
    static double name##_f64(double x) { typedef double T; (void)sizeof(T); __VA_ARGS__ }
#define TOGETHER(name, ...) \
    static float name##_both_f32(float x, float *partials) { typedef float T; (void)sizeof(T); __VA_ARGS__ } \
    static double name##_both_f64(double x, double *partials) { typedef double T; (void)sizeof(T); __VA_ARGS__ }
#define NATIVE(name) .native_f32 = (const void *)name##_f32, .native_f64 = (const void *)name##_f64
#define BOTH(name) \
    .with_partials_f32 = (const void *)name##_both_f32, .with_partials_f64 = (const void *)name##_both_f64
#define ON(low, high) .domain = MOONCAKE_LIST(mooncake_range, {low, high})
#define PARTIAL(text) .partials = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT(text))

FUNCTION(square, return (T)(x * x);)
FUNCTION(square_or_nan, return (T)(x > (T)1.5 ? (T)NAN : x * x);)
TOGETHER(wrong_value, partials[0] = 2 * x; return (T)1.001 * x * x;)
TOGETHER(wrong_together, partials[0] = (T)2.01 * x; return x * x;)
TOGETHER(writes_behind, partials[0] = 2 * x; partials[1] = 1; return x * x;)
TOGETHER(writes_before, partials[0] = 2 * x; partials[-1] = 1; return x * x;)
TOGETHER(writes_nothing, (void)partials; return x * x;)

static float wrong_width_f32(float x) { return x * x + 0.01f; }
#define wrong_width_f64 square_f64

static volatile double remembered;
FUNCTION(remembers, T last = (T)remembered; remembered = x; return x * x + (T)1e-3 * last;)

/* Right on one thread: what it keeps it reads back at once. */
static volatile double kept;
FUNCTION(shares, volatile int i; kept = x; for (i = 0; i < 3000; i++) {} T own = (T)kept; return own * own;)

FUNCTION(rounds, fesetround(FE_TOWARDZERO); return x * x;)
FUNCTION(crashes, volatile T *nowhere = (volatile T *)(size_t)(x > 1000); return *nowhere + x;)
FUNCTION(aborts, if (x < 1000) abort(); return x;)
FUNCTION(leaves, if (x < 1000) exit(0); return x;)
FUNCTION(hangs, volatile int more = 1; while (more) {} return x;)

static const mooncake_scalar_entry SCALARS[] = {
    MOONCAKE_SCALAR("right(x: T) -> T", ON(-1, 1), PARTIAL("2 * x"), NATIVE(square),
        .wgsl = MOONCAKE_TEXT("fn mc_right(x: f32) -> f32 { return x * x; }")),
    MOONCAKE_SCALAR("wrong_partial(x: T) -> T", ON(0.5, 1), PARTIAL("2.01 * x"), NATIVE(square)),
    /* Right as a number, but nobody can differentiate it. */
    MOONCAKE_SCALAR("wrong_curvature(x: T) -> T", ON(0.5, 1), PARTIAL("from_bits(to_bits(2 * x))"), NATIVE(square)),
    MOONCAKE_SCALAR("wrong_value(x: T) -> T", ON(0.5, 1), PARTIAL("2 * x"), NATIVE(square), BOTH(wrong_value)),
    MOONCAKE_SCALAR("wrong_together(x: T) -> T", ON(0.5, 1), PARTIAL("2 * x"), NATIVE(square), BOTH(wrong_together)),
    MOONCAKE_SCALAR("wrong_width(x: T) -> T", ON(0.5, 1), PARTIAL("2 * x"), NATIVE(wrong_width)),
    MOONCAKE_SCALAR("wrong_body(x: T) -> T", ON(0.5, 1), PARTIAL("2 * x"), NATIVE(square),
        .context = MOONCAKE_CONTEXT_DEFAULT, .body = MOONCAKE_TEXT("1.001 * x * x")),
    MOONCAKE_SCALAR("writes_behind(x: T) -> T", ON(0.5, 1), PARTIAL("2 * x"), NATIVE(square), BOTH(writes_behind)),
    MOONCAKE_SCALAR("writes_before(x: T) -> T", ON(0.5, 1), PARTIAL("2 * x"), NATIVE(square), BOTH(writes_before)),
    MOONCAKE_SCALAR("writes_nothing(x: T) -> T", ON(0.5, 1), PARTIAL("2 * x"), NATIVE(square), BOTH(writes_nothing)),
    MOONCAKE_SCALAR("remembers(x: T) -> T", ON(0.5, 1), PARTIAL("2 * x"), NATIVE(remembers)),
    MOONCAKE_SCALAR("shares(x: T) -> T", ON(0.5, 1), PARTIAL("2 * x"), NATIVE(shares)),
    MOONCAKE_SCALAR("rounds(x: T) -> T", ON(0.5, 1), PARTIAL("2 * x"), NATIVE(rounds)),
    MOONCAKE_SCALAR("crashes(x: T) -> T", ON(0.5, 1), PARTIAL("1"), NATIVE(crashes)),
    MOONCAKE_SCALAR("aborts(x: T) -> T", ON(0.5, 1), PARTIAL("1"), NATIVE(aborts)),
    MOONCAKE_SCALAR("leaves(x: T) -> T", ON(0.5, 1), PARTIAL("1"), NATIVE(leaves)),
    MOONCAKE_SCALAR("hangs(x: T) -> T", ON(0.5, 1), PARTIAL("1"), NATIVE(hangs)),
    MOONCAKE_SCALAR("nan_in_domain(x: T) -> T", ON(-2, 2), PARTIAL("2 * x"), NATIVE(square_or_nan)),
    MOONCAKE_SCALAR("wrong_domain(x: T) -> T", ON(-1e-30, 1e-30), PARTIAL("0"), .body = MOONCAKE_TEXT("1 / x")),
    MOONCAKE_SCALAR("wrong_wgsl(x: T) -> T", ON(0.5, 1), PARTIAL("2 * x"), NATIVE(square),
        .wgsl = MOONCAKE_TEXT("fn mc_wrong_wgsl(x: f32) -> f32 { return x * x * 1.001; }")),
    MOONCAKE_SCALAR("wrong_wgsl_of_f64(x: T) -> T", ON(0.5, 1), PARTIAL("2 * x"), NATIVE(square),
        .wgsl = MOONCAKE_TEXT("fn mc_wrong_wgsl_of_f64(x: f32) -> f32 { return x * x; }\n"
                              "// f64\n"
                              "fn mc_wrong_wgsl_of_f64_f64(x: f64) -> f64 { return x * x * 1.001lf; }")),
    /* What the loop leaves behind would be right. */
    MOONCAKE_SCALAR("endless_wgsl(x: T) -> T", ON(0.5, 1), PARTIAL("2 * x"), NATIVE(square),
        .wgsl = MOONCAKE_TEXT("fn mc_endless_wgsl(x: f32) -> f32 {\n"
                              "    var y = x;\n"
                              "    loop { y = x * x; if y < -1.0 { break; } }\n"
                              "    return x * x;\n"
                              "}")),
};

static const mooncake_rule_entry RULES[] = {
    MOONCAKE_RULE("wrong_pullback(a: array<T>) -> array<T>",
        .body = MOONCAKE_TEXT("sum(a * a)"),
        .pullback = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("3 * a * dy"))),
    MOONCAKE_RULE("wrong_shape(a: array<T>) -> array<T>",
        .body = MOONCAKE_TEXT("sum(a * a)"),
        .pullback = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("sum(2 * a * dy)"))),
    MOONCAKE_RULE("wrong_tangent(a: array<T>) -> array<T>",
        .body = MOONCAKE_TEXT("sum(a * a)"),
        .pullback = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("2 * a * dy")),
        .tangent = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("sum(a * dx)"))),
    MOONCAKE_RULE("without_case(a: array<T>) -> array<T>",
        .body = MOONCAKE_TEXT("sum(a * a)"),
        .pullback = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("2 * a * dy"))),
};

/* The elements squared, in machine code, and what else `how` says. */
static volatile double kept_for_all;
enum { WRONG_BODY, FORGETS, SHARES, ROUNDS, NO_RESULT, CRASHES, FAILS, NOTHING };
static uint32_t squares(const mooncake_call *call, int how) {
    const mooncake_view *a = &call->args[0];
    size_t i;
    void *out = NULL;
    volatile size_t nowhere = 8;
    if (how == CRASHES) out = (void *)nowhere;
    if (how == FAILS) {
        mooncake_text text = MOONCAKE_TEXT("it does not feel like it");
        call->services->set_error(call->context, text);
        return MOONCAKE_FAILED;
    }
    if (how == NO_RESULT) return MOONCAKE_OK;
    if (how != CRASHES) out = call->services->allocate(call->context, &call->results[0], a->rank, a->shape);
    if (how == ROUNDS) fesetround(FE_UPWARD);
    for (i = 0; i < a->len; i++) {
        int narrow = call->float_ == MOONCAKE_DTYPE_F32;
        double x = narrow ? ((const float *)a->data)[i] : ((const double *)a->data)[i];
        double y = x * x;
        if (how == WRONG_BODY) y *= 1.01;
        if (how == FORGETS) y += 1e-3 * (kept_for_all = kept_for_all + 1);
        if (how == SHARES) {
            volatile int wait;
            kept_for_all = x;
            for (wait = 0; wait < 30000; wait++) {}
            y = kept_for_all * kept_for_all;
        }
        if (narrow) ((float *)out)[i] = (float)y; else ((double *)out)[i] = y;
    }
    return MOONCAKE_OK;
}
#define SQUARES(name, how) static uint32_t name(const mooncake_call *call) { return squares(call, how); }
SQUARES(native_body, WRONG_BODY)
SQUARES(native_forgets, FORGETS)
SQUARES(native_shares, SHARES)
SQUARES(native_rounds, ROUNDS)
SQUARES(native_no_result, NO_RESULT)
SQUARES(native_crashes, CRASHES)
SQUARES(native_fails, FAILS)
SQUARES(native_reverse_only, NOTHING)
#define SQUARES_ROW(name, ...) \
    MOONCAKE_NATIVE(#name "(a: array<T>) -> array<T>", .primal = (const void *)name, \
        .context = MOONCAKE_CONTEXT_MINIMAL, \
        .pullback = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("2 * a * dy")), \
        .tangent = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("2 * a * dx")) __VA_ARGS__)


/* The sum of the squares of a slice, and its double in place, with rules in machine code, and what else `how` says. */
enum { RIGHT, OVERWRITES, STRAYS, WRONG_BACK, WRITES_INPUT, KEEPS, WRONG_FORWARD, WRONG_FRULE, ASKS_BOTH, MOVES_BOTH };
static const int HOW[] = { RIGHT, OVERWRITES, STRAYS, WRONG_BACK, WRITES_INPUT, KEEPS, WRONG_FORWARD, WRONG_FRULE, ASKS_BOTH, MOVES_BOTH };

static double get(const mooncake_view *view, size_t i) {
    return view->dtype == MOONCAKE_DTYPE_F32 ? ((const float *)view->data)[i] : ((const double *)view->data)[i];
}
static void put(const mooncake_view *view, size_t i, double x) {
    if (view->dtype == MOONCAKE_DTYPE_F32) ((float *)view->data)[i] = (float)x;
    else ((double *)view->data)[i] = x;
}

static uint32_t total(const mooncake_call *call, int how) {
    const mooncake_view *x = &call->args[0];
    double sum = 0;
    size_t i;
    for (i = 0; i < x->len; i++) sum += get(x, i) * get(x, i);
    put(&call->results[0], 0, sum);
    if (how == WRITES_INPUT) put(x, 0, 1.25);
    return MOONCAKE_OK;
}
static uint32_t total_back(void *data, const mooncake_call *call) {
    const mooncake_view *x = &call->args[0], *to = &call->cotangents[0];
    int how = *(const int *)data;
    size_t i;
    if (to->kind == MOONCAKE_KIND_ABSENT) return MOONCAKE_OK;
    for (i = 0; i < x->len; i++) {
        double own = get(&call->seeds[0], 0) * get(x, i) * (how == WRONG_BACK ? 3 : 2);
        put(to, i, how == OVERWRITES ? own : get(to, i) + own);
    }
    if (how == STRAYS) put(to, to->len, 1);
    return MOONCAKE_OK;
}
static uint32_t total_rrule(const mooncake_call *call, int how) {
    call->pullback->data = (void *)&HOW[how];
    call->pullback->call = (const void *)total_back;
    total(call, how);
    if (how == WRONG_FORWARD) put(&call->results[0], 0, 1.01 * get(&call->results[0], 0));
    return MOONCAKE_OK;
}
static uint32_t total_frule(const mooncake_call *call, int how) {
    const mooncake_view *x = &call->args[0], *dx = &call->tangents[0];
    double sum = 0;
    size_t i;
    total(call, how);
    for (i = 0; i < x->len && dx->kind != MOONCAKE_KIND_ABSENT; i++)
        sum += (how == WRONG_FRULE ? 3 : 2) * get(x, i) * get(dx, i);
    put(&call->result_tangents[0], 0, sum);
    return MOONCAKE_OK;
}

static uint32_t twice(const mooncake_call *call, int how) {
    const mooncake_view *x = &call->args[0];
    size_t i;
    (void)how;
    for (i = 0; i < x->len; i++) put(x, i, 2 * get(x, i));
    return MOONCAKE_OK;
}
static uint32_t twice_back(void *data, const mooncake_call *call) {
    const mooncake_view *x = &call->args[0], *to = &call->cotangents[0];
    size_t i;
    for (i = 0; i < x->len; i++) {
        if (*(const int *)data != KEEPS) put(x, i, get(x, i) / 2);
        put(to, i, 2 * get(to, i));
    }
    return MOONCAKE_OK;
}
static uint32_t twice_rrule(const mooncake_call *call, int how) {
    call->pullback->data = (void *)&HOW[how];
    call->pullback->call = (const void *)twice_back;
    return twice(call, how);
}
static uint32_t twice_frule(const mooncake_call *call, int how) {
    size_t i;
    for (i = 0; i < call->tangents[0].len; i++) put(&call->tangents[0], i, 2 * get(&call->tangents[0], i));
    return twice(call, how);
}

/* The sum of the squares of two slices; with ASKS_BOTH the first cotangent is there only if the second is asked for, too, with
   MOVES_BOTH an absent tangent is taken for ones. */
static uint32_t pair(const mooncake_call *call, int how) {
    double sum = 0;
    size_t n, i;
    (void)how;
    for (n = 0; n < 2; n++)
        for (i = 0; i < call->args[n].len; i++) sum += get(&call->args[n], i) * get(&call->args[n], i);
    put(&call->results[0], 0, sum);
    return MOONCAKE_OK;
}
static uint32_t pair_back(void *data, const mooncake_call *call) {
    size_t n, i;
    for (n = 0; n < 2; n++) {
        const mooncake_view *x = &call->args[n], *to = &call->cotangents[n];
        if (to->kind == MOONCAKE_KIND_ABSENT) continue;
        if (*(const int *)data == ASKS_BOTH && n == 0 && call->cotangents[1].kind == MOONCAKE_KIND_ABSENT) continue;
        for (i = 0; i < x->len; i++) put(to, i, get(to, i) + 2 * get(&call->seeds[0], 0) * get(x, i));
    }
    return MOONCAKE_OK;
}
static uint32_t pair_rrule(const mooncake_call *call, int how) {
    call->pullback->data = (void *)&HOW[how];
    call->pullback->call = (const void *)pair_back;
    return pair(call, how);
}
static uint32_t pair_frule(const mooncake_call *call, int how) {
    double sum = 0;
    size_t n, i;
    for (n = 0; n < 2; n++)
        for (i = 0; i < call->args[n].len; i++) {
            int absent = call->tangents[n].kind == MOONCAKE_KIND_ABSENT;
            double tangent = absent ? how == MOVES_BOTH : get(&call->tangents[n], i);
            sum += 2 * get(&call->args[n], i) * tangent;
        }
    put(&call->result_tangents[0], 0, sum);
    return pair(call, how);
}

#define OWN_RULES(function, name, how) \
    static uint32_t name(const mooncake_call *call) { return function(call, how); } \
    static uint32_t name##_rrule(const mooncake_call *call) { return function##_rrule(call, how); } \
    static uint32_t name##_frule(const mooncake_call *call) { return function##_frule(call, how); }
#define OWN_ROW(name, parameters) \
    MOONCAKE_NATIVE(#name parameters, .context = MOONCAKE_CONTEXT_MINIMAL, .primal = (const void *)name, \
        .rrule = (const void *)name##_rrule, .frule = (const void *)name##_frule)
OWN_RULES(total, rule_right, RIGHT)
OWN_RULES(total, rule_overwrites, OVERWRITES)
OWN_RULES(total, rule_strays, STRAYS)
OWN_RULES(total, rule_wrong_back, WRONG_BACK)
OWN_RULES(total, rule_writes_input, WRITES_INPUT)
OWN_RULES(total, rule_wrong_forward, WRONG_FORWARD)
OWN_RULES(total, rule_wrong_frule, WRONG_FRULE)
OWN_RULES(twice, rule_in_place, RIGHT)
OWN_RULES(twice, rule_keeps, KEEPS)
OWN_RULES(pair, rule_of_two, RIGHT)
OWN_RULES(pair, rule_asks_both, ASKS_BOTH)
OWN_RULES(pair, rule_moves_both, MOVES_BOTH)
OWN_RULES(pair, rule_of_equals, RIGHT)
OWN_RULES(total, rule_of_one, RIGHT)


static const mooncake_native_entry NATIVES[] = {
    SQUARES_ROW(native_body, , .body = MOONCAKE_TEXT("a * a")),
    SQUARES_ROW(native_forgets),
    SQUARES_ROW(native_shares),
    SQUARES_ROW(native_rounds),
    SQUARES_ROW(native_no_result),
    SQUARES_ROW(native_crashes),
    SQUARES_ROW(native_fails),
    /* Right, and for reverse mode alone. */
    MOONCAKE_NATIVE("native_reverse_only(a: array<T>) -> array<T>", .primal = (const void *)native_reverse_only,
        .context = MOONCAKE_CONTEXT_MINIMAL,
        .pullback = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("2 * a * dy"))),
    OWN_ROW(rule_right, "(x: &[T]) -> T"),
    OWN_ROW(rule_overwrites, "(x: &[T]) -> T"),
    OWN_ROW(rule_strays, "(x: &[T]) -> T"),
    OWN_ROW(rule_wrong_back, "(x: &[T]) -> T"),
    OWN_ROW(rule_writes_input, "(x: &[T]) -> T"),
    OWN_ROW(rule_wrong_forward, "(x: &[T]) -> T"),
    OWN_ROW(rule_wrong_frule, "(x: &[T]) -> T"),
    OWN_ROW(rule_in_place, "(x: &mut [T]) -> ()"),
    OWN_ROW(rule_keeps, "(x: &mut [T]) -> ()"),
    OWN_ROW(rule_of_two, "(x: &[T], z: &[T]) -> T"),
    OWN_ROW(rule_asks_both, "(x: &[T], z: &[T]) -> T"),
    OWN_ROW(rule_moves_both, "(x: &[T], z: &[T]) -> T"),
    OWN_ROW(rule_of_equals, "(x: &[T], z: &[T]) -> T"),
    OWN_ROW(rule_of_one, "(x: &[T]) -> T"),
};

#define ONE MOONCAKE_ARRAY(MOONCAKE_LIST(size_t, 3), 1.5, -2.0, 0.5)
#define OTHER MOONCAKE_ARRAY(MOONCAKE_LIST(size_t, 3), 0.25, 1.0, -1.5)
static const mooncake_case_entry CASES[] = {
    MOONCAKE_CASE("wrong_pullback", ONE),
    MOONCAKE_CASE("wrong_shape", ONE),
    MOONCAKE_CASE("wrong_tangent", ONE),
    MOONCAKE_CASE("native_body", ONE),
    MOONCAKE_CASE("native_forgets", ONE),
    MOONCAKE_CASE("native_shares", ONE),
    MOONCAKE_CASE("native_rounds", ONE),
    MOONCAKE_CASE("native_no_result", ONE),
    MOONCAKE_CASE("native_crashes", ONE),
    MOONCAKE_CASE("native_fails", ONE),
    MOONCAKE_CASE("native_reverse_only", ONE),
    MOONCAKE_CASE("rule_keeps", ONE),
    MOONCAKE_CASE("rule_in_place", ONE),
    MOONCAKE_CASE("rule_wrong_frule", ONE),
    MOONCAKE_CASE("rule_wrong_forward", ONE),
    MOONCAKE_CASE("rule_writes_input", ONE),
    MOONCAKE_CASE("rule_wrong_back", ONE),
    MOONCAKE_CASE("rule_strays", ONE),
    MOONCAKE_CASE("rule_overwrites", ONE),
    MOONCAKE_CASE("rule_right", ONE),
    MOONCAKE_CASE("rule_of_two", ONE, OTHER),
    MOONCAKE_CASE("rule_asks_both", ONE, OTHER),
    MOONCAKE_CASE("rule_moves_both", ONE, OTHER),
    MOONCAKE_CASE("rule_of_equals", ONE, ONE),
    MOONCAKE_CASE("rule_of_one", ONE),
    MOONCAKE_CASE("rule_of_one", ONE, OTHER),
    MOONCAKE_CASE("misspelled", ONE),
};

MOONCAKE_PACK("planted", "0.1.0", "MIT", "", MOONCAKE_SCALARS(SCALARS), MOONCAKE_RULES(RULES),
    MOONCAKE_NATIVES(NATIVES), MOONCAKE_CASES(CASES))
