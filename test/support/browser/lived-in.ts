import { fillIdentities } from '../api/identities.js';
import { makeWebhook, receiptOf, sendEvent, type TestWebhook } from '../api/webhooks.js';
import type { Stack } from '../servers/stack.js';
import type { ConsoleStack } from './console-pages.js';

const SOURCES = {
  'Checkout monitors': 'datadog',
  'Cluster west': 'alertmanager',
  'Shop dashboards': 'grafana',
  'Shop errors': 'sentry-issue',
  'Data team paging': 'pagerduty',
  'Shop builds': 'github-workflow-run',
  'Wiki uptime': 'uptime-kuma',
} as const;

export type LivedIn = Awaited<ReturnType<typeof liveIn>>;

/** Fills a stack with data as after weeks of use: integrations with events, an incomplete alert, identities, jobs, keys, counts. */
export async function liveIn(own: ConsoleStack) {
  own.stack.api.settings.publicUrl = 'https://alerts.example.com';
  await own.stack.database('api_keys').update({ name: 'first key' });
  const integrations = await integrate(own);
  // The time of last use is written some time after the event.
  await own.stack.database('webhook_tokens').update({ last_used_at: new Date() });
  await fillIdentities(own.stack.database, 2_000);
  const jobs = await runJobs(own);
  await makeKeys(own);
  await countAnHour(own.stack);
  return { ...integrations, jobs };
}

async function integrate(own: ConsoleStack) {
  const { data } = (await own.client.get('/v2/webhook-templates')).body;
  const samples = new Map<string, object>(
    data.map(({ name, sample }: { name: string; sample: object }) => [name, sample]),
  );
  const made = new Map<string, TestWebhook>();
  for (const [name, template] of Object.entries(SOURCES)) {
    const webhook = await makeWebhook(own.client, { name, template });
    made.set(template, webhook);
    await send(own, webhook, samples.get(template));
  }
  const datadog = made.get('datadog') as TestWebhook;
  const monitor = samples.get('datadog') as object;
  await send(own, datadog, 'no JSON at all', false);
  // Another problem, without the fields that the description is rendered from.
  const { body, alert_status, title, ...quiet } = monitor as Record<string, unknown>;
  await send(own, datadog, { ...quiet, alert_cycle_key: '7700112299', alert_title: 'Checkout is slow' });
  const eventId = await send(own, datadog, monitor);
  return { datadog, eventId };
}

/** Sends an event and returns its id. */
async function send({ stack, client }: ConsoleStack, { path }: TestWebhook, event: unknown, stored = true) {
  const { eventId } = (await (await sendEvent(stack.url, path, event)).json()) as { eventId: string };
  if (stored) await receiptOf(client, eventId);
  return eventId;
}

const HEAD = 'email,integrationId,identity\n';
const VALID_ROWS = Array.from({ length: 400 }, (_, i) => `dev${i}@example.com,2,octo-${5_000 + i}\n`).join(
  '',
);
/** New owners for eight accounts of `VALID_ROWS`, and four new accounts. */
const MOVED_ROWS = Array.from(
  { length: 12 },
  (_, i) => `lead${i % 3}@example.com,2,octo-${4_996 + i}\n`,
).join('');
/** A CSV in which a dry run finds errors. */
export const INVALID_CSV = `${HEAD}ada@example.com,1,ada\nnobody,1,grace\nalan@example.com,first,alan\nedsger@example.com,3,\n`;

/** Runs two completed, a failed and a dry-run import, and returns the ids of the failed and the second completed one. */
async function runJobs({ client }: ConsoleStack) {
  const upload = async (csv: string, query: string): Promise<string> => {
    const { body } = await client.upload(csv, query, { prefer: 'respond-async' });
    await client.jobEnd(body.jobId);
    return body.jobId;
  };
  await upload(HEAD + VALID_ROWS, '?dryRun=true');
  await upload(HEAD + VALID_ROWS, '');
  const moved = await upload(HEAD + MOVED_ROWS, '');
  return { moved, failed: await upload(INVALID_CSV, '') };
}

async function makeKeys({ client }: ConsoleStack): Promise<void> {
  const keys = {
    'directory sync': ['developer_records:read', 'developer_records:write'],
    'on-call dashboard': ['alerts:read'],
    'platform team': ['webhooks:read', 'webhooks:write', 'alerts:read'],
  };
  for (const [name, scopes] of Object.entries(keys)) {
    const { status, text } = await client.json('POST', '/v2/keys', { name, scopes });
    if (status !== 201) throw new Error(`no key: ${text}`);
  }
}

/** Writes the counts of an hour of events per minute, as the intake does. */
async function countAnHour({ api: { redis }, prefix }: Stack): Promise<void> {
  const now = Math.floor(Date.now() / 60_000);
  // Includes the coming minutes, because a minute that has just started would look like a drop.
  for (let ago = -5; ago < 60; ago++) {
    const accepted = Math.round(180 + 70 * Math.sin(ago / 7) + 40 * Math.sin(ago / 2));
    const failed = ago % 17 === 5 ? 9 : 0;
    const counts = { accepted, stored: accepted - failed, failed, alerts: accepted - failed };
    await redis.hset(`${prefix}:intake:minute:${now - ago}`, counts);
  }
}
