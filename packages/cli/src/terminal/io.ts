import type { Readable, Writable } from 'node:stream';

/** Everything of the process that a command may touch, passed as a value so that tests can give their own. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Lets time go by, in ms; a test's may go faster. */
  readonly wait?: (ms: number) => Promise<void>;
}

/** A stream to write to, which may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Writes and waits while the reader is slower than we are, so that a long list does not pile up in memory. */
export async function write(output: Output, text: string): Promise<void> {
  if (output.write(text)) return;
  await new Promise<void>((resolve) => output.once('drain', resolve));
}

/** All of stdin, byte for byte. A closed stdin is an empty one. */
export async function readStdin({ stdin }: Io): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
