import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:https';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../../scripts/processes/free-port.js';
import { fillIdentities } from '../support/api/identities.js';
import { ALERT, makeWebhook } from '../support/api/webhooks.js';
import { describeEngine } from '../support/engines/describe-engine.js';
import { end, type Processes, startProcesses } from '../support/servers/processes.js';
import { type ProxyName, type StartedProxy, startProxy, whyNoProxies } from '../support/servers/proxies.js';
import { until } from '../support/until.js';

const MB = 1_000_000;
/** What the examples recommend. */
const DRAIN_S: Record<ProxyName, number> = { nginx: 2, Caddy: 5, HAProxy: 5 };
const ROWS = 20_000;
const CLIENTS = 8;
const IDENTITIES = '/v2/developers/identities';

interface Reply {
  status: number;
  body: string;
}

for (const name of Object.keys(DRAIN_S) as ProxyName[]) {
  describeEngine(`${name} and two APIs`, whyNoProxies(), () => {
    let processes: Processes;
    let second: ChildProcess;
    let secondPort: number;
    let proxy: StartedProxy;
    let agent: Agent;
    beforeAll(async () => {
      const env = { DRAIN_S: String(DRAIN_S[name]), UPLOAD_MAX_BYTES: String(12 * MB), LOG_LEVEL: 'error' };
      processes = await startProcesses({ env });
      secondPort = await freePort();
      second = processes.start('api', { PORT: String(secondPort) });
      await fillIdentities(processes.database, ROWS);
      proxy = await startProxy(name, [processes.port, secondPort]);
      agent = new Agent({ keepAlive: true, maxSockets: CLIENTS, ca: proxy.certificate });
      await until('both APIs are ready', async () =>
        (await Promise.all([processes.url, `http://127.0.0.1:${secondPort}`].map(isReady))).every(Boolean),
      );
      await until(
        'the proxy responds',
        async () => (await send('GET', '/readyz').catch(() => null))?.status === 200,
      );
    });
    afterAll(async () => {
      agent?.destroy();
      await proxy?.stop();
      await processes?.stop();
    });

    const storedEvents = async () =>
      Number((await processes.database('events').count({ count: '*' }))[0]?.count);

    /** Sends a request through the proxy, over TLS. */
    function send(
      method: string,
      path: string,
      body = '',
      headers: Record<string, string> = {},
    ): Promise<Reply> {
      const auth = path.startsWith('/v2') ? { authorization: `ApiKey ${processes.key}` } : {};
      const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const options = { host: '127.0.0.1', servername: 'localhost', port: proxy.port, method, path, agent };
      return new Promise((resolve, reject) => {
        const sent = request(
          { ...options, headers: { host: 'localhost', ...auth, ...length, ...headers } },
          (response) => {
            textOf(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
          },
        );
        sent.on('error', reject);
        sent.end(body);
      });
    }

    const upload = (bytes: number) => {
      const rows = Math.ceil(bytes / 48);
      const row = (_: unknown, i: number) =>
        `person-${String(i).padStart(9, '0')}@example.com,7,account-${String(i).padStart(9, '0')}`;
      const csv = `email,integrationId,identity\n${Array.from({ length: rows }, row).join('\n')}\n`;
      const headers = { 'content-type': 'text/csv', prefer: 'wait=60' };
      return { rows, csv, send: () => send('PATCH', `${IDENTITIES}?dryRun=true`, csv, headers) };
    };

    test('an upload of 10 MB is received whole', async () => {
      const { rows, csv, send } = upload(10 * MB);
      expect(csv.length).toBeGreaterThan(10 * MB);
      const { status, body } = await send();
      expect([status, JSON.parse(body).counts.created]).toEqual([200, rows]);
    });

    test('an upload beyond the limit gets the error of Muster', async () => {
      const { status, body } = await upload(13 * MB).send();
      expect([status, JSON.parse(body).code]).toEqual([413, 'too_large']);
    });

    test('an export arrives as it was sent, and nothing is stored on the way', async () => {
      const direct = await processes.client.get(IDENTITIES, { accept: 'text/csv' });
      const { status, body } = await send('GET', IDENTITIES, '', { accept: 'text/csv' });
      expect([status, body.split('\r\n').length]).toEqual([200, direct.text.split('\r\n').length]);
      expect(body).toBe(direct.text);
      expect(proxy.log()).not.toContain('temporary file');
    });

    test('events are stored once each while one API is restarted under load', async () => {
      const { path } = await makeWebhook(processes.client);
      const replies: Record<string, number> = {};
      let isOver = false;
      const client = async () => {
        while (!isOver) {
          const result = await send('POST', path, JSON.stringify(ALERT), {
            'content-type': 'application/json',
          }).then(
            ({ status }) => String(status),
            ({ code }) => code,
          );
          replies[result] = (replies[result] ?? 0) + 1;
        }
      };
      const clients = Array.from({ length: CLIENTS }, client);
      await sleep(1_000);
      await end(second);
      expect(second.exitCode).toBe(0);
      await sleep(1_000);
      isOver = true;
      await Promise.all(clients);
      const { 202: accepted = 0, 502: failed = 0, ...others } = replies;
      expect(others).toEqual({});
      expect(accepted).toBeGreaterThan(200);
      // nginx does not check whether an API is ready, see its example.
      expect(failed).toBeLessThanOrEqual(name === 'nginx' ? accepted / 50 : 0);
      await until('all are stored', async () => (await storedEvents()) === accepted);
    });

    test('events are accepted while no worker runs', async () => {
      const { path } = await makeWebhook(processes.client);
      const before = await storedEvents();
      await Promise.all(processes.workers.map((worker) => end(worker)));
      await until('the API is not ready', async () => !(await isReady(processes.url)));
      // The proxies check every second, and twice.
      await sleep(4_000);
      const body = JSON.stringify(ALERT);
      const headers = { 'content-type': 'application/json' };
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => send('POST', path, body, headers).then(({ status }) => status)),
      );
      expect(replies).toEqual(Array(10).fill(202));
      processes.start('workers');
      await until('all are stored', async () => (await storedEvents()) === before + 10);
    });

    test('the token of a webhook is in no log, also while no API runs', async () => {
      const { path } = await makeWebhook(processes.client);
      const token = path.split('/').at(-1) as string;
      const sendIt = (to: string) => {
        const headers = {
          'content-type': 'application/json',
          referer: `https://localhost${path}`,
          'x-gitlab-token': token,
        };
        return send('POST', to, JSON.stringify(ALERT), headers).catch(() => ({ status: 0 }));
      };
      const unusual = `/api/v1/%77ebhook/${token}`;
      expect((await sendIt(`${path}?pwd=${token}`)).status).toBe(202);
      await sendIt(unusual);
      const imported = randomUUID();
      for (const root of [
        '/api/v1/webhook',
        '/ping',
        '/integrations/v1/webhook',
        '/oncall/integrations/v1/webhook',
      ])
        await sendIt(`${root}/${imported}/heartbeat`);
      await sendIt(`/healthz?token=${token}`);
      await Promise.all([processes.api, second].map((api) => end(api)));
      for (let n = 0; n < 3; n++) expect((await sendIt(`${path}?pwd=${token}`)).status).not.toBe(202);
      await sendIt(unusual);
      const logged = () => proxy.log().split('/api/v1/webhook/-').length - 1;
      await until('all requests are logged', () => logged() >= 5);
      for (const secret of [token, imported]) expect(proxy.log()).not.toContain(secret);
    }, 120_000);
  });
}

const isReady = async (url: string): Promise<boolean> =>
  (await fetch(`${url}/readyz`).catch(() => null))?.status === 200;
