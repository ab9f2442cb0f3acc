/** A contestant: one call of `sample` is one measurement. */
export interface Contestant<S> {
  readonly name: string;
  sample(): S | Promise<S>;
}

/** Measurements by contestant; the n-th ones of all belong to one round. */
export type Race<S> = ReadonlyMap<string, readonly S[]>;

/**
 * Measures in turns, A B C A B C …, so that other load on the machine affects all alike. A warm-up round before is
 * discarded, unless a round is long enough to warm up by itself.
 */
export async function race<S>(
  contestants: readonly Contestant<S>[],
  rounds: number,
  { warmUp = true }: { readonly warmUp?: boolean } = {},
): Promise<Race<S>> {
  const samples = new Map(contestants.map(({ name }) => [name, [] as S[]]));
  for (let round = warmUp ? 0 : 1; round <= rounds; round++) {
    for (const { name, sample } of contestants) {
      // Collects young garbage, so that it delays no other contestant. A full collection would also discard compiled code that
      // refers to shapes of objects of which none is alive, such as a parsed event.
      globalThis.gc?.({ type: 'minor' });
      const measured = await sample();
      if (round > 0) samples.get(name)?.push(measured);
    }
    if (process.stderr.isTTY) process.stderr.write(round < rounds ? '.' : '\r\x1b[2K');
  }
  return samples;
}
