/**
 * Returns an error as it may be logged. The message of a database driver may contain the statement with its values, that of
 * the server a rejected value, and that of a parser the text. Of such errors, only name and code are logged.
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, stack, code }: Error & { code?: unknown } = error;
  const hasData = 'sql' in error || 'sqlState' in error || error instanceof SyntaxError;
  return hasData ? { name, code } : { name, code, message, stack };
}
