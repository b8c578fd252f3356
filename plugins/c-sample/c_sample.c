/* A rule pack in C99: the cube and the length of a vector, with their derivatives; running sums of
 * arrays, whose derivatives are expressions; and the logarithm of a sum of exponentials, whose rules are in C too.
 *
 *     cc -std=c99 -O2 -fPIC -shared -I../pack/include c_sample.c -o libc_sample.so
 *     mooncake pack check ./libc_sample.so
 */
#include "mooncake_pack.h"
#include <math.h>
#include <stdlib.h>

static float cube_f32(float x) { return x * x * x; }
static double cube_f64(double x) { return x * x * x; }

/* Value and derivative together share a multiplication. */
static float cube_partial_f32(float x, float *partials) {
    float square = x * x;
    partials[0] = 3.0f * square;
    return square * x;
}
static double cube_partial_f64(double x, double *partials) {
    double square = x * x;
    partials[0] = 3.0 * square;
    return square * x;
}

static float length_f32(float x, float y) { return sqrtf(x * x + y * y); }
static double length_f64(double x, double y) { return sqrt(x * x + y * y); }

static const mooncake_scalar_entry SCALARS[] = {
    MOONCAKE_SCALAR("cube(x: T) -> T",
        .context = MOONCAKE_CONTEXT_MINIMAL,
        .docs = MOONCAKE_TEXT("x³"),
        .domain = MOONCAKE_LIST(mooncake_range, {-2.0, 2.0}),
        .partials = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("3 * x * x")),
        .wgsl = MOONCAKE_TEXT("fn mc_cube(x: f32) -> f32 { return x * x * x; }"),
        .native_f32 = (const void *)cube_f32,
        .native_f64 = (const void *)cube_f64,
        .with_partials_f32 = (const void *)cube_partial_f32,
        .with_partials_f64 = (const void *)cube_partial_f64),
    MOONCAKE_SCALAR("length(a: T, b: T) -> T",
        .context = MOONCAKE_CONTEXT_MINIMAL,
        .docs = MOONCAKE_TEXT("The length of the vector (a, b). In expressions `y` is the result."),
        .domain = MOONCAKE_LIST(mooncake_range, {0.5, 2.0}, {-2.0, -0.5}),
        .partials = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("a / y"), MOONCAKE_TEXT("b / y")),
        .wgsl = MOONCAKE_TEXT("fn mc_length(a: f32, b: f32) -> f32 { return sqrt(a * a + b * b); }"),
        .native_f32 = (const void *)length_f32,
        .native_f64 = (const void *)length_f64),
};

/* The running sums along a vector, from its start or from its end. Each is the other's transpose: the cotangent of one is the
 * other, so both can be differentiated any number of times. */
static uint32_t running(const mooncake_call *call, int from_end) {
    const mooncake_view *a = &call->args[0];
    size_t i, n = a->len;
    void *out;
    if (a->rank != 1) {
        static const char message[] = "expected an array of one dimension";
        mooncake_text text = { message, sizeof message - 1 };
        call->services->set_error(call->context, text);
        return MOONCAKE_FAILED;
    }
    out = call->services->allocate(call->context, &call->results[0], 1, &n);
    if (out == NULL) return MOONCAKE_FAILED;
    if (call->float_ == MOONCAKE_DTYPE_F32) {
        float sum = 0;
        for (i = 0; i < n; i++) {
            size_t at = from_end ? n - 1 - i : i;
            ((float *)out)[at] = sum += ((const float *)a->data)[at];
        }
    } else {
        double sum = 0;
        for (i = 0; i < n; i++) {
            size_t at = from_end ? n - 1 - i : i;
            ((double *)out)[at] = sum += ((const double *)a->data)[at];
        }
    }
    return MOONCAKE_OK;
}
static uint32_t from_start(const mooncake_call *call) { return running(call, 0); }
static uint32_t from_end(const mooncake_call *call) { return running(call, 1); }

/* log Σ exp(aᵢ), with an rrule and an frule. The pullback owns the weights exp(aᵢ - y), which are the derivatives. */
typedef struct weights {
    size_t count;
    double each[];
} weights;

static double get(const mooncake_view *view, size_t i) {
    return view->dtype == MOONCAKE_DTYPE_F32 ? ((const float *)view->data)[i] : ((const double *)view->data)[i];
}
static void put(const mooncake_view *view, size_t i, double x) {
    if (view->dtype == MOONCAKE_DTYPE_F32) ((float *)view->data)[i] = (float)x;
    else ((double *)view->data)[i] = x;
}

