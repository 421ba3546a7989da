import { describe, expect, test } from '@jest/globals';
import {
  compileStored,
  type JsonValue,
  type Mapping,
  MappingCache,
  normalize,
  normalizeValue,
} from '../../../workers/mapping/index.js';
import { bytes, compiled, only, run, valuesOf } from './mapping.js';

const required: Mapping = {
  fields: {
    severity: { template: '{{webhook.severity}}' },
    description: { template: '{{webhook.text}}' },
    source: { template: 'Test' },
  },
};

describe('the state of an alert', () => {
  test('is complete if every required field is resolved or defaulted', () => {
    const alert = only(run(required, { severity: 'error', text: 'x' }));
    expect(alert).toMatchObject({ item: 0, state: 'complete', faults: [] });
    expect(alert.fields.title).toEqual({
      value: null,
      result: 'missing',
      paths: [],
      missing: [],
      warnings: [],
    });
  });

  test('is otherwise incomplete, with an error for each reason', () => {
    const alert = only(run(required, { Severity: 'error', text: '' }));
    expect(alert.state).toBe('incomplete');
    expect(alert.faults).toEqual([
      {
        code: 'missing',
        field: 'severity',
        path: 'webhook.severity',
        message:
          'severity: webhook.severity is missing or blank in the payload; did you mean webhook.Severity?',
      },
      {
        code: 'missing',
        field: 'description',
        path: 'webhook.text',
        message: 'description: webhook.text is missing or blank in the payload',
      },
    ]);
  });

  test('names the required fields that the mapping lacks', () => {
    const { faults } = only(run({ fields: {} }, {}));
    expect(faults.map(({ message }) => message)).toEqual([
      'severity: the mapping has no template for it',
      'description: the mapping has no template for it',
      'source: the mapping has no template for it',
    ]);
  });

  test('without a mapping there is one incomplete alert', () => {
    const alert = only(normalize(null, bytes({ a: 1 })));
    expect(alert).toMatchObject({ item: 0, state: 'incomplete', faults: [{ code: 'no_mapping' }] });
  });

  test('custom fields do not affect it', () => {
    const custom = { zone: { template: '{{webhook.zone}}' }, constructor: { template: '{{webhook.text}}' } };
    const alert = only(run({ ...required, custom }, { severity: 'error', text: 'x' }));
    expect(alert.state).toBe('complete');
    expect(alert.custom.zone).toMatchObject({ value: null, result: 'missing' });
    expect(alert.custom.constructor).toMatchObject({ value: 'x', result: 'resolved' });
  });
});

