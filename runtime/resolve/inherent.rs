//! The inherent methods of the types of std (Rust 1.95, from its documentation) and of `Array`. They come before the methods of traits. No other method
//! of a number or an array is a row of a pack, because a trait of the program may use any name.

use crate::front::tree::Receiver;
use crate::front::ty::{OPTION, ORDERING, RESULT, Ty};
use crate::ir::{HostOp, Symbol};
use crate::registry;

/// Names of methods, by how they take `self`.
struct Names {
    value: &'static str,
    shared: &'static str,
    exclusive: &'static str,
    none: &'static str,
}

/// How the inherent method `name` of a type takes its receiver; `None` if the type has no such method. `float`: whether an open literal is a float.
pub fn inherent(ty: Ty, float: bool, name: &str) -> Option<Receiver> {
    if matches!(ty, Ty::Array(_)) && registry::array_method(name).is_some() {
        return Some(Receiver::Shared);
    }
    let tables: &[&Names] = match ty {
        Ty::Scalar(ty) if ty.is_float() => &[&FLOATS],
        Ty::Scalar(ty) if ty.is_signed() => &[&SIGNED],
        Ty::Scalar(ty) if ty.is_int() => &[&UNSIGNED],
        Ty::Scalar(_) => &[&BOOL],
        Ty::Infer(_) if float => &[&FLOATS],
        Ty::Infer(_) => &[&SIGNED],
        Ty::Slice(_) | Ty::SliceMut(_) => &[&SLICE],
        Ty::List(..) | Ty::OpenList(..) => &[&ARRAY],
        Ty::Vec(_) => &[&VEC],
        Ty::Cell(_, kind) if kind.borrows => &[&REF_CELL],
        Ty::Cell(..) => &[&CELL],
        // `Rc` is erased, so either type may be meant.
        Ty::Str => &[&STRING, &STR],
        Ty::Array(_) => &[&ELEMENTWISE, &OPERATIONS, &OF_ARRAYS],
        Ty::Adt(adt, _) if *adt == OPTION => &[&OPTIONS],
        Ty::Adt(adt, _) if *adt == RESULT => &[&RESULTS],
        Ty::Adt(adt, _) if *adt == ORDERING => &[&ORDERINGS],
        _ => &[],
    };
    tables.iter().find_map(|names| names.find(name))
}

/// What a method of `Array` computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrayMethod {
    /// A function of scalars on every element: the row of this name.
    Elementwise(Symbol),
    /// An operation of the host, or a row over arrays.
    Operation(Symbol),
}

/// The operation of the host that a method of slices is, for the library alone.
pub fn slice_method(name: &str) -> Option<Symbol> {
    let op = HostOp::from_name(name.strip_prefix("__")?)?;
    op.is_of_memory().then_some(op.symbol())
}

/// The method of `Array` of that name, if it computes with elements.
pub fn array_method(name: &str) -> Option<ArrayMethod> {
    let symbol = Symbol::new(name);
    if let Some(path) = registry::array_method(name) {
        return Some(ArrayMethod::Operation(Symbol::new(path)));
    }
    match () {
        () if name == "to_scalar" => Some(ArrayMethod::Operation(Symbol::new("item"))),
        // For the library alone: no trait of a program has a method of these names.
        () if name == "__to_shape" => Some(ArrayMethod::Operation(Symbol::new("reshape"))),
        () if let Some(op) = name.strip_prefix("__").and_then(HostOp::from_name) => {
            Some(ArrayMethod::Operation(op.symbol()))
        }
        // Those of arrays pass NaN on, those of floats do not.
        () if name == "max" => Some(ArrayMethod::Elementwise(Symbol::new("max_or_nan"))),
        () if name == "min" => Some(ArrayMethod::Elementwise(Symbol::new("min_or_nan"))),
        () if ELEMENTWISE.find(name).is_some() => Some(ArrayMethod::Elementwise(symbol)),
        () if OPERATIONS.find(name).is_some() => Some(ArrayMethod::Operation(symbol)),
        () => None,
    }
}

