const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/**
 * Shows progress on stderr: one animated line on a terminal, which steps at the same time share; plain lines elsewhere.
 * @param {string} label name of the step
 * @returns {{ say(detail: string): void, done(note?: string): void, fail(): void }}
 */
export function progress(label) {
  return process.stderr.isTTY === true ? turningLine(label) : plainLines(label);
}

/** Texts of the steps in progress. */
const steps = new Set();
let frame = 0;
let timer;

function turningLine(label) {
  const started = Date.now();
  let detail = '';
  const text = () => `${label} ${seconds(started)}${detail === '' ? '' : `  ${detail}`}`;
  steps.add(text);
  timer ??= setInterval(draw, 100);
  draw();
  const end = (sign, note) => {
    steps.delete(text);
    process.stderr.write(`\r\x1b[2K${sign} ${label} ${seconds(started)}${note === undefined ? '' : `  ${note}`}\n`);
    if (steps.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    say: (text) => {
      detail = text;
    },
    done: (note) => end('✔', note),
    fail: () => end('✖'),
  };
}

function draw() {
  frame = (frame + 1) % frames.length;
  const line = `${frames[frame]} ${[...steps].map((text) => text()).join(' · ')}`;
  process.stderr.write(`\r\x1b[2K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`);
}

function plainLines(label) {
  const started = Date.now();
  process.stderr.write(`${label} …\n`);
  // A log without output for long looks like a hang.
  const timer = setInterval(() => process.stderr.write(`${label} … ${seconds(started)}\n`), 15_000);
  const end = (word, note) => {
    clearInterval(timer);
    process.stderr.write(`${label}: ${word} (${seconds(started)})${note === undefined ? '' : `  ${note}`}\n`);
  };
  return { say: () => {}, done: (note) => end('done', note), fail: () => end('failed') };
}

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;