describe('a split', () => {
  test('takes a payload without the list as one item, if the split says so', () => {
    const fields = { title: { template: '{{item.name}}' } };
    const titles = (payload: JsonValue) =>
      run({ split: 'messages|webhook', fields }, payload).alerts.map(({ fields: { title } }) => title.value);
    expect(titles({ messages: [{ name: 'a' }, { name: 'b' }] })).toEqual(['a', 'b']);
    expect(titles({ name: 'c' })).toEqual(['c']);
    expect(titles({ name: 'c', messages: { name: 'd' } })).toEqual(['c']);
    expect(titles({ messages: [] })).toEqual([]);
  });

  const split: Mapping = {
    split: 'alerts',
    fields: {
      title: { template: '{{webhook.receiver}}: {{item.name}}' },
      severity: { template: '{{item.severity}}' },
      description: { template: '{{item.text}}', default: 'nothing said' },
      source: { template: 'Test' },
    },
  };

  test('makes an alert of each item, and a bad item does not affect the others', () => {
    const alerts = [
      { name: 'a', severity: 'error', text: 'x' },
      null,
      'text',
      { name: 'b', severity: 'info' },
    ];
    const result = run(split, { receiver: 'me', alerts });
    expect(result).toMatchObject({ eventState: 'normalized', faults: [] });
    expect(result.alerts.map(({ item, state }) => [item, state])).toEqual([
      [0, 'complete'],
      [1, 'incomplete'],
      [2, 'incomplete'],
      [3, 'complete'],
    ]);
    expect(valuesOf(result.alerts[3] as never)).toEqual({
      title: 'me: b',
      severity: 'info',
      description: 'nothing said',
      source: 'Test',
    });
  });

  test('without a list: one alert with an error', () => {
    const alert = only(run(split, { receiver: 'me', alerts: { name: 'a' } }));
    expect(alert.state).toBe('incomplete');
    expect(alert.faults[0]).toMatchObject({ code: 'split_not_array', path: 'alerts' });
    expect(alert.fields.title).toMatchObject({ value: 'me:', result: 'missing' });
  });

  test('of an empty list: no alert', () => {
    expect(run(split, { alerts: [] })).toEqual({
      eventState: 'normalized',
      alerts: [],
      faults: [],
      warnings: [],
      filter: null,
    });
  });

  test('of 10,000 items, but not of 10,001', () => {
    const alerts = Array.from({ length: 10_000 }, (_, i) => ({ name: `${i}`, severity: 'info' }));
    expect(run(split, { receiver: 'me', alerts }).alerts).toHaveLength(10_000);
    const failed = run(split, { alerts: [...alerts, {}] });
    expect(failed).toMatchObject({ eventState: 'failed', alerts: [], faults: [{ code: 'too_many_items' }] });
  });

  test.each([['webhook'], ['webhook["data.list"][0]'], ['data.deep']])('at %s', (path) => {
    const list = [{ severity: 'info' }];
    const payload = path === 'webhook' ? list : { 'data.list': [list], data: { deep: list } };
    expect(run({ ...split, split: path }, payload).alerts[0]?.fields.severity.value).toBe('info');
  });
});

describe('JSON inside a text', () => {
  const mapping: Mapping = {
    ...required,
    expandJson: ['Message', 'Message.inner[0]'],
    fields: { ...required.fields, title: { template: '{{webhook.Message.id}}' } },
  };

  test('is expanded at the paths of the mapping, in order, and keeps its digits', () => {
    const inner = JSON.stringify({ name: 'deep' });
    const payload = { Message: `{"id":12345678901234567890,"inner":[${JSON.stringify(inner)}]}` };
    const { alerts, warnings } = run(
      { ...mapping, fields: { ...mapping.fields, team: { template: '{{webhook.Message.inner[0].name}}' } } },
      payload,
    );
    expect(alerts[0]?.fields).toMatchObject({
      title: { value: '12345678901234567890' },
      team: { value: 'deep' },
    });
    expect(warnings).toEqual([]);
  });

  test('is expanded in every element of a list on the path', () => {
    const payload = {
      Records: [
        { body: '{"alert":{"name":"a"}}' },
        { body: 'plain' },
        { other: 1 },
        { body: '{"alert":{"name":"b"},"Message":"{\\"x\\":1.10}"}' },
        7,
      ],
    };
    const fields = { title: { template: '{{item.body.alert.name}} {{item.body.Message.x|item.body}}' } };
    const expandJson = ['Records.body', 'webhook.Records.body.Message'];
    const { alerts, warnings } = run({ split: 'Records', expandJson, fields }, payload);
    expect(alerts.map((alert) => alert.fields.title.value)).toEqual([
      'a {"alert":{"name":"a"}}',
      'plain',
      null,
      'b 1.10',
      null,
    ]);
    expect(warnings).toEqual([
      {
        code: 'not_expanded',
        message: '1 of 3 values at Records.body are not JSON text; left as sent',
        value: 'Records.body',
      },
    ]);
  });

  test('is expanded at one index of a list, and under keys with dots', () => {
    const payload = { 'a.b': [{ text: '{"x":1}' }, { text: '{"x":2}' }] };
    const fields = { title: { template: '{{webhook.a.b}}' } };
    const { alerts } = run({ expandJson: ['a.b[1].text'], fields }, payload);
    expect(alerts[0]?.fields.title.value).toBe('[{"text":"{\\"x\\":1}"},{"text":{"x":2}}]');
  });

  test('is left as sent if it is not JSON', () => {
    const { alerts, warnings } = run({ ...mapping, expandJson: ['Message'] }, { Message: 'plain text' });
    expect(alerts[0]?.fields.title).toMatchObject({
      result: 'missing',
      missing: [{ path: 'webhook.Message.id' }],
    });
    expect(warnings).toMatchObject([{ code: 'not_expanded', value: 'Message' }]);
  });

  test('has no warning if nothing is there', () => {
    expect(run(mapping, {}).warnings).toEqual([]);
  });
});

