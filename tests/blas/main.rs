//! BLAS and LAPACK on slices: values and derivatives, constants among the arguments, and second derivatives.

mod constants;
mod overwritten;
mod second;
mod values;
