import { fillIdentities } from '../api/identities.js';
import { makeWebhook, receiptOf, sendEvent, type TestWebhook } from '../api/webhooks.js';
import type { Stack } from '../servers/stack.js';
import type { ConsoleStack } from './console-pages.js';

const SOURCES = {
  'Checkout monitors': 'datadog',
  'Cluster west': 'alertmanager',
  'Shop dashboards': 'grafana',
  'Shop errors': 'sentry-issue',
  'Paging of the data team': 'pagerduty',
  'Builds of the shop': 'github-workflow-run',
  'Wiki is up': 'uptime-kuma',
} as const;

export type LivedIn = Awaited<ReturnType<typeof liveIn>>;

/** Fills a stack as weeks of use would: integrations with events, an incomplete alert, identities, jobs, keys, figures. */
export async function liveIn(own: ConsoleStack) {
  own.stack.api.settings.publicUrl = 'https://alerts.example.com';
  await own.stack.database('api_keys').update({ name: 'first key' });
  const integrations = await integrate(own);
  // The stamp comes a while after the event.
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
  const drawn = made.get('datadog') as TestWebhook;
  const monitor = samples.get('datadog') as object;
  await send(own, drawn, 'no JSON at all', false);
  // Nothing of what its description is made of.
  const { body, alert_status, title, ...quiet } = monitor as Record<string, unknown>;
  await send(own, drawn, { ...quiet, alert_title: 'Checkout is slow' });
  const eventId = await send(own, drawn, monitor);
  return { drawn, eventId };
}

/** Answers the id of the stored event. */
async function send({ stack, client }: ConsoleStack, { path }: TestWebhook, event: unknown, stored = true) {
  const { eventId } = (await (await sendEvent(stack.url, path, event)).json()) as { eventId: string };
  if (stored) await receiptOf(client, eventId);
  return eventId;
}

const HEAD = 'email,integrationId,identity\n';
const RIGHT = Array.from({ length: 400 }, (_, i) => `dev${i}@example.com,2,octo-${5_000 + i}\n`).join('');
/** A CSV that a dry run finds faults in. */
export const WRONG = `${HEAD}ada@example.com,1,ada\nnobody,1,grace\nalan@example.com,first,alan\nedsger@example.com,3,\n`;

/** A finished, a failed and a dry-run import; answers the id of the failed one. */
async function runJobs({ client }: ConsoleStack) {
  const upload = async (csv: string, query: string): Promise<string> => {
    const { body } = await client.upload(csv, query, { prefer: 'respond-async' });
    await client.jobEnd(body.jobId);
    return body.jobId;
  };
  await upload(HEAD + RIGHT, '?dryRun=true');
  await upload(HEAD + RIGHT, '');
  return { failed: await upload(WRONG, '') };
}

async function makeKeys({ client }: ConsoleStack): Promise<void> {
  const keys = {
    'sync of the directory': ['developer_records:read', 'developer_records:write'],
    'on-call dashboard': ['alerts:read'],
    'platform team': ['webhooks:read', 'webhooks:write', 'alerts:read'],
  };
  for (const [name, scopes] of Object.entries(keys)) {
    const { status, text } = await client.json('POST', '/v2/keys', { name, scopes });
    if (status !== 201) throw new Error(`no key: ${text}`);
  }
}

/** An hour of events by the minute, as the intake counts them. */
async function countAnHour({ api: { redis }, prefix }: Stack): Promise<void> {
  const now = Math.floor(Date.now() / 60_000);
  // Ahead as well: a minute that has only begun would look like an end.
  for (let ago = -5; ago < 60; ago++) {
    const accepted = Math.round(180 + 70 * Math.sin(ago / 7) + 40 * Math.sin(ago / 2));
    const failed = ago % 17 === 5 ? 9 : 0;
    const counts = { accepted, stored: accepted - failed, failed, alerts: accepted - failed };
    await redis.hset(`${prefix}:intake:minute:${now - ago}`, counts);
  }
}
