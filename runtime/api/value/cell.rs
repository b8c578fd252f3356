//! Cells: objects that several values may share, and that change.

use super::{Call, Copies, Cotangent, Reader, Result, Seen, Typed, Value, refuse};
use crate::api::call::{Shared, Spot};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The contents of a cell while it is looked at.
trait Cellular: Typed<Gradient = RefCell<<Self::Content as Typed>::Gradient>> + Sized {
    type Content: Value;
    fn new(content: Self::Content) -> Self;
    /// Calls `f` with the content; an error if somebody is changing it.
    fn with<R>(&self, f: impl FnOnce(&Self::Content) -> Result<R>) -> Result<R>;
    /// Replaces the content.
    fn set(&self, content: Self::Content) -> Result<()>;

    fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }
    fn give_cell(&self, call: &mut Call<'_>) -> Result<Spot> {
        call.cell::<Self::Content>(self.address(), |call| {
            self.with(|content| content.encode(call))
        })
    }
    fn refresh_cell(&self, reader: &mut Reader<'_>) -> Result<()> {
        let key = (self.address(), Self::Content::ty());
        let Some(&spot) = reader.cells.get(&key) else {
            return Ok(());
        };
        if reader.tables.visited.insert(spot.primal, ()).is_some() {
            return Ok(());
        }
        // First the cells that the old content leads to: the new one may have lost them.
        self.with(|content| content.refresh(reader))?;
        let content = reader.at(spot, Self::Content::decode)?;
        self.set(content)
    }
    /// The gradient of an object that is the same for all who hold it.
    fn zero_cell(&self, seen: &mut Seen) -> Rc<Self::Gradient> {
        let key = (self.address(), Self::Content::ty());
        if let Some(known) = seen.cells.get(&key)
            && let Ok(known) = known.clone().downcast()
        {
            return known;
        }
        let gradient = Rc::new(RefCell::new(Cotangent::empty()));
        seen.cells.insert(key, gradient.clone());
        // What somebody is changing has no form now; giving it is an error that says so.
        match self.with(|content| Ok(content.zero(seen))) {
            Ok(content) => drop(gradient.replace(content)),
            Err(_) => seen.borrowed = true,
        }
        gradient
    }
    fn copy_cell(this: &Rc<Self>, seen: &mut Copies) -> Result<Rc<Self>>
    where
        Self: 'static,
    {
        if seen.shallow {
            return Ok(this.clone());
        }
        let key = (this.address(), Self::Content::ty());
        if let Some(known) = seen.cells.get(&key)
            && let Ok(known) = known.clone().downcast()
        {
            return Ok(known);
        }
        // First the cell, so that a cycle finds it, with some content.
        let content = this.with(|content| content.copy(&mut Copies::shallow()))?;
        let copy = Rc::new(Self::new(content));
        seen.cells.insert(key, copy.clone());
        copy.set(this.with(|content| content.copy(seen))?)?;
        Ok(copy)
    }
}

impl<T: Value + 'static> Cellular for RefCell<T> {
    type Content = T;
    fn new(content: T) -> Self {
        RefCell::new(content)
    }
    fn with<R>(&self, f: impl FnOnce(&T) -> Result<R>) -> Result<R> {
        match self.try_borrow() {
            Ok(content) => f(&content),
            Err(_) => borrowed(),
        }
    }
    fn set(&self, content: T) -> Result<()> {
        match self.try_borrow_mut() {
            Ok(mut place) => {
                *place = content;
                Ok(())
            }
            Err(_) => borrowed(),
        }
    }
}

/// The error for a cell that cannot be read now.
pub fn borrowed<T>() -> Result<T> {
    refuse(
        "a RefCell is borrowed while a differentiable function is called with it, or arithmetic is done with it",
        "drop the borrow before the call",
    )
}

impl<T: Value + Copy + 'static> Cellular for Cell<T> {
    type Content = T;
    fn new(content: T) -> Self {
        Cell::new(content)
    }
    fn with<R>(&self, f: impl FnOnce(&T) -> Result<R>) -> Result<R> {
        f(&self.get())
    }
    fn set(&self, content: T) -> Result<()> {
        Cell::set(self, content);
        Ok(())
    }
}

