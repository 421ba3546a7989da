import { createRequire } from 'node:module';
import { runForJson } from './children.js';

const BODY = {
  alert: {
    name: 'High CPU Usage',
    severity: 'critical',
    message: 'CPU usage above 90%',
    timestamp: '2024-01-15T10:30:00Z',
  },
  metadata: { service: 'payment-api', environment: 'production', team: 'platform' },
  metrics: { cpu_usage: 95.5, memory_usage: 85.2 },
};
/** The alert that intake and drain are measured with: about 300 bytes. */
export const ALERT = JSON.stringify(BODY);

/** Returns the same alert with a key and a status. */
export const keyedAlert = (key: string, status: 'firing' | 'resolved'): string =>
  JSON.stringify({ ...BODY, alert: { ...BODY.alert, key, status } });

/** Returns the same alert with other metadata. */
export const alertOf = (metadata: Record<string, string>): string =>
  JSON.stringify({ ...BODY, metadata: { ...BODY.metadata, ...metadata } });

const CONNECTIONS = 256;
const SECONDS = 5;

/** What the load generator reports: events per second, latencies in ms, and the number of responses. */
export interface Load {
  requests: { average: number };
  latency: { p50: number; p99: number };
  '2xx': number;
  non2xx: number;
  errors: number;
}

/**
 * Sends the alert over 256 connections, as fast as it is accepted. The load generator is a process of its own, so that it affects the measurement
 * as little as possible.
 * @throws Error if a request fails, or is rejected and `mayReject` is false
 */
export async function sendAlerts(
  url: string,
  { seconds = SECONDS, mayReject = false }: { seconds?: number; mayReject?: boolean } = {},
): Promise<Load> {
  const autocannon = createRequire(import.meta.url).resolve('autocannon/autocannon.js');
  const args = ['-j', '-c', String(CONNECTIONS), '-d', String(seconds), '-m', 'POST'];
  args.push('-H', 'content-type=application/json', '-b', ALERT, url);
  const result = await runForJson<Load>(autocannon, args);
  if (result.errors > 0 || (!mayReject && result.non2xx > 0)) {
    throw new Error(`${result.errors} errors and ${result.non2xx} rejected requests at ${url}`);
  }
  return result;
}

/** Creates an integration through the API. Returns the URL for its events. */
export async function createWebhook(url: string, key: string, template = 'generic-alert'): Promise<string> {
  const response = await fetch(`${url}/v2/webhooks`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench', template }),
  });
  const { data } = (await response.json()) as { data: { url: string } };
  return data.url;
}
