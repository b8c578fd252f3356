//! Text: it is passed in, on and out, and compared; it is not computed with.
#![allow(
    clippy::useless_format,
    clippy::single_char_add_str,
    clippy::ptr_arg,
    reason = "the programs are what is tested"
)]

use mooncake::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

#[derive(Differentiable, Clone, Debug, PartialEq)]
enum Failure {
    Negative(String),
    TooLarge { what: &'static str, by: f64 },
}

const LIMIT: &str = "the limit";

#[differentiable]
fn root(x: f64) -> Result<f64, String> {
    if x < 0.0 {
        return Err("negative".to_string());
    }
    if x == 1.0 {
        return Err(String::from("one"));
    }
    if x == 2.0 {
        return Err(format!("{{two}}"));
    }
    if x == 3.0 {
        return Err("three".into());
    }
    if x == 4.0 {
        return Err(String::new());
    }
    Ok(x.sqrt())
}

#[differentiable]
fn checked(x: f64) -> Result<f64, Failure> {
    if x < 0.0 {
        let text = "negative".to_owned();
        return Err(Failure::Negative(text.clone()));
    }
    if x > 10.0 {
        return Err(Failure::TooLarge {
            what: LIMIT,
            by: x - 10.0,
        });
    }
    Ok(root(x).unwrap_or(0.0))
}

#[test]
fn errors_come_back_with_their_text() {
    let ctx = Context::default();
    for x in [-1.0, 0.25, 1.0, 2.0, 3.0, 4.0] {
        assert_eq!(
            ctx.build_rrule::<root>().unwrap().value((x,)).unwrap(),
            root(x)
        );
        test_rule::<root>(&ctx, (x,)).unwrap();
    }
    for x in [-1.0, 0.25, 11.5] {
        assert_eq!(
            ctx.build_rrule::<checked>().unwrap().value((x,)).unwrap(),
            checked(x)
        );
        test_rule::<checked>(&ctx, (x,)).unwrap();
    }
    let (value, pullback) = ctx
        .build_rrule::<checked>()
        .unwrap()
        .value_and_pullback((12.0,))
        .unwrap();
    assert_eq!(
        value,
        Err(Failure::TooLarge {
            what: "the limit",
            by: 2.0
        })
    );
    assert_eq!(
        pullback(Err(FailureGradient::TooLarge { what: (), by: 3.0 })),
        (3.0,)
    );
}

#[derive(Differentiable, Clone, Debug, PartialEq)]
struct Layer {
    name: String,
    kind: Rc<str>,
    w: f64,
}

#[differentiable]
fn renamed(layer: &Layer, suffix: &str) -> (Layer, Vec<String>) {
    let mut layer = layer.clone();
    let old = std::mem::replace(&mut layer.name, "new".to_string());
    layer.w *= if layer.name == "new" { 2.0 } else { 3.0 };
    let kept = std::mem::take(&mut layer.name);
    layer.name = suffix.to_owned();
    (layer, vec![old, kept, "last".to_string()])
}

#[differentiable]
fn activate(kind: &str, x: f64) -> f64 {
    match kind {
        "tanh" => x.tanh(),
        "abs" | LIMIT => x.abs(),
        k if k != "relu" => x * x,
        _ if x > 0.0 => 3.0 * x,
        _ => 0.0,
    }
}

#[differentiable]
fn labelled(cell: &RefCell<(f64, String)>, x: f64) -> f64 {
    let (w, label) = cell.borrow().clone();
    let next = if label == "first" { "second" } else { "third" };
    *cell.borrow_mut() = (w * x, next.to_string());
    w * x
}

#[test]
fn text_is_passed_in_and_on_and_out() {
    for ctx in [
        Context::default(),
        Context::builder().minimal().build().unwrap(),
    ] {
        let layer = Layer {
            name: "old \u{e9}".to_owned(),
            kind: "dense".into(),
            w: 1.5,
        };
        let rule = ctx.build_rrule::<renamed>().unwrap();
        let suffix = "suffix".repeat(2);
        assert_eq!(
            rule.value((&layer, &*suffix)).unwrap(),
            renamed(&layer, &suffix)
        );
        test_rule::<renamed>(&ctx, (&layer, "suffix")).unwrap();
        for kind in ["tanh", "relu", "square", "", "the limit", "tan"] {
            test_rule::<activate>(&ctx, (kind, 0.7)).unwrap();
            test_rule::<activate>(&ctx, (kind, -0.7)).unwrap();
        }
        test_rule::<labelled>(&ctx, (&RefCell::new((0.5, "first".to_owned())), 1.5)).unwrap();
    }
}

#[differentiable]
fn formatted(x: f64) -> Result<f64, String> {
    if x < 0.0 {
        Err(format!("{x} is negative"))
    } else {
        Ok(x * x)
    }
}

#[differentiable]
fn compared(x: f64) -> f64 {
    if format!("{x}") == "1" { x } else { 2.0 * x }
}

/// Numbers are not formatted in compiled code: what the text would say is not known.
#[test]
fn text_of_numbers_is_refused_where_it_would_be_seen() {
    let ctx = Context::default();
    let rule = ctx.build_rrule::<formatted>().unwrap();
    assert_eq!(rule.value((3.0,)).unwrap(), Ok(9.0));
    let error = rule.value((-3.0,)).unwrap_err().to_string();
    assert!(
        error.contains("text that `format!` makes of numbers cannot be returned"),
        "{error}"
    );
    let error = ctx
        .build_rrule::<compared>()
        .unwrap()
        .value((1.0,))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("no known content in derived code, so it cannot be compared"),
        "{error}"
    );
}

