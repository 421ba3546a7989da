import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { muster } from '../../../support/muster/command.js';
import { folderOf } from '../../../support/muster/folder.js';

const MAPPING = `name: Shop
mapping:
  fields:
    title: {template: "{{webhook.name}}"}
    severity: {template: "{{webhook.sev}}", values: {p1: critical}}
    description: {template: "{{webhook.name}}"}
    source: {default: shop}
    status: {template: "{{webhook.state}}"}
    dedupKey: {template: "{{webhook.id}}"}
`;

const SAMPLES = `# Written by hand
- name: fires # of March
  payload: {name: Slow, sev: p1, state: firing, id: 12345678901234567890}
  alerts:
    - title: Slow # as in the shop
      severity: critical
      description: Slow
      source: shop
      status: firing
      dedupKey: 12345678901234567890
`;

const shop = (samples: string, more: Record<string, string> = {}) =>
  folderOf({ 'integrations/shop.yaml': MAPPING, 'integrations/shop.samples.yaml': samples, ...more });

/** Checks a folder, and returns the code and the findings as \`FILE:LINE:COLUMN LEVEL MESSAGE\`. */
async function check(folder: string, ...options: string[]) {
  const { code, out } = await muster('check', folder, '--json', ...options);
  const result = JSON.parse(out) as { findings: Record<string, string>[]; updated: unknown[] };
  const findings = result.findings.map(
    ({ file, line, column, level, message }) =>
      `${file?.replace('integrations/', '')}:${line}:${column} ${level} ${message}`,
  );
  return { code, findings, updated: result.updated };
}

test('a sample that becomes the alerts that it names is right', async () => {
  expect(await check(shop(SAMPLES))).toEqual({ code: 0, findings: [], updated: [] });
});

test('a sample that becomes other alerts is an error with each difference', async () => {
  const folder = shop(
    SAMPLES.replace('severity: critical', 'severity: error').replace('      source: shop\n', ''),
  );
  const { code, out } = await muster('check', folder);
  expect(code).toBe(1);
  expect(out.split(folder).join('DIR')).toBe(
    [
      'DIR/integrations/shop.samples.yaml:6:17: error: sample "fires": becomes other alerts than expected',
      '    alert 1, severity:',
      '      expected  "error"',
      '      got       "critical"',
      '    alert 1, source:',
      '      expected  nothing',
      '      got       "shop"',
      '1 integration, 1 sample: 1 error, 0 warnings',
      '',
    ].join('\n'),
  );
});

test('errors of templates and expressions are at their line and column in the file', async () => {
  const folder = folderOf({
    'integrations/a.yaml': [
      'name: A',
      'mapping:',
      '  filter: webhook.a ==',
      '  fields:',
      '    title: {template: "{{#x"}',
      '    description:',
      '      template: |',
      '        first',
      '        {{/x}}',
      '    severity:',
      '      values: {a: error, A: info}',
      '',
    ].join('\n'),
  });
  const { code, findings } = await check(folder);
  expect(code).toBe(1);
  expect(findings).toEqual([
    expect.stringMatching(/^a.yaml:3:\d+ error filter: /),
    expect.stringMatching(/^a.yaml:5:2[45] error fields.title.template: /),
    expect.stringMatching(/^a.yaml:9:9 error fields.description.template: /),
    expect.stringMatching(/^a.yaml:11:15 error fields.severity.values: .*listed more than once/),
  ]);
});

test('unknown words, paths that no sample has, and keys that resolve nothing are warnings; with --strict errors', async () => {
  const folder = shop(`${SAMPLES}- name: over
  payload: {sev: p9, state: resolved, id: 7}
  alerts: [{severity: p9, source: shop, status: resolved, dedupKey: 7}]
`);
  const { code, findings } = await check(folder);
  expect(code).toBe(0);
  expect(findings).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^shop.samples.yaml:11:3 warning resolves "7", which is the dedupKey of no sample that fires/,
      ),
      expect.stringMatching(/^shop.samples.yaml:\d+:\d+ warning severity: .*"p9"/),
    ]),
  );
  expect((await check(folder, '--strict')).code).toBe(1);
  const missing = await check(
    shop(SAMPLES.replace('sev: p1, ', '').replace('      severity: critical\n', '')),
  );
  expect(missing.findings).toContain('shop.yaml:5:15 warning severity: no sample has webhook.sev');
});

