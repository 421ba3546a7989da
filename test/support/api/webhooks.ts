import { until } from '../until.js';
import type { Client } from './client.js';
import { checkContract } from './contract.js';

/** The 300-byte alert that most tests send. */
export const ALERT = {
  alert: {
    name: 'High CPU Usage',
    severity: 'critical',
    message: 'CPU usage above 90%',
    timestamp: '2024-01-15T10:30:00Z',
  },
  metadata: { service: 'payment-api', environment: 'production', team: 'platform' },
  metrics: { cpu_usage: 95.5, memory_usage: 85.2 },
};

export interface TestWebhook {
  id: string;
  /** The path of its URL, for any host. */
  path: string;
}

/** Creates an integration. */
export async function makeWebhook(client: Client, more: object = {}): Promise<TestWebhook> {
  const body = { name: 'test', template: 'generic-alert', ...more };
  const response = await client.json('POST', '/v2/webhooks', body);
  if (response.status !== 201) throw new Error(`no webhook: ${response.text}`);
  return { id: response.body.data.id, path: new URL(response.body.data.url).pathname };
}

/** Sends an event, without a key. The response must be as the OpenAPI document describes it. */
export async function sendEvent(
  url: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const response = await fetch(url + path, {
    method: 'POST',
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  } as RequestInit);
  const text = await response.clone().text();
  checkContract('POST', path, { status: response.status, headers: response.headers, text });
  return response;
}

/** Waits for an event's receipt. */
export async function receiptOf(client: Client, eventId: string) {
  let response = await client.get(`/v2/events/${eventId}`);
  await until(`event ${eventId} is stored`, async () => {
    response = await client.get(`/v2/events/${eventId}`);
    return response.status === 200;
  });
  return response.body.data;
}
