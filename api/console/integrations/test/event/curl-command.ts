/** Linux limits one argument to 128 KiB. A shell's built-in `printf` is not subject to that limit. */
const MAX_ARGUMENT_BYTES = 100_000;

/** Quotes a text as one word of a POSIX shell, in which nothing is expanded. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A rejection is an error, and no attempt takes longer than 10 s or is lost while the service restarts. docs/sending.md explains each. */
const CURL = 'curl -sS --fail-with-body -m 10 --retry 5 --retry-connrefused';

/** The same for all attempts of one command, and another for the next. The shell expands it. */
const IDEMPOTENCY_KEY = '-H "idempotency-key: test-$(date +%s%N)-$$"';

/**
 * Returns the command that sends a body byte for byte: it neither adds nor removes a line end. All its attempts are one event: by the
 * delivery id of a signature that has one, or else by an `Idempotency-Key`.
 */
export function curlCommand(url: string, headers: Record<string, string>, body: string): string {
  const isLong = new TextEncoder().encode(body).length > MAX_ARGUMENT_BYTES;
  const lines = [
    `${isLong ? `printf %s ${shellQuote(body)} | ` : ''}${CURL}`,
    shellQuote(url),
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...('webhook-id' in headers ? [] : [IDEMPOTENCY_KEY]),
    isLong ? '--data-binary @-' : `--data-raw ${shellQuote(body)}`,
  ];
  return lines.join(' \\\n  ');
}
