//! The command-line tool: one file for each subcommand.

mod bench;
mod devices;
mod ir;
mod pack;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Automatic differentiation of ordinary Rust.
#[derive(Parser)]
#[command(name = "mooncake", version)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Lists what arrays can run on here
    Devices,
    /// Shows, tests, locks and begins rule packs
    #[command(subcommand)]
    Pack(pack::Command),
    /// Shows what becomes of a program in the text format: stages, their differences, the rules chosen
    Ir(ir::Options),
    /// Measures gradients against the native functions
    Bench(bench::Options),
}

fn main() -> ExitCode {
    let outcome = match Options::parse().command {
        Command::Devices => devices::run(),
        Command::Pack(command) => pack::run(&command),
        Command::Ir(options) => ir::run(&options),
        Command::Bench(options) => bench::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("mooncake: {message}");
            ExitCode::FAILURE
        }
    }
}
