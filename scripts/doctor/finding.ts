import { describeFailure } from './failure.js';

export type Level = 'ok' | 'warning' | 'failure';

/** The result of one check. */
export interface Finding {
  /** What was checked, in kebab case. Scripts may rely on these names. */
  check: string;
  level: Level;
  /** What was found, as one sentence without a period. Never contains a secret. */
  found: string;
  /** What to do about it, in sentences. Empty if there is nothing to do. */
  advice: string;
}

export const ok = (check: string, found: string): Finding => ({ check, level: 'ok', found, advice: '' });

export const warning = (check: string, found: string, advice: string): Finding => ({
  check,
  level: 'warning',
  found,
  advice,
});

export const failure = (check: string, found: string, advice: string): Finding => ({
  check,
  level: 'failure',
  found,
  advice,
});

/** A frozen server must not hold up the rest. In milliseconds. */
const CHECK_WITHIN_MS = 4_000;

class NoResponse extends Error {}

/**
 * Runs a check. If it throws, the finding is a warning, because the result is unknown. If it does not finish in time, it is a failure.
 * @param explain converts an error of the check to a finding
 * @param withinMs only for a check that reads much
 */
export async function attempt(
  check: string,
  work: () => Promise<Finding>,
  explain = (error: unknown): Finding =>
    warning(
      check,
      `could not be checked (${describeFailure(error)})`,
      'Check it by hand, or run this command with an account that may read it.',
    ),
  withinMs = CHECK_WITHIN_MS,
): Promise<Finding> {
  try {
    return await within(withinMs, work());
  } catch (error) {
    if (!(error instanceof NoResponse)) return explain(error);
    const found = `no response within ${withinMs / 1_000} s`;
    return failure(check, found, 'Check that the server is not frozen or overloaded, and the network to it.');
  }
}

/** Waits for some cleaning up, which a frozen server may never confirm. */
export async function closed(closing: Promise<unknown>): Promise<void> {
  await within(500, closing).catch(() => undefined);
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoResponse()), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
