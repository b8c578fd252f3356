/* The boundary between mooncake and its rule packs, for packs in C99.
 *
 * Generated from plugins/pack/src/abi.rs (BLESS=1 cargo test -p mooncake-pack). Do not edit.
 *
 * A pack is a shared library that contains one MOONCAKE_PACK(...). plugins/c-sample is one. Text is UTF-8 and lives, as
 * tables and rows do, as long as the process: packs are never unloaded. Pointers may be null, which means that there is
 * nothing. What a field means is above it; what has no meaning for a row is left 0.
 */
#ifndef MOONCAKE_PACK_H
#define MOONCAKE_PACK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The boundary's version; the host loads packs of its own major version. */
#define MOONCAKE_MAJOR 1u

/* Grows when fields or tables are appended. */
#define MOONCAKE_MINOR 4u

/* The id of the table of `ScalarEntry`s. */
#define MOONCAKE_SCALAR_ID "mooncake.scalar/1"

/* The id of the table of `RuleEntry`s. */
#define MOONCAKE_RULE_ID "mooncake.rule/1"

/* The id of the table of `CaseEntry`s. */
#define MOONCAKE_CASES_ID "mooncake.cases/1"

/* The id of the table of `NativeEntry`s. Since 1.2. */
#define MOONCAKE_NATIVE_ID "mooncake.native/1"

/* Success. */
#define MOONCAKE_OK 0u

/* The host's services are not what the pack needs. */
#define MOONCAKE_REFUSED 1u

/* A native function reports an error, whose text it has given to `Services::set_error`. */
#define MOONCAKE_FAILED 2u

/* A native function panicked, and has given the text to `Host::raise`. */
#define MOONCAKE_PANICKED 3u

/* There is no value here: a tangent that is zero, a cotangent that nobody wants. */
#define MOONCAKE_KIND_ABSENT 0u

/* A number or a bool. */
#define MOONCAKE_KIND_SCALAR 1u

/* Memory that is read: `&[T]`. */
#define MOONCAKE_KIND_SLICE 2u

/* Memory that is read and written: `&mut [T]`. */
#define MOONCAKE_KIND_SLICE_MUT 3u

/* A dense array in row-major order. */
#define MOONCAKE_KIND_ARRAY 4u

/* The types of numbers, as `View::dtype` says them. */
#define MOONCAKE_DTYPE_BOOL 1u

/* See `DTYPE_BOOL`. */
#define MOONCAKE_DTYPE_I8 2u

/* See `DTYPE_BOOL`. */
#define MOONCAKE_DTYPE_I16 3u

/* See `DTYPE_BOOL`. */
#define MOONCAKE_DTYPE_I32 4u

/* See `DTYPE_BOOL`. */
#define MOONCAKE_DTYPE_I64 5u

/* See `DTYPE_BOOL`. */
#define MOONCAKE_DTYPE_ISIZE 6u

/* See `DTYPE_BOOL`. */
#define MOONCAKE_DTYPE_U8 7u

/* See `DTYPE_BOOL`. */
#define MOONCAKE_DTYPE_U16 8u

/* See `DTYPE_BOOL`. */
#define MOONCAKE_DTYPE_U32 9u

/* See `DTYPE_BOOL`. */
#define MOONCAKE_DTYPE_U64 10u

/* See `DTYPE_BOOL`. */
#define MOONCAKE_DTYPE_USIZE 11u

/* See `DTYPE_BOOL`. */
#define MOONCAKE_DTYPE_F32 12u

/* See `DTYPE_BOOL`. */
#define MOONCAKE_DTYPE_F64 13u

/* The function has no effect besides its result, and equal arguments give equal bits. Required, but for native functions that say
 * `FLAG_ORDERED` instead. */
#define MOONCAKE_FLAG_PURE 1u

/* The function may run on several threads at once. Required in version 1. */
#define MOONCAKE_FLAG_THREAD_SAFE 2u

/* Only expressions of the entry's own pack can use it. Since 1.2. */
#define MOONCAKE_FLAG_PRIVATE 4u

/* Since 1.4, of a native function, in the place of `FLAG_PURE`: the function has an effect. Its calls happen as often as the program
 * makes them and in the program's order, and those of its derivatives in the mirrored order. */
#define MOONCAKE_FLAG_ORDERED 8u

/* Since 1.4, with `FLAG_ORDERED`: what one call takes another call gives, perhaps in another process. Each call has its derivative,
 * whether or not its own arguments vary and its own results are used. */
