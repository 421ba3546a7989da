import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { asJson, only, run, title } from './mapping.js';

const payload = {
  name: 'Disk fills up',
  zero: 0,
  no: false,
  empty: '',
  blank: ' \n',
  nothing: null,
  list: [],
  object: {},
  html: '<a href="x">&\'',
  tags: ['env:production', 'team:storage', 'link:http://x', 'plain'],
  pairs: [
    ['browser', 'Firefox'],
    ['level', 'error'],
  ],
  dimensions: [
    { name: 'Bucket', value: 'logs' },
    { key: 'zone', value: { text: 'b' } },
  ],
  labels: {
    'a.b': 'dotted',
    severity: 'high',
    k8s: { node: 'n1' },
    'k8s.cluster': 'eu-1',
    'app.io/name': { x: 'shop' },
  },
  zabbix: [
    { tag: 'scope', value: 'capacity' },
    { label: 'rack', value: 'r7' },
  ],
  equal: ['env=staging', 'url=http://x?a:b'],
  joined: 'env:production, role: db,monitor,link:http://x/?a=1, empty:',
  nested: { items: [{ id: 1 }, { id: 2 }] },
};

describe('a field is resolved', () => {
  test.each([
    ['{{webhook.name}}', 'Disk fills up'],
    ['{{webhook.zero}}', '0'],
    ['{{webhook.no}}', 'false'],
    ['{{webhook.html}}', '<a href="x">&\''],
    ['{{{webhook.html}}}{{&webhook.html}}', '<a href="x">&\'<a href="x">&\''],
    ['{{webhook.labels["a.b"]}}', 'dotted'],
    ["{{webhook.labels['a.b']}}", 'dotted'],
    ['{{webhook["labels"].severity}}', 'high'],
    ['{{webhook.tags[3]}}, {{webhook.tags.3}}', 'plain, plain'],
    ['{{webhook.nested.items[1].id}}', '2'],
    ['{{webhook.tags.env}}', 'production'],
    ['{{webhook.tags["team"]}}', 'storage'],
    ['{{webhook.tags.link}}', 'http://x'],
    ['{{webhook.pairs.browser}}', 'Firefox'],
    ['{{webhook.dimensions.Bucket}} {{webhook.dimensions.zone.text}}', 'logs b'],
    ['{{webhook.zabbix.scope}} {{webhook.zabbix.rack}}', 'capacity r7'],
    ['{{webhook.equal.env}} {{webhook.equal.url}}', 'staging http://x?a:b'],
    ['{{webhook.joined.env}} {{webhook.joined.role}} {{webhook.joined.link}}', 'production db http://x/?a=1'],
    ['{{webhook.labels.a.b}} {{webhook.labels.k8s.cluster}} {{webhook.labels.k8s.node}}', 'dotted eu-1 n1'],
    ['{{webhook.labels.app.io/name.x}}', 'shop'],
    ['{{#webhook.labels}}{{k8s.cluster}}{{/webhook.labels}}', 'eu-1'],
    ['{{webhook.nested}}', '{"items":[{"id":1},{"id":2}]}'],
    ['{{webhook.pairs[0]}}', 'browser, Firefox'],
    ['static', 'static'],
    ['{{#webhook.nested.items}}{{id}} {{webhook.zero}};{{/webhook.nested.items}}', '1 0;2 0;'],
    [
      '{{#webhook.gone}}{{x}}{{/webhook.gone}}{{^webhook.gone}}{{webhook.name}}{{/webhook.gone}}',
      'Disk fills up',
    ],
    ['known{{#webhook.labels}} {{team}}{{/webhook.labels}}', 'known'],
  ])('%s', (template, value) => {
    expect(title(template, payload)).toMatchObject({ value, result: 'resolved', missing: [], warnings: [] });
  });
});

