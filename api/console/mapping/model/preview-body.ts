import type { Mapping } from '../../http/types.ts';

/** The payload or events that a preview maps. */
export type Subject = { payload: string } | { eventIds: string[] } | { last: number };

/**
 * Returns the request body of a preview, as text. The payload, which must be valid JSON, is inserted verbatim: parsing
 * and serializing it would change the last digits of 12345678901234567890.
 */
export function previewBody(mapping: Mapping, subject: Subject): string {
  const [name, value] =
    'payload' in subject
      ? ['payload', subject.payload]
      : (Object.entries(subject).map(([key, one]) => [key, JSON.stringify(one)])[0] as [string, string]);
  return `{"mapping":${JSON.stringify(mapping)},"${name}":${value}}`;
}
