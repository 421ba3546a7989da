/** Converts a file's bytes to UTF-8, wherever the chunks are cut. An undecodable byte becomes a mark, see `byte-text.ts`. */
export interface Decoder {
  write(chunk: Buffer): Buffer;
  /** Returns the bytes that were held back, once the file has ended. */
  end(): Buffer;
  /** Whether the output so far equals the input, byte by byte. */
  readonly isVerbatim: boolean;
}