describe('a field is missing', () => {
  test.each([
    ['empty'],
    ['blank'],
    ['nothing'],
    ['list'],
    ['object'],
    ['gone'],
    ['name.gone'],
    ['tags.gone'],
    ['joined.monitor'],
    ['joined.empty'],
    ['joined.length'],
    ['html.length'],
  ])('where the payload has nothing at %s', (path) => {
    const result = title(`{{webhook.${path}}}`, payload);
    expect(result).toMatchObject({ value: null, result: 'missing', paths: [`webhook.${path}`] });
    expect(result.missing).toMatchObject([{ path: `webhook.${path}` }]);
  });

  test('because of one tag outside sections; without a default the rest is kept', () => {
    const result = title('{{webhook.name}} of {{webhook.host}}', payload);
    expect(result).toMatchObject({ value: 'Disk fills up of', result: 'missing' });
    expect(asJson(result.missing)).toEqual([{ path: 'webhook.host', nearest: null }]);
  });

  test('because all its sections find nothing', () => {
    const result = title('{{#webhook.gone}}x{{/webhook.gone}}', payload);
    expect(result).toMatchObject({ value: null, result: 'missing', missing: [{ path: 'webhook.gone' }] });
  });

  test.each([
    ['webhook.nmae', 'webhook.name'],
    ['webhook.Name', 'webhook.name'],
    ['webhook.labels.sevrity', 'webhook.labels.severity'],
    ['webhook.label.severity', 'webhook.labels.severity'],
    ['webhook.Lables.sevrity', 'webhook.labels.severity'],
    ['webhook.label.browser', null],
    ['webhook.labels.sev', 'webhook.labels.severity'],
    ['webhook.labels.browser', null],
    ['webhook.severity', 'webhook.labels.severity'],
    ['webhook.tags.Team', 'webhook.tags.team'],
    ['webhook.nested.items.id', 'webhook.nested.items[0].id'],
    ['webhook.zzz', null],
  ])('%s, and the nearest is %s', (path, nearest) => {
    expect(asJson(title(`{{${path}}}`, payload).missing)).toEqual([{ path, nearest }]);
  });

  test.each([
    ['webhook.alert.labels.code', 'item.labels.code'],
    ['webhook.grups.name', 'webhook.groups[0].name'],
  ])('%s, and the nearest is %s, because the list alerts is split', (path, nearest) => {
    const several = { alerts: [{ labels: { code: 500 } }], groups: [{ name: 'ops' }] };
    const mapping = { split: 'alerts', fields: { title: { template: `{{${path}}}` } } };
    expect(only(run(mapping, several)).fields.title.missing).toMatchObject([{ path, nearest }]);
  });
});

describe('a default', () => {
  test('replaces the whole field', () => {
    const result = title('{{webhook.name}} of {{webhook.host}}', payload, { default: 'unknown' });
    expect(result).toMatchObject({
      value: 'unknown',
      result: 'defaulted',
      missing: [{ path: 'webhook.host' }],
    });
  });

  test('is not looked up in the value map', () => {
    const more = { default: 'high', values: { high: 'error' } };
    expect(title('{{webhook.gone}}', payload, more)).toMatchObject({ value: 'high', warnings: [] });
  });

  test('needs no template', () => {
    const alert = only(run({ fields: { severity: { default: 'error' } } }, payload));
    expect(alert.fields.severity).toMatchObject({ value: 'error', result: 'defaulted', paths: [] });
  });
});

describe('a value map', () => {
  const values = { HIGH: 'critical', '0': 'zero', ' Low ': 'info' };

  test.each([
    ['high', 'critical'],
    ['High', 'critical'],
    [' hIGH\n', 'critical'],
    [0, 'zero'],
    ['low', 'info'],
  ])('knows %j', (value, mapped) => {
    expect(title('{{webhook.v}}', { v: value }, { values })).toMatchObject({ value: mapped, warnings: [] });
  });

  test('keeps a text that is not in it, with a warning', () => {
    const result = title('{{webhook.v}}', { v: 'Weird' }, { values });
    expect(result).toMatchObject({ value: 'Weird', result: 'resolved' });
    expect(result.warnings).toMatchObject([{ code: 'unmapped_value', value: 'Weird' }]);
  });

  test.each([['constructor'], ['__proto__'], ['toString']])('has no inherited %s', (value) => {
    expect(title('{{webhook.v}}', { v: value }, { values }).value).toBe(value);
  });
});

