//! `mooncake ir`: the stages of a program in the text format of the IR.

use mooncake::Context;
use mooncake::inspect::{Stage, diff, read, rules_of, stage};
use std::path::PathBuf;

/// What to show of which file.
#[derive(clap::Args)]
#[command(after_help = after_help())]
pub struct Options {
    /// Typed IR as text; what `ctx.typed_ir::<f>()` prints. Cases that are separated by lines `; ---` are shown one by one
    file: PathBuf,
    /// The stage to show
    #[arg(long, default_value = "normal", value_parser = parse_stage)]
    stage: Stage,
    /// How one stage differs from another
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"], value_parser = parse_stage, conflicts_with = "stage")]
    diff: Option<Vec<Stage>>,
    /// Which rule is chosen for each call, and why
    #[arg(long, conflicts_with_all = ["stage", "diff"])]
    rules: bool,
    /// In the minimal context: only what cannot be derived is a primitive
    #[arg(long)]
    minimal: bool,
    /// With guards around every rule
    #[arg(long)]
    debug: bool,
    /// Loads a rule pack first (its code runs, with your rights); may be repeated
    #[arg(long, value_name = "PATH")]
    pack: Vec<PathBuf>,
}

const OF_RUST: &str = "this is Rust, in which rustc says what types and names are: print `ctx.ir::<f>(stage)` in the program that has the function, \
    as examples/stages.rs does; files are IR, as `ctx.typed_ir::<f>()` prints it";

fn parse_stage(text: &str) -> Result<Stage, String> {
    text.parse()
}

fn after_help() -> String {
    let stages = Stage::ALL.iter();
    let lines = stages.map(|stage| format!("  {:<10} {}\n", stage.name(), stage.meaning()));
    format!("Stages:\n{}", lines.collect::<String>())
}

/// Runs the subcommand.
pub fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let file = &options.file;
    if file.extension().is_some_and(|end| end == "rs") {
        return Err(format!("{}: {OF_RUST}", file.display()).into());
    }
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut ctx = Context::builder().debug(options.debug);
    if options.minimal {
        ctx = ctx.minimal();
    }
    let mut ctx = ctx.build()?;
    for pack in &options.pack {
        ctx.load_pack(super::pack::file(pack))?;
    }
    for case in text.split("; ---\n") {
        let shown = show(&ctx, case, options);
        let shown = shown.map_err(|error| format!("{}: {error}", file.display()))?;
        super::pack::print(&shown)?;
    }
    Ok(())
}

fn show(ctx: &Context, text: &str, options: &Options) -> mooncake::Result<String> {
    let typed = read(ctx, text)?;
    match &options.diff {
        _ if options.rules => Ok(rules_of(ctx, &typed)?.to_string()),
        Some(stages) => {
            let (from, to) = (stages[0], stages[1]);
            let old = stage(ctx, typed.clone(), from)?;
            let new = stage(ctx, typed, to)?;
            Ok(diff(from.name(), &old, to.name(), &new))
        }
        None => stage(ctx, typed, options.stage),
    }
}
