/* A rule pack whose rows are wrong in themselves: none of them can be put in force but two. */
#include "mooncake_pack.h"

static double square(double x) { return x * x; }

#define GOOD \
    .domain = MOONCAKE_LIST(mooncake_range, {-1, 1}), \
    .partials = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("2 * x")), \
    .body = MOONCAKE_TEXT("x * x"), \
    .native_f64 = (const void *)square

static const mooncake_scalar_entry SCALARS[] = {
    MOONCAKE_SCALAR("right(x: T) -> T", GOOD),
    MOONCAKE_SCALAR("bad_type(x: real) -> T", GOOD),
    MOONCAKE_SCALAR("bad_count(x: T, n: T) -> T", GOOD),
    MOONCAKE_SCALAR("bad_flags(x: T) -> T", GOOD, .context = 7),
    MOONCAKE_SCALAR("no_primal(x: T) -> T",
        .domain = MOONCAKE_LIST(mooncake_range, {-1, 1}),
        .partials = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("2 * x"))),
    MOONCAKE_SCALAR("no_domain(x: T) -> T",
        .domain = { NULL, 1 },
        .partials = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("2 * x")),
        .body = MOONCAKE_TEXT("x * x")),
    MOONCAKE_SCALAR("bad_body(x: T) -> T",
        .domain = MOONCAKE_LIST(mooncake_range, {-1, 1}),
        .partials = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("2 * x")),
        .body = MOONCAKE_TEXT("x * (x")),
    MOONCAKE_SCALAR("bad_name(x: T) -> T",
        .domain = MOONCAKE_LIST(mooncake_range, {-1, 1}),
        .partials = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("2 * z")),
        .body = MOONCAKE_TEXT("x * x")),
    MOONCAKE_SCALAR("bad_wgsl(x: T) -> T", GOOD, .wgsl = MOONCAKE_TEXT("fn mc_bad_wgsl(x: f32) -> f32 { return z; }")),
    MOONCAKE_SCALAR("entry_point(x: T) -> T", GOOD, .wgsl = MOONCAKE_TEXT("@compute @workgroup_size(1) fn mc_entry_point() {}")),
    { .size = 8, .flags = 3, .signature = MOONCAKE_TEXT("too_small(x: T) -> T") },
    { .size = sizeof(mooncake_scalar_entry), .flags = 3, .signature = { "\xff\xfe", 2 } },
    { .size = sizeof(mooncake_scalar_entry), .flags = 3, .signature = { NULL, 5 } },
};

static const mooncake_rule_entry RULES[] = {
    MOONCAKE_RULE("doubled(a: array<T>) -> array<T>",
        .body = MOONCAKE_TEXT("a + a"),
        .pullback = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("2 * dy"))),
};

static const mooncake_case_entry CASES[] = {
    MOONCAKE_CASE("doubled", MOONCAKE_ARRAY(MOONCAKE_LIST(size_t, 3), 1.5, -2.0, 0.5)),
};

MOONCAKE_PACK("bad-rows", "0.1.0", "MIT", "", MOONCAKE_SCALARS(SCALARS), MOONCAKE_RULES(RULES), MOONCAKE_CASES(CASES))
