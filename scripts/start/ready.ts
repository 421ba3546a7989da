import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 60_000;

/**
 * Waits until the API says that it can do its work: `GET /readyz` answers 200.
 * @param address such as `http://127.0.0.1:3000`
 * @throws Error when it still says no after a minute
 */
export async function waitUntilReadyz(address: string): Promise<void> {
  const deadline = Date.now() + patienceMs;
  let last = 'no answer';
  while (Date.now() < deadline) {
    last = await ask(`${address}/readyz`);
    if (last === '') return;
    await sleep(50);
  }
  throw new Error(`The API does not get ready (${last}): see its log.`);
}

/** Empty when ready, otherwise why not. */
async function ask(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    const report = (await answer.json()) as Record<string, unknown>;
    return answer.ok ? '' : `without ${missingIn(report)}`;
  } catch {
    return 'no answer';
  }
}

function missingIn(report: Record<string, unknown>): string {
  const names = Object.keys(report).filter((name) => report[name] === false);
  return names.join(' and ');
}
