import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** The parts of the process that a command uses, passed as a value so that tests can replace them. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Waits for the given milliseconds; tests may return sooner. */
  readonly wait?: (ms: number) => Promise<void>;
}

/** Waits for the given milliseconds. */
export async function sleep(io: Io, ms: number): Promise<void> {
  await (io.wait ?? delay)(ms);
}

/** An output stream, which may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Writes with backpressure, so that a slow reader does not make output accumulate in memory. */
export function write(output: Output, text: string): Promise<void> {
  return new Promise((resolve) => {
    // The callback also follows the write to a broken output, which never drains. `main` handles its error.
    if (output.write(text, () => resolve())) resolve();
  });
}

/** Reads all bytes of stdin. A closed stdin is empty. */
export async function readStdin({ stdin }: Io): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
