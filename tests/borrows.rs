//! Dynamic borrows of `RefCell`: what panics natively is the same fault, in the compiled primal, in reverse and in forward mode; what does
//! not panic gives the native value and a right gradient.

#![allow(clippy::all, unused, reason = "programs as they come")]

use mooncake::prelude::*;
use mooncake::{Error, Result};
use std::cell::{Cell, Ref, RefCell, RefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// What a function gave, or the words of its panic.
type Outcome = std::result::Result<f64, String>;

fn native(f: fn(f64, usize) -> f64, x: f64, n: usize) -> Outcome {
    catch_unwind(AssertUnwindSafe(|| f(x, n))).map_err(|panic| match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic
            .downcast::<&str>()
            .map_or_else(|_| "?".to_owned(), |text| text.to_string()),
    })
}

#[track_caller]
fn same(outcome: Result<f64>, native: &Outcome, name: &str) {
    match (outcome, native) {
        (Ok(value), Ok(native)) => assert_eq!(
            value.to_bits(),
            native.to_bits(),
            "{name}: {value} {native}"
        ),
        (Err(Error::Fault(fault)), Err(says)) => {
            assert_eq!(fault.message, *says, "{name}");
            assert!(fault.span.line > 0, "{name}");
        }
        (outcome, native) => panic!("{name}: {outcome:?}, natively {native:?}"),
    }
}

/// Functions of a number and a case, run for the cases 0 to 3.
macro_rules! programs {
    ($($name:ident($x:ident, $n:ident) $body:block)*) => {$(
        #[test]
        fn $name() {
            #[differentiable]
            fn f($x: f64, $n: usize) -> f64 $body
            let ctx = Context::builder().device(Device::cpu()).build().unwrap();
            let debug = Context::builder().device(Device::cpu()).debug(true).build().unwrap();
            let name = stringify!($name);
            let (rule, frule) = (ctx.build_rrule::<f>().unwrap(), ctx.build_frule::<f>().unwrap());
            let checked = debug.build_rrule::<f>().unwrap();
            for n in 0..4 {
                let native = native(f, 1.5, n);
                same(rule.value((1.5, n)), &native, name);
                same(rule.value_and_gradient((1.5, n)).map(|found| found.0), &native, name);
                same(rule.pullback((1.5, n)).map(|found| found.0), &native, name);
                same(frule.value_and_derivative((1.5, n), (1.0, ())).map(|found| found.0), &native, name);
                same(ctx.value_gradient_and_hessian::<f>((1.5, n)).map(|found| found.0), &native, name);
                same(checked.value_and_gradient((1.5, n)).map(|found| found.0), &native, name);
                if native.is_ok() {
                    test_rule::<f>(&ctx, (1.5, n)).unwrap();
                }
            }
        }
    )*};
}

