import { setTimeout as sleep } from 'node:timers/promises';

const timeoutMs = 60_000;

/**
 * Waits until the API is ready: `GET /readyz` returns 200.
 * @param address such as `http://127.0.0.1:3000`
 * @throws Error if it is not ready after a minute
 */
export async function waitUntilReadyz(address: string): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let last = 'no response';
  while (Date.now() < deadline) {
    last = await ask(`${address}/readyz`);
    if (last === '') return;
    await sleep(50);
  }
  throw new Error(`The API is not ready after a minute (${last}). See its log.`);
}

/** Returns an empty text if the API is ready, otherwise the reason. */
async function ask(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    const report = (await response.json()) as Record<string, unknown>;
    return response.ok ? '' : `without ${missingIn(report)}`;
  } catch {
    return 'no response';
  }
}

function missingIn(report: Record<string, unknown>): string {
  const names = Object.keys(report).filter((name) => report[name] === false);
  return names.join(' and ');
}
