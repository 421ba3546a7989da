/** Headers that say something about the event. The others are about the connection, or were added on the way. */
const KEPT_HEADER = /^(?:x-|ce-|webhook-|user-agent$|content-type$)/;

/** Names of secrets, and of headers with addresses of people. They are never stored. */
const SECRET_NAME = /auth|token|secret|signature|cookie|key|forwarded|passw|credential|^sig$/i;

/** The most names whose decision is remembered, and the longest. A sender can choose names freely. */
const MAX_NAMES = 1_000;
const MAX_LENGTH = 64;

const known = new Map<string, string | null>();

/** Returns true for names of headers and parameters whose values may be secrets. */
export const mayBeSecret = (name: string): boolean => SECRET_NAME.test(name);

/** Returns the lower-case name of a header whose value is kept, or null. Remembers names: senders repeat them with each event. */
export function keptName(sent: string): string | null {
  let name = known.get(sent);
  if (name !== undefined) return name;
  const lower = sent.toLowerCase();
  name = KEPT_HEADER.test(lower) && !mayBeSecret(lower) ? lower : null;
  if (sent.length > MAX_LENGTH) return name;
  if (known.size >= MAX_NAMES) known.clear();
  known.set(sent, name);
  return name;
}