describe('a confirmation of Amazon SNS', () => {
  const confirmation = {
    Type: 'SubscriptionConfirmation',
    MessageId: '1',
    Token: '2336412f37',
    TopicArn: 'arn:aws:sns:eu-central-1:111122223333:alarms',
    Message: 'You have chosen to subscribe',
    SubscribeURL: 'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&Token=2336412f37',
    Timestamp: '2026-02-03T10:20:00.000Z',
  };

  test.each([[null], [required], [{ ...required, split: 'alerts' }]])(
    'is an alert that shows its link',
    (mapping) => {
      const result = mapping ? run(mapping, confirmation) : normalize(null, bytes(confirmation));
      const alert = only(result);
      expect(alert.state).toBe('complete');
      expect(valuesOf(alert)).toEqual({
        title: `Confirm the SNS subscription to ${confirmation.TopicArn}`,
        severity: 'info',
        description: expect.stringContaining(confirmation.SubscribeURL),
        source: 'Amazon SNS',
      });
    },
  );

  test('is an alert when the subscription ends', () => {
    const alert = only(run(required, { ...confirmation, Type: 'UnsubscribeConfirmation' }));
    expect(alert.fields.title.value).toBe(`The SNS subscription to ${confirmation.TopicArn} has ended`);
  });

  test.each([
    ['https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription', true],
    ['https://sns.us-gov-west-1.amazonaws.com/?Action=ConfirmSubscription', true],
    ['https://sns.cn-north-1.amazonaws.com.cn/?Action=ConfirmSubscription', true],
    ['https://evil.example/sns.eu-central-1.amazonaws.com', false],
    ['https://sns.eu-central-1.amazonaws.com.evil.example/', false],
    ['https://sns.eu-central-1.amazonaws.com@evil.example/', false],
    ['https://user@sns.eu-central-1.amazonaws.com/', false],
    ['https://sns.eu-central-1.amazonaws.com:8443/', false],
    ['https://my-bucket.sns.amazonaws.com/', false],
    ['https://snsXeu-central-1.amazonaws.com/', false],
    ['http://sns.eu-central-1.amazonaws.com/', false],
    ['javascript:alert(1)', false],
    ['not a link', false],
  ])('with the link %s leads to Amazon: %s', (SubscribeURL, genuine) => {
    for (const Type of ['SubscriptionConfirmation', 'UnsubscribeConfirmation']) {
      const { fields } = only(run(required, { ...confirmation, Type, SubscribeURL }));
      const { title, description } = fields;
      expect(title.value?.startsWith('Suspicious SNS confirmation')).toBe(!genuine);
      expect(description.value?.includes('does not lead to an Amazon SNS host')).toBe(!genuine);
      expect(description.value).toContain(SubscribeURL);
    }
  });

  test('with a very long topic still warns about its link', () => {
    const forged = { ...confirmation, TopicArn: 't'.repeat(100_000), SubscribeURL: 'https://evil.example' };
    const { title, description } = only(run(required, forged)).fields;
    expect(title.value).toMatch(/^Suspicious/);
    expect(description.value).toContain('Do not open the link');
  });

  test('is not recognized if a property is missing', () => {
    const { SubscribeURL: _, ...other } = confirmation;
    expect(only(run(required, other)).fields.source.value).toBe('Test');
  });
});

