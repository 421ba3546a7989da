import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes/index.js';
import { type ApiResponse, Client } from '../../support/api/client.js';
import { storePayloads } from '../../support/api/stored-events.js';
import { makeWebhook, receiptOf, sendEvent } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { confirmation, type SnsServer, startSnsServer } from '../../support/sns/sns-server.js';

/** Part of every secret that is sent. */
const CANARY = 'sEcReT-4f1b0a';
const FILE = 'email,integrationId,identity\nada@example.com,7,ada\n';
const WORKLIST = 'identity,decision,email\nbob,owner,ada@example.com\n';

let sns: SnsServer;
let stack: Stack;
let client: Client;
beforeAll(async () => {
  sns = await startSnsServer();
  stack = await startStack({ https: sns.https });
  client = await Client.of(stack);
});
afterAll(async () => {
  await stack.stop();
  await sns.stop();
});

/** Sends a request whose id is the name of its operation. */
type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ApiResponse>;
type Change = (send: Send) => Promise<ApiResponse>;

const json = (method: string, path: string, body: unknown) => client.json(method, path, body);
const idOf = async (made: Promise<ApiResponse>): Promise<string> => (await made).body.data.id;
const upload = async (file: string, query = '') => (await client.upload(file, query)).body.jobId as string;
const csv = { 'content-type': 'text/csv' };
const ended = { prefer: 'wait=20' };

const signed = (secret: string) => ({ scheme: 'github', secret: `${CANARY}-${secret}-0123456789` });
const newKey = { name: 'audited', scopes: ['alerts:read'] };
const newRole = (name: string) => ({ name, scopes: ['alerts:read'] });
const newGrant = async () => ({
  subject: { kind: 'key', id: await idOf(json('POST', '/v2/keys', newKey)) },
  role: 'viewer',
});
const newLink = () => ({
  integrationId: 7,
  name: 'audited',
  uploads: 3,
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
});
const newFeed = (name: string) => ({
  name,
  source: {
    kind: 'https',
    url: 'https://files.invalid/people.csv',
    headers: { authorization: `Bearer ${CANARY}` },
  },
});
const newDestination = (name: string) => ({
  name,
  preset: 'webhook',
  url: `https://receiver.invalid/${CANARY}`,
  headers: { authorization: `Bearer ${CANARY}` },
  paused: true,
});
const heartbeat = { schedule: { periodSeconds: 60 }, graceSeconds: 10 };
const mapping = { fields: { title: { template: '{{ webhook.alert.name }}' } } };
const named = (name: string) => ({ name, description: `of ${name}` });
const token = (n: number) => `${CANARY}-${n}-a8f3kq07zx5m2w9vb4nt`;

const failedJob = () => upload('email,integrationId,identity\nnobody,7,ada\n');
const destination = (name: string) => idOf(json('POST', '/v2/destinations', newDestination(name)));
const feed = (name: string) => idOf(json('POST', '/v2/feeds', newFeed(name)));
const template = (name: string) =>
  json('POST', '/v2/webhook-templates', { name, mapping, sample: { alert: { name: 'x' } } });
const table = (name: string) => json('PUT', `/v2/tables/${name}`, [{ key: 'a', value: 1 }]);

