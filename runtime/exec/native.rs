//! Calls of packs' functions over slices and arrays: from the words of a site to what is lent, and back.

use super::Host;
use crate::codegen::cpu::{LeafWord, NativeSite, Site};
use crate::diag::{Error, Result};
use crate::ir::Type;
use crate::plugin::{Callee, Loans, View, Views, invoke, view};
use smallvec::SmallVec;
use std::ffi::c_void;
use std::sync::Arc;

/// Memory of the host's that holds elements nobody changes.
pub trait HostMemory: Send + Sync {
    /// All of it.
    fn bytes(&self) -> &[u8];
}

/// A dense array, lent by its host for the time of a call.
pub struct Lent {
    /// Its extents.
    pub shape: SmallVec<[usize; 4]>,
    /// Where its elements are.
    pub memory: Arc<dyn HostMemory>,
    /// The first of them, counted in bytes.
    pub offset: usize,
}

impl Lent {
    /// The array as a view. Its elements are read only.
    fn view(&self, element: Type) -> Result<View> {
        let size = element.size().unwrap_or(8);
        let bytes = self.shape.iter().product::<usize>() * size;
        let elements = self.memory.bytes().get(self.offset..);
        let Some(elements) = elements.filter(|rest| rest.len() >= bytes) else {
            return Err(Error::Internal(format!(
                "an array of shape {:?} is larger than its memory",
                self.shape
            )));
        };
        let data = elements.as_ptr().cast::<c_void>().cast_mut();
        match data.addr() % size {
            0 => Ok(view::array(data, &self.shape, element)),
            _ => Err(Error::Internal("an array is not aligned".to_owned())),
        }
    }
}

/// The arrays among the values of a call, with the handle of the first.
#[derive(Default)]
struct Arrays {
    lent: SmallVec<[Lent; 4]>,
    first: Option<u64>,
}

impl Arrays {
    fn borrow(leaves: &[LeafWord], words: &[u64], site: &Site, host: &dyn Host) -> Result<Arrays> {
        let mut arrays = Arrays::default();
        for leaf in leaves.iter().filter(|leaf| leaf.ty.is_array()) {
            let handle = words[leaf.word];
            arrays.first = arrays.first.or(Some(handle));
            arrays.lent.push(host.lend(handle, site.name)?);
        }
        Ok(arrays)
    }
}

/// Views of values whose words these are.
fn views(leaves: &[LeafWord], words: &[u64], arrays: &Arrays) -> Result<Views> {
    let mut views = Views::new();
    let mut arrays = arrays.lent.iter();
    for leaf in leaves {
        let word = &words[leaf.word];
        let slice = |element: Type, mutable| {
            let data = std::ptr::with_exposed_provenance_mut(*word as usize);
            view::slice(data, words[leaf.word + 1] as usize, element, mutable)
        };
        views.push(match leaf.ty {
            Type::Array(element) => match arrays.next() {
                Some(array) => array.view(*element)?,
                None => return Err(Error::Internal("an array was not lent".to_owned())),
            },
            Type::Slice(element) => slice(*element, false),
            Type::SliceMut(element) => slice(*element, true),
            // Only read.
            ty => view::scalar(std::ptr::from_ref(word).cast_mut(), ty),
        });
    }
    Ok(views)
}

/// Views of results whose words these are, to be written.
fn results_of(leaves: &[LeafWord], words: &mut [u64]) -> Views {
    let first = words.as_mut_ptr();
    let view = |leaf: &LeafWord| match leaf.ty {
        Type::Array(element) => view::to_be_made(*element),
        ty => view::scalar(first.wrapping_add(leaf.word), ty),
    };
    leaves.iter().map(view).collect()
}

/// Calls a primal. The words are those of the site's types.
///
/// # Safety
///
/// The words of slices are addresses and lengths of memory that is alive and, if it is mutable, nobody else's.
pub unsafe fn primal(
    native: &NativeSite,
    site: &Site,
    args: &[u64],
    results: &mut [u64],
    host: &dyn Host,
) -> Result<()> {
    let callee = Callee {
        pack: native.pack,
        name: site.name,
        span: site.span,
    };
    let arrays = Arrays::borrow(&native.params, args, site, host)?;
    let mut loans = Loans {
        args: views(&native.params, args, &arrays)?,
        results: results_of(&native.results, results),
    };
    // SAFETY: the registry has the address from a pack. The views of scalars are of words of the site, those of arrays of memory that
    // `arrays` keeps, those of slices are the caller's promise.
    let made = unsafe { invoke(native.code, &callee, &mut loans) }?;
    let places = native.results.iter().filter(|leaf| leaf.ty.is_array());
    for (leaf, made) in places.zip(made) {
        let missing = || Error::Internal(format!("@{} makes an array of nothing", site.name));
        results[leaf.word] = host.adopt(made, arrays.first.ok_or_else(missing)?)?;
    }
    Ok(())
}
