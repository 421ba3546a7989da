import { uuidv7 } from 'uuidv7';
import { revokeApiKey, type Scope } from '../../../db/access/api-keys.js';
import { Client } from '../api/client.js';
import { ALERT, makeWebhook, receiptOf, sendEvent } from '../api/webhooks.js';
import { type Stack, startStack } from '../servers/stack.js';
import { RawSender } from './raw-request.js';

/** A text that every test of bad input sends as data, and that no log may contain. */
export const CANARY = 'cAnArY-7d1f';

/** Tables that a rejected request must leave as they are. Rejected events are stored, so that people can see what was sent. */
const TABLES = [
  ...[
    'identities',
    'identity_history',
    'identity_uploads',
    'api_keys',
    'upload_links',
    'roles',
    'role_grants',
    'webhooks',
    'webhook_tokens',
    'mapping_revisions',
    'destinations',
    'lookup_tables',
    'lookup_revisions',
    'lookup_rows',
    'account_systems',
    'feeds',
    'worklist_decisions',
  ],
  ...['saved_templates', 'alerts', 'series', 'jobs'],
];

/** Small bodies reach their limits. However many requests are made, the number of open jobs does not. */
const LIMITS = { UPLOAD_MAX_BYTES: '100000', INTAKE_MAX_BYTES: '20000', KEY_MAX_OPEN_JOBS: '1000000' };

export type Scene = Awaited<ReturnType<typeof openScene>>;

/** Starts a stack that has one of each resource, so that a bad request fails for the reason that it is about. */
export async function openScene() {
  const stack = await startStack({ env: LIMITS });
  const text = await stack.key();
  const client = new Client(stack.url, text);
  const webhook = await makeWebhook(client, { name: 'scene' });
  // Requests that are made at random may give the other one a signature or a rate limit.
  const untouched = await makeWebhook(client, { name: 'untouched' });
  const tokenOf = ({ path }: { path: string }) => path.split('/').at(-1) as string;
  const [token, untouchedToken] = [tokenOf(webhook), tokenOf(untouched)];
  const { eventId } = (await (await sendEvent(stack.url, webhook.path, ALERT)).json()) as { eventId: string };
  await receiptOf(client, eventId);
  const [alert] = (await client.get('/v2/alerts')).body.data;
  const job = await client.upload('email,integrationId,identity\nada@example.com,7,ada\n');
  const failed = await client.upload('email,integrationId,identity\nnobody,7,ada\n');
  const dryRun = await client.upload('email,integrationId,identity\nada@example.com,7,ada\n', '?dryRun=true');
  const mapping = (await client.get(`/v2/webhooks/${webhook.id}/mapping`)).body.data.mapping;
  await client.json('POST', '/v2/webhook-templates', { name: 'saved', mapping, sample: ALERT });
  await client.json('PUT', '/v2/tables/saved', [{ key: 'a', value: 1 }]);
  await client.json('PUT', '/v2/integrations/7', { name: 'GitHub', kind: 'github' });
  // Its directory is not allowed, so its run fails.
  const feedSettings = { name: 'feed', source: { kind: 'directory', path: 'people.csv' } };
  const feed = (await client.json('POST', '/v2/feeds', feedSettings)).body.data;
  const feedRun = await client.send('POST', `/v2/feeds/${feed.id}/runs`, { headers: { prefer: 'wait=30' } });
  // Paused: what is sent here reaches nobody.
  const receiver = { name: 'paused', preset: 'webhook', url: 'https://receiver.invalid/', paused: true };
  const destination = (await client.json('POST', '/v2/destinations', receiver)).body.data;
  const extra = (await client.json('POST', '/v2/keys', { name: 'extra', scopes: ['admin'] })).body.data;
  await client.json('POST', '/v2/roles', { name: 'on-call', scopes: ['alerts:read'] });
  const newGrant = { subject: { kind: 'key', id: extra.id }, role: 'on-call' };
  const grant = (await client.json('POST', '/v2/role-grants', newGrant)).body.data;
  const revoked = (await client.json('POST', '/v2/keys', { name: 'old', scopes: ['admin'] })).body.data;
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const newLink = { integrationId: 7, name: 'scene', uploads: 3, expiresAt };
  const link = (await client.json('POST', '/v2/upload-links', newLink)).body.data;
  await revokeApiKey(stack.database, revoked.id);
  stack.api.authenticator.forget();

  const values: Record<string, string> = {
    webhook: webhook.id,
    integration: 'scene',
    token,
    untouchedToken,
    event: eventId,
    alert: alert.id,
    job: job.body.jobId,
    failed: failed.body.jobId,
    dryRun: dryRun.body.jobId,
    key: extra.id,
    role: 'on-call',
    roleGrant: grant.id,
    uploadLink: link.id,
    feed: feed.id,
    feedRun: feedRun.body.data?.id ?? feedRun.body.jobId,
    destination: destination.id,
    destinationName: 'paused',
    sequence: '1',
    unknown: uuidv7(),
    revision: '1',
    name: 'saved',
    accountSystem: 'GitHub',
    integrationId: '7',
  };
  const scoped = new Map<string, string>();
  const sender = new RawSender(stack.port);
  return {
    stack,
    sender,
    key: text,
    revokedKey: revoked.key as string,
    /** Texts that are secret: keys and tokens. */
    secrets: () => [
      text,
      extra.key,
      revoked.key,
      token,
      untouchedToken,
      destination.secret,
      link.url.split('#')[1] as string,
      ...scoped.values(),
    ],
    /** Returns a key that has exactly these scopes. */
    keyWith: async (...scopes: Scope[]): Promise<string> => {
      const name = scopes.join();
      const known = scoped.get(name) ?? (await stack.key(...scopes));
      scoped.set(name, known);
      return known;
    },
    /** Replaces names in braces by the ids of the resources. */
    fill: (template: string): string =>
      template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole),
    rows: () => countRows(stack),
    close: async () => {
      sender.close();
      await stack.stop();
    },
  };
}

async function countRows({ database }: Stack): Promise<Record<string, number>> {
  const parts = TABLES.map((table) => `SELECT '${table}' AS name, COUNT(*) AS count FROM ${table}`);
  const [rows] = await database.raw(parts.join(' UNION ALL '));
  return Object.fromEntries(
    rows.map(({ name, count }: { name: string; count: number }) => [name, Number(count)]),
  );
}