test('a lookup finds the row that its sample names, then that of a table of the folder', async () => {
  const sample = (name: string, key: string, more: string, team: string) =>
    `- name: ${name}\n  payload: {s: ${key}}\n${more}  alerts: [{severity: info, description: d, source: s${team}}]\n`;
  const folder = folderOf({
    'integrations/a.yaml':
      'name: A\nmapping:\n  lookups: {owner: {table: teams, key: "{{webhook.s}}"}}\n  fields:\n    severity: {default: info}\n    description: {default: d}\n    source: {default: s}\n    team: {template: "{{lookup.owner.team}}"}\n',
    'integrations/a.samples.yaml':
      sample('named', 'x', '  lookups: {owner: {team: Named}}\n', ', team: Named') +
      sample('in the table', ' SHOP', '', ', team: Shop team') +
      sample('in none', 'y', '', '') +
      sample('taken away', 'shop', '  lookups: {owner: null}\n', '') +
      sample('of a typing error', 'shop', '  lookups: {owners: {}}\n', ', team: Shop team'),
    'tables/teams.yaml': 'name: teams\nmatching: caseInsensitive\n',
    'tables/teams.csv': 'service;team\nshop;Shop team\n',
    'tables/bad.csv': 'key,value\na,1\na,2\n',
  });
  const { findings } = await check(folder);
  expect(findings.filter((finding) => / error /.test(finding))).toEqual([
    expect.stringMatching(
      /^a.samples.yaml:\d+:\d+ error the mapping has no lookup owners; did you mean owner\?/,
    ),
    expect.stringMatching(/^tables\/bad.csv:3:1 error key: has the key of line 2/),
  ]);
});

test.each([
  ['exact', 'shop', 'shop', true],
  ['exact', 'shop', 'SHOP', false],
  ['prefix', 'web-', 'web-7', true],
  ['cidr', '10.0.0.0/8', '10.1.2.3', true],
  ['cidr', '10.0.0.0/8', '11.1.2.3', false],
  ['glob', 'db-*.example', 'db-7.example', true],
] as const)('a table with %s: %s matches %s: %j', async (matching, key, sought, matches) => {
  const folder = folderOf({
    'integrations/a.yaml':
      'name: A\nmapping:\n  lookups: {row: {table: t, key: "{{webhook.s}}"}}\n  fields: {title: {template: "{{lookup.row.v}}"}}\n',
    'integrations/a.samples.yaml': `- name: one\n  payload: {s: ${sought}}\n  alerts: [{${matches ? 'title: found' : ''}}]\n`,
    'tables/t.yaml': `name: t\nmatching: ${matching}\n`,
    'tables/t.csv': `key,v\n${key},found\n`,
  });
  expect((await check(folder)).code).toBe(0);
});

test('payloads and requests may be in files of YAML', async () => {
  const folder = folderOf({
    'integrations/a.yaml':
      'name: A\nmapping:\n  fields:\n    title: {template: "{{request.headers.x-kind}} {{webhook.n}}"}\n',
    'integrations/a.samples.yaml':
      '- name: payload\n  payloadFile: n.payload.yaml\n  alerts: [{title: 12345678901234567890}]\n' +
      '- name: request\n  requestFile: sent/n.request.yaml\n  alerts: [{title: push 1.10}]\n' +
      '- name: no YAML\n  payloadFile: wrong.payload.yaml\n  alerts: []\n' +
      '- name: no request\n  requestFile: sent/wrong.request.yaml\n  alerts: []\n',
    'integrations/n.payload.yaml': '# From the log.\nn: 12345678901234567890\n',
    'integrations/wrong.payload.yaml': 'n: 1\nn: 2\n',
    'integrations/sent/n.request.yaml': 'headers: { X-Kind: push }\npayloadFile: n.json\n',
    'integrations/sent/n.json': '{"n":1.10}',
    'integrations/sent/wrong.request.yaml': 'headers: {}\n',
  });
  expect((await check(folder)).findings.filter((finding) => / error /.test(finding))).toEqual([
    'a.samples.yaml:8:16 error payloadFile: integrations/wrong.payload.yaml:2:1: the name "n" is there twice',
    'a.samples.yaml:11:16 error requestFile: integrations/sent/wrong.request.yaml:1:1: must have either payload or payloadFile',
  ]);
});