#define MOONCAKE_FLAG_LINKED 16u

/* A case's argument is a float. */
#define MOONCAKE_CASE_FLOAT 0u

/* A case's argument is an integer. */
#define MOONCAKE_CASE_INTEGER 1u

/* A case's argument is an array of floats. */
#define MOONCAKE_CASE_ARRAY 2u

/* A case's argument is an array of `u32`. */
#define MOONCAKE_CASE_INDICES 3u

/* A case's argument is a shape. */
#define MOONCAKE_CASE_SHAPE 4u

/* What AD cannot do without: functions that have no body to derive. */
#define MOONCAKE_CONTEXT_MINIMAL 0u

/* Rules that exist for speed or accuracy. */
#define MOONCAKE_CONTEXT_DEFAULT 1u

/* Nowhere: a function that has a body and no rule, derived in every context. Since 1.2. */
#define MOONCAKE_CONTEXT_DERIVED 2u

/* The hashes of the layouts, by which both sides know that they mean the same. */
#define MOONCAKE_LAYOUT UINT64_C(0xaec5d712c3092386)
#define MOONCAKE_SCALAR_LAYOUT UINT64_C(0x9fdbe3c6be413380)
#define MOONCAKE_RULE_LAYOUT UINT64_C(0xc0f36d1a974e49a8)
#define MOONCAKE_NATIVE_LAYOUT UINT64_C(0x8fefab3b12052323)
#define MOONCAKE_CASES_LAYOUT UINT64_C(0x59ab0772fda548a5)

typedef struct mooncake_text mooncake_text;
typedef struct mooncake_list mooncake_list;
typedef struct mooncake_range mooncake_range;
typedef struct mooncake_table mooncake_table;
typedef struct mooncake_scalar_entry mooncake_scalar_entry;
typedef struct mooncake_rule_entry mooncake_rule_entry;
typedef struct mooncake_native_entry mooncake_native_entry;
typedef struct mooncake_view mooncake_view;
typedef struct mooncake_call mooncake_call;
typedef struct mooncake_pullback mooncake_pullback;
typedef struct mooncake_services mooncake_services;
typedef struct mooncake_request mooncake_request;
typedef struct mooncake_c_root mooncake_c_root;
typedef struct mooncake_case_entry mooncake_case_entry;
typedef struct mooncake_case_value mooncake_case_value;
typedef struct mooncake_host mooncake_host;

/* UTF-8 text for the life of the process. Null is the empty text. */
struct mooncake_text {
    /* The first byte. */
    const char *data;
    /* In bytes. */
    size_t len;
};

/* `len` items one after the other, for the life of the process. */
struct mooncake_list {
    /* The first item. */
    const void *data;
    /* Their number. */
    size_t len;
};

/* Where tests sample an argument. */
struct mooncake_range {
    /* From. */
    double low;
    /* To. */
    double high;
};

/* A table of entries. */
struct mooncake_table {
    /* The bytes of this header. */
    size_t size;
    /* The bytes from one item to the next. */
    size_t item_size;
    /* The number of items. */
    size_t count;
    /* `LAYOUT` of the items. */
    uint64_t layout;
    /* The first item. */
    const void *items;
};

/* A scalar function.
 *
 * The native functions take the signature's arguments (`T` as float or double) by the C calling convention and
 * return a `T`; `with_partials` takes one more argument, the address of one `T` per argument, where it writes
 * the partial derivatives. None of them unwinds: a panic inside is given to `Host::raise`, and NaN is returned. */
struct mooncake_scalar_entry {
    /* The bytes of this entry. */
    size_t size;
    /* `FLAG_*` */
    uint32_t flags;
    /* A `Context` as a number. */
    uint32_t context;
    /* `hypot(x: T, y: T) -> T` */
    mooncake_text signature;
    /* What it is, for people. */
    mooncake_text docs;
    /* A `Range` for each argument. */
    mooncake_list domain;
    /* A `Text` for each argument: ∂y/∂argument, an expression over the arguments and `y`. Empty for integers. */
    mooncake_list partials;
    /* The function as an expression over its arguments, or empty. */
    mooncake_text body;
    /* The function as WGSL over f32, `fn mc_hypot(x: f32, y: f32) -> f32`, or empty. */
    mooncake_text wgsl;
    /* For `T` = f32, or null. */
    const void *native_f32;
    /* For `T` = f64, or null. */
    const void *native_f64;
    /* Value and partials for `T` = f32, or null. */
    const void *with_partials_f32;
    /* Value and partials for `T` = f64, or null. */
    const void *with_partials_f64;
};