impl Names {
    fn find(&self, name: &str) -> Option<Receiver> {
        let all = [
            (self.value, Receiver::Value),
            (self.shared, Receiver::Shared),
            (self.exclusive, Receiver::Mut),
            (self.none, Receiver::None),
        ];
        let mut all = all.into_iter();
        let found = all.find(|(names, _)| names.split_whitespace().any(|known| known == name));
        found.map(|(_, receiver)| receiver)
    }
}

/// No names at all: what the tables below leave out.
const NO_NAMES: Names = Names {
    value: "",
    shared: "",
    exclusive: "",
    none: "",
};

/// Of `f32` and `f64`.
const FLOATS: Names = Names {
    value: "abs abs_sub acos acosh asin asinh atan atan2 atanh cbrt ceil clamp classify copysign cos cosh div_euclid exp \
        exp2 exp_m1 floor fract hypot is_finite is_infinite is_nan is_normal is_sign_negative is_sign_positive \
        is_subnormal ln ln_1p log log10 log2 max midpoint min mul_add next_down next_up powf powi recip rem_euclid \
        round round_ties_even signum sin sin_cos sinh sqrt tan tanh to_be_bytes to_bits to_degrees to_int_unchecked \
        to_le_bytes to_ne_bytes to_radians trunc",
    shared: "total_cmp",
    none: "from_be_bytes from_bits from_le_bytes from_ne_bytes",
    ..NO_NAMES
};

/// Of signed integers.
const SIGNED: Names = Names {
    value: "abs abs_diff cast_unsigned checked_abs checked_add checked_add_unsigned checked_div checked_div_euclid \
        checked_ilog checked_ilog10 checked_ilog2 checked_isqrt checked_mul checked_neg checked_pow checked_rem \
        checked_rem_euclid checked_shl checked_shr checked_sub checked_sub_unsigned count_ones count_zeros div_euclid \
        ilog ilog10 ilog2 is_negative is_positive isqrt leading_ones leading_zeros midpoint overflowing_abs \
        overflowing_add overflowing_add_unsigned overflowing_div overflowing_div_euclid overflowing_mul \
        overflowing_neg overflowing_pow overflowing_rem overflowing_rem_euclid overflowing_shl overflowing_shr \
        overflowing_sub overflowing_sub_unsigned pow rem_euclid reverse_bits rotate_left rotate_right saturating_abs \
        saturating_add saturating_add_unsigned saturating_div saturating_mul saturating_neg saturating_pow \
        saturating_sub saturating_sub_unsigned signum strict_abs strict_add strict_add_unsigned strict_div \
        strict_div_euclid strict_mul strict_neg strict_pow strict_rem strict_rem_euclid strict_shl strict_shr \
        strict_sub strict_sub_unsigned swap_bytes to_be to_be_bytes to_le to_le_bytes to_ne_bytes trailing_ones \
        trailing_zeros unbounded_shl unbounded_shr unchecked_add unchecked_mul unchecked_neg unchecked_shl \
        unchecked_shr unchecked_sub unsigned_abs wrapping_abs wrapping_add wrapping_add_unsigned wrapping_div \
        wrapping_div_euclid wrapping_mul wrapping_neg wrapping_pow wrapping_rem wrapping_rem_euclid wrapping_shl \
        wrapping_shr wrapping_sub wrapping_sub_unsigned",
    none: "from_be from_be_bytes from_le from_le_bytes from_ne_bytes from_str_radix max_value min_value",
    ..NO_NAMES
};