#[differentiable]
fn pushed(x: f64) -> (f64, String) {
    let mut text = "a".to_string();
    text.push_str("b");
    (x, text)
}

#[test]
fn computing_with_text_is_refused() {
    let error = Context::default()
        .build_rrule::<pushed>()
        .err()
        .unwrap()
        .to_string();
    assert!(
        error.contains("`push_str` of text is not supported"),
        "{error}"
    );
}

#[differentiable]
fn relabelled(layer: &mut Layer) -> f64 {
    let w = layer.w;
    layer.w = w * w;
    if layer.name == "old" {
        layer.name = "newer".to_string();
    }
    w * w
}

/// What a call has been given goes with its second half.
#[test]
fn a_pullback_that_is_called_elsewhere_restores_the_text() {
    let rule = Context::default().build_rrule::<relabelled>().unwrap();
    let mut layer = Layer {
        name: "old".to_owned(),
        kind: "dense".into(),
        w: 3.0,
    };
    let before = layer.clone();
    let (value, gradient) = rule.value_and_gradient((&mut layer,)).unwrap();
    assert_eq!((value, gradient.0.w), (9.0, 6.0));
    assert_eq!(layer, before);
    let (_, pullback) = rule.pullback((&mut layer,)).unwrap();
    let (gradient,) = pullback.apply(1.0).unwrap();
    assert_eq!(gradient.w, 6.0);
    assert_eq!(layer, before);

    #[differentiable]
    fn named(names: &mut Vec<String>, x: f64) -> f64 {
        names[0] = "changed".to_string();
        x * x
    }
    let rule = Context::default().build_rrule::<named>().unwrap();
    let mut names = vec!["one of its own".to_owned()];
    let (_, pullback) = rule.pullback((&mut names, 3.0)).unwrap();
    let (_, dx) =
        std::thread::scope(|scope| scope.spawn(|| pullback.apply(1.0).unwrap()).join().unwrap());
    assert_eq!(dx, 6.0);
    assert_eq!(names, ["one of its own"]);
}

/// A struct that borrows its text.
#[derive(Differentiable)]
struct Parameter<'a> {
    name: &'a str,
    tags: &'a [&'a str],
    value: f64,
}

#[differentiable]
fn squared(p: &Parameter) -> f64 {
    if p.name == "a" && p.tags.contains(&"even") {
        p.value * p.value
    } else {
        p.value
    }
}

#[differentiable]
fn named(name: &str, x: f64) -> f64 {
    let tags = ["odd", "even"];
    squared(&Parameter {
        name,
        tags: &tags,
        value: x,
    })
}

#[test]
fn a_struct_may_borrow_its_text() {
    let ctx = Context::default();
    let rule = ctx.build_rrule::<named>().unwrap();
    for (name, expected) in [("a", (9.0, 6.0)), ("b", (3.0, 1.0))] {
        let (value, ((), dx)) = rule.value_and_gradient((name, 3.0)).unwrap();
        assert_eq!((value, dx), expected);
        assert_eq!(value, named(name, 3.0));
    }
}
