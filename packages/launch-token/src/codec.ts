import { decodeBase64url } from './base64url.ts';

/** Bytes of their own: not shared with another thread, so what was checked is what is used. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** How a runtime turns text into bytes. */
export interface Codec {
  /** The bytes of unpadded base64url, or undefined unless the text is their one canonical spelling. */
  decodeBase64url(text: string): Bytes | undefined;
  /** The bytes of a text that is ASCII. */
  encodeAscii(text: string): Bytes;
}

const encoder = new TextEncoder();

/** For every runtime. */
export const webCodec: Codec = { decodeBase64url, encodeAscii: (text) => encoder.encode(text) };