test('a payload may be in a file, and come with its request', async () => {
  const folder = folderOf({
    'integrations/a.yaml':
      'name: A\nmapping:\n  fields:\n    title: {template: "{{request.headers.x-kind}} {{request.query.q}} {{webhook.n}}"}\n',
    'integrations/a.samples.yaml':
      '- name: whole\n  request: {headers: {X-Kind: push}, query: {q: 1.10}, payloadFile: payloads/n.json}\n  alerts: [{title: push 1.10 12345678901234567890}]\n' +
      '- name: none\n  payloadFile: payloads/none.json\n  alerts: []\n' +
      '- name: outside\n  payloadFile: ../../x\n  alerts: []\n' +
      '- name: not JSON\n  payloadFile: payloads/text.json\n  alerts: []\n',
    'integrations/payloads/n.json': '{"n": 12345678901234567890}',
    'integrations/payloads/text.json': '{',
  });
  expect((await check(folder)).findings.filter((finding) => / error /.test(finding))).toEqual([
    'a.samples.yaml:5:16 error payloadFile: integrations/payloads/none.json does not exist',
    expect.stringMatching(/^a.samples.yaml:8:16 error payloadFile: \.\.\/x /),
    'a.samples.yaml:10:3 error the payload is not valid JSON',
  ]);
});

test('--update writes the alerts, and keeps comments, order and digits', async () => {
  const wrong = `${SAMPLES.replace('severity: critical', 'severity: error')}- name: new
  payload: {name: Fast, sev: p1, state: resolved, id: 12345678901234567890, big: 1e400}
`;
  const folder = shop(wrong);
  const { code, findings, updated } = await check(folder, '--update');
  expect({ code, findings }).toEqual({ code: 0, findings: [] });
  expect(updated).toHaveLength(2);
  expect(
    readFileSync(join(folder, 'integrations/shop.samples.yaml'), 'utf8'),
  ).toBe(`${wrong.replace('severity: error', 'severity: critical')}  alerts:
    - title: Fast
      severity: critical
      description: Fast
      source: shop
      status: resolved
      dedupKey: "12345678901234567890"
`);
  expect(await check(folder, '--update')).toEqual({ code: 0, findings: [], updated: [] });
});

test('--update takes alerts apart that samples share, and leaves a file as it is whose anchors it would remove', async () => {
  const shared = (alerts: string, other: string) => `- name: one
  payload: {name: A, sev: p1, state: firing, id: 1}
  alerts: ${alerts}
- name: two
  payload: {name: B, sev: p1, state: firing, id: 2${other}
`;
  const apart = shop(shared('&all [{title: x}]', '}\n  alerts: *all'));
  expect((await check(apart, '--update')).code).toBe(0);
  expect((await check(apart)).code).toBe(0);
  const text = shared('[{title: x}, &more {title: y}]', ', more: *more}\n  alerts: []');
  const folder = shop(text);
  const { code, findings, updated } = await check(folder, '--update');
  expect({ code, updated }).toEqual({ code: 1, updated: [] });
  expect(findings).toEqual([
    expect.stringMatching(/edit it by hand/),
    expect.stringMatching(/edit it by hand/),
  ]);
  expect(readFileSync(join(folder, 'integrations/shop.samples.yaml'), 'utf8')).toBe(text);
});

test('annotations of GitHub and JUnit XML are escaped', async () => {
  const folder = shop(
    SAMPLES.replace('name: fires # of March', 'name: "50%: a,b\\n<&>\\u0007"').replace('critical', 'error'),
  );
  const junit = join(folder, 'report.xml');
  const { out } = await muster('check', folder, '--format', 'github', '--junit', junit);
  expect(out).toMatch(
    /^::error file=[^,:]*shop.samples.yaml,line=6,col=17,title=other_alerts::sample "50%25: a,b\\n<&>\\u0007": .*%0Aalert 1, severity:%0A/,
  );
  expect(out.trimEnd().split('\n')).toHaveLength(2);
  const xml = readFileSync(junit, 'utf8');
  expect(xml).toContain('name="50%: a,b&#10;&lt;&amp;&gt;\ufffd"');
  expect(xml).toContain('<testsuites name="muster check" tests="1" failures="1">');
});

