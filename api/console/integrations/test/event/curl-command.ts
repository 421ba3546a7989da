/** Linux takes no argument beyond 128 KiB; a shell's own `printf` is not held to that. */
const MAX_ARGUMENT_BYTES = 100_000;

/** A text as one word of a POSIX shell: nothing in it is expanded. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The command that sends a body as it is, with no line end added and none taken away. */
export function curlCommand(url: string, headers: Record<string, string>, body: string): string {
  const isLong = new TextEncoder().encode(body).length > MAX_ARGUMENT_BYTES;
  const lines = [
    isLong ? `printf %s ${shellQuote(body)} | curl -sS ${shellQuote(url)}` : `curl -sS ${shellQuote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    isLong ? '--data-binary @-' : `--data-raw ${shellQuote(body)}`,
  ];
  return lines.join(' \\\n  ');
}
