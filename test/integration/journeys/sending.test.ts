import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { curlCommand } from '../../../api/console/integrations/test/event/curl-command.js';
import { freePort } from '../../../scripts/processes/free-port.js';
import { Client } from '../../support/api/client.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

const [create = '', send = '', resolve = ''] = [
  ...readFileSync('docs/sending.md', 'utf8').matchAll(/^```sh\n(.*?)^```$/gms),
].map(([, commands]) => commands as string);

let stack: Stack;
let client: Client;
let key: string;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  key = await stack.key();
});
const closes: (() => void)[] = [];
afterAll(async () => {
  for (const close of closes) close();
  await stack.stop();
});

const sh = (commands: string, env: Record<string, string>) =>
  promisify(execFile)('sh', ['-ec', commands], { env: { ...process.env, ...env } });

/** Accepts connections at a port and passes them on to the API. */
async function passOn(port: number): Promise<void> {
  const server = createServer((socket) => {
    const api = connect(Number(new URL(stack.url).port), '127.0.0.1');
    for (const one of [socket, api]) one.on('error', () => {});
    socket.pipe(api).pipe(socket);
  });
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  closes.push(() => server.close());
}

test('the recipe for scripts works when pasted, also while the service is down at first', async () => {
  const env = { MUSTER: stack.url, AUTH: `authorization: ApiKey ${key}` };
  const created = await sh(`${create}\nprintf "\\n%s" "$MUSTER_URL"`, env);
  const url = new URL(created.stdout.split('\n').at(-1) as string);
  url.port = String(await freePort());
  let isOver = false;
  const sending = sh(send, { MUSTER_URL: url.href }).finally(() => {
    isOver = true;
  });
  await until('curl was refused', async () => {
    const { stdout } = await promisify(execFile)('ps', ['axww', '-o', 'args=']);
    return stdout.includes(`${url.port}/`) || isOver;
  });
  await passOn(Number(url.port));
  expect(JSON.parse((await sending).stdout)).toMatchObject({ status: 'success' });
  const alerts = async () => (await client.get('/v2/alerts')).body.data;
  await until('the alert is stored', async () => (await alerts()).length > 0);
  expect(await alerts()).toMatchObject([
    {
      title: 'Backup failed',
      description: 'rsync: "no space left" & exit 11 (100% full)',
      severity: 'critical',
      status: 'firing',
      eventCount: 1,
    },
  ]);
  const define = send.slice(0, send.indexOf('\n}\n') + 3);
  await sh(define + resolve, { MUSTER_URL: url.href });
  await until('the alert is resolved', async () => (await alerts())[0].status === 'resolved');
}, 90_000);

test('the command of the console waits for a service that is down, and fails if the event is rejected', async () => {
  const { path } = await makeWebhook(client);
  const port = await freePort();
  const command = curlCommand(`http://127.0.0.1:${port}${path}`, {}, '{"alert":{"name":"a"}}');
  const sending = sh(command, {});
  await passOn(port);
  expect(JSON.parse((await sending).stdout)).toMatchObject({ status: 'success' });
  const rejected = await sh(curlCommand(stack.url + path, {}, '{"alert":'), {}).catch((error) => error);
  expect([rejected.code, JSON.parse(rejected.stdout).code]).toEqual([22, 'malformed_json']);
});
