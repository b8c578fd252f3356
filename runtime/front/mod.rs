//! The front end's data: the surface tree that the macro writes, the types of the language, and the typed tree that
//! inference makes.
//!
//! It knows names and forms. It does not know derivatives.
pub mod ty;
pub mod tree;
pub mod types;
pub mod float;
pub mod text;
pub mod repr;
pub mod tangents;
pub mod typed;
pub mod visit;
