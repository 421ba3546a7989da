import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { freePort } from '../../processes/free-port.js';
import { drainBacklog } from '../backlog.js';
import { type BenchContext, type Benchmark, type BenchResult, median } from '../benchmark.js';
import { cpuSeconds, endProgram, rssMb, untilResponding } from '../children.js';
import { startField } from './field.js';

const ALERTMANAGER = '/usr/bin/prometheus-alertmanager';
/** Alerts in a request of Prometheus. */
const BATCH = 256;
const CONNECTIONS = 8;
const PATH = '/api/v2/alerts';

/** Measures how fast new alerts of Prometheus are accepted, against Debian's Alertmanager, which keeps them in memory. */
export const alertmanagerApi: Benchmark = (context) => compare('alertmanager-api', context, false);

/** The same with alerts that are sent again, with a later end. */
export const alertmanagerAgain: Benchmark = (context) => compare('alertmanager-api-again', context, true);

async function compare(name: string, context: BenchContext, isAgain: boolean): Promise<BenchResult> {
  if (!existsSync(ALERTMANAGER))
    throw new Error(`${ALERTMANAGER} is not installed. Install Debian's package prometheus-alertmanager.`);
  const { rows, runs, pids, say } = context;
  const field = await startField(context, 'everysec', [], 'alertmanager');
  const floor = await startAlertmanager(context);
  const { api } = field;
  const subjects = {
    floor: { url: floor.url, pids: { Alertmanager: floor.process.pid as number } },
    ours: { url: api.url, pids: { API: api.process.pid as number, Redis: pids.redis } },
  };
  const names = ['floor', 'ours'] as const;
  const rates = { floor: [] as number[], ours: [] as number[] };
  let memory = 0;
  try {
    if (isAgain) {
      const first = bodiesOf(rows, 0);
      for (const name of names) await post(subjects[name].url, first);
      await drainBacklog(context);
    }
    for (let run = 0; run < runs + 1; run++) {
      const bodies = bodiesOf(rows, isAgain ? 0 : run);
      // Every other round has the opposite order. The first round is for warming up.
      for (const name of run % 2 === 0 ? names : [...names].reverse()) {
        const { url, pids } = subjects[name];
        const before = Object.values(pids).map(cpuSeconds);
        const rate = rows / (await post(url, bodies));
        const spent = Object.entries(pids).map(
          ([who, pid], index) =>
            `${who} ${(((cpuSeconds(pid) - (before[index] ?? 0)) * 1e6) / rows).toFixed(1)} µs`,
        );
        say(`${name.padEnd(5)} ${Math.round(rate)} alerts/s; CPU: ${spent.join(', ')} an alert`);
        if (run > 0) rates[name].push(rate);
      }
      memory = Math.max(memory, rssMb(api.process));
      // What a worker needs for them does not count: a backlog may wait.
      if (run === runs) await drainBacklog(context);
      else await field.emptyQueue();
    }
  } finally {
    await endProgram(floor.process);
    await field.stop();
  }
  const [ours, least] = [median(rates.ours), median(rates.floor)];
  return { name, ratio: ours / least, ours, floor: least, unit: 'alerts/s', rssMb: memory };
}

/** Starts Alertmanager alone, without receivers that do anything. */
async function startAlertmanager({ folder }: BenchContext): Promise<{ url: string; process: ChildProcess }> {
  const port = await freePort();
  const config = join(folder, 'alertmanager.json');
  writeFileSync(config, JSON.stringify({ route: { receiver: 'none' }, receivers: [{ name: 'none' }] }));
  const process = spawn(
    ALERTMANAGER,
    [
      `--config.file=${config}`,
      `--storage.path=${join(folder, 'alertmanager')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const url = `http://127.0.0.1:${port}`;
  await untilResponding(url);
  return { url, process };
}

/** Returns requests with so many alerts, of about 500 bytes. */
function bodiesOf(rows: number, round: number): Buffer[] {
  const now = Date.now();
  const startsAt = new Date(now - 60_000).toISOString();
  const endsAt = new Date(now + 240_000).toISOString();
  const bodies: Buffer[] = [];
  for (let start = 0; start < rows; start += BATCH)
    bodies.push(
      Buffer.from(
        JSON.stringify(
          Array.from({ length: Math.min(BATCH, rows - start) }, (_, index) => ({
            annotations: {
              description: 'The disk will be full within 4 hours at the rate of the last hour.',
              summary: 'Disk fills up',
            },
            endsAt,
            startsAt,
            generatorURL:
              'http://prometheus.example.com:9090/graph?g0.expr=predict_linear%28disk_free%5B1h%5D%2C+14400%29+%3C+0&g0.tab=1',
            labels: {
              alertname: 'DiskFillsUp',
              env: 'production',
              instance: `db-${round}-${start + index}.example.com:9100`,
              job: 'node',
              severity: 'page',
              team: 'storage',
            },
          })),
        ),
      ),
    );
  return bodies;
}

/**
 * Sends requests over some connections, each after the response to the one before. Returns the seconds.
 * @throws Error if one is rejected
 */
async function post(url: string, bodies: readonly Buffer[]): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = { 'content-type': 'application/json', 'user-agent': 'Prometheus/2.42.0' };
  const send = (body: Buffer) =>
    new Promise<void>((resolve, reject) => {
      const options = { agent, method: 'POST', headers: { ...headers, 'content-length': body.length } };
      const sent = request(url + PATH, options, (response) => {
        response.resume().on('end', () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`status ${response.statusCode} of ${url}`));
        });
      });
      sent.on('error', reject).end(body);
    });
  const startedAt = performance.now();
  let next = 0;
  const sendAll = async () => {
    for (let body = bodies[next++]; body; body = bodies[next++]) await send(body);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendAll));
  agent.destroy();
  return (performance.now() - startedAt) / 1_000;
}
