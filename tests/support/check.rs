//! Functions that are tested as they stand, by their names.

/// One test for each function, at these arguments.
macro_rules! check {
    ($($f:ident($($arg:expr),*);)*) => {
        mod tested {
            use super::*;
            $(#[test]
            fn $f() {
                let tested = test_rule::<super::$f>(&Context::default(), ($($arg,)*));
                tested.unwrap_or_else(|error| panic!("{error}"));
            })*
        }
    };
}