/** A successful request of each operation. */
const CHANGES: Record<string, Change> = {
  updateIdentities: (send) => send('PATCH', '/v2/developers/identities', FILE, csv),
  importIdentities: (send) => send('POST', '/v2/developers/identities/imports', FILE, csv),
  removeIdentities: (send) =>
    send('DELETE', '/v2/developers/identities', [{ integrationId: 7, identity: 'nobody' }]),
  createRemoval: (send) =>
    send('POST', '/v2/developers/identities/removals', [{ integrationId: 7, identity: 'nobody' }]),
  exportIdentities: (send) => send('POST', '/v2/developers/identities/exports', {}),
  putAccountSystem: (send) => send('PUT', '/v2/integrations/7', { name: 'GitHub', kind: 'github' }),
  deleteAccountSystem: async (send) => {
    await json('PUT', '/v2/integrations/8', { name: 'GitLab', kind: 'gitlab' });
    return send('DELETE', '/v2/integrations/8');
  },
  createWorklist: (send) =>
    send('POST', '/v2/integrations/7/worklists', {
      accounts: [{ identity: 'ada', email: 'ada@example.com' }],
    }),
  createFeed: (send) => send('POST', '/v2/feeds', newFeed('created')),
  updateFeed: async (send) =>
    send('PATCH', `/v2/feeds/${await feed('updated')}`, { source: newFeed('updated').source }),
  deleteFeed: async (send) => send('DELETE', `/v2/feeds/${await feed('deleted')}`),
  startFeedRun: async (send) => send('POST', `/v2/feeds/${await feed('run')}/runs`),
  putWorklistDecisions: (send) =>
    send('PUT', '/v2/integrations/7/decisions', [{ identity: 'bot-7', decision: 'bot' }]),
  uploadWorklistDecisions: (send) => send('POST', '/v2/integrations/7/decisions', WORKLIST, csv),
  revertJob: async (send) => send('POST', `/v2/jobs/${await upload(FILE.replaceAll('ada', 'eve'))}/revert`),
  applyJob: async (send) =>
    send('POST', `/v2/jobs/${await upload(FILE.replaceAll('ada', 'dan'), '?dryRun=true')}/apply`),
  acceptWorklist: async (send) => {
    await upload(FILE);
    const accounts = [{ identity: 'ada-2', email: 'ada@example.com' }];
    const made = await client.json('POST', '/v2/integrations/7/worklists', { accounts }, ended);
    return send('POST', `/v2/jobs/${made.body.data.id}/accept`);
  },
  cancelJob: async (send) => {
    // Of a queue that no worker takes from at this moment: it waits for its turn.
    const id = await failedJob();
    await stack.database('jobs').where({ id }).update({ state: 'queued', finished_at: null });
    return send('POST', `/v2/jobs/${id}/cancel`);
  },
  retryJob: async (send) => send('POST', `/v2/jobs/${await failedJob()}/retry`),
  createKey: (send) => send('POST', '/v2/keys', newKey),
  revokeKey: async (send) => send('DELETE', `/v2/keys/${await idOf(json('POST', '/v2/keys', newKey))}`),
  createRole: (send) => send('POST', '/v2/roles', newRole('created')),
  putRole: async (send) => {
    await json('POST', '/v2/roles', newRole('changed'));
    return send('PUT', '/v2/roles/changed', { scopes: ['alerts:write'] });
  },
  deleteRole: async (send) => {
    await json('POST', '/v2/roles', newRole('gone'));
    return send('DELETE', '/v2/roles/gone');
  },
  createRoleGrant: async (send) => send('POST', '/v2/role-grants', await newGrant()),
  deleteRoleGrant: async (send) =>
    send('DELETE', `/v2/role-grants/${await idOf(json('POST', '/v2/role-grants', await newGrant()))}`),
  createUploadLink: (send) => send('POST', '/v2/upload-links', newLink()),
  revokeUploadLink: async (send) =>
    send('DELETE', `/v2/upload-links/${await idOf(json('POST', '/v2/upload-links', newLink()))}`),
  putIntegrationByName: (send) =>
    send('PUT', '/v2/by-name/integrations/by-name', { ...named('by-name'), signature: signed('by-name') }),
  deleteIntegrationByName: async (send) => {
    await json('PUT', '/v2/by-name/integrations/gone', named('gone'));
    return send('DELETE', '/v2/by-name/integrations/gone');
  },
  putAccountSystemByName: (send) =>
    send('PUT', '/v2/by-name/account-systems/Jira', { name: 'Jira', integrationId: 9, kind: 'jira' }),
  deleteAccountSystemByName: async (send) => {
    await json('PUT', '/v2/by-name/account-systems/npm', { name: 'npm', integrationId: 10, kind: 'npm' });
    return send('DELETE', '/v2/by-name/account-systems/npm');
  },
  putDestinationByName: (send) => send('PUT', '/v2/by-name/destinations/by-name', newDestination('by-name')),
  deleteDestinationByName: async (send) => {
    await json('PUT', '/v2/by-name/destinations/gone', newDestination('gone'));
    return send('DELETE', '/v2/by-name/destinations/gone');
  },
  putTemplateByName: (send) =>
    send('PUT', '/v2/by-name/templates/by-name', { name: 'by-name', mapping, sample: {} }),
  deleteTemplateByName: async (send) => {
    await template('gone');
    return send('DELETE', '/v2/by-name/templates/gone');
  },
  createWebhook: (send) =>
    send('POST', '/v2/webhooks', {
      name: 'created',
      template: 'generic-alert',
      signature: signed('created'),
    }),
  updateWebhook: async (send) =>
    send('PATCH', `/v2/webhooks/${(await makeWebhook(client)).id}`, { signature: signed('updated') }),
  deleteWebhook: async (send) => send('DELETE', `/v2/webhooks/${(await makeWebhook(client)).id}`),
  rotateWebhook: async (send) =>
    send('POST', `/v2/webhooks/${(await makeWebhook(client)).id}/rotate`, { graceSeconds: 60 }),
  importToken: async (send) =>
    send('POST', `/v2/webhooks/${(await makeWebhook(client)).id}/imported-tokens`, {
      token: token(1),
      source: 'Opsgenie',
    }),
  revokeImportedToken: async (send) => {
    const path = `/v2/webhooks/${(await makeWebhook(client)).id}/imported-tokens`;
    const id = await idOf(json('POST', path, { token: token(2), source: 'Opsgenie' }));
    return send('DELETE', `${path}/${id}`);
  },
  importWebhooks: (send) =>
    send('POST', '/v2/webhook-imports', [
      { id: 'c5b4', name: 'imported', type: 'Prometheus', enabled: true, apiKey: token(3) },
    ]),
  createWebhookTemplate: (send) =>
    send('POST', '/v2/webhook-templates', { name: 'created', mapping, sample: {} }),
  updateWebhookTemplate: async (send) => {
    await template('updated');
    return send('PATCH', '/v2/webhook-templates/updated', { title: 'Updated' });
  },
  deleteWebhookTemplate: async (send) => {
    await template('deleted');
    return send('DELETE', '/v2/webhook-templates/deleted');
  },
  saveMapping: async (send) => send('PUT', `/v2/webhooks/${(await makeWebhook(client)).id}/mapping`, mapping),
  remapAlerts: async (send) => send('POST', `/v2/webhooks/${(await makeWebhook(client)).id}/remap`, {}),
  createDestination: (send) => send('POST', '/v2/destinations', newDestination('created')),
  updateDestination: async (send) =>
    send('PATCH', `/v2/destinations/${await destination('updated')}`, {
      headers: { 'x-more': `${CANARY}-more` },
    }),
  deleteDestination: async (send) => send('DELETE', `/v2/destinations/${await destination('deleted')}`),
  rotateDestinationSecret: async (send) =>
    send('POST', `/v2/destinations/${await destination('rotated')}/rotate-secret`, {}),
  resumeDestination: async (send) =>
    send('POST', `/v2/destinations/${await destination('resumed')}/resume`, {}),
  replayMessages: async (send) =>
    send('POST', `/v2/destinations/${await destination('replayed')}/replay`, { dryRun: true }),
  putHeartbeat: async (send) =>
    send('PUT', `/v2/webhooks/${(await makeWebhook(client)).id}/heartbeats/nightly`, heartbeat),
  deleteHeartbeat: async (send) => {
    const path = `/v2/webhooks/${(await makeWebhook(client)).id}/heartbeats/nightly`;
    await json('PUT', path, heartbeat);
    return send('DELETE', path);
  },
  putTable: (send) => send('PUT', '/v2/tables/put', [{ key: 'a', value: 1 }]),
  updateTable: async (send) => {
    await table('updated');
    return send('PATCH', '/v2/tables/updated', [{ key: 'b', value: 2 }]);
  },
  deleteTable: async (send) => {
    await table('deleted');
    return send('DELETE', '/v2/tables/deleted');
  },
  revertTable: async (send) => {
    await table('reverted');
    await json('PATCH', '/v2/tables/reverted', [{ key: 'b', value: 2 }]);
    return send('POST', '/v2/tables/reverted/revert', { revision: 1 });
  },
  confirmSnsSubscription: async (send) => {
    const { id } = await makeWebhook(client, { template: 'cloudwatch-sns' });
    const [event] = await storePayloads(stack.database, id, [sns.sign(confirmation)]);
    return send('POST', `/v2/events/${event}/confirm-subscription`);
  },
  resolveAlert: async (send) => send('POST', `/v2/alerts/${await firingAlert()}/resolve`, {}),
  resolveAlerts: (send) => send('POST', '/v2/alerts/resolve', { filter: {}, dryRun: true }),
  refoldAlerts: (send) => send('POST', '/v2/alerts/refold', { dryRun: true }),
};