test('the samples of a template of the folder are checked with its mapping, and errors are said of its file', async () => {
  const template = `${MAPPING.replace('name: Shop', 'name: shops')}sample: {}\n`;
  const folder = folderOf({
    'templates/shops.yaml': template,
    'integrations/shop.yaml': 'name: Shop\ntemplate: shops\n',
    'integrations/shop.samples.yaml': SAMPLES,
  });
  expect(await check(folder)).toEqual({ code: 0, findings: [], updated: [] });
  const broken = folderOf({
    'templates/shops.yaml': template.replace('{{webhook.name}}', '{{webhook.name'),
    'integrations/shop.yaml': 'name: Shop\ntemplate: shops\n',
  });
  const { code, findings } = await check(broken);
  expect([code, findings]).toEqual([
    1,
    [expect.stringMatching(/^templates\/shops.yaml:4:\d+ error fields.title/)],
  ]);
});

test('a destination must fit its preset, and its secrets are references', async () => {
  const { code, findings } = await check(
    folderOf({
      'destinations/chat.yaml': `name: Chat
preset: slack
url: \${URL}
secret: \${KEY}
headers:
  authorization: \${KEY}
filter: alert.
`,
      'destinations/mail.yaml': 'name: Mail\npreset: email\n',
      'destinations/twice.yaml': `name: Mail\npreset: email\nurl: \${URL}\n`,
      'destinations/written.yaml': 'name: Hook\npreset: webhook\nurl: https://example.com/\n',
    }),
  );
  expect([code, findings]).toEqual([
    1,
    [
      'destinations/chat.yaml:4:9 error secret: is not taken by this preset',
      'destinations/chat.yaml:6:3 error headers: `headers` are not sent by this preset.',
      'destinations/chat.yaml:7:9 error filter: line 1, column 7: a value is missing after .',
      'destinations/mail.yaml:1:1 error recipients: is required by this preset',
      'destinations/twice.yaml:3:6 error url: is not taken by this preset',
      expect.stringMatching(/^destinations.written.yaml:3:6 error url: must be a reference: /),
    ],
  ]);
});

test('an integration that a destination names and no file has is a warning', async () => {
  const { code, findings } = await check(
    shop(SAMPLES, {
      'destinations/chat.yaml': `name: Chat\npreset: slack\nurl: \${URL}\nintegrations: [Shop, Gone]\n`,
    }),
  );
  expect([code, findings]).toEqual([
    0,
    [
      'destinations/chat.yaml:4:22 warning integrations: no file has the integration "Gone". If there is one, only the server knows it',
    ],
  ]);
});

test('the samples of a template of Muster are checked with its mapping', async () => {
  const folder = folderOf({
    'integrations/a.yaml': 'name: A\ntemplate: alertmanager\n',
    'integrations/a.samples.yaml':
      '- name: one\n  payload: {alerts: [{labels: {alertname: X}}]}\n  alerts: []\n',
    'integrations/b.yaml': 'name: B\ntemplate: of-our-own\n',
    'integrations/b.samples.yaml': '- name: one\n  payload: {}\n  alerts: []\n',
  });
  const { out } = await muster('check', folder);
  expect(out).toMatch(/alert 1 is not expected: "X"/);
  expect(out).toMatch(/b.yaml:2:11: warning: template: Muster has no template "of-our-own"/);
  expect(out).toMatch(/2 integrations, 1 sample \(1 more not checked\): 1 error/);
});

test.each([
  [['check'], 'Name the folder to check'],
  [['check', '/none-such'], '/none-such does not exist'],
  [['check', 'a', 'b'], 'One folder at a time'],
  [['check', '.', '--format', 'xml'], '--format must be one of text, json, github, not xml'],
  [['check', '.', '--foo'], "Unknown option '--foo'"],
  [['chek'], 'There is no command chek'],
])('%j is a wrong command line', async (args, message) => {
  const { code, err } = await muster(...args);
  expect(code).toBe(2);
  expect(err).toContain(message);
});