/// Of unsigned integers.
const UNSIGNED: Names = Names {
    value: "abs_diff borrowing_sub carrying_add carrying_mul carrying_mul_add cast_signed checked_add checked_add_signed \
        checked_div checked_div_euclid checked_ilog checked_ilog10 checked_ilog2 checked_mul checked_neg \
        checked_next_multiple_of checked_next_power_of_two checked_pow checked_rem checked_rem_euclid checked_shl \
        checked_shr checked_signed_diff checked_sub checked_sub_signed count_ones count_zeros div_ceil div_euclid ilog \
        ilog10 ilog2 is_multiple_of is_power_of_two isqrt leading_ones leading_zeros midpoint next_multiple_of \
        next_power_of_two overflowing_add overflowing_add_signed overflowing_div overflowing_div_euclid \
        overflowing_mul overflowing_neg overflowing_pow overflowing_rem overflowing_rem_euclid overflowing_shl \
        overflowing_shr overflowing_sub overflowing_sub_signed pow rem_euclid reverse_bits rotate_left rotate_right \
        saturating_add saturating_add_signed saturating_div saturating_mul saturating_pow saturating_sub \
        saturating_sub_signed strict_add strict_add_signed strict_div strict_div_euclid strict_mul strict_neg \
        strict_pow strict_rem strict_rem_euclid strict_shl strict_shr strict_sub strict_sub_signed swap_bytes to_be \
        to_be_bytes to_le to_le_bytes to_ne_bytes trailing_ones trailing_zeros unbounded_shl unbounded_shr \
        unchecked_add unchecked_mul unchecked_shl unchecked_shr unchecked_sub wrapping_add wrapping_add_signed \
        wrapping_div wrapping_div_euclid wrapping_mul wrapping_neg wrapping_pow wrapping_rem wrapping_rem_euclid \
        wrapping_shl wrapping_shr wrapping_sub wrapping_sub_signed",
    none: "from_be from_be_bytes from_le from_le_bytes from_ne_bytes from_str_radix max_value min_value",
    ..NO_NAMES
};

/// Of `bool`.
const BOOL: Names = Names {
    value: "then then_some",
    ..NO_NAMES
};

/// Of slices.
const SLICE: Names = Names {
    value: "into_vec split_off split_off_first split_off_first_mut split_off_last split_off_last_mut split_off_mut",
    shared: "align_to array_windows as_array as_chunks as_chunks_unchecked as_flattened as_ptr as_ptr_range as_rchunks \
        binary_search binary_search_by binary_search_by_key chunk_by chunks chunks_exact concat connect contains \
        element_offset ends_with eq_ignore_ascii_case escape_ascii first first_chunk get get_unchecked is_ascii \
        is_empty is_sorted is_sorted_by is_sorted_by_key iter join last last_chunk len partition_point rchunks \
        rchunks_exact repeat rsplit rsplitn split split_at split_at_checked split_at_unchecked split_first \
        split_first_chunk split_inclusive split_last split_last_chunk splitn starts_with strip_prefix strip_suffix \
        to_ascii_lowercase to_ascii_uppercase to_vec trim_ascii trim_ascii_end trim_ascii_start utf8_chunks windows",
    exclusive: "align_to_mut as_chunks_mut as_chunks_unchecked_mut as_flattened_mut as_mut_array as_mut_ptr as_mut_ptr_range \
        as_rchunks_mut chunk_by_mut chunks_exact_mut chunks_mut clone_from_slice copy_from_slice copy_within fill \
        fill_with first_chunk_mut first_mut get_disjoint_mut get_disjoint_unchecked_mut get_mut get_unchecked_mut \
        iter_mut last_chunk_mut last_mut make_ascii_lowercase make_ascii_uppercase rchunks_exact_mut rchunks_mut \
        reverse rotate_left rotate_right rsplit_mut rsplitn_mut select_nth_unstable select_nth_unstable_by \
        select_nth_unstable_by_key sort sort_by sort_by_cached_key sort_by_key sort_unstable sort_unstable_by \
        sort_unstable_by_key split_at_mut split_at_mut_checked split_at_mut_unchecked split_first_chunk_mut \
        split_first_mut split_inclusive_mut split_last_chunk_mut split_last_mut split_mut splitn_mut swap \
        swap_with_slice",
    ..NO_NAMES
};

/// Of arrays.
const ARRAY: Names = Names {
    value: "map",
    shared: "as_slice each_ref",
    exclusive: "as_mut_slice each_mut",
    ..NO_NAMES
};

/// Of `Vec`.
const VEC: Names = Names {
    value: "into_boxed_slice into_flattened into_raw_parts leak",
    shared: "as_ptr as_slice capacity is_empty len",
    exclusive: "append as_mut_ptr as_mut_slice clear dedup dedup_by dedup_by_key drain extend_from_slice extend_from_within \
        extract_if insert insert_mut pop pop_if push push_mut remove reserve reserve_exact resize resize_with retain \
        retain_mut set_len shrink_to shrink_to_fit spare_capacity_mut splice split_off swap_remove truncate \
        try_reserve try_reserve_exact",
    none: "from_raw_parts new with_capacity",
};