/* A rule over arrays, as expressions. */
struct mooncake_rule_entry {
    /* The bytes of this entry. */
    size_t size;
    /* `FLAG_*` */
    uint32_t flags;
    /* A `Context` as a number. */
    uint32_t context;
    /* `matmul(a: array<T>, b: array<T>) -> array<T>` */
    mooncake_text signature;
    /* What it is, for people. */
    mooncake_text docs;
    /* The function as an expression over its arguments; empty if the host computes it. */
    mooncake_text body;
    /* A `Text` for each argument: its cotangent, an expression over the arguments, `y` and `dy`. Empty: none. */
    mooncake_list pullback;
    /* Since 1.1: a `Text` for each argument: what its tangent adds to that of the result, an expression over the
     * arguments, `y` and `dx`, the argument's tangent. Empty: nothing. No list: as the body says. */
    mooncake_list tangent;
};

/* A function in machine code, over scalars, slices and arrays.
 *
 * `primal`, `rrule` and `frule` are `fn(*const Call) -> u32`, a status; none of them unwinds. They serve every float
 * type that the signature's `T` stands for: `Call::float` says which.
 *
 * The derivative is given by expressions (`pullback`, `tangent`), which makes it differentiable any number of times; or by
 * `rrule` and `frule`, for the first derivative. */
struct mooncake_native_entry {
    /* The bytes of this entry. */
    size_t size;
    /* `FLAG_*` */
    uint32_t flags;
    /* A `Context` as a number. */
    uint32_t context;
    /* `cholesky(a: array<T>) -> array<T>` */
    mooncake_text signature;
    /* What it is, for people. */
    mooncake_text docs;
    /* The function as an expression over its arguments, or empty. */
    mooncake_text body;
    /* A `Text` for each argument: its cotangent, as in `RuleEntry`. No list: `rrule` says it. */
    mooncake_list pullback;
    /* A `Text` for each argument: what its tangent adds, as in `RuleEntry`. No list: `frule` or the body says it. */
    mooncake_list tangent;
    /* Computes the results. */
    const void *primal;
    /* Computes the results and fills in `Call::pullback`; or null. */
    const void *rrule;
    /* Computes the results and their tangents; or null. */
    const void *frule;
    /* The primal as a compute shader for f32, which runs where the arguments' arrays are; or empty. The host declares the bindings: a
     * `var<storage>` of each argument that is an array, under its name, one of each result (`y`, or `y0`, `y1`, …), and
     * `params`, a structure of `kernel_params`. The text has the entry point `main`. */
    mooncake_text kernel;
    /* `Text`s `name = expression`, over extents and numbers: for an array `a`, `a` is the number of its elements and
     * `a.0` its first extent. */
    mooncake_list kernel_params;
    /* A `Text` for each result: its extents, expressions as in `kernel_params`, with commas between them; or `shape(a)`, those of
     * the argument `a`, whatever their number. */
    mooncake_list kernel_shapes;
    /* The number of workgroups: up to three expressions with commas between them. */
    mooncake_text kernel_workgroups;
    /* Since 1.3: for second derivatives `rrule` along tangents, or null: it is given the tangents of the arguments, as `frule`, gives those
     * of the results, and fills in `Call::pullback`, whose call has the tangents of all that a pullback is given and gives. For
     * functions over numbers and slices. */
    const void *second;
};

/* A value that one side lends to the other for the time of a call. An address that is not null is aligned for the type. */
struct mooncake_view {
    /* `KIND_*` */
    uint32_t kind;
    /* `DTYPE_*`: the type of the scalar or of the elements. */
    uint32_t dtype;
    /* Where the scalar is, or the first element. Null for a result that is an array: see `Services::allocate`. */
    void *data;
    /* The number of elements; 1 for a scalar. */
    size_t len;
    /* The number of axes of an array. */
    size_t rank;
    /* The extents of an array. */
    const size_t *shape;
    /* For an argument of `rrule`: 1 if its cotangent may be wanted, else 0. */
    uint32_t active;
    /* 0. */
    uint32_t reserved;
};

/* What a native function is given. A list that has no meaning for the function at hand is null.
 *
 * Tuples and structs of a program arrive as their parts, in order. Mutable slices are never the same memory as another argument. */
