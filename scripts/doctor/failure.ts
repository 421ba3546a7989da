/** An error of a driver, as far as this command reads it. */
export interface DriverFailure {
  name?: string;
  code?: string;
  errno?: number;
  sqlMessage?: string;
  message?: string;
}

/**
 * Returns the reason of an error in a few words. A driver's message can contain the statement, so the server's own message
 * comes first.
 */
export function describeFailure(error: unknown): string {
  const { sqlMessage, code, message, name } = (error ?? {}) as DriverFailure;
  return (sqlMessage ?? withoutRepeats(code, message) ?? code ?? name ?? 'unknown error').trim();
}

function withoutRepeats(code?: string, message?: string): string | undefined {
  if (!message) return undefined;
  return !code || message.includes(code) ? message : `${code}: ${message}`;
}
