import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { RawRequest } from './raw-request.js';
import { brokenJson, damaged, hostileJson, hostileText } from './values.js';

const bytesOf = (text: string | Uint8Array): Buffer =>
  typeof text === 'string' ? Buffer.from(text) : Buffer.from(text);

const mappingPiece = fc.constantFrom(
  ...[
    'webhook',
    'item',
    'request',
    '.a',
    '["b"]',
    '[0]',
    '.__proto__',
    '.constructor',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '"',
  ],
  ...[
    "'",
    '"a"',
    '1',
    '1.5',
    '1e400',
    '-',
    '+',
    '%',
    '==',
    '&&',
    '||',
    '!',
    '?',
    ':',
    ',',
    ' in ',
    'true',
    'null',
    '\\',
  ],
  ...[
    '.matches("',
    '(a+)+$',
    '.size()',
    'has(',
    '.map(x, x)',
    '.all(x, ',
    'timestamp(',
    'duration("1s")',
    'dyn(',
    '//',
  ],
  ...['{{', '}}', '{{#webhook.a}}', '{{/webhook.a}}', '{{^', '|', '{{webhook.a}}', '\n', '😀', '\0'],
);
const mappingText = fc
  .oneof(
    fc.array(mappingPiece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    hostileText,
  )
  .map((text) => JSON.stringify(text));
const field = fc.oneof(
  mappingText.map((text) => `{"template":${text}}`),
  mappingText.map((text) => `{"expression":${text}}`),
  hostileJson,
);

const anyMapping = fc
  .tuple(field, field, fc.option(mappingText), fc.option(mappingText))
  .map(([title, custom, filter, split]) => {
    const more = `${filter === null ? '' : `,"filter":${filter}`}${split === null ? '' : `,"split":${split}`}`;
    return `{"fields":{"title":${title},"dedupKey":${title}},"custom":{"a":${custom}}${more}}`;
  });
const correctMapping = fc.constantFrom(
  '{"fields":{"title":{"template":"{{webhook.a.b[0]}}"}},"split":"a","expandJson":["a","a.b"]}',
  '{"fields":{"title":{"expression":"webhook.a.map(x, x + 1)"}},"filter":"webhook.a > 1 || has(webhook.b)"}',
);

/** Mappings of templates and expressions, tried on any payload. Two in three may be wrong. */
export const hostileMappings: fc.Arbitrary<RawRequest> = fc
  .tuple(
    fc.oneof({ weight: 2, arbitrary: anyMapping }, { weight: 1, arbitrary: correctMapping }),
    hostileJson,
  )
  .map(([mapping, payload]) => ({
    method: 'POST',
    path: '/v2/webhooks/{webhook}/preview',
    headers: { 'content-type': 'application/json' },
    body: `{"mapping":${mapping},"payload":${payload}}`,
  }));

const eventBody = fc.oneof(hostileJson, brokenJson).map(bytesOf);

const eventParts = fc.record({
  body: damaged(
    fc.oneof(
      eventBody,
      eventBody.map((bytes) => gzipSync(bytes)),
      eventBody.map((bytes) => deflateSync(bytes)),
      hostileText.map((text) =>
        Buffer.from(`payload=${encodeURIComponent(text.toWellFormed())}&a[b]=c&&=&%`),
      ),
    ),
  ),
  type: fc.constantFrom(
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain',
    ';',
    'a/b; charset=utf-7',
  ),
  coding: fc.constantFrom('', '', 'gzip', 'deflate', 'br'),
});
const correctEvent = fc.record({
  body: fc.json({ maxDepth: 3 }).map(bytesOf),
  type: fc.constant('application/json'),
  coding: fc.constant(''),
});

/** Events of any content, type and coding. One in three is correct. */
export const hostileEvents: fc.Arbitrary<RawRequest> = fc
  .tuple(
    fc.oneof({ weight: 2, arbitrary: eventParts }, { weight: 1, arbitrary: correctEvent }),
    fc.constantFrom('', '?a=b&a=c', '?__proto__=1', `?${'a&'.repeat(3_000)}`, '?%zz'),
  )
  .map(([{ body, type, coding }, query]) => ({
    method: 'POST',
    path: `/api/v1/webhook/{untouchedToken}${query}`,
    headers: { 'content-type': type, ...(coding && { 'content-encoding': coding }) },
    body,
  }));

const LISTS = [
  '/v2/keys',
  '/v2/jobs',
  '/v2/alerts',
  '/v2/events',
  '/v2/webhooks',
  '/v2/developers/identities',
];

/** Pages of lists by cursors of any list, changed in their bytes or in their JSON. One in three is as it was. */
export const hostileCursors = (
  known: readonly { path: string; cursor: string }[],
): fc.Arbitrary<RawRequest> => {
  const correct = fc.constantFrom(...known);
  const original = correct.map(({ cursor }) => cursor);
  const inJson = fc.tuple(original, hostileJson, fc.nat(3)).map(([cursor, value, place]) => {
    const [version, hash, values] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const list = (values as unknown[]).map((one, i) => (i === place ? '@' : one));
    const text = JSON.stringify([version, hash, place === 3 ? '@' : list]).replace('"@"', () => value);
    return Buffer.from(text).toString('base64url');
  });
  const inBytes = damaged(original.map((cursor) => Buffer.from(cursor))).map((bytes) =>
    bytes.toString('latin1'),
  );
  const changed = fc.record({
    path: fc.constantFrom(...LISTS, ...known.map(({ path }) => path)),
    cursor: fc.oneof(original, inJson, inJson, inBytes, hostileText),
  });
  return fc
    .oneof({ weight: 2, arbitrary: changed }, { weight: 1, arbitrary: correct })
    .map(({ path, cursor }) => ({
      method: 'GET',
      path: `${path}?pageSize=1&cursor=${encodeURIComponent(cursor.toWellFormed())}`.slice(0, 15_000),
    }));
};
