import type { Mapping } from '../../http/types.ts';

/** What a preview looks at. */
export type Subject = { payload: string } | { eventIds: string[] } | { last: number };

/**
 * The body of a preview, as text. A payload goes in as it was written: parsed and written again, 12345678901234567890
 * would lose its last digits. It must be JSON, see `findJsonError`.
 */
export function previewBody(mapping: Mapping, subject: Subject): string {
  const [name, value] =
    'payload' in subject
      ? ['payload', subject.payload]
      : (Object.entries(subject).map(([key, one]) => [key, JSON.stringify(one)])[0] as [string, string]);
  return `{"mapping":${JSON.stringify(mapping)},"${name}":${value}}`;
}