programs! {
    a_way_out_of_an_extended_borrow(x, n) {
        let c = RefCell::new(None);
        if n > 1 {
            *c.borrow_mut() = Some(x * x);
        }
        let Some(y) = &*c.borrow() else {
            *c.borrow_mut() = Some(2.0 * x);
            let y = c.borrow().unwrap_or(0.0);
            return y * x;
        };
        if n == 3 {
            *c.borrow_mut() = None;
        }
        let y = *y;
        y * x
    }
    text_is_made_of_values_that_are_computed(x, n) {
        let c = RefCell::new(x);
        let bump = || {
            *c.borrow_mut() *= 2.0;
            0
        };
        let text = format!("{} and {n}", bump());
        let guard = if n == 2 { Some(0.5) } else { None };
        let held = c.borrow_mut();
        if let Some(by) = guard {
            let text = format!("{by} {}", *c.borrow() > 0.0);
        }
        *held
    }
    a_way_around_a_drop(x, n) {
        let c = RefCell::new(x);
        let guard = c.borrow_mut();
        let by = *guard;
        'past: {
            if n == 2 {
                break 'past;
            }
            drop(guard);
        }
        let seen = *c.borrow() * by;
        seen
    }
    a_way_around_a_drop_out_of_a_loop(x, n) {
        let c = RefCell::new(x);
        let guard = c.borrow();
        let by = *guard;
        let mut k = 0;
        loop {
            k += 1;
            if k > n {
                break;
            }
            if k == 3 {
                drop(guard);
                break;
            }
        }
        *c.borrow_mut() *= by;
        let y = *c.borrow();
        y
    }
    a_drop_in_one_arm(x, n) {
        let c = RefCell::new(x);
        let guard = c.borrow_mut();
        match n {
            0 => drop(guard),
            1 => {
                let y = *guard * 2.0;
                drop(guard);
                let _ = y;
            }
            _ => {}
        }
        let y = *c.borrow();
        y * y
    }
    a_value_of_a_labelled_block(x, n) {
        let c = RefCell::new(x);
        let y = 'value: {
            let guard = c.borrow_mut();
            if n == 1 {
                break 'value *guard * 2.0;
            }
            if n == 2 {
                break 'value *c.borrow();
            }
            *guard
        };
        y * *c.borrow()
    }
    a_guard_over_the_turns_of_a_loop(x, n) {
        let c = RefCell::new(x);
        let mut total = 0.0;
        'outer: for k in 0..3 {
            let guard = c.borrow();
            for j in 0..3 {
                if k == n && j == 1 {
                    continue 'outer;
                }
                total += *guard;
                if k + j == 4 && n == 3 {
                    *c.borrow_mut() += 1.0;
                }
            }
            drop(guard);
            *c.borrow_mut() += 1.0;
        }
        total
    }
    readers_share(x, n) {
        let c = RefCell::new(x);
        let (a, b) = (c.borrow(), c.borrow());
        let d = c.borrow();
        *a * *b + *d
    }
    a_reader_forbids_a_writer(x, n) {
        let c = RefCell::new(x);
        let reader = c.borrow();
        if n > 1 {
            *c.borrow_mut() = 2.0;
        }
        *reader
    }
    a_writer_forbids_a_writer(x, n) {
        let c = RefCell::new(x);
        let mut writer = c.borrow_mut();
        *writer += 1.0;
        if n > 1 {
            *c.borrow_mut() *= 2.0;
        }
        *writer
    }
    a_writer_forbids_a_reader(x, n) {
        let c = RefCell::new(x);
        let mut writer = c.borrow_mut();
        let y = if n > 1 { *c.borrow() } else { x };
        *writer += y;
        *writer
    }
    a_guard_ends_with_its_block(x, n) {
        let c = RefCell::new(x);
        {
            let mut writer = c.borrow_mut();
            *writer *= x;
        }
        let y = *c.borrow();
        *c.borrow_mut() += y;
        let last = *c.borrow();
        last * y
    }
    a_guard_is_dropped(x, n) {
        let c = RefCell::new(x);
        let mut writer = c.borrow_mut();
        *writer *= x;
        if n % 2 == 0 {
            drop(writer);
            *c.borrow_mut() += 1.0;
        } else {
            *writer += 3.0;
        }
        if n == 3 { *c.borrow() } else { x * x }
    }
    a_guard_that_is_not_named_ends_at_once(x, n) {
        let c = RefCell::new(x);
        let _ = c.borrow_mut();
        c.borrow_mut();
        drop(c.borrow_mut());
        let _guard = c.borrow_mut();
        if n == 2 { *c.borrow() } else { x }
    }
    one_statement(x, n) {
        let c = RefCell::new(x);
        if n == 0 {
            let y = *c.borrow() * x;
            *c.borrow_mut() += y;
        } else if n == 1 {
            *c.borrow_mut() += *c.borrow();
        } else if n == 2 {
            *c.borrow_mut() = x + *c.borrow() * 2.0;
        } else {
            let y = *c.borrow() + { *c.borrow_mut() = 3.0; 1.0 };
            return y;
        }
        let y = *c.borrow();
        y
    }
    conditions_end_guards(x, n) {
        let c = RefCell::new(x);
        if *c.borrow() > 1.0 {
            *c.borrow_mut() *= x;
        }
        while *c.borrow() < 20.0 {
            *c.borrow_mut() *= 2.0;
        }
        let both = *c.borrow() > 1.0 && { *c.borrow_mut() += 1.0; true };
        let y = *c.borrow();
        if both && n == 3 { let r = c.borrow(); let s = *r > 0.0 || { *c.borrow_mut() = 0.0; true }; if s { y } else { x } } else { y }
    }
    matches_hold_guards(x, n) {
        let c = RefCell::new(x);
        match *c.borrow() {
            y if y > 0.0 && n == 2 => { *c.borrow_mut() = y; }
            y if y > 5.0 => { *c.borrow_mut() = y; }
            _ => {}
        }
        let y = *c.borrow();
        match y {
            z if z > 1.0 => { *c.borrow_mut() += z; }
            _ => {}
        }
        let z = *c.borrow();
        z * y
    }
    if_let_holds_guards(x, n) {
        let c = RefCell::new(Some(x));
        if let Some(y) = *c.borrow() {
            if n == 1 {
                *c.borrow_mut() = None;
            }
        }
        if let Some(y) = c.borrow_mut().as_mut() {
            *y *= x;
        }
        if let (Some(y), true) = (*c.borrow(), n == 0) {
            return y * y;
        } else if n == 2 {
            *c.borrow_mut() = Some(2.0 * x);
        }
        let y = *c.borrow();
        y.unwrap_or(0.0)
    }
    chains_of_lets(x, n) {
        let (c, d) = (RefCell::new(Some(x)), RefCell::new(Some(x * x)));
        let mut sum = 0.0;
        if n > 0 && let Some(a) = *c.borrow() && n > 1 && let Some(b) = *d.borrow_mut() {
            sum += a * b;
            if n == 3 {
                d.replace(None);
            }
        }
        *d.borrow_mut() = None;
        *c.borrow_mut() = Some(x * 3.0);
        if let Some(y) = *c.borrow() {
            sum += y;
        }
        sum
    }
    while_let_holds_guards(x, n) {
        let c = RefCell::new(vec![x, 2.0 * x, 3.0 * x]);
        let mut sum = 0.0;
        while let Some(y) = c.borrow_mut().pop() {
            sum += y * y;
            if n == 1 && sum > 10.0 {
                break;
            }
            if n == 2 && sum > 10.0 {
                c.borrow_mut().push(1.0);
            }
            if n == 3 && sum < 25.0 {
                continue;
            }
        }
        sum + c.borrow().len() as f64
    }
    loops_end_guards(x, n) {
        let c = RefCell::new(x);
        let mut total = 0.0;
        'outer: for i in 0..4 {
            let mut writer = c.borrow_mut();
            *writer += i as f64 * x;
            for j in 0..3 {
                let extra = RefCell::new(x * j as f64);
                let reader = extra.borrow();
                if j == n {
                    continue 'outer;
                }
                if i == 3 && j == 2 {
                    break 'outer;
                }
                total += *reader;
            }
        }
        let mut k = 0;
        let last = loop {
            let mut writer = c.borrow_mut();
            k += 1;
            if k == 3 {
                break *writer * x;
            }
            *writer *= 1.5;
        };
        if n == 3 {
            let reader = c.borrow();
            loop {
                *c.borrow_mut() = 1.0;
            }
        }
        let rest = *c.borrow();
        total + last + rest
    }
    what_lives_longer(x, n) {
        let c = RefCell::new((x, [x, 2.0]));
        if n == 0 {
            let y = &c.borrow().1[0];
            let z = &*c.borrow();
            return *y + z.0;
        }
        if n == 1 {
            let y = &c.borrow().0;
            c.borrow_mut().0 = 2.0;
            return *y;
        }
        if n == 2 {
            let (_, y) = (1.0, &c.borrow().1[1]);
            c.borrow_mut().0 = 2.0;
            return *y;
        }
        let y = c.borrow().1[0];
        c.borrow_mut().0 = 2.0 * y;
        let y = c.borrow().0;
        y
    }
    what_lives_longer_in_branches(x, n) {
        let (c, d) = (RefCell::new(x), RefCell::new(x * 2.0));
        let y = if n % 2 == 0 { &*c.borrow() } else { &*d.borrow() };
        if n == 1 {
            *c.borrow_mut() = 3.0;
        }
        if n >= 2 {
            *d.borrow_mut() = 4.0;
        }
        let z = match n { 0 => Some(&*c.borrow()), _ => None };
        y * y + z.map_or(0.0, |z| *z)
    }
    replacing(x, n) {
        let c = RefCell::new(x);
        let d = RefCell::new(2.0 * x);
        let old = c.replace(x * x);
        c.swap(&d);
        let taken = d.take();
        let held = c.replace_with(|y| *y * old);
        let reader = c.borrow();
        let more = match n {
            0 => 0.0,
            1 => c.replace(1.0),
            2 => c.take(),
            _ => { d.swap(&c); 0.0 }
        };
        *reader + taken + held + more
    }
    replacing_inside(x, n) {
        let c = RefCell::new(x);
        c.replace_with(|y| if n == 2 { *c.borrow() } else if n == 3 { c.replace(3.0) } else { *y * x });
        c.into_inner()
    }
    let_else(x, n) {
        let c = RefCell::new(vec![x]);
        let Some(y) = c.borrow().get(n).copied() else {
            c.borrow_mut().push(x * 2.0);
            if n == 3 {
                let r = c.borrow();
                c.borrow_mut().push(1.0);
            }
            return c.borrow().iter().sum();
        };
        c.borrow_mut().push(y);
        let z: f64 = c.borrow().iter().sum();
        z * y
    }
    receivers_come_first(x, n) {
        let c = RefCell::new(vec![x]);
        if n == 0 {
            c.borrow_mut()[0] = { let y = c.borrow()[0]; y * y };
        } else if n == 1 {
            let y = c.borrow()[0];
            c.borrow_mut().push(y);
        } else if n == 2 {
            c.borrow_mut().push({ let y = c.borrow()[0]; y });
        } else {
            c.borrow_mut().swap(0, c.borrow().len() - 1);
        }
        c.borrow().iter().sum()
    }
    options_in_cells(x, n) {
        let c = RefCell::new(Some(x));
        let old = match n {
            0 => c.borrow_mut().replace(2.0 * x),
            1 => c.borrow_mut().take(),
            2 => c.borrow_mut().replace({ let y = *c.borrow(); y.unwrap_or(0.0) }),
            _ => { let mut g = c.borrow_mut(); let y = g.take(); *g = y.map(|y| y * y); *g },
        };
        let now = *c.borrow();
        old.unwrap_or(1.0) * now.unwrap_or(3.0)
    }
}