struct mooncake_call {
    /* The bytes of this structure. */
    size_t size;
    /* What the function may ask of the host. */
    const mooncake_services *services;
    /* Whose call it is, for the services. */
    void *context;
    /* Null for functions of packs. A host that has rules of its own may tell them apart by this. */
    const void *data;
    /* `DTYPE_F32` or `DTYPE_F64`: what the signature's `T` stands for. */
    uint32_t float_;
    /* 0. */
    uint32_t reserved;
    /* `arg_count` `View`s. A pullback has the slices and arrays among them, as `rrule` has left them; scalars are absent. */
    const mooncake_view *args;
    /* The number of arguments. */
    size_t arg_count;
    /* `result_count` `View`s, to be written. A pullback has the arrays among them, to be read; scalars are absent. */
    mooncake_view *results;
    /* The number of results. */
    size_t result_count;
    /* `rrule`: to be filled in. It is so far all null, which means that nothing has to be done going back. */
    mooncake_pullback *pullback;
    /* `frule`: the tangents of the arguments, absent where they are zero. That of a mutable slice is written to as the slice is. */
    const mooncake_view *tangents;
    /* `frule`: the tangents of the results, to be written; absent for what is not a float. */
    mooncake_view *result_tangents;
    /* Pullback: the cotangents of the results; absent for what is not a float. */
    const mooncake_view *seeds;
    /* Pullback: the cotangents of the arguments, to be added to; absent where nobody wants one. That of a mutable slice belongs to
     * its final contents before and to its initial contents after, which the pullback puts back into the slice. */
    const mooncake_view *cotangents;
    /* Since 1.3, pullback of `second`: the tangents of the seeds, absent where they are zero. In `tangents` are those of the slices
     * among the arguments; those of mutable ones are put back as the slices are. */
    const mooncake_view *seed_tangents;
    /* Since 1.3, pullback of `second`: the tangents of the cotangents, to be added to, or changed, as these are. */
    const mooncake_view *cotangent_tangents;
};

/* What goes back from a call of `rrule`. It is called at most once, and dropped exactly once, whether it was called or not; both
 * may happen on another thread than the one that made it. All null: nothing to do. */
struct mooncake_pullback {
    /* Its own. */
    void *data;
    /* `fn(data, *const Call) -> u32`, a status. */
    const void *call;
    /* `fn(data)`, or null. */
    const void *drop;
};

/* What a native function may ask of the host while it runs. */
struct mooncake_services {
    /* The bytes of this structure. */
    size_t size;
    /* Makes room, filled with zeros, for an array among the results or their tangents: context, the view, its rank and extents.
     * The address of the first element, or null, and then the function gives up with `FAILED`. */
    void *(*allocate)(void *, mooncake_view *, size_t, const size_t *);
    /* Says what is wrong: context, message. The function then returns `FAILED`. */
    void (*set_error)(void *, mooncake_text);
    /* Since 1.3: calls another function: context, what is asked for. A status; if it is not `OK`, `Request::error` says why. */
    uint32_t (*call)(void *, mooncake_request *);
    /* Since 1.3: gives back what an owner of `Request::owners` owns, once, from any thread. Null owns nothing. */
    void (*release)(void *);
    /* Since 1.4: as `allocate`, for a function that writes every element: what they are before may be anything. */
    void *(*allocate_any)(void *, mooncake_view *, size_t, const size_t *);
};

/* A call that a native function asks the host for, with `Services::call`. */
struct mooncake_request {
    /* The bytes of this structure. */
    size_t size;
    /* The function. A plain name is a row of the asking pack, private ones included, else a row of `std` or an operation of the host; a row
     * of another pack is named by its path, `linalg::cholesky`. */
    mooncake_text function;
    /* `arg_count` `View`s: numbers, slices and arrays. */
    const mooncake_view *args;
    /* The number of arguments. */
    size_t arg_count;
    /* `result_count` `View`s of the kinds and types that the function gives. A number's `data` is where it goes; the view of an array
     * is filled in by the host, to be read until its owner is released. */
    mooncake_view *results;
    /* The number of results. */
    size_t result_count;
    /* `result_count` owners, filled in by the host: for an array what `Services::release` takes, else null. */
    void **owners;
    /* If the call fails: what is wrong, to be read until the asking function returns or asks again. */
    mooncake_text error;
};

/* The root of a pack that is not written in Rust, exported as `C_ROOT`. */
struct mooncake_c_root {
    /* The bytes of this structure. */
    size_t size;
    /* The pack's 256-byte note, which lies in a section of its own. */
    const void *note;
    /* Gives the pack the host's services, a `Host`; a status. Null if the pack needs none. */
    uint32_t (*init)(const void *);
    /* The `Table` of that id, or null. */
    const void *(*extension)(mooncake_text);
};

