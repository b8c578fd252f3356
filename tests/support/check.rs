//! Functions that are tested as they stand, by their names.

/// One test for each function, at these arguments. It must not panic there: nothing would be said of its derivative.
macro_rules! check {
    ($($f:ident($($arg:expr),*);)*) => {
        mod tested {
            use super::*;
            $(#[test]
            fn $f() {
                let _ = super::$f($($arg),*);
                let tested = test_rule::<super::$f>(&Context::default(), ($($arg,)*));
                tested.unwrap_or_else(|error| panic!("{error}"));
            })*
        }
    };
}