#[differentiable]
fn look(c: &RefCell<f64>, x: f64) -> f64 {
    let y = *c.borrow();
    y * x + *c.borrow()
}

#[differentiable]
fn change(c: &RefCell<f64>, x: f64) {
    *c.borrow_mut() *= x;
}

#[differentiable]
fn look_early(c: &RefCell<f64>, x: f64) -> f64 {
    let y = c.borrow();
    if *y > x {
        return *y * x;
    }
    for i in 0..3 {
        let z = c.borrow();
        if i as f64 > x {
            return *z + *y;
        }
    }
    *y
}

#[differentiable]
fn positive(c: &RefCell<f64>) -> Option<f64> {
    let y = c.borrow();
    if *y > 0.0 { Some(*y) } else { None }
}

#[differentiable]
fn checked(c: &RefCell<f64>, d: &RefCell<f64>) -> Option<f64> {
    let mut writer = d.borrow_mut();
    *writer += positive(c)?;
    *writer *= positive(c)?;
    Some(*writer)
}

#[differentiable]
fn sum_down(c: &RefCell<f64>, k: usize, held: usize) -> f64 {
    if k == 0 {
        *c.borrow_mut() += 1.0;
        return 0.0;
    }
    if k == held {
        let y = c.borrow();
        return *y + sum_down(c, k - 1, held);
    }
    let y = *c.borrow();
    y + sum_down(c, k - 1, held)
}

