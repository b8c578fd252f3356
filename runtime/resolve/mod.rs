//! Which function a name can mean, as far as types need not be inferred for it: std's methods and rustc's rules, as tables and predicates.
//!
//! `inherent` lists the methods that the types of std have by themselves. `builtins` lists the methods that inference expands itself.
//! `candidates` looks at the functions of the program: how a call is written, in which order rustc tries receivers, which traits two
//! functions belong to.
//!
//! It does not know the types of expressions. `infer::overloads` has them, and chooses among the candidates.

pub mod builtins;
pub mod candidates;
pub mod inherent;