/// Of `Option`.
const OPTIONS: Names = Names {
    value: "and and_then as_pin_mut as_pin_ref cloned copied expect filter flatten inspect is_none_or is_some_and map \
        map_or map_or_else ok_or ok_or_else or or_else transpose unwrap unwrap_or unwrap_or_default unwrap_or_else \
        unwrap_unchecked unzip xor zip",
    shared: "as_deref as_ref as_slice is_none is_some iter",
    exclusive: "as_deref_mut as_mut as_mut_slice get_or_insert get_or_insert_default get_or_insert_with insert iter_mut \
        replace take take_if",
    ..NO_NAMES
};

/// Of `Result`.
const RESULTS: Names = Names {
    value: "and and_then cloned copied err expect expect_err flatten inspect inspect_err is_err_and is_ok_and map map_err \
        map_or map_or_else ok or or_else transpose unwrap unwrap_err unwrap_err_unchecked unwrap_or unwrap_or_default \
        unwrap_or_else unwrap_unchecked",
    shared: "as_deref as_ref is_err is_ok iter",
    exclusive: "as_deref_mut as_mut iter_mut",
    ..NO_NAMES
};

/// Of `Cell`.
const CELL: Names = Names {
    value: "into_inner",
    shared: "as_array_of_cells as_ptr as_slice_of_cells get replace set swap take update",
    exclusive: "get_mut",
    none: "from_mut new",
};

/// Of `RefCell`.
const REF_CELL: Names = Names {
    value: "into_inner",
    shared: "as_ptr borrow borrow_mut replace replace_with swap take try_borrow try_borrow_mut try_borrow_unguarded",
    exclusive: "get_mut",
    none: "new",
};

/// Of `Ordering`.
const ORDERINGS: Names = Names {
    value: "is_eq is_ge is_gt is_le is_lt is_ne reverse then then_with",
    ..NO_NAMES
};

/// Of `Array`: functions of scalars on every element.
const ELEMENTWISE: Names = Names {
    shared: "abs acos acosh asin asinh atan atan2 atanh cbrt ceil clamp copysign cos cosh exp exp2 exp_m1 floor fract hypot \
        ln ln_1p log10 log2 max min mul_add powf powi recip round signum sin sinh sqrt tan tanh to_degrees to_radians \
        trunc",
    ..NO_NAMES
};

/// Of `Array`: operations of the host.
const OPERATIONS: Names = Names {
    shared: "cumsum dim expand_dims flip gather insert_axis log_softmax matmul mean narrow ndim pad softmax squeeze sum swap_axes \
        t",
    ..NO_NAMES
};

/// Of `Array`: the rest.
const OF_ARRAYS: Names = Names {
    shared: "all all_axis all_keep amax amin any any_axis any_keep argmax argmax_axis argmax_keep argmin argmin_axis argmin_keep \
        broadcast_to concat cumprod device eq_elements error ge gt index_axis is_empty is_nan item le len logsumexp logsumexp_axis \
        logsumexp_keep lt map map2 map3 max_axis max_keep mean_axis mean_keep min_axis min_keep ne_elements norm_axis \
        norm_keep one_hot outer pad_with permute prod prod_axis prod_keep repeat reshape roll scatter_add select shape slice split stack std \
        std_axis std_keep sum_axis sum_keep take to_bool to_device to_f16 to_f32 to_f64 to_i32 to_scalar to_u32 to_vec tril triu var var_axis var_keep \
        with_slice",
    none: "arange eye from_vec from_vec_on full full_on ones scalar zeros",
    ..NO_NAMES
};

/// Of `str`.
const STR: Names = Names {
    value: "into_boxed_bytes into_string",
    shared: "as_bytes as_ptr bytes ceil_char_boundary char_indices chars contains encode_utf16 ends_with \
        eq_ignore_ascii_case escape_debug escape_default escape_unicode find floor_char_boundary get get_unchecked \
        is_ascii is_char_boundary is_empty len lines lines_any match_indices matches parse repeat replace replacen \
        rfind rmatch_indices rmatches rsplit rsplit_once rsplit_terminator rsplitn slice_unchecked split \
        split_ascii_whitespace split_at split_at_checked split_inclusive split_once split_terminator split_whitespace \
        splitn starts_with strip_prefix strip_suffix to_ascii_lowercase to_ascii_uppercase to_lowercase to_uppercase \
        trim trim_ascii trim_ascii_end trim_ascii_start trim_end trim_end_matches trim_left trim_left_matches \
        trim_matches trim_right trim_right_matches trim_start trim_start_matches",
    exclusive: "as_bytes_mut as_mut_ptr get_mut get_unchecked_mut make_ascii_lowercase make_ascii_uppercase \
        slice_mut_unchecked split_at_mut split_at_mut_checked",
    none: "from_utf8 from_utf8_mut from_utf8_unchecked from_utf8_unchecked_mut",
};

