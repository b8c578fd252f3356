//! The macros a pack is written with.

/// Declares that this crate is a pack, with the name, version, licence and authors of its `Cargo.toml`. Once, in the
/// crate's root. `pack!(cases)` names the function, `fn() -> Vec<Case>`, that gives the calls on which `mooncake pack check`
/// tests the pack's array functions. `pack!(cases, wants: "Open MPI 4")` says in addition what the pack wants of the machine that it runs on, for
/// people: `mooncake pack info` shows it.
#[macro_export]
macro_rules! pack {
    ($($cases:path)? $(, wants: $wants:expr)?) => {
        /// This crate as a rule pack.
        pub struct Pack;
        impl $crate::Declared for Pack {
            const CRATE: &'static str = env!("CARGO_CRATE_NAME");
            const NOTE: $crate::note::Note = $crate::note::Note::new(
                env!("CARGO_PKG_NAME"),
                env!("CARGO_PKG_VERSION"),
                env!("CARGO_PKG_LICENSE"),
                env!("CARGO_PKG_AUTHORS"),
            );
            $(const WANTS: &'static str = $wants;)?
            $(fn cases() -> ::std::vec::Vec<$crate::Case> {
                $cases()
            })?
        }
        $crate::__private::inventory::submit! {
            $crate::__private::Linked {
                root: || <Pack as $crate::Declared>::root($crate::__private::note_of::<Pack>),
            }
        }
    };
}

/// Exports a pack crate from a `cdylib`: the one line of its loadable form. A crate of its own, because two packs that
/// export the same symbols could not be linked into one program.
#[macro_export]
macro_rules! export {
    ($pack:ident) => {
        const _: () = {
            use $crate::__private::abi_stable::library;

            #[used]
            #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mooncake"))]
            #[cfg_attr(windows, unsafe(link_section = ".mooncke"))]
            #[cfg_attr(
                not(any(target_vendor = "apple", windows)),
                unsafe(link_section = ".mooncake")
            )]
            static NOTE: $crate::note::Note = <$pack::Pack as $crate::Declared>::NOTE;

            #[used]
            #[cfg_attr(
                target_vendor = "apple",
                unsafe(link_section = "__DATA,__mooncake_wants")
            )]
            #[cfg_attr(windows, unsafe(link_section = ".mcwants"))]
            #[cfg_attr(
                not(any(target_vendor = "apple", windows)),
                unsafe(link_section = ".mooncake_wants")
            )]
            static WANTS: [u8; <$pack::Pack as $crate::Declared>::WANTS.len()] =
                $crate::__private::bytes(<$pack::Pack as $crate::Declared>::WANTS);

            extern "C" fn note() -> *const ::core::ffi::c_void {
                // Linkers drop what nobody refers to.
                ::core::hint::black_box(&raw const WANTS);
                (&raw const NOTE).cast()
            }
            fn root() -> $crate::abi::RootRef {
                <$pack::Pack as $crate::Declared>::root(note)
            }
            extern "C" fn load() -> library::RootModuleResult {
                library::__call_root_module_loader(root)
            }

            // What abi_stable's `export_root_module` writes, for edition 2024 and without a dependency of the crate's own.
            #[unsafe(export_name = "_1as_0lib_1header_0root_bmodule_bloader")]
            static HEADER: library::LibHeader =
                // SAFETY: `load` gives a `RootRef`.
                unsafe {
                    library::LibHeader::from_constructor::<$crate::abi::RootRef>(
                        load,
                        library::CheckTypeLayout::Yes,
                    )
                };
        };
    };
}

