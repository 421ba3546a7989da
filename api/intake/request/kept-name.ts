/** Headers that may say something about the event, so that at least their names are kept. The others are about the connection. */
const LISTED_HEADER = /^(?:x-|ce-|webhook-|user-agent$|content-type$)/;

/** Headers with which known senders name the kind of an event, the event or themselves. Their values are always kept. */
const DOCUMENTED = new Set([
  'user-agent',
  'content-type',
  // CloudEvents
  ...['id', 'source', 'specversion', 'type', 'subject', 'time', 'dataschema'].map((name) => `ce-${name}`),
  // Standard Webhooks
  'webhook-id',
  'webhook-timestamp',
  // Sources of the catalogue
  'x-amz-sns-message-type',
  'x-amz-sns-message-id',
  'x-amz-sns-topic-arn',
  'x-atlassian-webhook-identifier',
  'x-atlassian-webhook-retry',
  'x-event-key',
  'x-gitea-event',
  'x-github-delivery',
  'x-github-event',
  'x-gitlab-event',
  'x-gitlab-event-uuid',
  'x-webhook-id',
]);

/** Names of secrets, and of headers with addresses of people. They are never stored. */
const SECRET_NAME = /auth|token|secret|signature|cookie|key|forwarded|passw|credential|^sig$/i;

/** The most names whose decision is remembered, and the longest. A sender can choose names freely. */
const MAX_NAMES = 1_000;
const MAX_LENGTH = 64;

/** What the name of a header says. */
export interface HeaderName {
  /** In lower case. */
  name: string;
  /** Whether the name is kept even if its value is masked. */
  listed: boolean;
  /** Whether the value is kept whatever the mapping reads. */
  documented: boolean;
}

const known = new Map<string, HeaderName | null>();

/** Returns true for names of headers and parameters whose values may be secrets. */
export const mayBeSecret = (name: string): boolean => SECRET_NAME.test(name);

/** Returns what a header's name says; null if it may be that of a secret. Remembers names: senders repeat them with each event. */
export function headerName(sent: string): HeaderName | null {
  let found = known.get(sent);
  if (found !== undefined) return found;
  const name = sent.toLowerCase();
  const documented = DOCUMENTED.has(name);
  const isSecret = mayBeSecret(name) && !documented;
  found = isSecret ? null : { name, listed: LISTED_HEADER.test(name), documented };
  if (sent.length > MAX_LENGTH) return found;
  if (known.size >= MAX_NAMES) known.clear();
  known.set(sent, found);
  return found;
}
