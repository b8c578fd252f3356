/* Rules for functions that exist: two of the pack `std`, one right and one wrong, and one of a program that is not here. */
#include "mooncake_pack.h"

#define RULE(text) .context = MOONCAKE_CONTEXT_DEFAULT, .domain = MOONCAKE_LIST(mooncake_range, {0.5, 2}), .partials = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT(text))

static const mooncake_scalar_entry SCALARS[] = {
    MOONCAKE_SCALAR("std::tanh(x: T) -> T", RULE("1 - y * y")),
    MOONCAKE_SCALAR("std::cbrt(x: T) -> T", RULE("0.34 / (y * y)")),
    MOONCAKE_SCALAR("program::loss(x: T) -> T", RULE("2 * x")),
};

MOONCAKE_PACK("existing", "0.1.0", "MIT", "", MOONCAKE_SCALARS(SCALARS))
