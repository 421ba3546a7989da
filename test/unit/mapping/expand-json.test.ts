import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { compileStored, type JsonValue, normalize, parsePayload } from '../../../workers/mapping/index.js';
import { expandJson } from '../../../workers/mapping/payload/expand-json.js';
import { bytes, compiled, errorsOf, run } from './mapping.js';

afterEach(() => {
  jest.restoreAllMocks();
});

/** Expands paths as a mapping names them. */
function expanded(payload: JsonValue, ...paths: string[]) {
  return expandJson(payload, compiled({ expandJson: paths, fields: {} }).expandJson);
}

describe('expanding takes a limited number of steps', () => {
  const records = (count: number, body: string) => ({ Records: Array(count).fill({ body }) });
  const isExpanded = ({ body }: { body: JsonValue }) => typeof body !== 'string';
  const tooManySteps = (path: string) => ({
    code: 'not_expanded',
    message: `expanding ${path} takes too many steps with this payload; the remaining values stay as sent`,
    value: path,
  });

  test('2,000 short texts are expanded', () => {
    const { payload, warnings } = expanded(records(2_000, '{"a":1}'), 'Records.body');
    expect(payload).toEqual({ Records: Array(2_000).fill({ body: { a: 1 } }) });
    expect(warnings).toEqual([]);
  });

  test('of 100,000, the first 2,000 or more are, and the rest is left as sent, with a warning', () => {
    const parse = jest.spyOn(JSON, 'parse');
    const { payload, warnings } = expanded(records(100_000, '{"a":1}'), 'Records.body');
    const { Records } = payload as unknown as ReturnType<typeof records>;
    const count = Records.filter(isExpanded).length;
    expect(count).toBeGreaterThan(2_000);
    expect(count).toBeLessThan(3_000);
    expect(parse).toHaveBeenCalledTimes(count);
    expect(Records.slice(0, count).every(isExpanded)).toBe(true);
    expect(Records).toHaveLength(100_000);
    expect(warnings).toEqual([tooManySteps('Records.body')]);
  });

  test('all paths of an event share them', () => {
    const payload = { a: records(100_000, '1e1'), b: '{"late":true}' };
    const { payload: result, warnings } = expanded(payload, 'a.Records.body', 'b');
    expect(result).toMatchObject({ b: '{"late":true}' });
    expect(warnings).toEqual([tooManySteps('a.Records.body'), tooManySteps('b')]);
  });

  test('three nested texts of 400,000 characters are expanded, ten are not', () => {
    const inEachOther = (count: number): string =>
      count === 0 ? 'x'.repeat(400_000) : JSON.stringify({ m: inEachOther(count - 1) });
    const paths = Array.from({ length: 10 }, (_, i) => `Message${'.m'.repeat(i)}`);
    // Quotes in quotes are few here, so the text stays near 400,000 characters.
    const three = expanded({ Message: inEachOther(3) }, ...paths.slice(0, 3));
    expect(three.warnings).toEqual([]);
    const ten = expanded({ Message: inEachOther(10) }, ...paths);
    expect(ten.warnings[0]).toEqual(tooManySteps('Message.m.m.m'));
  });

  test('plain text is not parsed', () => {
    const parse = jest.spyOn(JSON, 'parse');
    const { warnings } = expanded(
      { list: ['', ' ', 'plain text', 'Disk full', '(x)'].map((text) => ({ text })) },
      'list.text',
    );
    expect(parse).not.toHaveBeenCalled();
    expect(warnings).toMatchObject([
      { message: '5 of 5 values at list.text are not JSON text; left as sent' },
    ]);
  });

  test.each(['{"a":1}', ' [1]', '\n"text"', '-1', '7', 'true', 'false', 'null', '\ufeff{}'])(
    '%j is JSON',
    (text) => {
      expect(expanded({ text }, 'text')).toEqual({
        payload: { text: (parsePayload(text) as { value: JsonValue }).value },
        warnings: [],
      });
    },
  );
});

