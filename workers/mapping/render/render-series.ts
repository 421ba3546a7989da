import type { CompiledMapping } from '../definition/compile.js';
import { comparableOf } from '../series/comparable.js';
import { type Expiry, expiryOfText } from '../series/expiry-text.js';
import { isOwnKey } from '../series/own-key.js';
import { type Status, statusOfWord } from '../series/status-words.js';
import type { FieldResult, NormalizedAlert, Warning } from './results.js';

/**
 * Returns the series of an item; null without a key, and for a test. Replaces the results of `status`, `dedupKey`, `occurrence` and `expiresAt` in
 * `fields` with what became of their texts.
 */
export function seriesOf(
  fields: NormalizedAlert['fields'],
  { final, texts }: Pick<CompiledMapping, 'final' | 'texts'>,
): NormalizedAlert['series'] {
  if (fields.dedupKey) fields.dedupKey = toKey(fields.dedupKey);
  const dedupKey = fields.dedupKey?.value ?? null;
  if (fields.status) fields.status = toStatus(fields.status, dedupKey !== null);
  const occurrence = fields.occurrence ? occurrenceOf(fields.occurrence) : null;
  if (fields.occurrence && occurrence === null) fields.occurrence = withoutOccurrence(fields.occurrence);
  const status = (fields.status?.value ?? 'firing') as Status;
  const expiry = fields.expiresAt ? expiryOf(fields.expiresAt) : null;
  if (fields.expiresAt && expiry === undefined) fields.expiresAt = withoutExpiry(fields.expiresAt);
  if (dedupKey === null || status === 'test') return null;
  return { dedupKey, status, occurrence, final, texts, expiry: expiry ?? null };
}

/** Returns the status that a word stands for. A word that the value map lacks needs no entry if it is a known one. */
function toStatus(result: FieldResult, hasKey: boolean): FieldResult {
  if (result.result === 'missing' || result.value === null) {
    const warnings = hasKey ? [...result.warnings, NO_STATUS] : result.warnings;
    return { ...result, value: null, warnings };
  }
  const word = result.value;
  const status = statusOfWord(word);
  if (status === word && result.warnings.length === 0) return result;
  const warnings = result.warnings.filter(({ code }) => code !== 'unmapped_value');
  if (status) return { ...result, value: status, warnings };
  const message = 'neither a known status word nor in the value map; it counts as firing';
  return {
    ...result,
    value: 'firing',
    warnings: [...warnings, { code: 'unknown_status', message, value: word }],
  };
}

/** Returns the text by which an occurrence compares; null if it has none. */
const occurrenceOf = ({ value, result }: FieldResult): string | null =>
  value === null || result === 'missing' ? null : comparableOf(value);

function withoutOccurrence(result: FieldResult): FieldResult {
  if (result.result === 'missing' || result.value === null)
    return { ...result, value: null, result: 'missing' };
  const warning: Warning = {
    code: 'occurrence_not_comparable',
    message:
      'neither a number nor an RFC 3339 time such as 2026-03-01T08:00:00Z; the event has no occurrence',
    value: result.value,
  };
  return { ...result, value: null, result: 'missing', warnings: [...result.warnings, warning] };
}

/** Returns what a text says about the expiry; undefined if that is invalid. */
const expiryOf = ({ value, result }: FieldResult): Expiry | null | undefined =>
  value === null || result === 'missing' ? null : expiryOfText(value);

const withoutExpiry = (result: FieldResult): FieldResult => ({
  ...result,
  value: null,
  result: 'missing',
  warnings: [
    ...result.warnings,
    {
      code: 'expiry_not_a_time',
      message:
        'neither a time such as 2026-03-01T08:00:00Z nor a duration such as 5m; the event says nothing about when the alert expires',
      ...(result.value === null ? {} : { value: result.value }),
    },
  ],
});

/**
 * Returns a key that identifies one problem, or no key. A text with a missing part or an unexpanded macro would be the same for
 * different problems, and hide all but the first.
 */
function toKey(result: FieldResult): FieldResult {
  const key = result.value?.trim() ?? '';
  const isWhole = result.result !== 'missing' && !result.warnings.some(hasMacro);
  if (isOwnKey(key))
    return { ...result, value: null, result: 'missing', warnings: [...result.warnings, OWN_KEY] };
  if (isWhole && key !== '') return key === result.value ? result : { ...result, value: key };
  return { ...result, value: null, result: 'missing', warnings: [...result.warnings, NO_KEY] };
}

const NO_STATUS: Warning = {
  code: 'missing_status',
  message: 'the event has no status, so it counts as firing, even if it reports that the problem is over',
};

const OWN_KEY: Warning = {
  code: 'reserved_dedup_key',
  message:
    'a key that starts with `muster:` is one of Muster itself; the event has no deduplication key, so its alert stands alone',
};

const hasMacro = ({ code }: Warning): boolean => code === 'unexpanded_macro';

const NO_KEY: Warning = {
  code: 'missing_dedup_key',
  message: 'the event has no deduplication key, so its alert stands alone',
};
