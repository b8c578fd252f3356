//! Consumers of iterators.

use mooncake_macros::library;

// These leave the iterator in place, so that it can be used further.
#[library]
pub mod by_reference {
    fn by_ref(this: &mut _) -> _ {
        this
    }
    fn nth(this: &mut _, n: usize) -> _ {
        for _ in 0..n {
            if this.next().is_none() {
                return None;
            }
        }
        this.next()
    }
    fn nth_back(this: &mut _, n: usize) -> _ {
        for _ in 0..n {
            if this.next_back().is_none() {
                return None;
            }
        }
        this.next_back()
    }
    fn any(this: &mut _, f: _) -> bool {
        while let Some(x) = this.next() {
            if f(x) {
                return true;
            }
        }
        false
    }
    fn all(this: &mut _, f: _) -> bool {
        while let Some(x) = this.next() {
            if !f(x) {
                return false;
            }
        }
        true
    }
    fn try_fold<R>(this: &mut _, first: _, f: _) -> R {
        let mut state = first;
        while let Some(x) = this.next() {
            let step: R = f(state, x);
            if step.is_residual() {
                return step;
            }
            state = step.unwrap();
        }
        R::from_output(state)
    }
    fn try_for_each<R>(this: &mut _, f: _) -> R {
        while let Some(x) = this.next() {
            let step: R = f(x);
            if step.is_residual() {
                return step;
            }
        }
        R::from_output(())
    }
    fn find(this: &mut _, f: _) -> _ {
        while let Some(x) = this.next() {
            if f(&x) {
                return Some(x);
            }
        }
        None
    }
    fn find_map(this: &mut _, f: _) -> _ {
        while let Some(x) = this.next() {
            let y = f(x);
            if y.is_some() {
                return y;
            }
        }
        None
    }
    fn position(this: &mut _, f: _) -> Option<usize> {
        let mut n = 0usize;
        while let Some(x) = this.next() {
            if f(x) {
                return Some(n);
            }
            n += 1;
        }
        None
    }
    fn rposition(this: &mut _, f: _) -> Option<usize> {
        let mut n = this.len();
        while let Some(x) = this.next_back() {
            n -= 1;
            if f(x) {
                return Some(n);
            }
        }
        None
    }
}

#[library]
pub mod by_value {
    use std::cmp::Ordering;

    fn sum<S>(this: _) -> S {
        let mut iter = this.into_iter();
        // Floats begin with -0.0, as in std: adding it changes nothing.
        let mut total = -(0u8 as S);
        while let Some(x) = iter.next() {
            total += x;
        }
        total
    }
    fn product<S>(this: _) -> S {
        let mut iter = this.into_iter();
        let mut total = 1u8 as S;
        while let Some(x) = iter.next() {
            total *= x;
        }
        total
    }
    fn fold(this: _, first: _, f: _) -> _ {
        let mut iter = this.into_iter();
        let mut state = first;
        while let Some(x) = iter.next() {
            state = f(state, x);
        }
        state
    }
    fn rfold(this: _, first: _, f: _) -> _ {
        this.rev().fold(first, f)
    }
    fn reduce(this: _, f: _) -> _ {
        let mut iter = this.into_iter();
        match iter.next() {
            Some(first) => Some(iter.fold(first, f)),
            None => None,
        }
    }
    fn for_each(this: _, f: _) {
        let mut iter = this.into_iter();
        while let Some(x) = iter.next() {
            f(x);
        }
    }
    fn count(this: _) -> usize {
        let mut iter = this.into_iter();
        let mut n = 0usize;
        while let Some(_) = iter.next() {
            n += 1;
        }
        n
    }
    fn last(this: _) -> _ {
        let mut iter = this.into_iter();
        let mut last = None;
        while let Some(x) = iter.next() {
            last = Some(x);
        }
        last
    }
    fn max(this: _) -> _ {
        this.max_by(|a, b| a.cmp(b))
    }
    fn min(this: _) -> _ {
        this.min_by(|a, b| a.cmp(b))
    }
    fn max_by(this: _, f: _) -> _ {
        this.reduce(|a, b| match f(&a, &b) {
            Ordering::Greater => a,
            _ => b,
        })
    }
    fn min_by(this: _, f: _) -> _ {
        this.reduce(|a, b| match f(&a, &b) {
            Ordering::Greater => b,
            _ => a,
        })
    }
    fn max_by_key(this: _, f: _) -> _ {
        match this.map(|x| (f(&x), x)).max_by(|a, b| a.0.cmp(&b.0)) {
            Some((_, x)) => Some(x),
            None => None,
        }
    }
    fn min_by_key(this: _, f: _) -> _ {
        match this.map(|x| (f(&x), x)).min_by(|a, b| a.0.cmp(&b.0)) {
            Some((_, x)) => Some(x),
            None => None,
        }
    }
    fn unzip(this: _) -> (Vec<_>, Vec<_>) {
        let mut iter = this.into_iter();
        let mut left = Vec::new();
        let mut right = Vec::new();
        while let Some((a, b)) = iter.next() {
            left.push(a);
            right.push(b);
        }
        (left, right)
    }
    fn partition(this: _, f: _) -> (Vec<_>, Vec<_>) {
        let mut iter = this.into_iter();
        let mut left = Vec::new();
        let mut right = Vec::new();
        while let Some(x) = iter.next() {
            if f(&x) {
                left.push(x);
            } else {
                right.push(x);
            }
        }
        (left, right)
    }
    fn rfind(this: &mut _, f: _) -> _ {
        while let Some(x) = this.next_back() {
            if f(&x) {
                return Some(x);
            }
        }
        None
    }
    fn is_sorted(this: _) -> bool {
        let mut iter = this.into_iter();
        let Some(mut last) = iter.next() else {
            return true;
        };
        while let Some(x) = iter.next() {
            if !(last <= x) {
                return false;
            }
            last = x;
        }
        true
    }
    fn partial_cmp(this: _, other: _) -> Option<Ordering> {
        let mut a = this.into_iter();
        let mut b = other.into_iter();
        loop {
            match (a.next(), b.next()) {
                (Some(x), Some(y)) => {
                    let order = x.partial_cmp(&y);
                    if order != Some(Ordering::Equal) {
                        return order;
                    }
                }
                (None, None) => return Some(Ordering::Equal),
                (None, _) => return Some(Ordering::Less),
                (_, None) => return Some(Ordering::Greater),
            }
        }
    }
    fn cmp(this: _, other: _) -> Ordering {
        let mut a = this.into_iter();
        let mut b = other.into_iter();
        loop {
            match (a.next(), b.next()) {
                (Some(x), Some(y)) => {
                    let order = x.cmp(&y);
                    if order != Ordering::Equal {
                        return order;
                    }
                }
                (None, None) => return Ordering::Equal,
                (None, _) => return Ordering::Less,
                (_, None) => return Ordering::Greater,
            }
        }
    }
    fn lt(this: _, other: _) -> bool {
        this.partial_cmp(other) == Some(Ordering::Less)
    }
    fn le(this: _, other: _) -> bool {
        let order = this.partial_cmp(other);
        order == Some(Ordering::Less) || order == Some(Ordering::Equal)
    }
    fn gt(this: _, other: _) -> bool {
        this.partial_cmp(other) == Some(Ordering::Greater)
    }
    fn ge(this: _, other: _) -> bool {
        let order = this.partial_cmp(other);
        order == Some(Ordering::Greater) || order == Some(Ordering::Equal)
    }
    fn ne(this: _, other: _) -> bool {
        !this.eq(other)
    }
    fn eq(this: _, other: _) -> bool {
        let mut a = this.into_iter();
        let mut b = other.into_iter();
        loop {
            match (a.next(), b.next()) {
                (Some(x), Some(y)) => {
                    if x != y {
                        return false;
                    }
                }
                (None, None) => return true,
                _ => return false,
            }
        }
    }
}

