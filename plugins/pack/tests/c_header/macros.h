
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
