//! Methods of `Option`, `Result`, `Ordering` and `bool` that are not built in.

use mooncake_macros::library;

#[library]
pub mod of_options {
    use super::super::types::Once;

    fn map(this: _, f: _) -> _ {
        match this {
            Some(x) => Some(f(x)),
            None => None,
        }
    }
    fn and_then(this: _, f: _) -> _ {
        match this {
            Some(x) => f(x),
            None => None,
        }
    }
    fn and(this: _, other: _) -> _ {
        match this {
            Some(_) => other,
            None => None,
        }
    }
    fn or(this: _, other: _) -> _ {
        match this {
            Some(x) => Some(x),
            None => other,
        }
    }
    fn or_else(this: _, f: _) -> _ {
        match this {
            Some(x) => Some(x),
            None => f(),
        }
    }
    fn xor(this: _, other: _) -> _ {
        match (this, other) {
            (Some(x), None) => Some(x),
            (None, Some(x)) => Some(x),
            _ => None,
        }
    }
    fn filter(this: _, f: _) -> _ {
        match this {
            Some(x) => {
                if f(&x) {
                    Some(x)
                } else {
                    None
                }
            }
            None => None,
        }
    }
    fn zip(this: _, other: _) -> _ {
        match (this, other) {
            (Some(a), Some(b)) => Some((a, b)),
            _ => None,
        }
    }
    fn unzip(this: _) -> _ {
        match this {
            Some((a, b)) => (Some(a), Some(b)),
            None => (None, None),
        }
    }
    fn flatten(this: _) -> _ {
        match this {
            Some(x) => x,
            None => None,
        }
    }
    fn inspect(this: _, f: _) -> _ {
        if let Some(x) = this {
            f(&x);
        }
        this
    }
    fn unwrap_or<T>(this: Option<T>, other: T) -> T {
        match this {
            Some(x) => x,
            None => other,
        }
    }
    fn unwrap_or_else(this: _, f: _) -> _ {
        match this {
            Some(x) => x,
            None => f(),
        }
    }
    fn unwrap_or_default<T>(this: Option<T>) -> T {
        match this {
            Some(x) => x,
            None => T::default(),
        }
    }
    fn map_or(this: _, default: _, f: _) -> _ {
        match this {
            Some(x) => f(x),
            None => default,
        }
    }
    fn map_or_else(this: _, default: _, f: _) -> _ {
        match this {
            Some(x) => f(x),
            None => default(),
        }
    }
    fn is_some_and(this: _, f: _) -> bool {
        match this {
            Some(x) => f(x),
            None => false,
        }
    }
    fn is_none_or(this: _, f: _) -> bool {
        match this {
            Some(x) => f(x),
            None => true,
        }
    }
    fn ok_or(this: _, error: _) -> _ {
        match this {
            Some(x) => Ok(x),
            None => Err(error),
        }
    }
    fn ok_or_else(this: _, f: _) -> _ {
        match this {
            Some(x) => Ok(x),
            None => Err(f()),
        }
    }
    fn transpose(this: _) -> _ {
        match this {
            Some(Ok(x)) => Ok(Some(x)),
            Some(Err(error)) => Err(error),
            None => Ok(None),
        }
    }
    fn insert(this: &mut Option<_>, x: _) -> _ {
        *this = Some(x);
        match this {
            Some(x) => x,
            None => unreachable!(),
        }
    }
    fn get_or_insert(this: &mut Option<_>, x: _) -> _ {
        if this.is_none() {
            *this = Some(x);
        }
        match this {
            Some(x) => x,
            None => unreachable!(),
        }
    }
    fn get_or_insert_default<T>(this: &mut Option<T>) -> &mut T {
        this.get_or_insert(T::default())
    }
    fn get_or_insert_with(this: &mut Option<_>, f: _) -> _ {
        if this.is_none() {
            *this = Some(f());
        }
        match this {
            Some(x) => x,
            None => unreachable!(),
        }
    }
    fn take_if(this: &mut Option<_>, f: _) -> _ {
        let takes = match this {
            Some(x) => f(x),
            None => false,
        };
        if takes { this.take() } else { None }
    }
    // For `for` loops.
    fn next(this: &mut Option<_>) -> _ {
        this.take()
    }
    fn iter(this: _) -> _ {
        Once { item: this }
    }
    fn iter_mut(this: &mut Option<_>) -> _ {
        Once {
            item: this.as_mut(),
        }
    }
    fn into_iter(this: _) -> _ {
        Once { item: this }
    }
}

#[library]
pub mod of_results {
    use super::super::types::Once;