#[differentiable]
trait Store {
    fn put(&self, c: &RefCell<f64>, x: f64);
    fn get(&self, c: &RefCell<f64>) -> f64;
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Plain(f64);

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Held(Rc<RefCell<f64>>);

#[differentiable]
impl Store for Plain {
    fn put(&self, c: &RefCell<f64>, x: f64) {
        *c.borrow_mut() = self.0 * x;
    }
    fn get(&self, c: &RefCell<f64>) -> f64 {
        *c.borrow() * self.0
    }
}

#[differentiable]
impl Store for Held {
    fn put(&self, c: &RefCell<f64>, x: f64) {
        let own = self.0.borrow();
        *c.borrow_mut() = *own * x;
    }
    fn get(&self, c: &RefCell<f64>) -> f64 {
        *c.borrow() * *self.0.borrow()
    }
}

programs! {
    calls(x, n) {
        let c = RefCell::new(x);
        change(&c, x);
        let mut y = look(&c, 2.0) + look_early(&c, 1.0) + look_early(&c, 1e3);
        let reader = c.borrow();
        y += look(&c, x);
        if n == 1 {
            change(&c, x);
        }
        drop(reader);
        let mut writer = c.borrow_mut();
        *writer += y;
        if n == 2 {
            y += look(&c, 1.0);
        }
        if n == 3 {
            y += look_early(&c, 1.0);
        }
        *writer * y
    }
    questions(x, n) {
        let (c, d) = (RefCell::new(x - 1.0), RefCell::new(x));
        let first = checked(&c, &d).unwrap_or(0.0);
        c.replace(if n == 1 { -x } else { x });
        let second = checked(&c, &d).unwrap_or(0.0);
        change(&d, x);
        let third = if n == 2 { checked(&d, &d).unwrap_or(0.0) } else { 0.0 };
        first * second + third + look(&d, 1.0)
    }
    recursion(x, n) {
        let c = RefCell::new(x);
        let mut y = sum_down(&c, 3, if n < 2 { 9 } else { n });
        y += look(&c, x);
        y
    }
    closures(x, n) {
        let c = RefCell::new(x);
        let add = |by: f64| { *c.borrow_mut() += by; };
        let get = || *c.borrow();
        add(x);
        let y = get() * get();
        if n == 1 {
            let reader = c.borrow();
            add(1.0);
        }
        if n == 2 {
            let writer = c.borrow_mut();
            return get();
        }
        let reader = c.borrow();
        let z = get() + *reader;
        let held = || *reader * z;
        if n == 3 { let f = || { let mut w = c.borrow_mut(); *w = 1.0; }; f(); }
        y * held()
    }
    closures_behind_dyn(x, n) {
        let c = Rc::new(RefCell::new(x));
        let (a, b) = (c.clone(), c.clone());
        let steps: Vec<Box<dyn Fn(f64) -> f64>> = vec![
            Box::new(move |y| { *a.borrow_mut() += y; y }),
            Box::new(move |y| *b.borrow() * y),
        ];
        let mut y = x;
        for step in steps.iter() {
            y = step(y);
        }
        if n == 1 {
            let reader = c.borrow();
            y += steps[1](*reader);
        }
        if n == 2 {
            let reader = c.borrow();
            y += steps[0](*reader);
        }
        if n == 3 {
            let mut writer = c.borrow_mut();
            *writer += steps[1](y);
        }
        y * *c.borrow()
    }
    traits(x, n) {
        let c = Rc::new(RefCell::new(x));
        let stores: [Box<dyn Store>; 3] = [
            Box::new(Plain(2.0 * x)),
            Box::new(Held(Rc::new(RefCell::new(3.0 * x)))),
            Box::new(Held(c.clone())),
        ];
        let mut y = 0.0;
        for (i, store) in stores.iter().enumerate() {
            y += store.get(&c);
            if i < 2 || n == 2 {
                store.put(&c, x);
            }
        }
        if n == 3 {
            let mut writer = c.borrow_mut();
            *writer += stores[1].get(&c);
        }
        y
    }
    arguments(x, n) {
        let (c, d) = (RefCell::new(x), RefCell::new(2.0 * x));
        let both = |a: &f64, b: &mut f64| { *b += *a; *a * *b };
        let mut y = both(&c.borrow(), &mut d.borrow_mut());
        y += both(&c.borrow(), &mut *d.borrow_mut());
        if n == 2 {
            y += both(&*c.borrow(), &mut c.borrow_mut());
        }
        std::mem::swap(&mut *c.borrow_mut(), &mut *d.borrow_mut());
        if n == 3 {
            std::mem::swap(&mut *c.borrow_mut(), &mut c.borrow_mut());
        }
        y * *c.borrow()
    }
    iterators(x, n) {
        let c = RefCell::new(vec![x, 2.0 * x, 3.0]);
        let mut y = 0.0;
        for v in c.borrow().iter() {
            y += *v * c.borrow().len() as f64;
            if n == 1 && y > 5.0 {
                c.borrow_mut().push(1.0);
            }
        }
        for v in c.borrow_mut().iter_mut() {
            *v *= x;
            if n == 2 {
                y += c.borrow()[0];
            }
        }
        let all: Vec<Rc<RefCell<f64>>> = (0..3).map(|i| Rc::new(RefCell::new(x * i as f64))).collect();
        y += all.iter().map(|v| *v.borrow()).sum::<f64>();
        all.iter().for_each(|v| *v.borrow_mut() += 1.0);
        let most = all.iter().fold(0.0, |m: f64, v| m.max(*v.borrow()));
        let guard = all[1].borrow_mut();
        if n == 3 {
            y += all.iter().map(|v| *v.borrow()).sum::<f64>();
        }
        y * most + c.borrow().iter().sum::<f64>()
    }
    nested_cells(x, n) {
        let outer = RefCell::new(Rc::new(RefCell::new(x)));
        *outer.borrow().borrow_mut() *= x;
        let inner = outer.borrow().clone();
        let y = *inner.borrow();
        let guard = inner.borrow();
        if n == 1 {
            *outer.borrow().borrow_mut() = 1.0;
        }
        *outer.borrow_mut() = Rc::new(RefCell::new(2.0 * y));
        *outer.borrow().borrow_mut() *= *guard;
        let z = *outer.borrow().borrow();
        if n == 2 {
            let cell = outer.borrow();
            *outer.borrow_mut() = inner.clone();
        }
        z * *guard
    }
    other_cells(x, n) {
        let c = Cell::new(x);
        let d = Rc::new(Cell::new(2.0));
        let a = d.clone();
        c.set(c.get() * x);
        d.set(a.get() + c.replace(1.0));
        a.swap(&d);
        c.swap(&a);
        c.get() * a.get() + d.take() + a.get()
    }
    patterns_by_reference(x, n) {
        let c = RefCell::new((x, [x, 2.0]));
        let ref a = *c.borrow();
        let (b, _) = *c.borrow();
        if n == 1 {
            c.borrow_mut().0 = 1.0;
        }
        let d = RefCell::new((x, 2.0 * x));
        let (ref e, f) = *d.borrow();
        if n == 2 {
            d.borrow_mut().0 = 1.0;
        }
        let g = RefCell::new((x, 3.0 * x));
        let (h, _) = *g.borrow();
        g.borrow_mut().1 = h;
        let last = *g.borrow();
        a.0 * b + *e * f + last.1
    }
    a_cell_with_itself(x, n) {
        let cells = [Cell::new(x), Cell::new(2.0 * x)];
        cells[0].swap(&cells[n / 2]);
        let own = [RefCell::new(x), RefCell::new(3.0)];
        own[0].swap(&own[(n + 1) % 2]);
        cells[0].get() * cells[1].get() + own[0].take() * *own[1].borrow()
    }
    through_as_ref(x, n) {
        let c = Rc::new(RefCell::new(x));
        let y = *c.as_ref().borrow();
        *c.as_ref().borrow_mut() += y;
        let reader = RefCell::borrow(&c);
        if n == 2 {
            *RefCell::borrow_mut(&c) = 1.0;
        }
        *reader * y
    }
    exclusive(x, n) {
        let mut c = RefCell::new(x);
        *c.get_mut() *= x;
        { let reader = c.borrow(); if n == 1 { c.replace(*reader); } }
        *c.get_mut() += 1.0;
        c.into_inner()
    }
    guards_from_branches(x, n) {
        let (c, d) = (Some(Rc::new(RefCell::new(x))), Rc::new(RefCell::new(3.0)));
        let mut writer = match &c {
            Some(cell) if n != 1 => cell.borrow_mut(),
            _ => { let cell = &d; cell.borrow_mut() }
        };
        *writer *= x;
        let reader = if n == 2 { c.as_ref().unwrap().borrow() } else if n == 0 { d.borrow() } else { let Some(c) = &c else { return x }; c.borrow() };
        let y = *writer * *reader;
        drop(writer);
        if let Some(c) = &c {
            *c.borrow_mut() += y;
        }
        y
    }
    ranges_hold_guards(x, n) {
        let c = RefCell::new(vec![x, 2.0]);
        let mut y = 0.0;
        for i in 0..c.borrow().len() {
            y += c.borrow()[i] * x;
            if n == 1 {
                c.borrow_mut()[i] = y;
            }
        }
        let count = c.borrow().len();
        for i in 0..count {
            c.borrow_mut()[i] *= y;
        }
        let last = c.borrow()[count - 1];
        last * x
    }
    blocks(x, n) {
        let c = RefCell::new(x);
        let y = { let z = 2.0; *c.borrow() * z } + { *c.borrow_mut() += 1.0; x };
        let z = 'found: {
            let w = c.borrow_mut();
            if n == 0 {
                break 'found *w * x;
            }
            if n == 1 {
                break 'found *c.borrow();
            }
            *w
        };
        let w = unsafe_free(&c, n);
        y * z * w
    }
    unit_statements(x, n) {
        let c = RefCell::new(vec![x]);
        let v = match n { 0 => c.borrow_mut().pop(), 1 => Some(c.borrow()[0]), _ => None };
        c.borrow_mut().extend([x, 2.0]);
        c.borrow_mut().iter_mut().for_each(|y| *y *= x);
        if n == 2 { c.borrow_mut().iter_mut().for_each(|y| *y *= c.borrow()[0]) }
        assert!(c.borrow().len() > 0 && c.borrow_mut().len() > 0);
        assert_eq!(c.borrow().len(), c.borrow().len());
        if n == 3 { assert_eq!(c.borrow().len(), c.borrow_mut().len()); }
        let s: f64 = c.borrow().iter().sum();
        s + v.unwrap_or(0.5)
    }
}

