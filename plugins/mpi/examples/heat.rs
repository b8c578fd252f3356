//! Recovers where heat was from what sensors measured later: the two-dimensional heat equation, its grid in strips of rows, one strip for each
//! rank, which exchange their borders in each of 200 steps. The gradient with respect to the initial state goes back through all of them.
//!
//!     mpirun -n 2 cargo run --release --manifest-path plugins/mpi/Cargo.toml --example heat
//!
//! It draws truth, start and result into `target/heat.svg`.

use mooncake::Const;
use mooncake::prelude::*;
use mooncake_mpi as _;
use plotters::prelude::{IntoDrawingArea, Rectangle, SVGBackend, Text, WHITE};
use plotters::style::{Color, IntoFont, RGBColor};
use std::path::Path;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

#[differentiable]
#[pack = "mpi"]
extern "pack" {
    fn halo_exchange(x: &Array<f64>, width: usize, periodic: bool) -> Array<f64>;
    fn gather(x: &Array<f64>, root: usize) -> Array<f64>;
    fn rank() -> usize;
    fn size() -> usize;
}
mod numbers {
    use mooncake::prelude::*;
    #[differentiable]
    #[pack = "mpi"]
    extern "pack" {
        pub fn allreduce_sum(x: f64) -> f64;
    }
}

/// The cells of the grid along each side.
const CELLS: usize = 48;
/// How many steps there are, and after how many of them the sensors are read.
const STEPS: usize = 200;
const READ: usize = 20;

/// One step of Δt · κ / Δx² = 0.2, by the explicit scheme of second order; the border is cold.
#[differentiable]
fn step(u: &Array<f64>, rows: usize) -> Array<f64> {
    let wide = halo_exchange(u, 1, false).pad(1, 1, 1);
    let up = wide.narrow(0, 0, rows).narrow(1, 1, CELLS);
    let down = wide.narrow(0, 2, rows).narrow(1, 1, CELLS);
    let left = wide.narrow(0, 1, rows).narrow(1, 0, CELLS);
    let right = wide.narrow(0, 1, rows).narrow(1, 2, CELLS);
    u + (up + down + left + right - u * 4.0) * 0.2
}

/// Half the squared differences between what the sensors of this strip would read and what they did. `sensors` is 1 where there is one.
#[differentiable]
fn misfit(
    u: &Array<f64>,
    sensors: &Array<f64>,
    readings: &[Array<f64>],
    rows: usize,
) -> Array<f64> {
    let mut u = u * 1.0;
    let mut total = (&u * 0.0).sum();
    for n in 0..STEPS {
        u = step(&u, rows);
        if (n + 1) % READ == 0 {
            let apart = (&u - &readings[n / READ]) * sensors;
            total = &total + (&apart * &apart).sum() * 0.5;
        }
    }
    total
}

/// The temperatures that sensors would read everywhere.
fn readings(truth: &Array<f64>, rows: usize) -> Vec<Array<f64>> {
    let mut u = truth * 1.0;
    let mut all = Vec::new();
    for n in 0..STEPS {
        u = step(&u, rows);
        if (n + 1) % READ == 0 {
            all.push(u.clone());
        }
    }
    all
}

/// Two warm places.
fn truth(row: usize, column: usize) -> f64 {
    let spot = |y: f64, x: f64, width: f64| {
        let (dy, dx) = (row as f64 - y, column as f64 - x);
        (-(dy * dy + dx * dx) / (2.0 * width * width)).exp()
    };
    spot(15.0, 14.0, 5.0) + 0.7 * spot(31.0, 32.0, 6.0)
}

fn main() -> Outcome<()> {
    let ctx = Context::default();
    let (rank, size) = (rank(), size());
    if !CELLS.is_multiple_of(size) {
        return Err(format!("{size} ranks: expected a divisor of {CELLS}").into());
    }
    let rows = CELLS / size;
    let strip = |value: &dyn Fn(usize, usize) -> f64| {
        let cells = (0..rows * CELLS).map(|i| value(rank * rows + i / CELLS, i % CELLS));
        Array::from_vec_on(ctx.device(), cells.collect(), [rows, CELLS])
    };
    let was = strip(&truth);
    let sensors = strip(&|row, column| f64::from(u8::from(row % 4 == 2 && column % 4 == 2)));
    let read = readings(&was, rows);
    let rule = ctx.build_rrule::<misfit>()?;

    // Descent with momentum and restarts, from nothing. Every rank takes the same decisions, for they look at sums over all ranks.
    let start = strip(&|_, _| 0.0);
    let (mut u, mut speed, mut best, mut first) =
        (start.clone(), start.clone(), f64::INFINITY, 0.0);
    let began = std::time::Instant::now();
    for iteration in 0..120 {
        let (value, (gradient, ..)) =
            rule.value_and_gradient((&u, Const(&sensors), Const(&read[..]), rows))?;
        let value = numbers::allreduce_sum(value.item()?);
        if iteration == 0 {
            first = value;
        }
        if value > best {
            speed = &speed * 0.0;
        }
        best = value;
        speed = &speed * 0.95 - &gradient * 1.0;
        u = &u + &speed;
        if rank == 0 && iteration % 20 == 0 {
            println!("iteration {iteration:3}: misfit {value:.3e}");
        }
    }
    let apart = &u - &was;
    let norm = |x: &Array<f64>| -> Outcome<f64> {
        Ok(numbers::allreduce_sum((x * x).sum().item()?).sqrt())
    };
    let (error, whole) = (norm(&apart)? / norm(&was)?, best / first);
    let pictures = [&was, &start, &u].map(|u| gather(u, 0));
    if rank == 0 {
        println!(
            "misfit {whole:.1e} of what it was, the state is {:.1} % off, {:.1} s",
            100.0 * error,
            began.elapsed().as_secs_f64()
        );
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/heat.svg");
        draw(&pictures.map(|p| p.to_vec().unwrap_or_default()), &path)?;
        println!("picture in {}", path.display());
        if whole > 1e-3 || error > 0.25 {
            return Err("the state was not recovered".into());
        }
    }
    Ok(())
}

/// Truth, start and result beside each other.
fn draw(pictures: &[Vec<f64>; 3], path: &Path) -> Outcome<()> {
    std::fs::create_dir_all(path.parent().ok_or("a folder")?)?;
    let root = SVGBackend::new(path, (3 * 300 + 40, 340)).into_drawing_area();
    root.fill(&WHITE)?;
    let captions = ["truth", "start", "result"];
    for (n, (picture, caption)) in pictures.iter().zip(captions).enumerate() {
        let place = (10 + n as i32 * 310, 6);
        root.draw(&Text::new(caption, place, ("sans-serif", 16).into_font()))?;
        for (i, &value) in picture.iter().enumerate() {
            let side = 300 / CELLS as i32;
            let (y, x) = ((i / CELLS) as i32, (i % CELLS) as i32);
            let (left, top) = (10 + n as i32 * 310 + x * side, 30 + y * side);
            let warm = value.clamp(0.0, 1.0);
            let colour = RGBColor(
                (255.0 * warm.sqrt()) as u8,
                (220.0 * warm * warm) as u8,
                (120.0 * (1.0 - warm)) as u8,
            );
            root.draw(&Rectangle::new(
                [(left, top), (left + side, top + side)],
                colour.filled(),
            ))?;
        }
    }
    root.present()?;
    Ok(())
}