/* A call on which a function is tested. */
struct mooncake_case_entry {
    /* The bytes of this entry. */
    size_t size;
    /* The function's name. */
    mooncake_text function;
    /* A `CaseValue` for each argument. */
    mooncake_list arguments;
};

/* An argument of a case. */
struct mooncake_case_value {
    /* The bytes of this value. */
    size_t size;
    /* `CASE_*` */
    uint32_t kind;
    /* Floats: the value, or an array's elements in row-major order (`double`s). */
    mooncake_list floats;
    /* Integers: the value, or the elements of an array of indices (64 bits, signed). */
    mooncake_list integers;
    /* The extents of an array, or of a shape (`size_t`s). */
    mooncake_list shape;
};

/* The services a host offers. */
struct mooncake_host {
    /* The bytes of this structure. */
    size_t size;
    /* Reports that a function failed: pack, function, message. The host turns it into an error of the call. */
    void (*raise)(mooncake_text, mooncake_text, mooncake_text);
    /* Shows a line to the user: pack, message. (A pack's own buffered output may never appear.) */
    void (*log)(mooncake_text, mooncake_text);
};

/* ------------------------------------------------------------------------------------------------------------------
 * What a pack is written with.
 *
 *     static float cube_f32(float x) { return x * x * x; }
 *     static double cube_f64(double x) { return x * x * x; }
 *     static const mooncake_scalar_entry SCALARS[] = {
 *         MOONCAKE_SCALAR("cube(x: T) -> T",
 *             .domain = MOONCAKE_LIST(mooncake_range, {-2.0, 2.0}),
 *             .partials = MOONCAKE_LIST(mooncake_text, MOONCAKE_TEXT("3 * x * x")),
 *             .native_f32 = (const void *)cube_f32,
 *             .native_f64 = (const void *)cube_f64),
 *     };
 *     MOONCAKE_PACK("cubes", "1.0.0", "MIT", "A. U. Thor", MOONCAKE_SCALARS(SCALARS))
 * ---------------------------------------------------------------------------------------------------------------- */

/* A text that is in the program. */
#define MOONCAKE_TEXT(text) { (text), sizeof(text) - 1 }

/* A list that is in the program: MOONCAKE_LIST(mooncake_range, {-1.0, 1.0}, {0.0, 2.0}) */
#define MOONCAKE_LIST(type, ...) { (const type[]){ __VA_ARGS__ }, sizeof((const type[]){ __VA_ARGS__ }) / sizeof(type) }

/* One row of a table: the signature, and the fields that it needs. Functions are pure and thread safe. */
#define MOONCAKE_ROW(type, text, ...) \
    { .size = sizeof(type), .flags = MOONCAKE_FLAG_PURE | MOONCAKE_FLAG_THREAD_SAFE, .signature = MOONCAKE_TEXT(text), __VA_ARGS__ }
#define MOONCAKE_SCALAR(text, ...) MOONCAKE_ROW(mooncake_scalar_entry, text, __VA_ARGS__)
#define MOONCAKE_RULE(text, ...) MOONCAKE_ROW(mooncake_rule_entry, text, __VA_ARGS__)
#define MOONCAKE_NATIVE(text, ...) MOONCAKE_ROW(mooncake_native_entry, text, __VA_ARGS__)

/* A call on which a function is tested: its name, and its arguments. */
#define MOONCAKE_CASE(name, ...) \
    { sizeof(mooncake_case_entry), MOONCAKE_TEXT(name), MOONCAKE_LIST(mooncake_case_value, __VA_ARGS__) }
#define MOONCAKE_FLOAT(value) \
    { .size = sizeof(mooncake_case_value), .kind = MOONCAKE_CASE_FLOAT, .floats = MOONCAKE_LIST(double, value) }
#define MOONCAKE_INTEGER(value) \
    { .size = sizeof(mooncake_case_value), .kind = MOONCAKE_CASE_INTEGER, .integers = MOONCAKE_LIST(int64_t, value) }
/* MOONCAKE_ARRAY(MOONCAKE_LIST(size_t, 2, 3), 1, 2, 3, 4, 5, 6) */
#define MOONCAKE_ARRAY(extents, ...) \
    { .size = sizeof(mooncake_case_value), .kind = MOONCAKE_CASE_ARRAY, .shape = extents, .floats = MOONCAKE_LIST(double, __VA_ARGS__) }