#[differentiable]
fn unsafe_free(c: &RefCell<f64>, n: usize) -> f64 {
    let (mut a, b) = (c.borrow_mut(), n);
    let r: &mut f64 = &mut a;
    *r += 1.0;
    if n == 3 {
        return *c.borrow();
    }
    *a
}

/// What a program of an older edition means: its temporary values live longer.
mod editions {
    use super::*;
    use mooncake::__private as mc;
    use mooncake::{Callable, DifferentiableFn};

    /// The last expression of a block, and the condition of an `if let`.
    #[differentiable]
    fn now(x: f64, n: usize) -> f64 {
        let c = RefCell::new(x);
        if n == 0 {
            let y = { *c.borrow() } + c.replace(1.0);
            return y;
        }
        if n == 1 {
            if let Some(y) = Some(*c.borrow_mut()).filter(|y| *y > 3.0) {
                return y;
            } else {
                *c.borrow_mut() += 1.0;
            }
        }
        let y = *c.borrow();
        y * x
    }

    /// The same, as it was before the edition of 2024.
    enum Before {}

    impl Callable for Before {
        fn callee() -> mc::Instance {
            let (source, arguments) = <now as Callable>::callee();
            let mc::Body::Block(block) = &source.body else {
                unreachable!()
            };
            let (block, patterns) = (block.node().unwrap(), source.patterns.node().unwrap());
            let older = mc::Source {
                body: mc::Body::Block(mc::Written::of(block)),
                patterns: mc::Written::of(patterns),
                role: mc::Role::Derived,
                early: || false,
                path: "before",
                ..*source
            };
            (Box::leak(Box::new(older)), arguments)
        }
    }

