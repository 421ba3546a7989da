/** Severities as many sources name them, and the alert's severity for each. */
export const SEVERITIES: Record<string, string> = {
  critical: 'critical',
  crit: 'critical',
  fatal: 'critical',
  emergency: 'critical',
  disaster: 'critical',
  page: 'critical',
  high: 'error',
  error: 'error',
  err: 'error',
  major: 'error',
  medium: 'warning',
  moderate: 'warning',
  average: 'warning',
  warning: 'warning',
  warn: 'warning',
  minor: 'warning',
  low: 'info',
  info: 'info',
  information: 'info',
  informational: 'info',
  notice: 'info',
  debug: 'info',
  none: 'info',
  ok: 'info',
};

/** Priorities from P1, the most urgent, to P5. */
export const PRIORITIES: Record<string, string> = {
  p1: 'critical',
  p2: 'error',
  p3: 'warning',
  p4: 'info',
  p5: 'info',
};

/** States of a monitored resource. */
export const UP_OR_DOWN: Record<string, string> = {
  down: 'critical',
  up: 'info',
};

/** Returns a value map for templates that render `STATE/SEVERITY`, such as `resolve/critical`, for the given state. */
export const inState = (state: string, values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([word, severity]) => [`${state}/${word}`, severity]));
