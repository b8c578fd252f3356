//! BLAS and LAPACK on slices: values and derivatives, constants among the arguments, and second derivatives.

mod constants;
mod second;
mod values;
