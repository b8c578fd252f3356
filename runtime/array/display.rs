//! Printing arrays: whole if small, otherwise the ends of each axis.

use super::Array;
use super::backend::dense_strides;
use super::element::Element;
use std::fmt;

/// Arrays of more elements are abridged.
const WHOLE: usize = 1000;

/// How many elements an abridged axis shows at either end.
const ENDS: usize = 3;

impl<T: Element> fmt::Display for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The shape is known, and an abridged print needs few elements: but reading them all is simpler, and printing is rare.
        match self.to_vec() {
            Ok(data) => write_axis(f, &data, self.shape(), data.len() > WHOLE, 0),
            Err(error) => write!(f, "<{error}>"),
        }
    }
}

impl<T: Element> fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shape, device) = (self.shape(), self.device());
        match self.error() {
            None => write!(
                f,
                "Array<{}>{shape:?} on {device}: {self}",
                std::any::type_name::<T>()
            ),
            Some(_) => write!(f, "Array<{}>: {self}", std::any::type_name::<T>()),
        }
    }
}

/// The elements of the outermost axis in brackets; a matrix's rows on lines of their own.
fn write_axis<T: Element>(
    f: &mut fmt::Formatter<'_>,
    data: &[T],
    shape: &[usize],
    abridge: bool,
    depth: usize,
) -> fmt::Result {
    let [extent, inner @ ..] = shape else {
        return match data.first() {
            // As slices print them: `1.0`, and `1e300` without its zeros.
            Some(x) => fmt::Debug::fmt(x, f),
            None => Ok(()),
        };
    };
    let step = dense_strides(shape)[0];
    f.write_str("[")?;
    let hidden = match abridge {
        true => ENDS..extent.saturating_sub(ENDS),
        false => 0..0,
    };
    for i in (0..*extent).filter(|i| *i == hidden.start || !hidden.contains(i)) {
        if i > 0 {
            match inner.is_empty() {
                true => f.write_str(", ")?,
                false => write!(f, ",\n{:1$}", "", depth + 1)?,
            }
        }
        match hidden.contains(&i) {
            true => f.write_str("…")?,
            false => {
                let part = data.get(i * step..(i + 1) * step).unwrap_or(&[]);
                write_axis(f, part, inner, abridge, depth + 1)?;
            }
        }
    }
    f.write_str("]")
}
