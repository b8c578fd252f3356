/* A rule pack that is wrong before any of its rules is called: -DIN_CONSTRUCTOR=... or -DIN_START=... is what it does. */
#include "mooncake_pack.h"
#include <stdlib.h>

static double square(double x) { return x * x; }

static const mooncake_scalar_entry SCALARS[] = {
    MOONCAKE_SCALAR("square(x: T) -> T",
        .domain = MOONCAKE_LIST(mooncake_range, {-1, 1}),
        .partials = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("2 * x")),
        .body = MOONCAKE_TEXT("x * x"),
        .native_f64 = (const void *)square),
#ifdef TWICE
    MOONCAKE_SCALAR("square(x: T) -> T",
        .domain = MOONCAKE_LIST(mooncake_range, {-1, 1}),
        .partials = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("2 * x")),
        .body = MOONCAKE_TEXT("x * x")),
#endif
};

static const volatile int *volatile nowhere;
static volatile int always = 1;

#ifdef IN_CONSTRUCTOR
__attribute__((constructor)) static void construct(void) { IN_CONSTRUCTOR; }
#endif

static uint32_t start(const void *host) {
    (void)host;
    (void)nowhere;
    (void)always;
#ifdef IN_START
    IN_START;
#endif
    return MOONCAKE_OK;
}

MOONCAKE_PACK_WITH(start, "starts-badly", "0.1.0", "MIT", "", MOONCAKE_SCALARS(SCALARS))
