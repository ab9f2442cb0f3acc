import { decodeBase64url } from './base64url.ts';

/** Bytes that are not shared with another thread, so that they cannot change between check and use. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Conversions from text to bytes, which differ by runtime. */
export interface Codec {
  /** Returns the bytes of unpadded base64url, or undefined unless the text is the canonical spelling. */
  decodeBase64url(text: string): Bytes | undefined;
  /** Returns the bytes of ASCII text. */
  encodeAscii(text: string): Bytes;
}

const encoder = new TextEncoder();

/** The codec for every runtime. */
export const webCodec: Codec = { decodeBase64url, encodeAscii: (text) => encoder.encode(text) };
