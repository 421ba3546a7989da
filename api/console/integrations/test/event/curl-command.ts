/** Linux limits one argument to 128 KiB. A shell's built-in `printf` is not subject to that limit. */
const MAX_ARGUMENT_BYTES = 100_000;

/** Quotes a text as one word of a POSIX shell, in which nothing is expanded. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns the command that sends a body byte for byte: it neither adds nor removes a line end. */
export function curlCommand(url: string, headers: Record<string, string>, body: string): string {
  const isLong = new TextEncoder().encode(body).length > MAX_ARGUMENT_BYTES;
  const lines = [
    isLong ? `printf %s ${shellQuote(body)} | curl -sS ${shellQuote(url)}` : `curl -sS ${shellQuote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    isLong ? '--data-binary @-' : `--data-raw ${shellQuote(body)}`,
  ];
  return lines.join(' \\\n  ');
}