/// Of `String`.
const STRING: Names = Names {
    value: "into_boxed_str into_bytes into_raw_parts leak",
    shared: "as_bytes as_str capacity is_empty len",
    exclusive: "as_mut_str as_mut_vec clear drain extend_from_within insert insert_str pop push push_str remove replace_range \
        reserve reserve_exact retain shrink_to shrink_to_fit split_off truncate try_reserve try_reserve_exact",
    none: "from_raw_parts from_utf16 from_utf16_lossy from_utf8 from_utf8_lossy from_utf8_unchecked new with_capacity",
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the functions that a source file gives `Array`.
    fn declared(text: &'static str) -> impl Iterator<Item = &'static str> {
        let lines = text.lines().map(str::trim);
        lines.filter_map(|line| line.strip_prefix("pub fn ")?.split(['(', '<']).next())
    }

    #[test]
    fn the_methods_of_arrays_are_all_known() {
        let functions = include_str!("../array/functions.rs");
        let of_macros = { functions.split("! {").skip(1) }
            .filter_map(|text| text.split_once("\n}\n"))
            .flat_map(|(rows, _)| rows.lines().map(str::trim))
            .filter(|line| {
                !line.is_empty() && line.chars().all(|c| c.is_alphanumeric() || c == '_')
            });
        let methods = [
            include_str!("../array/mod.rs"),
            include_str!("../array/parts.rs"),
            include_str!("../array/choice.rs"),
            include_str!("../array/reductions.rs"),
        ];
        let methods = methods.into_iter().flat_map(declared);
        // Methods only: the file has a function of its own.
        let rules: Vec<&str> = include_str!("../api/packs.rs")
            .lines()
            .filter(|line| line.contains("(&self"))
            .collect();
        let rules: &'static str = rules.join("\n").leak();
        let written = { declared(functions).chain(methods) }.chain(declared(rules));
        let mut found: Vec<&str> = written
            .chain(of_macros)
            .filter(|name| *name != "$name")
            .collect();
        found.sort_unstable();
        let mut known: Vec<&str> = [&ELEMENTWISE, &OPERATIONS, &OF_ARRAYS]
            .iter()
            .flat_map(|names| [names.shared, names.none])
            .flat_map(str::split_whitespace)
            .chain(registry::ARRAY_METHODS.iter().map(|(method, _)| *method))
            .collect();
        known.sort_unstable();
        assert_eq!(
            known, found,
            "the tables above and the methods of `Array` differ"
        );
    }

    /// The names of a list in the macro's file.
    fn asked(list: &str) -> Vec<&'static str> {
        let file = include_str!("../macros/src/own_methods.rs");
        let start = format!("const {list}: &str = \"");
        let text = file
            .split(&start)
            .nth(1)
            .and_then(|text| text.split('"').next());
        let words = text.unwrap_or_default().split_whitespace();
        words.filter(|word| *word != "\\").collect()
    }

    #[test]
    fn the_macro_asks_of_the_same_names() {
        let floats: Vec<&str> = FLOATS.value.split_whitespace().collect();
        assert_eq!(asked("FLOATS"), floats);
        let mut arrays: Vec<&str> = [&ELEMENTWISE, &OPERATIONS, &OF_ARRAYS]
            .iter()
            .flat_map(|names| names.shared.split_whitespace())
            .chain(registry::ARRAY_METHODS.iter().map(|(method, _)| *method))
            .collect();
        arrays.sort_unstable();
        let asked = asked("ARRAYS");
        assert_eq!(
            asked, arrays,
            "add to `ARRAYS` in runtime/macros/src/own_methods.rs"
        );
    }
}