    fn map(this: _, f: _) -> _ {
        match this {
            Ok(x) => Ok(f(x)),
            Err(error) => Err(error),
        }
    }
    fn map_err(this: _, f: _) -> _ {
        match this {
            Ok(x) => Ok(x),
            Err(error) => Err(f(error)),
        }
    }
    fn and_then(this: _, f: _) -> _ {
        match this {
            Ok(x) => f(x),
            Err(error) => Err(error),
        }
    }
    fn and(this: _, other: _) -> _ {
        match this {
            Ok(_) => other,
            Err(error) => Err(error),
        }
    }
    fn or(this: _, other: _) -> _ {
        match this {
            Ok(x) => Ok(x),
            Err(_) => other,
        }
    }
    fn or_else(this: _, f: _) -> _ {
        match this {
            Ok(x) => Ok(x),
            Err(error) => f(error),
        }
    }
    fn ok(this: _) -> _ {
        match this {
            Ok(x) => Some(x),
            Err(_) => None,
        }
    }
    fn err(this: _) -> _ {
        match this {
            Ok(_) => None,
            Err(error) => Some(error),
        }
    }
    fn unwrap_or<T>(this: Result<T, _>, other: T) -> T {
        match this {
            Ok(x) => x,
            Err(_) => other,
        }
    }
    fn unwrap_or_else(this: _, f: _) -> _ {
        match this {
            Ok(x) => x,
            Err(error) => f(error),
        }
    }
    fn unwrap_or_default<T>(this: Result<T, _>) -> T {
        match this {
            Ok(x) => x,
            Err(_) => T::default(),
        }
    }
    fn map_or(this: _, default: _, f: _) -> _ {
        match this {
            Ok(x) => f(x),
            Err(_) => default,
        }
    }
    fn map_or_else(this: _, default: _, f: _) -> _ {
        match this {
            Ok(x) => f(x),
            Err(error) => default(error),
        }
    }
    fn is_ok_and(this: _, f: _) -> bool {
        match this {
            Ok(x) => f(x),
            Err(_) => false,
        }
    }
    fn is_err_and(this: _, f: _) -> bool {
        match this {
            Ok(_) => false,
            Err(error) => f(error),
        }
    }
    fn flatten(this: _) -> _ {
        match this {
            Ok(x) => x,
            Err(error) => Err(error),
        }
    }
    fn inspect(this: _, f: _) -> _ {
        if let Ok(x) = this {
            f(&x);
        }
        this
    }
    fn inspect_err(this: _, f: _) -> _ {
        if let Err(error) = this {
            f(&error);
        }
        this
    }
    fn transpose(this: _) -> _ {
        match this {
            Ok(Some(x)) => Some(Ok(x)),
            Ok(None) => None,
            Err(error) => Some(Err(error)),
        }
    }
    fn iter(this: _) -> _ {
        Once { item: this.ok() }
    }
    fn iter_mut(this: &mut Result<_, _>) -> _ {
        Once {
            item: match this {
                Ok(x) => Some(x),
                Err(_) => None,
            },
        }
    }
    fn into_iter(this: _) -> _ {
        Once { item: this.ok() }
    }
}

#[library]
pub mod of_orderings {
    use std::cmp::Ordering;

    fn is_lt(this: _) -> bool {
        match this {
            Ordering::Less => true,
            _ => false,
        }
    }
    fn is_le(this: _) -> bool {
        match this {
            Ordering::Greater => false,
            _ => true,
        }
    }
    fn is_gt(this: _) -> bool {
        match this {
            Ordering::Greater => true,
            _ => false,
        }
    }
    fn is_ge(this: _) -> bool {
        match this {
            Ordering::Less => false,
            _ => true,
        }
    }
    fn is_eq(this: _) -> bool {
        match this {
            Ordering::Equal => true,
            _ => false,
        }
    }
    fn is_ne(this: _) -> bool {
        match this {
            Ordering::Equal => false,
            _ => true,
        }
    }
    fn reverse(this: _) -> _ {
        match this {
            Ordering::Less => Ordering::Greater,
            Ordering::Equal => Ordering::Equal,
            Ordering::Greater => Ordering::Less,
        }
    }
    fn then(this: _, other: _) -> _ {
        match this {
            Ordering::Equal => other,
            _ => this,
        }
    }
    fn then_with(this: _, f: _) -> _ {
        match this {
            Ordering::Equal => f(),
            _ => this,
        }
    }
}

#[library]
pub mod of_bools {
    use std::cmp::Ordering;

    // For elements of arrays.
    fn __zero(this: bool) -> bool {
        false
    }

    fn then(this: bool, f: _) -> _ {
        if this { Some(f()) } else { None }
    }
    fn then_some(this: bool, x: _) -> _ {
        if this { Some(x) } else { None }
    }
    fn cmp(this: bool, other: bool) -> _ {
        if this == other {
            Ordering::Equal
        } else if other {
            Ordering::Less
        } else {
            Ordering::Greater
        }
    }
}