/// Declares a scalar function and its derivatives. `T` stands for f32 and for f64. The fields, in this order; those in
/// brackets may be left out:
///
/// - `domain`: where tests sample each argument;
/// - \[`context`\]: `Minimal` (assumed without a `body`: nothing else could be derived), or `Default` (assumed with one);
/// - \[`native`\]: the function, a closure that is compiled for each float type;
/// - \[`with_partials`\]: value and all partial derivatives at once, where that saves work: `|x| (value, [partial])`;
/// - \[`body`\]: the function as an expression over its arguments;
/// - `partials`: for each argument, its partial derivative as an expression over the arguments and the result `y`; empty for integers;
/// - \[`wgsl`\]: WGSL text with `fn mc_NAME(x: f32) -> f32`. Its helper functions start with `mc_NAME_`. After a line `// f64` there may be text
///   for f64, with `fn mc_NAME_f64(x: f64) -> f64`, where all names start with `mc_NAME_f64`.
///
/// A function needs `native` or `body`; one without `wgsl` and without `body` runs on the CPU only. A GPU takes the `body` where there is no text for
/// the type.
///
/// A path in the place of the name gives a function that exists another derivative, in the default context: `fn std::hypot(a: T, b: T) -> T` of the
/// pack `std`, `fn my_crate::loss(x: T) -> T` of a program. It has `domain` and `partials` alone.
///
/// `private fn` declares a function that only expressions of the same pack can use. In expressions a plain name is a row of the same pack,
/// else one of the pack `std` or an operation of the host; rows of other packs are named by their path: `gelu::gelu(x)`.
///
/// What is wrong in the text of a row is an error when it is compiled: a parameter called `y`, a name that is none, a number of partials that
/// is not the number of parameters.
///
/// ```compile_fail
/// mooncake_pack::scalar! {
///     fn cubed(x: T) -> T {
///         domain: [(-1.0, 1.0)],
///         native: |x| x * x * x,
///         partials: ["3 * z * z"],
///     }
/// }
/// ```
#[macro_export]
macro_rules! scalar {
    ($(#[doc = $doc:literal])* private fn $($row:tt)*) => {
        $crate::__scalar! { ($crate::abi::FLAG_PRIVATE) $(#[doc = $doc])* fn $($row)* }
    };
    (
        $(#[doc = $doc:literal])*
        fn $first:ident $(:: $path:ident)+ ($($arg:ident: $ty:ty),+ $(,)?) -> T {
            domain: [$(($low:expr, $high:expr)),+ $(,)?],
            partials: [$($partial:expr),+ $(,)?] $(,)?
        }
    ) => {
        const _: () = {
            const SIGNATURE: &str = $crate::__path_signature!(($first $($path)+) ($($arg: $ty),+) T);
            $crate::__check_row!(SIGNATURE true, [Minimal]);
            $crate::__private::check::count(SIGNATURE, "sampling ranges", [$($low as f64),+].len()).raise();
            $crate::__check_texts!(SIGNATURE "partials" ["y"] true $($partial),+);
        };
        $crate::__private::inventory::submit! {
            $crate::__private::Row::<$crate::abi::ScalarEntry> {
                mark: $crate::__mark!(b's'),
                pack: env!("CARGO_CRATE_NAME"),
                entry: $crate::abi::ScalarEntry {
                    size: ::core::mem::size_of::<$crate::abi::ScalarEntry>(),
                    flags: $crate::abi::FLAG_PURE | $crate::abi::FLAG_THREAD_SAFE,
                    context: $crate::Context::Default as u32,
                    signature: $crate::abi::Text::new($crate::__path_signature!(($first $($path)+) ($($arg: $ty),+) T)),
                    docs: $crate::abi::Text::new(concat!($($doc, "\n",)*)),
                    domain: $crate::abi::List::new(&[$($crate::abi::Range { low: $low as f64, high: $high as f64 }),+]),
                    partials: $crate::abi::List::new(&[$($crate::abi::Text::new($partial)),+]),
                    body: $crate::abi::Text::new(""),
                    wgsl: $crate::abi::Text::new(""),
                    native_f32: ::core::ptr::null(),
                    native_f64: ::core::ptr::null(),
                    with_partials_f32: ::core::ptr::null(),
                    with_partials_f64: ::core::ptr::null(),
                },
            }
        }
    };
    ($($row:tt)*) => {
        $crate::__scalar! { (0) $($row)* }
    };
}

/// A scalar function with more flags.
#[doc(hidden)]
#[macro_export]
macro_rules! __scalar {
    (
        ($flags:expr)
        $(#[doc = $doc:literal])*
        fn $name:ident $params:tt -> T {
            domain: [$(($low:expr, $high:expr)),+ $(,)?],
            $(context: $context:ident,)?
            $(native: |$($native_arg:ident),+| $native:expr,)?
            $(with_partials: |$($both_arg:ident),+| $both:expr,)?
            $(body: $body:expr,)?
            partials: [$($partial:expr),+ $(,)?],
            $(wgsl: $wgsl:expr,)?
        }
    ) => {
        const _: () = {
            const SIGNATURE: &str = $crate::__signature!($name $params -> T);
            $crate::__check_row!(SIGNATURE true, [$($context)?] $($body)?);
            $crate::__private::check::count(SIGNATURE, "sampling ranges", [$($low as f64),+].len()).raise();
            $crate::__check_texts!(SIGNATURE "partials" ["y"] true $($partial),+);
        };
        $crate::__private::inventory::submit! {
            $crate::__private::Row::<$crate::abi::ScalarEntry> {
                pack: env!("CARGO_CRATE_NAME"),
                mark: $crate::__mark!(b's'),
                entry: $crate::abi::ScalarEntry {
                    size: ::core::mem::size_of::<$crate::abi::ScalarEntry>(),
                    flags: $crate::abi::FLAG_PURE | $crate::abi::FLAG_THREAD_SAFE | $flags,
                    context: $crate::__first!($($crate::Context::$context,)? $crate::__assumed_context!($($body)?),) as u32,
                    signature: $crate::abi::Text::new($crate::__signature!($name $params -> T)),
                    docs: $crate::abi::Text::new(concat!($($doc, "\n",)*)),
                    domain: $crate::abi::List::new(&[$($crate::abi::Range { low: $low as f64, high: $high as f64 }),+]),
                    partials: $crate::abi::List::new(&[$($crate::abi::Text::new($partial)),+]),
                    body: $crate::abi::Text::new($crate::__first!($($body,)? "",)),
                    wgsl: $crate::abi::Text::new($crate::__first!($($wgsl,)? "",)),
                    native_f32: $crate::__first!($($crate::__native!(f32, $name $params = |$($native_arg),+| $native),)? ::core::ptr::null(),),
                    native_f64: $crate::__first!($($crate::__native!(f64, $name $params = |$($native_arg),+| $native),)? ::core::ptr::null(),),
                    with_partials_f32: $crate::__first!($($crate::__with_partials!(f32, $name $params = |$($both_arg),+| $both),)? ::core::ptr::null(),),
                    with_partials_f64: $crate::__first!($($crate::__with_partials!(f64, $name $params = |$($both_arg),+| $both),)? ::core::ptr::null(),),
                },
            }
        }
    };
}

/// Declares a rule over arrays. The fields, in this order; those in brackets may be left out:
///
/// - \[`context`\]: `Minimal` (assumed without a `body`: nothing else could be derived), or `Default` (assumed with one);
/// - \[`body`\]: the function as an expression over its arguments; left out for the operations that the host computes;
/// - \[`pullback`\]: for each argument its cotangent, as an expression over the arguments, the result `y` and its cotangent `dy`; empty: none.
///   A function without any has no rule and is derived from its body in every context;
/// - \[`tangent`\]: for each argument what its tangent `dx` adds to the result's, as an expression over the arguments, `y` and `dx`;
///   empty: nothing. Left out, forward mode derives it from `body`; what the host computes needs it.
///
/// Types are `T`, `array<T>`, `array<u32>`, integers, and `shape`: a tuple of extents of any length. `private fn` declares a rule that only
/// expressions of the same pack can use.
#[macro_export]
macro_rules! rule {
    ($(#[doc = $doc:literal])* private fn $($row:tt)*) => {
        $crate::__rule! { ($crate::abi::FLAG_PRIVATE) $(#[doc = $doc])* fn $($row)* }
    };
    (
        $(#[doc = $doc:literal])*
        fn $first:ident $(:: $path:ident)+ ($($arg:ident: $ty:ty),+ $(,)?) -> $ret:ty {
            pullback: [$($pullback:expr),+ $(,)?],
            tangent: [$($tangent:expr),+ $(,)?] $(,)?
        }
    ) => {
        const _: () = {
            const SIGNATURE: &str = $crate::__path_signature!(($first $($path)+) ($($arg: $ty),+) $ret);
            $crate::__check_row!(SIGNATURE true, [Minimal]);
            $crate::__check_texts!(SIGNATURE "pullback" ["y", "dy"] false $($pullback),+);
            $crate::__check_texts!(SIGNATURE "tangent" ["y", "dx"] false $($tangent),+);
        };
        $crate::__private::inventory::submit! {
            $crate::__private::Row::<$crate::abi::RuleEntry> {
                mark: $crate::__mark!(b'r'),
                pack: env!("CARGO_CRATE_NAME"),
                entry: $crate::abi::RuleEntry {
                    size: ::core::mem::size_of::<$crate::abi::RuleEntry>(),
                    flags: $crate::abi::FLAG_PURE | $crate::abi::FLAG_THREAD_SAFE,
                    context: $crate::Context::Default as u32,
                    signature: $crate::abi::Text::new($crate::__path_signature!(($first $($path)+) ($($arg: $ty),+) $ret)),
                    docs: $crate::abi::Text::new(concat!($($doc, "\n",)*)),
                    body: $crate::abi::Text::new(""),
                    pullback: $crate::abi::List::new(&[$($crate::abi::Text::new($pullback)),+]),
                    tangent: $crate::abi::List::new(&[$($crate::abi::Text::new($tangent)),+]),
                },
            }
        }
    };
    ($($row:tt)*) => {
        $crate::__rule! { (0) $($row)* }
    };
}

/// A rule over arrays with more flags.
#[doc(hidden)]
#[macro_export]
macro_rules! __rule {
    (
        ($flags:expr)
        $(#[doc = $doc:literal])*
        fn $name:ident $params:tt -> $ret:ty {
            $(context: $context:ident,)?
            $(body: $body:expr,)?
            $(pullback: [$($pullback:expr),+ $(,)?],)?
            $(tangent: [$($tangent:expr),+ $(,)?],)?
        }
    ) => {
        const _: () = {
            const SIGNATURE: &str = $crate::__signature!($name $params -> $ret);
            $crate::__check_row!(SIGNATURE true, [$($context)?] $($body)?);
            $($crate::__check_texts!(SIGNATURE "pullback" ["y", "dy"] false $($pullback),+);)?
            $($crate::__check_texts!(SIGNATURE "tangent" ["y", "dx"] false $($tangent),+);)?
        };
        $crate::__private::inventory::submit! {
            $crate::__private::Row::<$crate::abi::RuleEntry> {
                pack: env!("CARGO_CRATE_NAME"),
                mark: $crate::__mark!(b'r'),
                entry: $crate::abi::RuleEntry {
                    size: ::core::mem::size_of::<$crate::abi::RuleEntry>(),
                    flags: $crate::abi::FLAG_PURE | $crate::abi::FLAG_THREAD_SAFE | $flags,
                    context: $crate::__first!($($crate::Context::$context,)? $crate::__rule_context!([$($body)?] $([$($pullback),+])?),) as u32,
                    signature: $crate::abi::Text::new($crate::__signature!($name $params -> $ret)),
                    docs: $crate::abi::Text::new(concat!($($doc, "\n",)*)),
                    body: $crate::abi::Text::new($crate::__first!($($body,)? "",)),
                    pullback: $crate::__first!($($crate::abi::List::new(&[$($crate::abi::Text::new($pullback)),+]),)? $crate::abi::List::ABSENT,),
                    tangent: $crate::__first!($($crate::abi::List::new(&[$($crate::abi::Text::new($tangent)),+]),)? $crate::abi::List::ABSENT,),
                },
            }
        }
    };
}

/// Declares a function in machine code: over numbers, slices and arrays, with one or several results. The fields, in this order; those
/// in brackets may be left out:
///
/// - \[`context`\]: `Minimal` (assumed without a `body`), or `Default` (assumed with one);
/// - \[`effects`\]: `pure` (assumed), `ordered` or `linked`, see below;
/// - \[`body`\]: the function as an expression over its arguments;
/// - `primal`: the function. It takes the arguments, then what each result is written to, and gives an [`Outcome`](crate::Outcome);
/// - the derivative, in one of two ways:
///   - `pullback` and \[`tangent`\], expressions as in [`rule!`](crate::rule): differentiable any number of times. Where there are
///     several results they are `y.0`, `y.1`, … with the cotangents `dy.0`, …, and a tangent is a tuple `(…, …)`, with `()` for none;
///   - `rrule` and \[`frule`\], functions: for the first derivative. `rrule` takes what `primal` takes and gives
///     the pullback, `Result<impl FnOnce(&Cotangents) -> Outcome + Send + 'static, String>`. `frule` takes a
///     [`&Tangents`](crate::Tangents) in addition, as its last argument. For second derivatives of functions over numbers and slices there is
///     \[`second`\], the `rrule` along tangents: it takes what `frule` takes, gives what both give, and its pullback
///     has the tangents of all it is given and gives.
///
/// - \[`kernel`\]: the primal as a compute shader for arrays of f32 on a GPU, `{ wgsl, [params], shapes, workgroups }`; without one they are
///   moved to the CPU and back. The arrays are `var<storage>`s under the arguments' names, the results `y`, or `y0`, `y1`, …; the text has the entry
///   point `main`. `params: ["n = a.0"]` gives it `params.n`; `shapes` says the extents of each result, `"a.0, b.1"`, and `workgroups` their
///   number, `"(a + 63) / 64"`. These are expressions over numbers among the arguments and extents of arrays: `a` is the number of elements,
///   `a.0` the first extent, 1 where there is no such axis. Each loop has a bound; to reach it is an error of the call.
///
/// A function that is `pure` gives equal bits for equal arguments and does nothing else. Calls of it may be merged, moved, left out, and made in
/// another order. One that does something (it communicates, logs, reads a clock) says `effects: ordered`: its calls are never left
/// out, merged, repeated, hoisted out of loops, or reordered among themselves and with other ordered calls.
///
/// - *Reverse mode* runs the pullbacks of the calls whose results the gradient depends on in exactly the opposite order of the calls, each once.
///   Which calls these are is decided when the program is derived, never by values: a cotangent that happens to be zero is passed
///   like any other. Pullbacks that are expressions may call ordered functions; the expressions of several arguments
///   run in the order of the arguments.
/// - *Forward mode* runs the call, and then, if an argument varies, the `tangent` expressions in the order of the arguments; an `frule` does
///   both in one call. Hessian products do this with every call of the gradient.
/// - Such a function has no `body` and no `kernel`, and no function of arrays is a map of it. What is pure cannot use it: neither the
///   expressions of a pure row, nor a pure native function by [`call`](crate::call).
///
/// `effects: linked` is `ordered`, and says that what one call takes is what another call gives, perhaps in another process: `send` and
/// `recv`. Each such call is differentiated, whether or not its own arguments vary and its own results are used, because nobody here
/// knows what the other end does with them. An argument that does not vary has a tangent of zeros there, and a result that is not used a cotangent of zeros.
///
/// In a signature, `T` stands for f32 and f64, and the functions are generic over it. Types and what functions take for them:
///
/// | in the signature | argument | result |
/// | --- | --- | --- |
/// | `T`, `f64`, `i32`, `usize`, `bool`, … | the number | `&mut T`, … |
/// | `array<T>`, `array<u32>` | [`ArrayView<T>`](crate::ArrayView) | [`ArrayOut<T>`](crate::ArrayOut) |
/// | `&[T]`, `&mut [T]` | the slice | — |
///
/// ```
/// use mooncake_pack::{ArrayOut, ArrayView, Float, Outcome};
/// # mooncake_pack::pack!();
/// mooncake_pack::native! {
///     /// The elements in reverse order.
///     fn reversed(a: array<T>) -> array<T> {
///         primal: reversed,
///         pullback: ["reversed(dy)"],
///         tangent: ["reversed(dx)"],
///     }
/// }
/// fn reversed<T: Float>(a: ArrayView<T>, out: ArrayOut<T>) -> Outcome {
///     let out = out.allocate(a.shape())?;
///     out.copy_from_slice(a.data());
///     out.reverse();
///     Ok(())
/// }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! native {
    ($(#[doc = $doc:literal])* private fn $($row:tt)*) => {
        $crate::__native_row! { ($crate::abi::FLAG_PRIVATE) $(#[doc = $doc])* fn $($row)* }
    };
    ($($row:tt)*) => {
        $crate::__native_row! { (0) $($row)* }
    };
}

/// A native function with more flags.
#[doc(hidden)]
#[macro_export]
macro_rules! __native_row {
    (($flags:expr) $(#[doc = $doc:literal])* fn $name:ident $params:tt -> ($($ret:ty),+ $(,)?) { $($fields:tt)+ }) => {
        $crate::__native_entry! { ($flags) [$($doc)*] $name $params [$($ret),+] [concat!("(", $(stringify!($ret), ", ",)+ ")")] $($fields)+ }
    };
    (($flags:expr) $(#[doc = $doc:literal])* fn $name:ident $params:tt -> $ret:ty { $($fields:tt)+ }) => {
        $crate::__native_entry! { ($flags) [$($doc)*] $name $params [$ret] [stringify!($ret)] $($fields)+ }
    };
    (($flags:expr) $(#[doc = $doc:literal])* fn $name:ident $params:tt { $($fields:tt)+ }) => {
        $crate::__native_entry! { ($flags) [$($doc)*] $name $params [] ["()"] $($fields)+ }
    };
}

/// The row of a native function.
#[doc(hidden)]
#[macro_export]
macro_rules! __native_entry {
    (
        ($flags:expr) [$($doc:literal)*] $name:ident $params:tt $rets:tt [$ret_text:expr]
        $(context: $context:ident,)?
        $(effects: $effects:ident,)?
        $(body: $body:expr,)?
        primal: $primal:path,
        $(pullback: [$($pullback:expr),+ $(,)?],)?
        $(tangent: [$($tangent:expr),+ $(,)?],)?
        $(rrule: $rrule:path,)?
        $(frule: $frule:path,)?
        $(second: $second:path,)?
        $(kernel: {
            wgsl: $wgsl:expr,
            $(params: [$($param:expr),* $(,)?],)?
            shapes: [$($shape:expr),+ $(,)?],
            workgroups: $workgroups:expr $(,)?
        },)?
    ) => {
        const _: () = {
            const SIGNATURE: &str = $crate::__native_signature!($name $params $ret_text);
            const TEXTS: &[&str] = &[$($(stringify!($pullback),)+)? $($(stringify!($tangent),)+)?];
            const HAS_EXPRESSIONS: bool = !TEXTS.is_empty();
            $crate::__check_row!(SIGNATURE HAS_EXPRESSIONS, [$($context)?] $($body)?);
            $($crate::__check_texts!(SIGNATURE "pullback" ["y", "dy"] false $($pullback),+);)?
            $($crate::__check_texts!(SIGNATURE "tangent" ["y", "dx"] false $($tangent),+);)?
        };
        $crate::__private::inventory::submit! {
            $crate::__private::Row::<$crate::abi::NativeEntry> {
                pack: env!("CARGO_CRATE_NAME"),
                mark: $crate::__mark!(b'n'),
                entry: $crate::abi::NativeEntry {
                    size: ::core::mem::size_of::<$crate::abi::NativeEntry>(),
                    flags: $crate::__first!($($crate::__effects!($effects),)? $crate::abi::FLAG_PURE,) | $crate::abi::FLAG_THREAD_SAFE | $flags,
                    context: $crate::__first!($($crate::Context::$context,)? $crate::__assumed_context!($($body)?),) as u32,
                    signature: $crate::abi::Text::new($crate::__native_signature!($name $params $ret_text)),
                    docs: $crate::abi::Text::new(concat!($($doc, "\n",)*)),
                    body: $crate::abi::Text::new($crate::__first!($($body,)? "",)),
                    pullback: $crate::__first!($($crate::abi::List::new(&[$($crate::abi::Text::new($pullback)),+]),)? $crate::abi::List::ABSENT,),
                    tangent: $crate::__first!($($crate::abi::List::new(&[$($crate::abi::Text::new($tangent)),+]),)? $crate::abi::List::ABSENT,),
                    primal: $crate::__native_function!(primal $name $params $rets $primal),
                    rrule: $crate::__first!($($crate::__native_function!(rrule $name $params $rets $rrule),)? ::core::ptr::null(),),
                    frule: $crate::__first!($($crate::__native_function!(frule $name $params $rets $frule),)? ::core::ptr::null(),),
                    kernel: $crate::abi::Text::new($crate::__first!($($wgsl,)? "",)),
                    kernel_params: $crate::abi::List::new::<$crate::abi::Text>(&[$($($($crate::abi::Text::new($param)),*)?)?]),
                    kernel_shapes: $crate::abi::List::new::<$crate::abi::Text>(&[$($($crate::abi::Text::new($shape)),+)?]),
                    kernel_workgroups: $crate::abi::Text::new($crate::__first!($($workgroups,)? "",)),
                    second: $crate::__first!($($crate::__native_function!(second $name $params $rets $second),)? ::core::ptr::null(),),
                },
            }
        }
    };
}

/// The flags that say which effects a native function has.
#[doc(hidden)]
#[macro_export]
macro_rules! __effects {
    (pure) => {
        $crate::abi::FLAG_PURE
    };
    (ordered) => {
        $crate::abi::FLAG_ORDERED
    };
    (linked) => {
        $crate::abi::FLAG_ORDERED | $crate::abi::FLAG_LINKED
    };
    ($other:ident) => {
        compile_error!("the effects of a native function are `pure`, `ordered` or `linked`")
    };
}

/// A native function's signature as text.
#[doc(hidden)]
#[macro_export]
macro_rules! __native_signature {
    ($name:ident($($arg:ident: $ty:ty),* $(,)?) $ret:expr) => {
        concat!(stringify!($name), "(", $(stringify!($arg), ": ", stringify!($ty), ", ",)* ") -> ", $ret)
    };
}

/// A native function as it stands at the boundary.
#[doc(hidden)]
#[macro_export]
macro_rules! __native_function {
    ($role:ident $name:ident $params:tt $rets:tt $function:path) => {{
        extern "C" fn at_boundary(call: *const $crate::abi::Call) -> u32 {
            let (pack, name) = (env!("CARGO_PKG_NAME"), stringify!($name));
            // SAFETY: the host calls this as the boundary says.
            unsafe {
                $crate::__private::run(pack, name, call, |given| match given.is_f32() {
                    true => $crate::__native_call!($role f32 given pack name $params $rets $function),
                    false => $crate::__native_call!($role f64 given pack name $params $rets $function),
                })
            }
        }
        at_boundary as *const ::core::ffi::c_void
    }};
}

/// The call of a native function for one float type.
#[doc(hidden)]
#[macro_export]
macro_rules! __native_call {
    (primal $float:ident $given:ident $pack:ident $name:ident $params:tt $rets:tt $function:path) => {
        $crate::__native_apply!($float $given $params $rets [] $function)
    };
    (rrule $float:ident $given:ident $pack:ident $name:ident $params:tt $rets:tt $function:path) => {
        $crate::__native_apply!($float $given $params $rets [] $function)
            .and_then(|pullback| $crate::__private::give_pullback($given, $pack, $name, pullback))
    };
    (second $float:ident $given:ident $pack:ident $name:ident $params:tt $rets:tt $function:path) => {
        $crate::__native_apply!($float $given $params $rets [&$crate::__private::Tangents::new($given)] $function)
            .and_then(|pullback| $crate::__private::give_pullback($given, $pack, $name, pullback))
    };
    (frule $float:ident $given:ident $pack:ident $name:ident $params:tt $rets:tt $function:path) => {
        $crate::__native_apply!($float $given $params $rets [&$crate::__private::Tangents::new($given)] $function)
    };
}

/// A native function applied to the arguments and results of a call.
#[doc(hidden)]
#[macro_export]
macro_rules! __native_apply {
    ($float:ident $given:ident ($($arg:ident: $ty:ty),* $(,)?) [$($ret:ty),*] [$($more:expr)?] $function:path) => {{
        #[allow(dead_code)]
        type T = $float;
        #[allow(dead_code, non_camel_case_types)]
        type array<E> = $crate::__private::Array<E>;
        $function(
            $($given.argument::<<$ty as $crate::__private::Passed>::Argument<'_>>()?,)*
            $($given.out::<<$ret as $crate::__private::Passed>::Out<'_>>()?,)*
            $($more)?
        )
    }};
}

/// WGSL of the function `name`, put together from texts in which `$` stands for `mc_name_`: helper functions that several
/// entries use, each under its own name. `wgsl!(tanh, include_str!("exp.wgsl"), "fn mc_tanh(x: f32) -> f32 { … $exp(x) … }")`
#[macro_export]
macro_rules! wgsl {
    ($name:ident, $($text:expr),+ $(,)?) => {{
        const TEXTS: &[&str] = &[$($text),+];
        const PREFIX: &str = concat!("mc_", stringify!($name), "_");
        const LEN: usize = $crate::__private::joined_len(TEXTS, PREFIX);
        const BYTES: [u8; LEN] = $crate::__private::joined(TEXTS, PREFIX);
        const TEXT: &str = match ::core::str::from_utf8(&BYTES) {
            Ok(text) => text,
            Err(_) => panic!("texts joined at character boundaries are UTF-8"),
        };
        TEXT
    }};
}

/// One byte in a section of its own: by their number a pack's rows can be counted before any of its code runs.
#[doc(hidden)]
#[macro_export]
macro_rules! __mark {
    ($kind:literal) => {{
        #[cfg_attr(
            target_vendor = "apple",
            unsafe(link_section = "__DATA,__mooncake_rows")
        )]
        #[cfg_attr(windows, unsafe(link_section = ".mcrows"))]
        #[cfg_attr(
            not(any(target_vendor = "apple", windows)),
            unsafe(link_section = ".mooncake_rows")
        )]
        static MARK: u8 = $kind;
        &MARK
    }};
}

/// Checks what a row says of itself, when it is compiled.
#[doc(hidden)]
#[macro_export]
macro_rules! __check_row {
    ($signature:ident $has_expressions:expr, [$($context:ident)?] $($body:expr)?) => {
        $crate::__private::check::row($crate::__private::check::Row {
            signature: $signature,
            is_default: $crate::__first!($($crate::Context::$context,)? $crate::__assumed_context!($($body)?),) as u32
                == $crate::Context::Default as u32,
            body: $crate::__first!($($body,)? "",),
            has_expressions: $has_expressions,
        })
        .raise()
    };
}

/// Checks a list of texts, one for each parameter, when it is compiled.
#[doc(hidden)]
#[macro_export]
macro_rules! __check_texts {
    ($signature:ident $what:literal [$($extra:literal),*] $required:literal $($text:expr),+) => {
        $crate::__private::check::texts($signature, $crate::__private::check::Texts {
            what: $what,
            texts: &[$($text),+],
            extra: &[$($extra),*],
            required: $required,
        })
        .raise()
    };
}

/// The first of several expressions: a field that was given, or else its default.
#[doc(hidden)]
#[macro_export]
macro_rules! __first {
    ($first:expr, $($rest:expr,)*) => {
        $first
    };
}

/// The context of an entry that names none: what has no body cannot be derived, so no context can do without its rule.
#[doc(hidden)]
#[macro_export]
macro_rules! __assumed_context {
    () => {
        $crate::Context::Minimal
    };
    ($body:expr) => {
        $crate::Context::Default
    };
}

/// The context of a rule over arrays that names none: without a pullback there is no rule.
#[doc(hidden)]
#[macro_export]
macro_rules! __rule_context {
    ([$($body:expr)?] [$($pullback:expr),+]) => {
        $crate::__assumed_context!($($body)?)
    };
    ([$($body:expr)?]) => {
        $crate::Context::Derived
    };
}

/// The signature of a function that exists, by its path, as text.
#[doc(hidden)]
#[macro_export]
macro_rules! __path_signature {
    (($first:ident $($path:ident)+) ($($arg:ident: $ty:ty),+) $ret:ty) => {
        concat!(
            stringify!($first), $("::", stringify!($path),)+
            "(", $(stringify!($arg), ": ", stringify!($ty), ", ",)+ ") -> ", stringify!($ret)
        )
    };
}

/// A signature as text.
#[doc(hidden)]
#[macro_export]
macro_rules! __signature {
    ($name:ident($($arg:ident: $ty:ty),+ $(,)?) -> $ret:ty) => {
        concat!(stringify!($name), "(", $(stringify!($arg), ": ", stringify!($ty), ", ",)+ ") -> ", stringify!($ret))
    };
}

/// The C function of a scalar function for one float type.
#[doc(hidden)]
#[macro_export]
macro_rules! __native {
    ($float:ident, $name:ident($($arg:ident: $ty:ident),+ $(,)?) = |$($formal:ident),+| $body:expr) => {{
        #[allow(dead_code)]
        type T = $float;
        extern "C" fn native($($arg: $ty),+) -> T {
            $crate::__private::guarded(env!("CARGO_PKG_NAME"), stringify!($name), T::NAN, move || {
                let ($($formal,)+) = ($($arg,)+);
                $body
            })
        }
        native as *const ::core::ffi::c_void
    }};
}

/// The C function of a scalar function with its partials for one float type.
#[doc(hidden)]
#[macro_export]
macro_rules! __with_partials {
    ($float:ident, $name:ident($($arg:ident: $ty:ident),+ $(,)?) = |$($formal:ident),+| $body:expr) => {{
        #[allow(dead_code)]
        type T = $float;
        const N: usize = [$(stringify!($arg)),+].len();
        extern "C" fn with_partials($($arg: $ty,)+ partials: &mut [T; N]) -> T {
            let (value, found): (T, [T; N]) =
                $crate::__private::guarded(env!("CARGO_PKG_NAME"), stringify!($name), (T::NAN, [T::NAN; N]), move || {
                    let ($($formal,)+) = ($($arg,)+);
                    $body
                });
            *partials = found;
            value
        }
        with_partials as *const ::core::ffi::c_void
    }};
}