describe('text that is too long is truncated with an ellipsis and a warning', () => {
  test.each([
    [255, 255, []],
    [256, 255, ['cut']],
    [100_000, 255, ['cut']],
  ])('%i characters become %i', (length, kept, codes) => {
    const field = { template: '{{webhook.v}}' };
    const mapped = only(run({ fields: { title: field, service: field } }, { v: '💾'.repeat(length) })).fields;
    for (const result of [mapped.title, mapped.service]) {
      expect([...(result.value as string)]).toHaveLength(kept);
      expect(result.warnings.map(({ code }) => code)).toEqual(codes);
    }
    expect(mapped.service.value?.endsWith('…')).toBe(codes.length > 0);
    // A title keeps its end.
    expect(mapped.title.value?.search(/…[0-9a-f]{6}…💾{100}$/u)).toBe(codes.length > 0 ? 2 * 147 : -1);
  });

  test.each([['x'], ['é'], ['字'], ['💾']])('a description of %s is at most 16 KiB of UTF-8', (character) => {
    const describe = (v: string) =>
      only(run({ fields: { description: { template: '{{webhook.v}}' } } }, { v })).fields.description;
    const most = Math.floor(16_384 / Buffer.byteLength(character));
    expect(describe(character.repeat(most))).toMatchObject({ value: character.repeat(most), warnings: [] });
    const { value, warnings } = describe(character.repeat(most + 1));
    expect(Buffer.byteLength(value as string)).toBeLessThanOrEqual(16_384);
    expect(value).toMatch(new RegExp(`^${character}{${most - 3},}…$`, 'u'));
    expect(warnings).toMatchObject([{ code: 'cut' }]);
  });

  test('a lone surrogate is replaced', () => {
    const result = title('{{webhook.v}}', Buffer.from('{"v":"a\\ud83db"}'));
    expect(result).toMatchObject({ value: 'a\ufffdb', warnings: [{ code: 'invalid_text' }] });
  });
});

describe('a macro that the sender did not expand has a warning', () => {
  test.each([
    ['Alert: $EVENT_TITLE', '$EVENT_TITLE'],
    ['{EVENT.NAME} on x', '{EVENT.NAME}'],
    ['{$LIMIT.CPU}', '{$LIMIT.CPU}'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the sender sends it exactly like this
    ['${latestEvent.severity}', '${latestEvent.severity}'],
    ['$HOSTNAME$ is down', '$HOSTNAME$'],
    ['##HOST##', '##HOST##'],
    ['{{ default }}', '{{ default }}'],
  ])('%s', (v, macro) => {
    const result = title('{{webhook.v}}', { v });
    expect(result).toMatchObject({ value: v, result: 'resolved' });
    expect(result.warnings).toMatchObject([{ code: 'unexpanded_macro', value: macro }]);
  });

  test.each([['costs $5'], ['a {json: 1} b'], ['$x {y} #z ## Heading'], ['{"A":1}'], ['US$ 30']])(
    'but not %s',
    (v) => {
      expect(title('{{webhook.v}}', { v }).warnings).toEqual([]);
    },
  );
});

describe('numbers keep their digits', () => {
  test.each([
    ['9007199254740993'],
    ['12345678901234567890'],
    ['-12345678901234567890'],
    ['1.2345678901234567890'],
    ['1e400'],
    ['0'],
    ['1502709956288000000'],
    ['42'],
    ['0.25'],
    ['1.10'],
    ['2.0'],
    ['-3.00'],
    ['1E3'],
    ['1e+2'],
    ['-0'],
    ['-0.0'],
    ['0.0000001'],
    ['100000000000000000000000'],
  ])('%s', (digits) => {
    expect(title('{{webhook.v}}', Buffer.from(`{"v":${digits}}`)).value).toBe(digits);
    expect(title('{{webhook.v}}', Buffer.from(`{"v":{"inner":[${digits}]}}`)).value).toBe(
      `{"inner":[${digits}]}`,
    );
  });

  test('any number in any place', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,20})?([eE][-+]?\d{1,4})?$/);
    fc.assert(
      fc.property(digits, (sent) => {
        for (const json of [`{"v":${sent}}`, `{"a":1,"v": ${sent} ,"b":2}`, `{"v":[${sent}]}`]) {
          const { value } = title('{{webhook.v}}', Buffer.from(json));
          expect(value).toBe(sent);
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each(['0', '-0', '0.00', '0E5'])('%s is false in a section', (zero) => {
    const template = '{{#webhook.v}}yes{{/webhook.v}}{{^webhook.v}}no{{/webhook.v}}';
    expect(title(template, Buffer.from(`{"v":${zero}}`)).value).toBe('no');
  });

  test.each([
    ['2.0', 'two'],
    ['2', 'two'],
    ['2e0', 'two'],
    ['-0', 'zero'],
    ['1.50', 'more'],
  ])('a value map finds %s by its value', (sent, mapped) => {
    const values = { '0': 'zero', '2': 'two', '1.5': 'more' };
    expect(title('{{webhook.v}}', Buffer.from(`{"v":${sent}}`), { values })).toMatchObject({
      value: mapped,
      warnings: [],
    });
  });

  test('the last value of a repeated key counts', () => {
    expect(title('{{webhook.v}}', Buffer.from('{"v":9007199254740993,"v":9007199254740995}')).value).toBe(
      '9007199254740995',
    );
  });
});