/** Makes an alert that fires until something resolves it. */
async function firingAlert(): Promise<string> {
  const { id, path } = await makeWebhook(client, { template: 'alertmanager' });
  const alerts = [{ status: 'firing', fingerprint: 'c0ffee', labels: { alertname: 'High CPU' } }];
  const { eventId } = (await (await sendEvent(stack.url, path, { alerts })).json()) as { eventId: string };
  await receiptOf(client, eventId);
  return (await client.get(`/v2/alerts?webhookId=${id}`)).body.data[0].id;
}

/** Why an operation is performed by another test. */
const ELSEWHERE: Record<string, string> = {
  replayMessage: 'it needs a message that was given up; the job is recorded like that of replayMessages',
};

const changing = routes.filter(
  ({ method, changesNothing }) => !['get', 'options'].includes(method) && !changesNothing,
);

test('every operation that changes something is performed here', () => {
  const performed = [...Object.keys(CHANGES), ...Object.keys(ELSEWHERE)].sort();
  expect(performed).toEqual(changing.map(({ operationId }) => operationId).sort());
});

test.each(Object.entries(CHANGES))('%s writes an entry', async (operationId, change) => {
  const response = await change((method, path, body, headers = {}) => {
    const sent = { ...headers, 'x-request-id': operationId };
    if (body === undefined) return client.send(method, path, { headers: sent });
    return client.json(method, path, body, sent);
  });
  expect([operationId, response.status, response.status < 300 ? '' : response.text]).toEqual([
    operationId,
    response.status,
    '',
  ]);
  const entries = await stack.database('audit_entries').where({ request_id: operationId });
  expect(entries).not.toEqual([]);
  for (const entry of entries)
    expect(entry).toMatchObject({
      action: operationId,
      actor_kind: 'key',
      actor_name: 'test',
      address: '127.0.0.1',
    });
});

test('no entry has a secret, a token or the value of a header', async () => {
  const rows = JSON.stringify(await stack.database('audit_entries'));
  expect(rows).not.toContain(CANARY);
  // The first six characters of a key's text are its prefix.
  expect(rows).not.toMatch(/mstr_\w{7}|mwh_|whsec_/);
  const masked = await stack.database('audit_entries').where('new_members', 'like', '%"***"%');
  expect(masked.length).toBeGreaterThan(5);
});