/* A pack's tables, as MOONCAKE_PACK takes them. */
#define MOONCAKE_TABLE(name, type, hash, rows) \
    { MOONCAKE_TEXT(name), { sizeof(mooncake_table), sizeof(type), sizeof(rows) / sizeof((rows)[0]), hash, rows } }
#define MOONCAKE_SCALARS(rows) MOONCAKE_TABLE(MOONCAKE_SCALAR_ID, mooncake_scalar_entry, MOONCAKE_SCALAR_LAYOUT, rows)
#define MOONCAKE_RULES(rows) MOONCAKE_TABLE(MOONCAKE_RULE_ID, mooncake_rule_entry, MOONCAKE_RULE_LAYOUT, rows)
#define MOONCAKE_NATIVES(rows) MOONCAKE_TABLE(MOONCAKE_NATIVE_ID, mooncake_native_entry, MOONCAKE_NATIVE_LAYOUT, rows)
#define MOONCAKE_CASES(rows) MOONCAKE_TABLE(MOONCAKE_CASES_ID, mooncake_case_entry, MOONCAKE_CASES_LAYOUT, rows)

/* A table of a pack and its id. */
typedef struct mooncake_extension {
    mooncake_text id;
    mooncake_table table;
} mooncake_extension;

/* What a pack's file says of it before any of its code runs. */
typedef struct mooncake_note {
    char magic[8];
    uint16_t major, minor;
    uint8_t pointer_size, endianness, panic_aborts, reserved;
    uint64_t layout;
    char name[48], version[24], licence[40], authors[72], compiler[40], rest[8];
} mooncake_note;

/* The header's numbers are for machines of 64 bits. */
typedef char mooncake_needs_64_bits[sizeof(void *) == 8 && sizeof(mooncake_note) == 256 ? 1 : -1];

#if defined(_WIN32)
#pragma section(".mooncke", read)
#define MOONCAKE_NOTE_SECTION __declspec(allocate(".mooncke"))
#define MOONCAKE_EXPORT __declspec(dllexport)
#elif defined(__APPLE__)
#define MOONCAKE_NOTE_SECTION __attribute__((section("__DATA,__mooncake"), used, aligned(8)))
#define MOONCAKE_EXPORT __attribute__((visibility("default")))
#else
#define MOONCAKE_NOTE_SECTION __attribute__((section(".mooncake"), used, aligned(8)))
#define MOONCAKE_EXPORT __attribute__((visibility("default")))
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define MOONCAKE_ENDIANNESS 2
#else
#define MOONCAKE_ENDIANNESS 1
#endif

#if defined(__clang__)
#define MOONCAKE_COMPILER "clang"
#elif defined(__GNUC__)
#define MOONCAKE_COMPILER "gcc " __VERSION__
#else
#define MOONCAKE_COMPILER "C"
#endif

/* Declares the pack, once: name, version, licence, authors, and its tables. */
#define MOONCAKE_PACK(name, version, licence, authors, ...) MOONCAKE_PACK_WITH(NULL, name, version, licence, authors, __VA_ARGS__)

/* The same with a function that is given the host's services, uint32_t (*)(const void *), before anything else is called. */
#define MOONCAKE_PACK_WITH(start, name, version, licence, authors, ...) \
    MOONCAKE_NOTE_SECTION static const mooncake_note mooncake_pack_note = { \
        "MOONCAKE", MOONCAKE_MAJOR, MOONCAKE_MINOR, sizeof(void *), MOONCAKE_ENDIANNESS, 0, 0, MOONCAKE_LAYOUT, \
        name, version, licence, authors, MOONCAKE_COMPILER, "" }; \
    static const mooncake_extension mooncake_pack_extensions[] = { __VA_ARGS__ }; \
    static const void *mooncake_pack_extension(mooncake_text id) { \
        size_t i; \
        for (i = 0; i < sizeof(mooncake_pack_extensions) / sizeof(mooncake_pack_extensions[0]); i++) { \
            const mooncake_extension *found = &mooncake_pack_extensions[i]; \
            if (found->id.len == id.len && memcmp(found->id.data, id.data, id.len) == 0) return &found->table; \
        } \
        return NULL; \
    } \
    MOONCAKE_EXPORT const mooncake_c_root mooncake_pack_root = { \
        sizeof(mooncake_c_root), &mooncake_pack_note, start, mooncake_pack_extension };

#endif
