import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext } from '../benchmark.js';
import { insertAlerts } from '../filled-tables.js';
import { importFile } from '../import/upload.js';
import type { BenchStack } from '../stack.js';

const DAY_MS = 86_400_000;
const IDENTITIES = 2_000;
const TEMPLATE = 'datadog';

/** Stores a day of alerts, an integration with an event, and identities. Returns the paths of all pages of the console. */
export async function fillPages(stack: BenchStack, { rows, folder }: BenchContext): Promise<string[]> {
  const everyMs = (DAY_MS - 60_000) / rows;
  await insertAlerts(stack.database, rows, { from: Date.now() - DAY_MS, everyMs });
  const integration = await call<{ id: string; url: string }>(stack, '/v2/webhooks', {
    name: 'Checkout monitors',
    template: TEMPLATE,
  });
  const { id: eventId, alertIds } = await sendSample(stack, integration.url);
  const file = join(folder, 'people.csv');
  const lines = Array.from(
    { length: IDENTITIES },
    (_, row) => `dev${row}@example.com,${(row % 3) + 1},octo-${row}`,
  );
  writeFileSync(file, `email,integrationId,identity\n${lines.join('\n')}\n`);
  await importFile(stack, file);
  const [job] = await call<{ id: string }[]>(stack, '/v2/jobs');
  const tabs = ['mapping', 'test', 'events', 'settings'].map(
    (tab) => `/integrations/${integration.id}/${tab}`,
  );
  return [
    '/integrations',
    '/integrations/new',
    ...tabs,
    '/alerts',
    `/alerts/${alertIds[0]}`,
    '/events',
    `/events/${eventId}`,
    '/identities',
    '/identities/upload',
    '/identities/history?integrationId=1&identity=octo-0',
    '/identities/coverage',
    '/identities/worklist',
    '/jobs',
    `/jobs/${job?.id}`,
    '/keys',
    '/health',
  ];
}

interface Receipt {
  id: string;
  alertIds: string[];
}

/** Sends the sample of the template and waits until its alert is stored. */
async function sendSample(stack: BenchStack, address: string): Promise<Receipt> {
  const templates = await call<{ name: string; sample: object }[]>(stack, '/v2/webhook-templates');
  const sample = templates.find(({ name }) => name === TEMPLATE)?.sample;
  const response = await fetch(stack.url + new URL(address).pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sample),
  });
  const { eventId } = (await response.json()) as { eventId: string };
  for (let tries = 0; tries < 200; tries++) {
    const receipt = await call<Receipt>(stack, `/v2/events/${eventId}`).catch(() => null);
    if (receipt) return receipt;
    await sleep(50);
  }
  throw new Error('the event of the sample was not stored');
}

/** Requests a path, with a body by POST. Returns the data of the response. */
async function call<Data>({ url, key }: BenchStack, path: string, json?: object): Promise<Data> {
  const response = await fetch(url + path, {
    method: json ? 'POST' : 'GET',
    headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
    body: json ? JSON.stringify(json) : null,
  });
  if (!response.ok) throw new Error(`${path} failed with ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { data: Data }).data;
}