// The expected type decides what `collect`, `sum` and `product` return.
#[library]
pub mod collected {
    fn vec(this: _) -> Vec<_> {
        let mut iter = this.into_iter();
        let mut all = Vec::new();
        while let Some(x) = iter.next() {
            all.push(x);
        }
        all
    }
    // For an iterator with a known length.
    fn vec_of_known_length(this: _) -> Vec<_> {
        let mut iter = this.into_iter();
        let mut all = Vec::new();
        all.prepare(iter.len());
        let mut n = 0usize;
        while let Some(x) = iter.next() {
            all.put(n, x);
            n = n.wrapping_add(1);
        }
        all
    }
    fn option(this: _) -> Option<Vec<_>> {
        let mut iter = this.into_iter();
        let mut all = Vec::new();
        while let Some(x) = iter.next() {
            match x {
                Some(x) => all.push(x),
                None => return None,
            }
        }
        Some(all)
    }
    fn option_sum<S>(this: _) -> Option<S> {
        let mut iter = this.into_iter();
        let mut total = -(0u8 as S);
        while let Some(x) = iter.next() {
            match x {
                Some(x) => total += x,
                None => return None,
            }
        }
        Some(total)
    }
    fn option_product<S>(this: _) -> Option<S> {
        let mut iter = this.into_iter();
        let mut total = 1u8 as S;
        while let Some(x) = iter.next() {
            match x {
                Some(x) => total *= x,
                None => return None,
            }
        }
        Some(total)
    }
    fn result_sum<S>(this: _) -> Result<S, _> {
        let mut iter = this.into_iter();
        let mut total = -(0u8 as S);
        while let Some(x) = iter.next() {
            match x {
                Ok(x) => total += x,
                Err(error) => return Err(error),
            }
        }
        Ok(total)
    }
    fn result_product<S>(this: _) -> Result<S, _> {
        let mut iter = this.into_iter();
        let mut total = 1u8 as S;
        while let Some(x) = iter.next() {
            match x {
                Ok(x) => total *= x,
                Err(error) => return Err(error),
            }
        }
        Ok(total)
    }
    fn result(this: _) -> Result<Vec<_>, _> {
        let mut iter = this.into_iter();
        let mut all = Vec::new();
        while let Some(x) = iter.next() {
            match x {
                Ok(x) => all.push(x),
                Err(error) => return Err(error),
            }
        }
        Ok(all)
    }
}
