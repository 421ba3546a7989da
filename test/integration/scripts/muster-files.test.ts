import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { serverCommands } from '../../../scripts/muster/server/commands.js';
import { Client } from '../../support/api/client.js';
import { storePayloads } from '../../support/api/stored-events.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
let key: string;
let folder: string;
beforeAll(async () => {
  stack = await startStack({ env: { OUTBOUND_ALLOW: '127.0.0.1:9' } });
  key = await stack.key(
    'webhooks:write',
    'webhooks:read',
    'alerts:read',
    'destinations:write',
    'tables:write',
    'tables:read',
    'developer_records:write',
    'developer_records:read',
  );
  client = new Client(stack.url, key);
  folder = mkdtempSync(join(tmpdir(), 'muster-files-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  return stack.stop();
});

/** Runs a command as a person would, in an environment with an address, a key and a secret. */
async function run(command: string, ...args: string[]) {
  let [out, err] = ['', ''];
  const stop = new AbortController();
  const code = await serverCommands[command]?.run(args, {
    env: { MUSTER_URL: stack.url, MUSTER_API_KEY: key, ...env },
    out: {
      write: (text: string) => {
        out += text;
        if (stopAfter !== null && out.includes(stopAfter)) stop.abort(130);
      },
    },
    err: { write: (text: string) => (err += text) },
    stop: stop.signal,
    pathOf: (path) => join(folder, path),
  });
  return { code, out, err };
}

let env: Record<string, string> = {};
/** The command is stopped when it has written this. */
let stopAfter: string | null = null;
afterEach(async () => {
  env = {};
  for (const { id } of (await client.get('/v2/webhooks?pageSize=1000')).body.data)
    await client.send('DELETE', `/v2/webhooks/${id}`);
  for (const { id } of (await client.get('/v2/destinations?pageSize=1000')).body.data)
    await client.send('DELETE', `/v2/destinations/${id}`);
  for (const { name } of (await client.get('/v2/tables')).body.data)
    await client.send('DELETE', `/v2/tables/${name}`);
  for (const { integrationId } of (await client.get('/v2/integrations')).body.data)
    await client.send('DELETE', `/v2/integrations/${integrationId}`);
});

const put = (name: string, document: object) =>
  client.json('PUT', `/v2/by-name/integrations/${encodeURIComponent(name)}`, { name, ...document });
const file = (path: string) => join(folder, path);
const read = (path: string) => readFileSync(file(path), 'utf8');
function write(path: string, content: string) {
  mkdirSync(join(file(path), '..'), { recursive: true });
  writeFileSync(file(path), content);
}

const SECRET = '0123456789abcdef-secret';
const MAPPING = {
  fields: {
    severity: { template: '{{webhook.level}}' },
    title: { template: 'Alert from {{webhook.host}}' },
    description: { template: '{{webhook.text}}' },
    source: { template: '{{webhook.host}}' },
  },
};

test('what the server has is exported once, with references in place of secrets, and then nothing differs', async () => {
  await put('Zürich – hosts', {
    mapping: MAPPING,
    signature: { scheme: 'github', secret: SECRET },
    heartbeats: { nightly: { schedule: { cron: '0 3 * * *' } } },
    silence: {
      afterSeconds: 3600,
      schedule: { days: [1, 2], from: '08:00', to: '18:00', timeZone: 'Europe/Berlin' },
    },
    driftSeverity: null,
  });
  await put('plain', { template: 'generic-alert' });
  const first = await run('export', 'one');
  expect([first.code, first.out]).toEqual([
    0,
    'created integrations/plain.yaml\ncreated integrations/zurich-hosts.yaml\n',
  ]);
  const text = read('one/integrations/zurich-hosts.yaml');
  expect(text).toContain(`secret: \${ZURICH_HOSTS_SECRET}`);
  expect(text).toContain('driftSeverity: null');
  expect(text).not.toContain(SECRET);
  const again = await run('export', 'one');
  expect([again.code, again.out, again.err]).toEqual([0, '', '0 files written, 2 files unchanged\n']);
  expect(read('one/integrations/zurich-hosts.yaml')).toBe(text);
  expect(await run('diff', 'one', '--exit-code')).toEqual({ code: 0, out: '', err: '' });
  env = { ZURICH_HOSTS_SECRET: SECRET };
  expect((await run('plan', 'one', '--exit-code')).out).toBe(
    '0 to create, 0 to change, 0 to delete, 2 unchanged\n',
  );
});

test('a plan says what a change means for stored events, and is applied exactly, once', async () => {
  const { id } = (await put('hosts', { mapping: MAPPING })).body.data;
  const payloads = Array.from({ length: 30 }, (_, i) => ({
    level: i < 10 ? 'warning' : 'info',
    host: `h${i}`,
    text: 't',
  }));
  await storePayloads(stack.database, id, payloads);
  await run('export', 'two');
  const path = 'two/integrations/hosts.yaml';
  const edited = read(path)
    .replace('name: hosts', '# Who looks at these: the platform team.\nname: hosts')
    .replace(
      'template: "{{webhook.level}}"',
      'template: "{{webhook.level}}" # as the agents have it\n      values: { warning: critical }',
    );
  write(path, edited);
  write('two/integrations/new.yaml', 'name: new\ntemplate: generic-alert\n');
  const made = await run('plan', 'two', '--out', 'plan.json', '--events', '20');
  expect(made.out).toBe(
    [
      '~ hosts  (integrations/hosts.yaml)',
      '    mapping.fields.severity.values: null → {"warning":"critical"}',
      '    of the newest 20 events: 0 alerts would be other ones',
      '',
      '+ new  (integrations/new.yaml)',
      '',
      '1 to create, 1 to change, 0 to delete, 0 unchanged',
      '',
    ].join('\n'),
  );
  expect((await run('plan', 'two')).out).toMatch(
    /of the newest 30 events: 10 alerts would be other ones\n {6}10 × severity: warning → critical \(10\), for example event [\w-]{36}\n/,
  );
  const before = await client.get('/v2/by-name/integrations/hosts');
  expect(before.body.data.document.mapping).toEqual(MAPPING);

  expect(await run('apply', 'plan.json')).toEqual({
    code: 0,
    out: 'changed hosts\ncreated new\n2 applied, 0 already done, 0 refused\n',
    err: '',
  });
  expect((await run('apply', 'plan.json')).out).toContain('0 applied, 2 already done, 0 refused');
  expect((await run('plan', 'two', '--exit-code')).code).toBe(0);
  expect((await run('export', 'two')).out).toBe('');
  expect(read(path)).toBe(edited);
});

test('what somebody has changed since is refused by name; the rest is applied, or by choice nothing', async () => {
  for (const name of ['a', 'b']) await put(name, { description: 'old' });
  await run('export', 'three');
  for (const name of ['a', 'b'])
    write(`three/integrations/${name}.yaml`, `name: ${name}\ndescription: new\n`);
  await run('plan', 'three', '--out', 'plan3.json');
  await put('a', { description: 'by hand' });
  const nothing = await run('apply', 'plan3.json', '--all-or-nothing');
  expect([nothing.code, nothing.out]).toEqual([
    1,
    expect.stringContaining('0 applied, 0 already done, 2 refused'),
  ]);
  const some = await run('apply', 'plan3.json');
  expect([some.code, some.out]).toEqual([
    1,
    expect.stringMatching(/^REFUSED a: it was changed since by the key ".*"\. Make a new plan\nchanged b\n/),
  ]);
  expect((await client.get('/v2/by-name/integrations/a')).body.data.document.description).toBe('by hand');

  write('plan3.json', read('plan3.json').replace('"new"', '"other"'));
  await expect(run('apply', 'plan3.json')).rejects.toThrow('The plan was changed after it was made');
});

test('what was changed in the console is shown as a patch, and an export keeps comments and order', async () => {
  write(
    'four/integrations/web.yaml',
    `# The web shop.
description: Shop # in Leipzig
name: web

mapping:
  fields:
    title: { template: "{{webhook.t}}" } # short
    severity: { template: "{{webhook.s}}" }
    # Set by the agents.
    source: { template: "{{webhook.host}}" }
    description: { template: d }
`,
  );
  await run('plan', 'four', '--out', 'plan4.json');
  await run('apply', 'plan4.json');
  const { document } = (await client.get('/v2/by-name/integrations/web')).body.data;
  document.mapping.fields.source.template = '{{webhook.agent}}';
  await put('web', { ...document, description: '', rateLimit: { eventsPerMinute: 60 } });
  const { out } = await run('diff', 'four');
  expect(out).toContain('--- a/four/integrations/web.yaml\n+++ b/four/integrations/web.yaml\n');
  expect(out).toContain(
    '-    source: { template: "{{webhook.host}}" }\n+    source: { template: "{{webhook.agent}}" }\n',
  );
  expect(out).toContain('+rateLimit:\n+  eventsPerMinute: 60\n');
  const before = read('four/integrations/web.yaml');
  for (const command of [['init'], ['apply', '--check', '-'], ['apply', '-']])
    execFileSync('git', command, { cwd: folder, input: out });
  const patched = read('four/integrations/web.yaml');
  write('four/integrations/web.yaml', before);
  expect((await run('export', 'four')).out).toBe('changed integrations/web.yaml\n');
  const text = read('four/integrations/web.yaml');
  expect(patched).toBe(text);
  for (const kept of ['# The web shop.\n', '} # short\n', '    # Set by the agents.\n'])
    expect(text).toContain(kept);
  expect((await run('plan', 'four', '--exit-code')).code).toBe(0);
});

test('only what the folder manages is deleted, and only when that is asked for', async () => {
  write('five/muster.yaml', 'managedBy: https://git.example.com/alerts\n');
  write('five/integrations/kept.yaml', 'name: kept\n');
  write('five/integrations/gone.yaml', 'name: gone\n');
  await put('by hand', {});
  await run('plan', 'five', '--out', 'plan5.json');
  await run('apply', 'plan5.json');
  rmSync(file('five/integrations/gone.yaml'));
  expect((await run('plan', 'five')).out).toContain('0 to delete');
  const pruned = await run('plan', 'five', '--prune', '--out', 'plan5.json');
  expect(pruned.out).toBe('- gone\n\n0 to create, 0 to change, 1 to delete, 1 unchanged\n');
  expect((await run('apply', 'plan5.json')).out).toContain('deleted gone\n');
  expect((await run('apply', 'plan5.json')).out).toContain('already done: gone\n');
  const names = (await client.get('/v2/webhooks')).body.data.map(({ name }: { name: string }) => name).sort();
  expect(names).toEqual(['by hand', 'kept']);
  rmSync(file('five/muster.yaml'));
  await expect(run('plan', 'five', '--prune')).rejects.toThrow('set managedBy in muster.yaml');
});

test('a secret comes from the environment, and a plan does not contain it', async () => {
  write('six/integrations/signed.yaml', `name: signed\nsignature: { scheme: github, secret: "\${HOOK}" }\n`);
  await expect(run('plan', 'six')).rejects.toThrow(
    'integrations/signed.yaml: signature.secret: the variable HOOK of the environment is not set',
  );
  env = { HOOK: SECRET };
  await run('plan', 'six', '--out', 'plan6.json');
  expect(read('plan6.json')).not.toContain(SECRET);
  expect((await run('apply', 'plan6.json')).code).toBe(0);
  expect((await run('plan', 'six', '--exit-code')).code).toBe(0);
  env = { HOOK: `${SECRET}-2` };
  const rotated = await run('plan', 'six', '--out', 'plan6.json');
  expect(rotated.out).toContain(
    '    signature.secret: "***" → "***"\n    the secret is replaced; the old one stays valid for a day\n',
  );
  // The environment of the plan was another one.
  env = { HOOK: SECRET };
  expect((await run('apply', 'plan6.json')).out).toContain('already done: signed');
});

test('a command that ends midway says what it has done, and the next plan has the rest', async () => {
  for (const name of ['a', 'b', 'c']) write(`midway/integrations/${name}.yaml`, `name: ${name}\n`);
  await run('plan', 'midway', '--out', 'midway.json');
  stopAfter = 'created a\n';
  const stopped = await run('apply', 'midway.json').finally(() => {
    stopAfter = null;
  });
  expect(stopped).toEqual({
    code: 130,
    out: 'created a\n1 applied, 0 already done, 0 refused, 2 not done: apply the plan again\n',
    err: '',
  });
  const left = await run('plan', 'midway');
  expect(left.out).toContain('2 to create, 0 to change, 0 to delete, 1 unchanged\n');
  expect((await run('apply', 'midway.json')).out).toContain('already done: a\ncreated b\ncreated c\n');
});

test('files with errors, or for another server, reach no server', async () => {
  write('seven/integrations/wrong.yaml', 'name: wrong\ncolour: red\n');
  await expect(run('plan', 'seven')).rejects.toThrow('The files have 1 error');
  await expect(run('export', 'seven')).rejects.toThrow('The files have 1 error');
  write('eight/muster.yaml', 'server: https://muster.example.com\n');
  write('eight/integrations/a.yaml', 'name: a\n');
  await expect(run('plan', 'eight')).rejects.toThrow(
    /^The files are for https:\/\/muster.example.com, and the address is http/,
  );
  expect(readdirSync(file('eight/integrations'))).toEqual(['a.yaml']);
});

test('what the server rejects names each file, all at once', async () => {
  for (const name of ['nine-a', 'nine-b'])
    write(`nine/integrations/${name}.yaml`, `name: ${name}\ntemplate: no-such\n`);
  const { code, err } = await run('plan', 'nine');
  expect([
    code,
    err
      .trim()
      .split('\n')
      .map((line) => line.split(': ')[0]),
  ]).toEqual([1, ['integrations/nine-a.yaml', 'integrations/nine-b.yaml']]);
});

test('a destination is created after the integration that it names, exported without secrets, and pruned before it', async () => {
  write('ten/muster.yaml', 'managedBy: https://git.example.com/alerts\n');
  write('ten/integrations/shop.yaml', 'name: Shop\n');
  const text = `# Who is on call.
name: On call
preset: webhook
url: \${ONCALL_URL}
headers:
  X-Team: \${ONCALL_TEAM} # of the receiver
integrations: [Shop]
`;
  write('ten/destinations/oncall.yaml', text);
  await expect(run('plan', 'ten')).rejects.toThrow(
    'destinations/oncall.yaml: url: the variable ONCALL_URL of the environment is not set',
  );
  env = { ONCALL_URL: 'http://127.0.0.1:9/secret-path', ONCALL_TEAM: 'secret-team' };
  const made = await run('plan', 'ten', '--out', 'plan10.json');
  expect(made.out).toBe(
    [
      '+ Shop  (integrations/shop.yaml)',
      '',
      '+ destination On call  (destinations/oncall.yaml)',
      '',
      '2 to create, 0 to change, 0 to delete, 0 unchanged',
      '',
    ].join('\n'),
  );
  expect((await run('apply', 'plan10.json')).out).toBe(
    'created Shop\ncreated destination On call\n2 applied, 0 already done, 0 refused\n',
  );
  expect((await run('plan', 'ten', '--exit-code')).code).toBe(0);
  for (const secret of ['secret-path', 'secret-team']) expect(read('plan10.json')).not.toContain(secret);

  // By hand: a header more, another filter. The file keeps its comments and its references.
  const { document } = (await client.get('/v2/by-name/destinations/On%20call')).body.data;
  const byHand = { ...document, headers: { ...document.headers, 'x-more': '1' }, severityAtLeast: 'error' };
  await client.json('PUT', '/v2/by-name/destinations/On%20call', byHand);
  const { out } = await run('diff', 'ten');
  expect(out).toContain(`+  x-more: \${ON_CALL_X_MORE}\n`);
  expect(out).toContain('+severityAtLeast: error\n');
  await run('export', 'ten');
  expect(read('ten/destinations/oncall.yaml')).toContain(`X-Team: \${ONCALL_TEAM} # of the receiver\n`);
  await run('export', 'eleven');
  const exported = read('eleven/destinations/on-call.yaml');
  for (const line of [`url: \${ON_CALL_URL}`, `  x-team: \${ON_CALL_X_TEAM}`, 'integrations:\n  - Shop'])
    expect(exported).toContain(line);
  expect(exported).not.toContain('mode:');
  expect((await run('export', 'eleven')).out).toBe('');

  rmSync(file('ten/integrations/shop.yaml'));
  env.ON_CALL_X_MORE = '1';
  expect(await run('plan', 'ten', '--prune')).toMatchObject({
    code: 1,
    out: '',
    err: 'destinations/oncall.yaml: integrations.0: refers to the integration "Shop", which has no file any more, so --prune would delete it\n',
  });
  rmSync(file('ten/destinations/oncall.yaml'));
  const pruned = await run('plan', 'ten', '--prune', '--out', 'plan10.json');
  expect(pruned.out).toContain('- destination On call\n\n- Shop\n');
  expect((await run('apply', 'plan10.json')).out).toContain('deleted destination On call\ndeleted Shop\n');

  write('ten/destinations/oncall.yaml', text);
  expect((await run('plan', 'ten')).err).toContain(
    'destinations/oncall.yaml: integrations: there is no "Shop"',
  );
});

test('a lookup table is uploaded before the integration that reads it, exported with the same bytes, and pruned', async () => {
  write('twelve/muster.yaml', 'managedBy: https://git.example.com/alerts\n');
  // The columns and rows that a spreadsheet saved: other quotes and line ends than those of a download.
  const rows = 'net,team\r\n10.0.0.0/8,"ops"\r\n10.1.0.0/16,shop\r\n';
  write('twelve/tables/nets.csv', rows);
  write('twelve/tables/nets.yaml', 'name: nets\nmatching: cidr # the smallest one\n');
  write('twelve/tables/owners.csv', 'id,owner\n1,ada\n');
  write(
    'twelve/integrations/lookup.yaml',
    `name: lookup
mapping:
  fields:
    title: { template: "{{webhook.t}}" }
    severity: { template: "{{webhook.s}}" }
    source: { template: "{{webhook.s}}" }
    description: { template: "{{lookup.net.team}}" }
  lookups:
    net: { table: nets, key: ["{{webhook.ip}}"] }
`,
  );
  const made = await run('plan', 'twelve', '--out', 'plan12.json');
  expect(made.out).toBe(
    [
      '+ table nets  (tables/nets.yaml)',
      '',
      '+ table owners  (tables/owners.csv)',
      '',
      '+ lookup  (integrations/lookup.yaml)',
      '',
      '3 to create, 0 to change, 0 to delete, 0 unchanged',
      '',
    ].join('\n'),
  );
  expect((await run('apply', 'plan12.json')).out).toContain('created table nets\ncreated table owners\n');
  expect((await run('apply', 'plan12.json')).out).toContain('0 applied, 3 already done, 0 refused');
  expect((await run('plan', 'twelve', '--exit-code')).code).toBe(0);
  expect((await run('export', 'twelve')).out).toBe('');
  expect(read('twelve/tables/nets.csv')).toBe(rows);

  // Only the place of the files differs: no row is sent for a dry run, and no revision is made.
  write('twelve/muster.yaml', 'managedBy: https://git.example.com/moved\n');
  const moved = (await run('plan', 'twelve', '--out', 'plan12.json')).out;
  expect(moved).toContain(
    '~ table nets  (tables/nets.yaml)\n    managedBy: "https://git.example.com/alerts" → "https://git.example.com/moved"\n\n',
  );
  expect((await run('apply', 'plan12.json')).out).toContain('3 applied');
  expect((await client.get('/v2/tables/nets')).body.data.revision).toBe(1);
  expect((await run('plan', 'twelve', '--exit-code')).code).toBe(0);

  // Elsewhere the rows are written as a download has them, and mean the same.
  await run('export', 'thirteen');
  expect(read('thirteen/tables/nets.csv')).toBe('net,team\n10.0.0.0/8,ops\n10.1.0.0/16,shop\n');
  expect(read('thirteen/tables/nets.yaml')).toContain('matching: cidr\n');
  expect(readdirSync(file('thirteen/tables'))).toEqual([
    'nets.csv',
    'nets.yaml',
    'owners.csv',
    'owners.yaml',
  ]);
  expect((await run('plan', 'thirteen', '--exit-code')).code).toBe(0);

  // A changed row: a plan says how many, diff shows it, and what somebody uploads meanwhile stays.
  const changed = `${rows}10.2.0.0/16,bank\r\n`.replace('"ops"', 'core');
  write('twelve/tables/nets.csv', changed);
  const { out } = await run('plan', 'twelve', '--out', 'plan12.json');
  expect(out).toContain('    rows: {"rows":2} → {"rows":3,"added":1,"changed":1,"removed":0}\n');
  expect((await run('diff', 'twelve')).out).toContain('-10.2.0.0/16,bank');
  await client.json('PUT', '/v2/tables/nets?matching=cidr&key=net', [{ net: '10.0.0.0/8', team: 'hand' }]);
  expect((await run('apply', 'plan12.json')).out).toContain('REFUSED table nets: it was changed since');
  await run('plan', 'twelve', '--out', 'plan12.json');
  write('twelve/tables/nets.csv', rows);
  expect((await run('apply', 'plan12.json')).out).toContain(
    'nets.csv has other rows than when the plan was made',
  );
  write('twelve/tables/nets.csv', changed);
  expect((await run('apply', 'plan12.json')).out).toContain('changed table nets\n');

  write('twelve/tables/nets.csv', 'net,team\nno network,x\n');
  expect((await run('plan', 'twelve')).err).toContain('tables/nets.csv: line 2: net: ');
  for (const name of ['nets.csv', 'nets.yaml']) rmSync(file(`twelve/tables/${name}`));
  expect(await run('plan', 'twelve', '--prune')).toMatchObject({
    code: 1,
    out: '',
    err: 'integrations/lookup.yaml: mapping.lookups.net.table: refers to the table "nets", which has no file any more, so --prune would delete it\n',
  });
  rmSync(file('twelve/integrations/lookup.yaml'));
  await client.json('PUT', '/v2/tables/by-hand', [{ id: 'a' }]);
  const pruned = await run('plan', 'twelve', '--prune', '--out', 'plan12.json');
  expect(pruned.out).toContain(
    '- lookup\n\n- table nets\n\n0 to create, 0 to change, 2 to delete, 1 unchanged\n',
  );
  expect((await run('apply', 'plan12.json')).out).toContain('deleted lookup\ndeleted table nets\n');
  const left = (await client.get('/v2/tables')).body.data.map(({ name }: { name: string }) => name);
  expect(left).toEqual(['by-hand', 'owners']);
});

test('a saved template is changed before the integrations that have its mapping, and pruned after them', async () => {
  write('fourteen/muster.yaml', 'managedBy: https://git.example.com/alerts\n');
  const template = `# For all agents.
name: agents
mapping:
  fields:
    title: { template: "{{webhook.title}}" } # short
    severity: { template: "{{webhook.level}}" }
    source: { template: "{{webhook.host}}" }
    description: { template: "{{webhook.text}}" }
sample: { title: Disk, level: high, host: h1, text: full }
`;
  write('fourteen/templates/agents.yaml', template);
  write('fourteen/integrations/agent.yaml', 'name: agent\ntemplate: agents\n');
  const made = await run('plan', 'fourteen', '--out', 'plan14.json');
  expect([made.err, made.out]).toEqual([
    '',
    [
      '+ template agents  (templates/agents.yaml)',
      '',
      '+ agent  (integrations/agent.yaml)',
      '',
      '2 to create, 0 to change, 0 to delete, 0 unchanged',
      '',
    ].join('\n'),
  ]);
  expect((await run('apply', 'plan14.json')).out).toContain('created template agents\ncreated agent\n');
  expect((await run('plan', 'fourteen', '--exit-code')).code).toBe(0);
  expect((await run('export', 'fourteen')).out).toBe('');

  write('fourteen/templates/agents.yaml', template.replace('{{webhook.level}}', '{{webhook.severity}}'));
  const changed = await run('plan', 'fourteen', '--out', 'plan14.json');
  const line = '    mapping.fields.severity.template: "{{webhook.level}}" → "{{webhook.severity}}"\n';
  expect(changed.out).toContain(`~ template agents  (templates/agents.yaml)\n${line}`);
  expect(changed.out).toContain(`~ agent  (integrations/agent.yaml)\n${line}`);
  expect((await run('apply', 'plan14.json')).out).toContain('2 applied');
  expect((await run('plan', 'fourteen', '--exit-code')).code).toBe(0);

  await client.json('PATCH', '/v2/webhook-templates/agents', { title: 'Agents', description: 'By hand' });
  expect((await run('diff', 'fourteen')).out).toContain('+description: By hand\n+title: Agents\n');
  await run('export', 'fourteen');
  expect(read('fourteen/templates/agents.yaml')).toContain('} # short\n');
  await run('export', 'fifteen');
  expect(read('fifteen/templates/agents.yaml')).toContain('title: Agents\n');
  expect((await run('plan', 'fifteen', '--exit-code')).code).toBe(0);

  // Somebody changes the template after the plan: the integrations with its mapping are held back too.
  const text = read('fourteen/templates/agents.yaml');
  write('fourteen/templates/agents.yaml', text.replace('{{webhook.severity}}', '{{webhook.word}}'));
  write('fourteen/integrations/other.yaml', 'name: other\n');
  await run('plan', 'fourteen', '--out', 'plan14.json');
  await client.json('PATCH', '/v2/webhook-templates/agents', { description: 'By another hand' });
  expect((await run('apply', 'plan14.json')).out).toMatch(
    /^REFUSED template agents: it was changed since.*\nREFUSED agent: it refers to the template "agents", which was refused\ncreated other\n1 applied, 0 already done, 2 refused\n$/,
  );
  const kept = (await client.get('/v2/by-name/integrations/agent')).body.data.document.mapping;
  expect(kept.fields.severity.template).toBe('{{webhook.severity}}');
  rmSync(file('fourteen/integrations/other.yaml'));

  rmSync(file('fourteen/templates/agents.yaml'));
  expect(await run('plan', 'fourteen', '--prune', '--out', 'none.json')).toMatchObject({
    code: 1,
    out: '',
    err: 'integrations/agent.yaml: template: refers to the template "agents", which has no file any more, so --prune would delete it\n',
  });
  expect(existsSync(file('none.json'))).toBe(false);
  rmSync(file('fourteen/integrations/agent.yaml'));
  const pruned = await run('plan', 'fourteen', '--prune', '--out', 'plan14.json');
  expect(pruned.out).toContain('- other\n\n- agent\n\n- template agents\n');
  expect((await run('apply', 'plan14.json')).out).toContain(
    'deleted other\ndeleted agent\ndeleted template agents\n',
  );
  expect((await client.get('/v2/by-name/templates/agents')).status).toBe(404);
});

test('an account system is named before anything else, exported with its comments, renamed nowhere by chance, and pruned last', async () => {
  write('named/muster.yaml', 'managedBy: https://git.example.com/alerts\n');
  const text =
    '# The number of the old directory.\nname: GitHub\nintegrationId: 7\nkind: github # in the cloud\n';
  write('named/account-systems/github.yaml', text);
  write('named/integrations/agent.yaml', 'name: agent\ntemplate: generic-alert\n');
  const made = await run('plan', 'named', '--out', 'planned.json');
  expect([made.err, made.out]).toEqual([
    '',
    '+ account system GitHub  (account-systems/github.yaml)\n\n+ agent  (integrations/agent.yaml)\n\n2 to create, 0 to change, 0 to delete, 0 unchanged\n',
  ]);
  expect((await run('apply', 'planned.json')).out).toContain(
    'created account system GitHub\ncreated agent\n',
  );
  expect((await client.get('/v2/integrations/7')).body.data).toMatchObject({
    name: 'GitHub',
    accountUrl: 'https://github.com/{identity}',
    managedBy: 'https://git.example.com/alerts',
  });
  expect((await run('plan', 'named', '--exit-code')).code).toBe(0);
  expect((await run('export', 'named')).out).toBe('');

  const byHand = { name: 'GitHub', accountUrl: 'https://git.example.com/{identity}' };
  await client.json('PUT', '/v2/integrations/7', { ...byHand, managedBy: 'https://git.example.com/alerts' });
  await client.json('PUT', '/v2/integrations/8', { name: 'Zürich: Jira' });
  const difference = (await run('diff', 'named')).out;
  expect(difference).toContain('-kind: github # in the cloud');
  expect(difference).toContain('+accountUrl: https://git.example.com/{identity}');
  await run('export', 'named');
  expect(read('named/account-systems/github.yaml')).toMatch(/^# The number of the old directory\.\n/);
  expect(read('named/account-systems/zurich-jira.yaml')).toBe(
    `# yaml-language-server: $schema=${stack.url}/schemas/account-system.json\nname: "Zürich: Jira"\nintegrationId: 8\n`,
  );
  expect((await run('plan', 'named', '--exit-code')).code).toBe(3);
  await client.json('PUT', '/v2/integrations/8', {
    name: 'Zürich: Jira',
    managedBy: 'https://git.example.com/alerts',
  });
  expect((await run('plan', 'named', '--exit-code')).code).toBe(0);

  // Somebody renames it after the plan.
  write('named/account-systems/github.yaml', text);
  await run('plan', 'named', '--out', 'planned.json');
  await client.json('PUT', '/v2/integrations/7', { name: 'GitHub', accountUrl: null });
  expect((await run('apply', 'planned.json')).out).toContain(
    'REFUSED account system GitHub: it was changed since',
  );
  await client.json('PUT', '/v2/integrations/7', {
    name: 'Code',
    managedBy: 'https://git.example.com/alerts',
  });
  expect((await run('plan', 'named')).err).toContain(
    'account-systems/github.yaml: The request was rejected (409): The account system 7 has the name "Code" already.',
  );
  await client.json('PUT', '/v2/integrations/7', {
    name: 'GitHub',
    managedBy: 'https://git.example.com/alerts',
  });

  for (const path of [
    'account-systems/github.yaml',
    'account-systems/zurich-jira.yaml',
    'integrations/agent.yaml',
  ])
    rmSync(file(`named/${path}`));
  write('named/account-systems/other.yaml', 'name: Slack\nintegrationId: 9\n');
  await run('plan', 'named', '--prune', '--out', 'planned.json');
  expect((await run('apply', 'planned.json')).out).toContain(
    'created account system Slack\ndeleted agent\ndeleted account system GitHub\ndeleted account system Zürich: Jira\n',
  );
  const left = (await client.get('/v2/integrations')).body.data.map(({ name }: { name: string }) => name);
  expect(left).toEqual(['Slack']);
});

test('a key that may not read what the folder has does not pass for one that found no difference', async () => {
  for (const number of [1, 2, 3, 4, 5])
    write(`sixteen/integrations/${number}.yaml`, `name: sixteen ${number}\n`);
  env = { MUSTER_API_KEY: await stack.key('alerts:read') };
  const closed = 'error: The folder has integrations, and the key may not read those of the server\n';
  for (const command of ['diff', 'export'])
    expect(await run(command, 'sixteen')).toMatchObject({ code: 1, err: expect.stringContaining(closed) });
  // One line says it of all files.
  const { code, err } = await run('plan', 'sixteen');
  expect([code, err.trim().split('\n')]).toEqual([
    1,
    [
      expect.stringMatching(
        /^integrations\/1.yaml, .*3.yaml and 2 more files: .* lacks the scope webhooks:write/,
      ),
    ],
  ]);
});

test('a name that no URL can have is an error of an export', async () => {
  const { id } = (await client.json('POST', '/v2/webhooks', { name: 'dots' })).body.data;
  // As older versions accepted it.
  await stack.database('webhooks').where({ name: 'dots' }).update({ name: '..' });
  const { code, err } = await run('export', 'seventeen');
  expect([code, err]).toEqual([
    1,
    expect.stringContaining('error: An integration has the name "..", which no URL'),
  ]);
  await client.send('DELETE', `/v2/webhooks/${id}`);
});

test('a rejection says each error once', async () => {
  write(
    'eighteen/integrations/short.yaml',
    `name: short\nsignature: { scheme: github, secret: "\${HOOK}" }\n`,
  );
  env = { HOOK: 'short' };
  const { code, err } = await run('plan', 'eighteen');
  expect([code, err.split('must have at least 16 characters').length - 1]).toEqual([1, 1]);
});