    impl DifferentiableFn for Before {
        type Args<'a> = <now as DifferentiableFn>::Args<'a>;
        type Output = f64;
        type Gradient = <now as DifferentiableFn>::Gradient;
        fn native(args: Self::Args<'_>) -> f64 {
            now(args.0, args.1)
        }
    }

    #[test]
    fn temporary_values_of_older_editions_live_longer() {
        let ctx = Context::default();
        let (rule, before) = (
            ctx.build_rrule::<now>().unwrap(),
            ctx.build_rrule::<Before>().unwrap(),
        );
        for n in 0..3 {
            let native = native(now, 1.5, n);
            same(
                rule.value_and_gradient((1.5, n)).map(|found| found.0),
                &native,
                "now",
            );
            // As rustc 1.95 has it with `--edition 2021`.
            let older = match n {
                2 => native,
                _ => Err("RefCell already borrowed".to_owned()),
            };
            same(
                before.value_and_gradient((1.5, n)).map(|found| found.0),
                &older,
                "before",
            );
        }
    }
}

/// Where no borrow can fail nothing is checked: the code is that of a program without guards.
#[test]
fn what_cannot_fail_is_not_checked() {
    #[differentiable]
    fn sequential(c: Rc<RefCell<Vec<f64>>>, x: f64) -> f64 {
        let n = c.borrow().len();
        for i in 0..n {
            let y = c.borrow()[i];
            c.borrow_mut()[i] = y * x;
        }
        let (a, b) = (c.borrow(), c.borrow());
        a[0] * b[n - 1]
    }
    #[differentiable]
    fn of_two_types(c: Rc<RefCell<f64>>, d: Rc<RefCell<(f64, f64)>>) -> f64 {
        let mut a = c.borrow_mut();
        *a *= d.borrow().0;
        d.borrow_mut().1 = *a;
        *a + d.borrow().1
    }
    #[differentiable]
    fn nested(c: Rc<RefCell<f64>>, x: f64) -> f64 {
        let mut a = c.borrow_mut();
        *a *= x;
        x * *c.borrow()
    }
    let ctx = Context::default();
    let text = |ir: Result<String>| ir.unwrap();
    assert!(!text(ctx.primal_ir::<sequential>()).contains("borrowed"));
    assert!(!text(ctx.primal_ir::<of_two_types>()).contains("borrowed"));
    assert!(text(ctx.primal_ir::<nested>()).contains("RefCell already mutably borrowed"));
}

