/**
 * Splits a message of the API at its inline code, such as "must be an email address such as `ada@example.com`".
 * @returns prose and code by turns, beginning and ending with prose. A backtick without a partner is prose
 */
export function codeParts(message: string): string[] {
  const parts = message.split('`');
  if (parts.length % 2 === 1) return parts;
  const unpaired = parts.splice(-2).join('`');
  return [...parts, unpaired];
}

/** Returns a message of the API without the backticks around its inline code, for places that show only plain text. */
export const withoutCodeMarks = (message: string): string => codeParts(message).join('');