test('several paths expand texts of the same object and list, and the payload is not modified', () => {
  const payload = { list: [{ a: '1', b: '2' }, 'x', { a: '3', b: '4' }], c: '[5]', same: 6 };
  const before = structuredClone(payload);
  expect(expanded(payload, 'list.a', 'list[2].b', 'list.b', 'c').payload).toEqual({
    list: [{ a: 1, b: 2 }, 'x', { a: 3, b: 4 }],
    c: [5],
    same: 6,
  });
  expect(payload).toEqual(before);
});

test('a key __proto__ is expanded like any other', () => {
  const payload = JSON.parse('{"a":"1","__proto__":"{\\"x\\":1}"}');
  const result = expanded(payload, 'a', '__proto__').payload as object;
  expect(JSON.stringify(result)).toBe('{"a":1,"__proto__":{"x":1}}');
});

describe('keys with dots', () => {
  test('are found where a shorter key leads to nothing', () => {
    const payload = { a: { x: 1 }, 'a.b': '{"c":1}' };
    expect(expanded(payload, 'a.b')).toEqual({ payload: { a: { x: 1 }, 'a.b': { c: 1 } }, warnings: [] });
    expect(expanded({ l: { m: {} }, 'l.m': [payload] }, 'l.m.a.b').payload).toEqual({
      l: { m: {} },
      'l.m': [{ a: { x: 1 }, 'a.b': { c: 1 } }],
    });
  });

  test('are ignored if a shorter key leads to a value, as in templates', () => {
    const payload = { a: { b: '{"c":1}' }, 'a.b': '{"c":2}' };
    expect(expanded(payload, 'a.b').payload).toEqual({ a: { b: { c: 1 } }, 'a.b': '{"c":2}' });
  });

  test('that can be read in many ways take a limited number of steps', () => {
    const dotted = (levels: number): JsonValue =>
      levels <= 0 ? { x: 1 } : { a: dotted(levels - 1), 'a.a': dotted(levels - 2) };
    expect(expanded(dotted(24), `${'a.'.repeat(30)}z`).warnings).toMatchObject([{ code: 'not_expanded' }]);
  });
});

describe('the path suggested for expandJson expands the text', () => {
  test.each<[string, JsonValue, string, string?]>([
    ['["a.b"]', { 'a.b': '{"c":"found"}' }, '{{webhook["a.b"].c}}'],
    ['["a.b"].d', { 'a.b': { d: '{"c":"found"}' } }, '{{webhook["a.b"].d.c}}'],
    ['Message', { Message: '{"c":"found"}' }, '{{webhook.Message.c}}'],
    ['webhook.item.text', { item: { text: '{"c":"found"}' } }, '{{webhook.item.text.c}}'],
    ['webhook.webhook', { webhook: '{"c":"found"}' }, '{{webhook.webhook.c}}'],
    ['["my.list"].text', { 'my.list': [{ text: '{"c":"found"}' }] }, '{{item.text.c}}', '["my.list"]'],
  ])('%s', (path, payload, template, ...[split]) => {
    const mapping = { fields: { title: { template } }, ...(split ? { split } : {}) };
    const before = run(mapping, payload).alerts[0]?.fields.title;
    expect(before?.missing[0]?.expandJson).toBe(path);
    const after = run({ ...mapping, expandJson: [path] }, payload).alerts[0]?.fields.title;
    expect(after).toMatchObject({ value: 'found', result: 'resolved' });
  });
});

describe('a path that is listed twice', () => {
  const mapping = { expandJson: ['Message', 'a', 'webhook.Message', '["Message"]'], fields: {} };

  test('is rejected when a mapping is saved', () => {
    expect(errorsOf(mapping)).toEqual([
      { field: 'expandJson.2', code: 'repeated_path', message: '"webhook.Message" is listed more than once' },
      { field: 'expandJson.3', code: 'repeated_path', message: '"["Message"]" is listed more than once' },
    ]);
  });

  test('keeps working in a mapping that was saved earlier', () => {
    const stored = compileStored(mapping);
    if ('errors' in stored) throw new Error(JSON.stringify(stored.errors));
    expect(normalize(stored.mapping, bytes({ a: '1' })).eventState).toBe('normalized');
  });
});