/// Guards that are given away: fine where nothing can conflict, else refused.
mod given_away {
    use super::*;

    #[differentiable]
    fn reader(c: &RefCell<f64>) -> Ref<'_, f64> {
        c.borrow()
    }
    #[differentiable]
    fn writer(c: &RefCell<(f64, f64)>) -> RefMut<'_, (f64, f64)> {
        c.borrow_mut()
    }
    #[differentiable]
    fn readers(x: f64) -> f64 {
        let c = RefCell::new(x);
        let y = *reader(&c) * x;
        y + *c.borrow()
    }
    #[differentiable]
    fn writers(x: f64) -> f64 {
        let c = RefCell::new((x, x));
        writer(&c).0 *= x;
        c.into_inner().0
    }
    #[differentiable]
    fn changed(x: f64) -> f64 {
        let c = RefCell::new(x);
        let y = *reader(&c) * x;
        *c.borrow_mut() = y;
        c.into_inner()
    }
    #[differentiable]
    fn moved(x: f64) -> f64 {
        let c = RefCell::new(x);
        let guard = c.borrow_mut();
        let mut other = guard;
        *other *= x;
        *c.borrow()
    }
    #[differentiable]
    fn captured(x: f64) -> f64 {
        let c = RefCell::new(x);
        let guard = c.borrow_mut();
        let f = move || *guard * x;
        f() + *c.borrow()
    }
    #[differentiable]
    fn in_an_option(x: f64) -> f64 {
        let c = RefCell::new(x);
        let guard = Some(c.borrow_mut());
        *c.borrow() + if guard.is_some() { x } else { 0.0 }
    }

    #[test]
    fn guards_that_are_given_away() {
        let ctx = Context::default();
        test_rule::<readers>(&ctx, (1.5,)).unwrap();
        for error in [
            ctx.build_rrule::<writers>().err(),
            ctx.build_rrule::<changed>().err(),
            ctx.build_rrule::<moved>().err(),
            ctx.build_rrule::<captured>().err(),
            ctx.build_rrule::<in_an_option>().err(),
        ] {
            let text = error.unwrap().to_string();
            assert!(
                text.contains("this passes the guard of a `RefCell` on"),
                "{text}"
            );
        }
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Node {
    value: f64,
    next: Vec<Rc<RefCell<Node>>>,
}

fn node(value: f64, next: Vec<Rc<RefCell<Node>>>) -> Rc<RefCell<Node>> {
    Rc::new(RefCell::new(Node { value, next }))
}

/// Cells that come from outside, perhaps one twice.
#[test]
fn aliases() {
    #[differentiable]
    fn add(a: Rc<RefCell<f64>>, b: Rc<RefCell<f64>>, x: f64) -> f64 {
        let mut to = a.borrow_mut();
        *to += *b.borrow() * x;
        *to
    }
    let ctx = Context::default();
    let rule = ctx.build_rrule::<add>().unwrap();
    let (a, b) = (Rc::new(RefCell::new(2.0)), Rc::new(RefCell::new(3.0)));
    for _ in 0..2 {
        *a.borrow_mut() = 2.0;
        let (y, (da, db, dx)) = rule
            .value_and_gradient((a.clone(), b.clone(), 4.0))
            .unwrap();
        assert_eq!((y, *da.borrow(), *db.borrow(), dx), (14.0, 1.0, 4.0, 3.0));
        let fault = rule
            .value_and_gradient((a.clone(), a.clone(), 4.0))
            .unwrap_err();
        assert!(
            fault
                .to_string()
                .contains("RefCell already mutably borrowed"),
            "{fault}"
        );
        assert!(a.try_borrow_mut().is_ok());
        let fault = ctx
            .build_frule::<add>()
            .unwrap()
            .value_and_derivative((b.clone(), b.clone(), 4.0), ((), (), 1.0))
            .unwrap_err();
        assert!(
            fault
                .to_string()
                .contains("RefCell already mutably borrowed"),
            "{fault}"
        );
    }
    let cells = (Rc::new(RefCell::new(2.0)), Rc::new(RefCell::new(3.0)), 4.0);
    test_rule::<add>(&ctx, cells).unwrap();
    // Borrowed by the caller.
    let guard = a.borrow_mut();
    let error = rule.value_and_gradient((a.clone(), b.clone(), 4.0));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("a RefCell is borrowed while"), "{error}");
    drop(guard);
    rule.value_and_gradient((a, b, 4.0)).unwrap();
}

