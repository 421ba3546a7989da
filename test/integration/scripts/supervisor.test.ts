import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Crew } from '../../../scripts/processes/crew.js';
import { livingPidIn } from '../../../scripts/processes/identity.js';
import { spawnNodeChild } from '../../../scripts/processes/node-child.js';
import type { RunningProcess } from '../../../scripts/processes/running.js';
import { GaveUp, restartDelayMs, type Service, Supervisor } from '../../../scripts/processes/supervisor.js';

let folder: string;
let told: string[];
const started: RunningProcess[] = [];

const events = {
  died: (name: string, reason: string) => told.push(`${name} died: ${reason}`),
  waits: (name: string, _reason: string, why: string) => told.push(`${name} waits: ${why}`),
  back: (name: string) => told.push(`${name} is back`),
};
const atOnce = () => 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-supervisor-'));
  told = [];
});

afterEach(async () => {
  await Promise.all(started.splice(0).map((running) => running.stop(0)));
  rmSync(folder, { recursive: true });
});

/** Returns a service whose program is a few lines of JavaScript. */
function service(name: string, code: string, graceMs = 2_000): Service {
  const script = join(folder, `${name}.mjs`);
  writeFileSync(script, code);
  const files = { logFile: join(folder, `${name}.log`), pidFile: join(folder, `${name}.pid`) };
  return {
    name,
    graceMs,
    start: async () => {
      const running = spawnNodeChild({ script, env: process.env, ...files });
      started.push(running);
      return running;
    },
  };
}

const lives = 'setInterval(() => {}, 1000);';

test('the delays double up to five seconds', () => {
  expect([1, 2, 3, 4, 5].map(restartDelayMs)).toEqual([0, 1_250, 2_500, 5_000, 5_000]);
});

test('a killed child is restarted, and the reason is reported', async () => {
  const supervisor = new Supervisor(service('child', lives), events);
  const first = await supervisor.up;
  process.kill(first.pid, 'SIGKILL');
  await until(() => told.length === 2);
  expect(told).toEqual(['child died: SIGKILL', 'child is back']);
  expect(livingPidIn(join(folder, 'child.pid'))).not.toBe(first.pid);
  await supervisor.stop();
  expect(livingPidIn(join(folder, 'child.pid'))).toBeUndefined();
});

test('the reason contains the exit code and the last output', async () => {
  const failing = { ...service('child', 'process.exit(3)'), lastWords: () => 'no settings' };
  const supervisor = new Supervisor(failing, events);
  await until(() => told.length > 0);
  await supervisor.stop();
  expect(told[0]).toBe('child died: exit code 3: no settings');
});

test('a failed start counts as a crash', async () => {
  const start = () => Promise.reject(new Error('data is damaged'));
  const supervisor = new Supervisor({ name: 'child', graceMs: 0, start }, events, atOnce);
  await expect(supervisor.up).rejects.toThrow(
    'child exited 5 times within a minute, most recently: data is damaged',
  );
});

test('after five crashes within a minute the service is not restarted', async () => {
  const supervisor = new Supervisor(service('child', 'process.exit(1)'), events, atOnce);
  await expect(supervisor.over).rejects.toThrow(GaveUp);
  expect(told.filter((line) => line.includes('died'))).toHaveLength(4);
  expect(started).toHaveLength(5);
});

test('crashes from a full disk do not count, and the service is restarted once there is space', async () => {
  let isFull = true;
  let looks = 0;
  const lasts = () => {
    looks += 1;
    return isFull;
  };
  const outsideCause = () => ({ why: 'the disk is full', lasts });
  const supervisor = new Supervisor({ ...service('child', lives), outsideCause }, events);
  for (let crash = 1; crash <= 6; crash++) {
    await until(() => told.length === 2 * (crash - 1));
    isFull = true;
    looks = 0;
    process.kill((started.at(-1) ?? (await supervisor.up)).pid, 'SIGKILL');
    await until(() => looks > 0);
    expect(started).toHaveLength(crash);
    isFull = false;
    await until(() => told.length === 2 * crash);
    expect(told.slice(-2)).toEqual(['child waits: the disk is full', 'child is back']);
  }
  await supervisor.stop();
});

test('crashes from a full disk count if the disk is never found full', async () => {
  const start = () => Promise.reject(new Error('Disk quota exceeded'));
  const outsideCause = () => ({ why: 'the disk was full, and has space again', lasts: () => false });
  const service = { name: 'child', graceMs: 0, start, outsideCause };
  const supervisor = new Supervisor(service, events, atOnce);
  await expect(supervisor.over).rejects.toThrow('most recently: Disk quota exceeded');
  expect(told.filter((line) => line.includes('waits'))).toHaveLength(5);
  expect(told.filter((line) => line.includes('died'))).toHaveLength(4);
}, 30_000);

test('a crew is notified when a service is not restarted', async () => {
  const crew = new Crew(events, atOnce);
  await crew.start([service('steady', lives)]);
  const never = { name: 'never', graceMs: 0, start: () => Promise.reject(new Error('no')) };
  const lost = crew.lost.catch((error) => error);
  crew.start([never]).catch(() => undefined);
  await expect(lost).resolves.toBeInstanceOf(GaveUp);
  await crew.stop();
  expect(livingPidIn(join(folder, 'steady.pid'))).toBeUndefined();
});

test('a child that ignores SIGTERM is killed after its grace period', async () => {
  const ready = join(folder, 'ready');
  const listens = `process.on('SIGTERM', () => {}); writeFileSync(${JSON.stringify(ready)}, '');`;
  const deaf = service('deaf', `import { writeFileSync } from 'node:fs'; ${listens} ${lives}`, 300);
  const supervisor = new Supervisor(deaf, events);
  const { exited } = await supervisor.up;
  await until(() => existsSync(ready));
  await supervisor.stop();
  await expect(exited).resolves.toEqual({ code: null, signal: 'SIGKILL' });
});

test('a stop during the restart delay takes effect immediately and is final', async () => {
  const supervisor = new Supervisor(service('child', 'process.exit(1)'), events, () => 60_000);
  await until(() => told.length === 1);
  await supervisor.stop();
  expect(started).toHaveLength(1);
});

test('a crew stops its groups in reverse order, once even if it is stopped twice at the same time', async () => {
  const order: string[] = [];
  const crew = new Crew(events);
  for (const name of ['store', 'program']) {
    const [running] = await crew.start([service(name, lives)]);
    void running.exited.then(() => order.push(name));
  }
  await Promise.all([crew.stop(), crew.stop()]);
  expect(order).toEqual(['program', 'store']);
  await expect(crew.start([service('late', lives)])).rejects.toThrow('stopped');
});

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('waited 30 s in vain');
    await sleep(20);
  }
}