static double log_sum(const mooncake_view *a) {
    double most = -INFINITY, sum = 0;
    size_t i;
    for (i = 0; i < a->len; i++) most = fmax(most, get(a, i));
    if (isinf(most)) return most;
    for (i = 0; i < a->len; i++) sum += exp(get(a, i) - most);
    return most + log(sum);
}
static uint32_t log_sum_exp(const mooncake_call *call) {
    put(&call->results[0], 0, log_sum(&call->args[0]));
    return MOONCAKE_OK;
}

/* Adds to the cotangent of the argument, if anybody wants it. */
static uint32_t log_sum_exp_back(void *data, const mooncake_call *call) {
    const weights *own = data;
    const mooncake_view *to = &call->cotangents[0];
    double seed = get(&call->seeds[0], 0);
    size_t i;
    if (to->kind == MOONCAKE_KIND_ABSENT) return MOONCAKE_OK;
    for (i = 0; i < own->count; i++) put(to, i, get(to, i) + seed * own->each[i]);
    return MOONCAKE_OK;
}
static uint32_t log_sum_exp_rrule(const mooncake_call *call) {
    const mooncake_view *a = &call->args[0];
    weights *own = malloc(sizeof *own + a->len * sizeof own->each[0]);
    double y = log_sum(a);
    size_t i;
    if (own == NULL) {
        mooncake_text text = MOONCAKE_TEXT("out of memory");
        call->services->set_error(call->context, text);
        return MOONCAKE_FAILED;
    }
    own->count = a->len;
    for (i = 0; i < a->len; i++) own->each[i] = exp(get(a, i) - y);
    call->pullback->data = own;
    call->pullback->call = (const void *)log_sum_exp_back;
    call->pullback->drop = (const void *)free;
    put(&call->results[0], 0, y);
    return MOONCAKE_OK;
}
static uint32_t log_sum_exp_frule(const mooncake_call *call) {
    const mooncake_view *a = &call->args[0], *da = &call->tangents[0];
    double y = log_sum(a), dy = 0;
    size_t i;
    for (i = 0; i < a->len && da->kind != MOONCAKE_KIND_ABSENT; i++) dy += exp(get(a, i) - y) * get(da, i);
    put(&call->results[0], 0, y);
    put(&call->result_tangents[0], 0, dy);
    return MOONCAKE_OK;
}

static const mooncake_native_entry NATIVES[] = {
    MOONCAKE_NATIVE("log_sum_exp(a: array<T>) -> T",
        .context = MOONCAKE_CONTEXT_MINIMAL,
        .docs = MOONCAKE_TEXT("The logarithm of the sum of the exponentials of all elements."),
        .primal = (const void *)log_sum_exp,
        .rrule = (const void *)log_sum_exp_rrule,
        .frule = (const void *)log_sum_exp_frule),
    MOONCAKE_NATIVE("running_sum(a: array<T>) -> array<T>",
        .context = MOONCAKE_CONTEXT_MINIMAL,
        .docs = MOONCAKE_TEXT("Each element is the sum of all up to it."),
        .primal = (const void *)from_start,
        .pullback = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("sum_to_end(dy)")),
        .tangent = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("running_sum(dx)"))),
    MOONCAKE_NATIVE("sum_to_end(a: array<T>) -> array<T>",
        .context = MOONCAKE_CONTEXT_MINIMAL,
        .docs = MOONCAKE_TEXT("Each element is the sum of all from it to the end."),
        .primal = (const void *)from_end,
        .pullback = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("running_sum(dy)")),
        .tangent = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("sum_to_end(dx)"))),
};

/* Calls on which `mooncake pack check` tests, besides points all over the domains. */
static const mooncake_case_entry CASES[] = {
    MOONCAKE_CASE("cube", MOONCAKE_FLOAT(0.0)),
    MOONCAKE_CASE("length", MOONCAKE_FLOAT(3.0), MOONCAKE_FLOAT(4.0)),
    MOONCAKE_CASE("log_sum_exp", MOONCAKE_ARRAY(MOONCAKE_LIST(size_t, 4), 0.5, -1.0, 2.0, 0.25)),
    MOONCAKE_CASE("running_sum", MOONCAKE_ARRAY(MOONCAKE_LIST(size_t, 4), 0.5, -1.0, 2.0, 0.25)),
    MOONCAKE_CASE("sum_to_end", MOONCAKE_ARRAY(MOONCAKE_LIST(size_t, 4), 0.5, -1.0, 2.0, 0.25)),
};

MOONCAKE_PACK("c-sample", "0.1.0", "MIT OR Apache-2.0", "Mooncake contributors",
    MOONCAKE_SCALARS(SCALARS), MOONCAKE_NATIVES(NATIVES), MOONCAKE_CASES(CASES))
