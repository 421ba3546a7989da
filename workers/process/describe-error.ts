/**
 * An error as the log may have it. A driver's message holds the statement with its values, the server's a value that it
 * refused, a parser's the text that it could not read: of those only name and code are told.
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, stack, code } = error as Error & { code?: string };
  const tells = 'sql' in error || 'sqlState' in error || error instanceof SyntaxError;
  return tells ? { name, code } : { name, code, message, stack };
}