macro_rules! cells {
    ($($cell:ident [$($bound:tt)*];)*) => {$(
        impl<T: Value + $($bound)*> Shared for $cell<T> {
            fn update(&self, reader: &mut Reader<'_>) -> Result<()> {
                self.refresh_cell(reader)
            }
        }
        impl<T: Value + $($bound)*> Value for $cell<T> {
            fn encode(&self, call: &mut Call<'_>) -> Result<()> {
                self.give_cell(call).map(drop)
            }
            fn give_rc(this: &Rc<Self>, call: &mut Call<'_>) -> Result<()> {
                let spot = this.give_cell(call)?;
                if !spot.primal.is_null()
                    && call.tables.owners.insert(spot.primal, this.clone()).is_none()
                {
                    call.tables.shared.push(this.clone());
                }
                Ok(())
            }
            fn decode(reader: &mut Reader<'_>) -> Result<Self> {
                reader.object(T::decode).map($cell::new)
            }
            fn take_rc(reader: &mut Reader<'_>) -> Result<Rc<Self>> {
                let spot = reader.pointer()?;
                take_shared(spot, reader)
            }
            fn refresh(&self, reader: &mut Reader<'_>) -> Result<()> {
                self.refresh_cell(reader)
            }
            fn copy(&self, seen: &mut Copies) -> Result<Self> {
                self.with(|content| content.copy(seen)).map($cell::new)
            }
            fn copy_rc(this: &Rc<Self>, seen: &mut Copies) -> Result<Rc<Self>> {
                Self::copy_cell(this, seen)
            }
            fn zero(&self, seen: &mut Seen) -> RefCell<T::Gradient> {
                let shared = self.zero_cell(seen);
                let content = shared.borrow().clone();
                RefCell::new(content)
            }
            fn zero_rc(this: &Rc<Self>, seen: &mut Seen) -> Rc<RefCell<T::Gradient>> {
                this.zero_cell(seen)
            }
            fn read(gradient: &mut RefCell<T::Gradient>, reader: &mut Reader<'_>) -> Result<()> {
                let spot = reader.pointer()?;
                reader.is_same_cell(spot, std::ptr::from_ref(gradient).addr())?;
                reader.cell(spot, |reader| T::read(gradient.get_mut(), reader))
            }
            fn read_rc(gradient: &mut Rc<RefCell<T::Gradient>>, reader: &mut Reader<'_>) -> Result<()> {
                let spot = reader.pointer()?;
                reader.shared_gradient(spot, gradient, |reader, gradient| T::read(gradient, reader))
            }
            fn write(gradient: &RefCell<T::Gradient>, reader: &mut Reader<'_>) -> Result<()> {
                let spot = reader.pointer()?;
                if !reader.enter(spot, std::ptr::from_ref(gradient).addr())? {
                    return Ok(());
                }
                match gradient.try_borrow() {
                    Ok(gradient) => reader.cell(spot, |reader| T::write(&gradient, reader)),
                    Err(_) => borrowed(),
                }
            }
        }
    )*};
}
cells! { RefCell ['static]; Cell [Copy + 'static]; }

/// The `Rc` of a cell: the one that was given, or a new one for all that lead to this object.
fn take_shared<C: Cellular + 'static>(spot: Spot, reader: &mut Reader<'_>) -> Result<Rc<C>> {
    if let Some(known) = reader.tables.owners.get(&spot.primal)
        && let Ok(known) = known.clone().downcast()
    {
        return Ok(known);
    }
    // No object is there: it says that this one is being read.
    let open = spot.primal.offset(1);
    if reader.tables.visited.insert(open, ()).is_some() {
        return refuse(
            "a cycle of new RefCells cannot be returned from a differentiable function",
            "return what is computed from it, or build the cycle outside and pass it as an argument",
        );
    }
    let content = reader.at(spot, C::Content::decode);
    reader.tables.visited.remove(&open);
    let new = Rc::new(C::new(content?));
    reader.tables.owners.insert(spot.primal, new.clone());
    Ok(new)
}

impl<G: Cotangent> Cotangent for RefCell<G> {
    const ENDS: bool = G::ENDS;
    fn empty() -> Self {
        RefCell::new(G::empty())
    }
}
