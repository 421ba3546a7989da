import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { ApiResponse } from '../support/api/client.js';
import { shortOrLong } from '../support/faults/effort.js';
import { Fault } from '../support/faults/fault.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { until } from '../support/until.js';

const SUBMISSIONS = shortOrLong(40, 1_500);
const CLIENTS = 6;
/** A remap maps this many stored events again. */
const EVENTS = 20;
/** A client pauses for up to this long between two requests, so that the requests hit every phase of a fault. */
const PAUSE_MS = 500;
/**
 * The maximum time that a key may stay locked, with a margin: the lease, and the time that a server is unavailable.
 */
const PATIENCE_MS = 150_000;

jest.setTimeout(180_000 + SUBMISSIONS * 2_000);

let fleet: Fleet;
let webhookId: string;
beforeAll(async () => {
  fleet = await startFleet({ workers: 2 });
  const { client } = api();
  const { body } = await client.json('POST', '/v2/webhooks', { name: 'w', template: 'generic-alert' });
  webhookId = body.data.id;
  const alert = JSON.stringify({ alert: { name: 'High CPU', severity: 'critical', message: 'above 90%' } });
  for (let event = 0; event < EVENTS; event++) await fetch(body.data.url, { method: 'POST', body: alert });
  await until(
    'the alerts are stored',
    async () => (await fleet.database('alerts').select('id')).length === EVENTS,
  );
}, 180_000);
afterAll(() => fleet?.stop(), 180_000);

const path = '/v2/developers/identities';
const api = () => fleet.apis[0] as Fleet['apis'][number];
const random = (limit: number): number => Math.random() * limit;
const ownerOf = (at: number): string => `owner-${at}@example.com`;

type Send = (at: number, headers: Record<string, string>) => Promise<ApiResponse>;

/** One request of each kind that becomes a job. Each asserts or removes an account of its own. */
const KINDS: Record<string, Send> = {
  json: (at, headers) =>
    api().client.json('PATCH', path, [{ email: ownerOf(at), integrationId: 1, identity: `a${at}` }], headers),
  csv: (at, headers) =>
    api().client.upload(`email,integrationId,identity\n${ownerOf(at)},2,a${at}\n`, '', headers),
  removal: (at, headers) =>
    api().client.json('DELETE', path, [{ integrationId: 3, identity: `a${at}` }], headers),
  export: (at, headers) => api().client.json('POST', `${path}/exports`, { identities: [`a${at}`] }, headers),
  remap: (_, headers) => api().client.json('POST', `/v2/webhooks/${webhookId}/remap`, {}, headers),
};
const names = Object.keys(KINDS);
const kindOf = (at: number): string => names[at % names.length] as string;

const sent = new EventEmitter();
const fault = new Fault('freezes and kill -9 of MariaDB and Redis during submissions', 'requests');

/** Repeats a request under one key until it is accepted. Returns the id of its job. */
async function submit(at: number): Promise<string> {
  const send = KINDS[kindOf(at)] as Send;
  const headers = {
    'idempotency-key': `key-${at}`,
    prefer: Math.random() < 0.5 ? 'wait=2' : 'respond-async',
  };
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    sent.emit('request');
    const response = await fault.response(send(at, headers).catch(() => null));
    const outcome = response ? `${response.status} ${response.body?.code ?? ''}`.trim() : 'no response';
    if (response && response.status < 300) return response.body.jobId;
    if (response && response.status !== 503 && response.body?.code !== 'idempotency_in_flight')
      throw new Error(`${kindOf(at)} ${at}: ${response.text}`);
    if (Date.now() > deadline) throw new Error(`${kindOf(at)} ${at} was not accepted: ${outcome}`);
    await sleep(50 + random(250));
  }
}

async function submitAll(): Promise<Map<number, string>> {
  const accepted = new Map<number, string>();
  let next = 0;
  const client = async () => {
    for (let at = next++; at < SUBMISSIONS; at = next++) {
      accepted.set(at, await submit(at));
      await sleep(random(PAUSE_MS));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return accepted;
}

async function freeze(name: 'mariadb' | 'redis'): Promise<void> {
  const { pid } = fleet.servers[name];
  process.kill(pid, 'SIGSTOP');
  await sleep(200 + random(2_800));
  process.kill(pid, 'SIGCONT');
}

/** Freezes and kills both servers, each time a moment after a request was sent. */
async function disturb(until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    await Promise.race([once(sent, 'request'), sleep(500)]);
    await sleep(random(40));
    if (until.aborted) break;
    const name = Math.random() < 0.5 ? 'mariadb' : 'redis';
    if (Math.random() < 0.65) await freeze(name);
    else await fleet.restart(name, random(1_000));
    fault.provoked();
    await sleep(random(1_500));
  }
}

const openJobs = () => fleet.database('jobs').whereIn('state', ['queued', 'running']).select('id');

test('a request accepted under an Idempotency-Key is carried out once while both servers freeze and crash', async () => {
  const done = new AbortController();
  const disturbing = disturb(done.signal);
  const accepted = await submitAll().finally(() => done.abort());
  await disturbing;
  await until('all jobs have ended', async () => (await openJobs()).length === 0, PATIENCE_MS);

  const jobs = await fleet.database('jobs').select();
  const ran = jobs.filter(({ state }) => state !== 'canceled');
  const stateOf = new Map(jobs.map(({ id, state }) => [id, state]));
  const lost = [...accepted].filter(([, id]) => stateOf.get(id) !== 'completed');
  const extra = ran.filter(({ id }) => ![...accepted.values()].includes(id));
  const stored = ran.length - extra.length;
  fault.add({ acknowledged: accepted.size, stored, lost: lost.length, doubled: extra.length });
  fault.report();
  expect(lost.map(([at, id]) => `${kindOf(at)} ${at}: ${id} ${stateOf.get(id)}`)).toEqual([]);
  // As many jobs ran as were accepted, and no two requests were sent to the same one: nothing was done twice.
  expect(extra).toEqual([]);
  expect(new Set(accepted.values()).size).toBe(SUBMISSIONS);

  const remapped = ran
    .filter(({ type }) => type === 'alert-remap')
    .map(({ counts }) => JSON.parse(counts ?? '{}'));
  expect(remapped.filter(({ events, alerts }) => events !== EVENTS || alerts !== EVENTS)).toEqual([]);
  expect(await fleet.database('alerts').select('id')).toHaveLength(EVENTS);

  const rows = await fleet.database('identities').whereNotNull('email').select('email', 'identity');
  const expected = [...accepted.keys()].filter((at) => ['json', 'csv'].includes(kindOf(at)));
  expect(rows.map(({ email, identity }) => `${email} ${identity}`).sort()).toEqual(
    expected.map((at) => `${ownerOf(at)} a${at}`).sort(),
  );
});