/// A graph whose nodes are shared: what has been visited is marked while its neighbours are.
#[test]
fn graphs() {
    #[differentiable]
    fn total(node: &Rc<RefCell<Node>>, x: f64) -> f64 {
        let own = node.borrow();
        let mut sum = own.value * x;
        for next in own.next.iter() {
            sum += total(next, x * 0.5);
        }
        sum
    }
    #[differentiable]
    fn spread(node: &Rc<RefCell<Node>>, x: f64, depth: usize) {
        if depth == 0 {
            return;
        }
        let mut own = node.borrow_mut();
        own.value += x;
        for next in own.next.iter() {
            spread(next, x * own.value, depth - 1);
        }
    }
    #[differentiable]
    fn both(start: Rc<RefCell<Node>>, x: f64, depth: usize) -> f64 {
        spread(&start, x, depth);
        total(&start, x)
    }
    #[differentiable]
    fn around(start: Rc<RefCell<Node>>, x: f64, depth: usize) -> f64 {
        spread(&start, x, depth);
        let own = start.borrow();
        own.value * own.value
    }
    let ctx = Context::default();
    let leaf = node(0.5, vec![]);
    let diamond = node(
        1.0,
        vec![node(2.0, vec![leaf.clone()]), node(3.0, vec![leaf.clone()])],
    );
    test_rule::<both>(&ctx, (diamond.clone(), 1.5, 3)).unwrap();
    // A cycle: the node that is changed is come to again.
    let ring = node(1.0, vec![node(2.0, vec![])]);
    let second = ring.borrow().next[0].clone();
    second.borrow_mut().next.push(ring.clone());
    let rule = ctx.build_rrule::<around>().unwrap();
    for depth in [2, 3] {
        let native = catch_unwind(AssertUnwindSafe(|| around(ring.clone(), 1.5, depth)));
        (ring.borrow_mut().value, second.borrow_mut().value) = (1.0, 2.0);
        match (native, rule.value_and_gradient((ring.clone(), 1.5, depth))) {
            (Ok(native), Ok((value, _))) if depth == 2 => assert_eq!(value, native),
            (Err(_), Err(Error::Fault(fault))) => {
                assert_eq!(fault.message, "RefCell already borrowed")
            }
            (native, found) => panic!("{native:?} {:?}", found.map(|found| found.0)),
        }
        (ring.borrow_mut().value, second.borrow_mut().value) = (1.0, 2.0);
    }
    second.borrow_mut().next.clear();
}
