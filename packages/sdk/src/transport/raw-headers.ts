import type { TransportHeaders } from './transport.ts';

/** Headers as Node received them: names and values alternate. Most responses are read for at most two of them. */
export class RawHeaders implements TransportHeaders {
  readonly #raw: readonly string[];

  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  get(name: string): string | null {
    let found: string | null = null;
    for (let index = 0; index < this.#raw.length; index += 2) {
      const given = this.#raw[index] ?? '';
      if (given.length !== name.length || (given !== name && given.toLowerCase() !== name)) continue;
      const value = this.#raw[index + 1] ?? '';
      found = found === null ? value : `${found}, ${value}`;
    }
    return found;
  }

  *[Symbol.iterator](): Iterator<[string, string]> {
    const names = new Set(this.#raw.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()));
    for (const name of names) yield [name, this.get(name) ?? ''];
  }
}
