import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseDocument } from 'yaml';
import { MAX_AT_ONCE, mapAtOnce } from '../../scripts/muster/at-once.js';
import { Client } from '../support/api/client.js';
import { cases, enoughTime } from '../support/effort.js';
import { times } from '../support/faults/effort.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import { folderOf } from '../support/muster/folder.js';
import { PACKED, startProgram } from '../support/muster/program.js';
import { integrationsOf, samplesOf, secretOf } from '../support/muster/repository.js';
import { type Stack, startStack } from '../support/servers/stack.js';
import { until } from '../support/until.js';

/** `TEST_EFFORT=8` makes it 200. */
const COUNT = cases(25);
const MANAGED_BY = 'https://git.example.com/alerts';

let stack: Stack;
let client: Client;
let key: string;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  key = await stack.key('webhooks:write');
  client = new Client(stack.url, key);
});
afterAll(() => stack.stop());

const folder = folderOf({ 'alerts/muster.yaml': `# Ours.\nmanagedBy: ${MANAGED_BY}\n` });
const file = (path: string) => join(folder, 'alerts/integrations', path);

/** Each secret by the name of the variable that an export gives it. */
const secrets: Record<string, string> = {};

function start(...args: string[]) {
  const env = { MUSTER_URL: stack.url, MUSTER_API_KEY: key, ...secrets };
  return startProgram([process.execPath, PACKED, ...args], { cwd: folder, env });
}
async function muster(...args: string[]): Promise<string> {
  const { code, out, err } = await start(...args).ended;
  if (code !== 0) throw new Error(`muster ${args.join(' ')}: ${code}\n${err}${out}`);
  return out;
}

/** All files of the repository, byte for byte. */
const allFiles = (): Record<string, string> =>
  Object.fromEntries(readdirSync(file('')).map((path) => [path, readFileSync(file(path), 'utf8')]));

type Documents = Map<string, object>;

const described = async (): Promise<{ name: string; description: string }[]> =>
  (await client.get('/v2/webhooks?pageSize=1000')).body.data;

/** The documents of all integrations, by name. */
async function stored(): Promise<Documents> {
  const all = await mapAtOnce(
    await described(),
    MAX_AT_ONCE,
    async ({ name }): Promise<[string, object][]> => {
      const { status, body, text } = await client.get(`/v2/by-name/integrations/${encodeURIComponent(name)}`);
      // The last request of a killed command may still delete it.
      if (status === 404) return [];
      if (status !== 200) throw new Error(text);
      return [[name, body.data.document]];
    },
  );
  return new Map(all.flat());
}

const descriptionOf = (document: object | undefined): unknown =>
  document && 'description' in document ? document.description : undefined;

/** Changes most files, and gives each tenth another name, which makes it another integration. Returns what the server must have then. */
function editFiles(before: Documents): Documents {
  const after = new Map(before);
  for (const [number, [name, was]] of [...before].entries()) {
    if (number % 5 === 4 && number % 10 !== 9) continue;
    const path = Object.entries(allFiles()).find(
      ([, text]) => parseDocument(text).get('name') === name,
    )?.[0] as string;
    const document = parseDocument(readFileSync(file(path), 'utf8'));
    if (number % 10 === 9) {
      document.set('name', `New ${number}`);
      after.delete(name);
      after.set(`New ${number}`, { ...was, name: `New ${number}` });
    } else {
      document.set('description', `edited ${number}`);
      document.set('silence', { afterSeconds: 3_600 });
      const silence = { afterSeconds: 3_600, severity: 'error', schedule: null };
      after.set(name, { ...was, description: `edited ${number}`, silence });
    }
    writeFileSync(file(path), document.toString({ lineWidth: 0 }));
  }
  return after;
}

test(
  'a repository of many integrations is what the server has, however often its apply is killed',
  async () => {
    for (const [number, document] of integrationsOf(COUNT).entries()) {
      const { name } = document;
      const path = `/v2/by-name/integrations/${encodeURIComponent(name)}`;
      const { status, text } = await client.json('PUT', path, document);
      if (status !== 201) throw new Error(text);
      // No two have the same name of a variable.
      if (document.signature) secrets[`SECRET_${number}`] = secretOf(number);
    }
    await muster('export', 'alerts');
    // Comments, an order and a style of somebody who writes such files.
    for (const path of readdirSync(file(''))) {
      const text = readFileSync(file(path), 'utf8');
      const number = Number(/^name: .*?(\d+)["']?$/m.exec(text)?.[1]);
      const lines = text.replace(/\$\{\w+_SECRET\}/, `\${SECRET_${number}}`).split('\n');
      const commented = lines.map((line) =>
        /^(?:mapping|name):/.test(line) ? `# About it.\n\n${line}` : line,
      );
      writeFileSync(file(path), commented.join('\n'));
      if (number % 2 === 0) writeFileSync(file(path.replace('.yaml', '.samples.yaml')), samplesOf(number));
    }
    await muster('check', 'alerts', '--update');
    expect(await muster('check', 'alerts', '--json')).toContain('"ok": true');
    // The first plan says who manages them.
    await muster('plan', 'alerts', '--out', 'plan.json');
    await muster('apply', 'plan.json');
    await muster('plan', 'alerts', '--exit-code');
    const before = await stored();
    expect([before.size, [...before.values()].map((one) => 'managedBy' in one && one.managedBy)]).toEqual([
      COUNT,
      Array(COUNT).fill(MANAGED_BY),
    ]);
    const files = allFiles();
    await muster('export', 'alerts');
    expect(allFiles()).toEqual(files);

    const after = editFiles(before);
    const edited = allFiles();
    await muster('plan', 'alerts', '--prune', '--out', 'plan.json');
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (name) => !isDeepStrictEqual(before.get(name), after.get(name)),
    );
    const countDone = (now: ReadonlyMap<string, object>) =>
      changed.filter((name) => isDeepStrictEqual(now.get(name), after.get(name))).length;
    const countBegun = async () => {
      const now = new Map((await described()).map(({ name, description }) => [name, description]));
      return changed.filter((name) => now.get(name) === descriptionOf(after.get(name))).length;
    };
    const fault = new Fault('SIGKILL of muster apply', 'integrations');
    const kills = Math.min(times(3), 8);
    for (let kill = 1; kill <= kills; kill++) {
      const enough = Math.floor((changed.length * kill) / (kills + 1));
      const { child, ended } = start('apply', 'plan.json');
      await until(`${enough} changes are applied`, async () => (await countBegun()) >= enough);
      child.kill('SIGKILL');
      expect((await ended).code).toBeNull();
      fault.provoked();
      const now = await stored();
      for (const name of changed) expect([before.get(name), after.get(name)]).toContainEqual(now.get(name));
      expect(countDone(now)).toBeLessThan(changed.length);
      // Each second time, the plan is made again instead of applied again.
      if (kill % 2 === 0) await muster('plan', 'alerts', '--prune', '--out', 'plan.json');
    }
    await muster('apply', 'plan.json');
    const found = await stored();
    const lines = (all: Documents) => [...all].map((one) => JSON.stringify(one));
    fault.add(balanceOf(lines(after), lines(found)));
    fault.report();
    expect(found).toEqual(after);
    await muster('plan', 'alerts', '--prune', '--exit-code');
    expect(await muster('diff', 'alerts', '--exit-code')).toBe('');
    await muster('export', 'alerts');
    expect(allFiles()).toEqual(edited);
    await muster('check', 'alerts');
  },
  enoughTime(300_000),
);
