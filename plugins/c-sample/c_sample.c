/* A rule pack in C99: the cube, with its derivative, and the hypotenuse.
 *
 *     cc -std=c99 -O2 -fPIC -shared -I../pack/include c_sample.c -o libc_sample.so
 *     mooncake pack check ./libc_sample.so
 */
#include "mooncake_pack.h"
#include <math.h>

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

/* Calls on which `mooncake pack check` tests, besides points all over the domains. */
static const mooncake_case_entry CASES[] = {
    MOONCAKE_CASE("cube", MOONCAKE_FLOAT(0.0)),
    MOONCAKE_CASE("length", MOONCAKE_FLOAT(3.0), MOONCAKE_FLOAT(4.0)),
};

MOONCAKE_PACK("c-sample", "0.1.0", "MIT OR Apache-2.0", "Mooncake contributors",
    MOONCAKE_SCALARS(SCALARS), MOONCAKE_CASES(CASES))