describe('budgets', () => {
  test('long texts in some items take nothing from the other fields and items', () => {
    const items = Array.from({ length: 20 }, (_, index) => ({
      host: `h${index}`,
      text: 'x'.repeat(index < 8 ? 40_000 : 10),
    }));
    const { alerts } = run(
      {
        ...required,
        split: 'items',
        custom: {
          host: { template: '{{item.host}}' },
          found: { expression: 'first(extract(item.text, "[a-z]{1,63}[.]example"), "none")' },
        },
      },
      { severity: 'info', items },
    );
    expect(alerts.map(({ custom }) => custom.host?.value)).toEqual(items.map(({ host }) => host));
    const stopped = alerts.map(({ faults }) => faults.some(({ code }) => code === 'too_many_steps'));
    expect(stopped).toEqual(items.map((_, index) => index < 8));
  });

  const three = '{{#webhook.l}}{{#webhook.l}}{{#webhook.l}}x{{/webhook.l}}{{/webhook.l}}{{/webhook.l}}';

  test.each([
    ['too_many_steps', three.replace('x', '{{.}}'), { l: Array(300).fill(1) }],
    ['too_many_steps', '{{webhook.l.name}}', { l: Array(60_000).fill(1) }],
    [
      'too_much_output',
      '{{#webhook.l}}{{webhook.text}}{{/webhook.l}}',
      { l: Array(300).fill(1), text: 'x'.repeat(9_000) },
    ],
  ])('%s is an error of its field only', (code, template, payload) => {
    const result = run(
      { ...required, custom: { big: { template } } },
      { severity: 'info', text: 'x', ...payload },
    );
    const alert = only(result);
    expect(alert.custom.big).toMatchObject({ value: null, result: 'missing' });
    expect(alert.faults).toMatchObject([{ code, field: 'custom.big' }]);
    expect(alert.state).toBe('complete');
  });

  test('a default replaces a field that exceeds the budget', () => {
    const alert = only(
      run({ fields: { title: { template: three, default: 'many' } } }, { l: Array(300).fill(1) }),
    );
    expect(alert.fields.title).toMatchObject({ value: 'many', result: 'defaulted' });
  });

  test('a payload that is nested too deeply fails, as bytes and as a value', () => {
    const deep = `${'['.repeat(65)}${']'.repeat(65)}`;
    expect(run(required, Buffer.from(deep))).toMatchObject({
      eventState: 'failed',
      faults: [{ code: 'too_deep' }],
    });
    expect(normalizeValue(null, JSON.parse(deep))).toMatchObject({ eventState: 'failed' });
    const most = Buffer.from(deep.slice(1, -1));
    expect(run(required, most)).toMatchObject({ eventState: 'normalized' });
  });

  test('a text is read like bytes, with or without a byte order mark', () => {
    const text = '{"severity":"info","text":"x"}';
    const ready = compiled(required);
    for (const payload of [text, `\ufeff${text}`, Buffer.from(`\ufeff${text}`)]) {
      expect(normalize(ready, payload)).toEqual(normalizeValue(ready, JSON.parse(text)));
    }
  });

  test('a payload that is not JSON fails', () => {
    expect(run(required, Buffer.from('{"a":'))).toMatchObject({
      eventState: 'failed',
      faults: [{ code: 'not_json' }],
    });
  });
});

describe('the cache of compiled mappings', () => {
  test('keeps the most recently used', () => {
    const cache = new MappingCache(2);
    const first = cache.add('1', compileStored(required));
    cache.add('2', compileStored(required));
    expect(cache.get('1')).toBe(first);
    cache.add('3', compileStored(required));
    expect(cache.get('2')).toBeUndefined();
    expect(cache.get('1')).toBe(first);
  });

  test('reads a bar in a tag that was saved before there were first-ofs as part of the key', () => {
    const fields = { title: { template: '{{webhook.a|b}} {{webhook.x|webhook.c}}' } };
    const mapping = new MappingCache().add('1', compileStored({ fields }));
    expect(mapping && only(normalizeValue(mapping, { 'a|b': 'bar', c: 'c' })).fields.title.value).toBe(
      'bar c',
    );
  });

  test('returns null for a mapping that does not compile', () => {
    expect(new MappingCache().add('1', compileStored({ fields: { title: { template: '{{' } } }))).toBeNull();
  });
});
