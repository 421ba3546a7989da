/** Yields bytes that have arrived already. */
export async function* inOnePiece(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Reads content to its end. */
export async function collect(content: AsyncGenerator<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  const first = chunks[0];
  return first && chunks.length === 1 ? first : Buffer.concat(chunks);
}
