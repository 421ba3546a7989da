import { readdirSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { afterAll, expect, test } from '@jest/globals';
import { challengeOfGet, challengeOfPost } from '../../../api/intake/challenge.js';
import { deliveryIdIn, eventIdFor } from '../../../api/intake/event-id.js';
import { decompress } from '../../../api/intake/request/decompress.js';
import { eventText, plainBody } from '../../../api/intake/request/event-text.js';
import { keptRequest } from '../../../api/intake/request/kept-request.js';
import { parseSmall } from '../../../api/intake/request/parse-small.js';
import { EventBodies } from '../../../api/intake/request/read-event-body.js';
import { findPreset, presets, type SignaturePreset } from '../../../api/intake/signature/presets/index.js';
import { verifierOf } from '../../../api/intake/signature/verifier.js';
import { SnsCertificates } from '../../../api/sns/sns-certificates.js';
import { CHALLENGES } from '../../../db/webhooks/webhooks.js';
import { OutboundClient } from '../../../workers/outbound/outbound-client.js';
import { costRatio } from '../../support/cpu-time.js';
import { tableBlocks } from '../../support/hostile/deflate.js';
import { SOURCE_SIGNERS } from '../../support/signatures/source-signers.js';

const MIB = 1024 * 1024;
/** The most bytes of the request line and of all headers that Node accepts. */
const HEAD_BYTES = 16 * 1024;
/** How many times the CPU time of `JSON.parse` a byte may take. */
const MAX_RATIO = 5;

type Work = () => unknown;
/** One input of a parser. Without `bytes`, it has 1 MB. */
interface Case {
  run: Work;
  bytes?: number;
}
type Cases = Record<string, Work | Case>;

const repeated = (piece: string, bytes = MIB): string => piece.repeat(Math.floor(bytes / piece.length));
/** Joins pieces until they have almost 1 MB. */
function counted(piece: (i: number) => string, bytes = MIB): string {
  const pieces: string[] = [];
  for (let i = 0, length = 0; length < bytes - 100; i++)
    length += pieces[pieces.push(piece(i)) - 1]?.length ?? 0;
  return pieces.join('');
}

const alert = (i: number) =>
  JSON.stringify({
    status: 'firing',
    labels: { alertname: 'NodeDown', instance: `node-${i}:9100`, severity: 'critical', job: 'node' },
    annotations: { summary: `Instance node-${i} is down`, description: 'No scrape for five minutes.' },
    startsAt: '2026-03-01T08:00:00.123Z',
    generatorURL: `http://prometheus/graph?g0.expr=up&i=${i}`,
  });
/** What `JSON.parse` is measured with: alerts as Alertmanager sends them. */
const ALERTS = `[${counted((i) => `${i > 0 ? ',' : ''}${alert(i)}`)}]`;

const JSON_BODIES: Record<string, string> = {
  alerts: ALERTS,
  objects: `[${repeated('{},')}{}]`,
  numbers: `[${repeated('1,')}1]`,
  fractions: `[${repeated('1.5e-7,')}1]`,
  words: `[${repeated('true,')}null]`,
  'distinct keys': `{${counted((i) => `"${i.toString(36)}":1,`)}"":1}`,
  'distinct shapes': `[${counted((i) => `{"${i.toString(36)}":1},`)}1]`,
  'one text': `"${repeated('x')}`.slice(0, MIB - 1).concat('"'),
  escapes: `"${repeated('\\u00e9')}"`,
  'brackets in a text': `"${repeated('[')}"`,
  spaces: `${repeated(' ')}1`,
  'nested objects': `[${repeated(`${'{"a":'.repeat(60)}1${'}'.repeat(60)},`)}1]`,
  'cut off': ALERTS.slice(0, -1),
  'a quote at the end': `${ALERTS.slice(0, -30)}"x" y"}]`,
  'lines before a fault': `${repeated('\n')}x`,
  'brackets without an end': repeated('['),
};

/** A request without a right body gets an error, which is part of what is measured. */
const rejectable =
  (work: () => Promise<unknown>): Work =>
  () =>
    work().catch(() => null);

const sent = { coding: null, limit: MIB, reserve: () => {} };
const text = (bytes: Buffer | string, contentType: string): Work => {
  const body = Buffer.from(bytes);
  return rejectable(() => eventText(body, contentType, sent));
};
const transferred = (encoding: string, bytes: string): Work => {
  const body = Buffer.from(bytes);
  return rejectable(() => plainBody({ 'content-transfer-encoding': encoding }, { ...sent, body }));
};
const bodies = (contentType: string, texts: Record<string, Buffer | string>): Cases =>
  Object.fromEntries(Object.entries(texts).map(([name, bytes]) => [name, text(bytes, contentType)]));

const FORM = 'application/x-www-form-urlencoded';
const FORMS = {
  'escapes that are not UTF-8 as names': repeated('%f0=%f0&'),
  'escapes that are not UTF-8': `a=${repeated('%f0')}`,
  'distinct names': counted((i) => `${i.toString(36)}=&`),
  'one name': repeated('a=1&'),
  separators: `a=${repeated('&')}`,
  plus: `a=${repeated('+')}`,
  'control characters': `a=${repeated('%01')}`,
  quotes: `a=${repeated('"')}`,
  'half escapes': `a=${repeated('%')}`,
  'a thousand fields': counted((i) => `${i}=%e9${repeated('%C3%A9', 1_000)}&`),
  'embedded JSON': `payload=${encodeURIComponent(ALERTS.slice(0, 700_000))}`,
};

const CHARSETS = [
  'latin1',
  'utf-16',
  'utf-16be',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'gb18030',
  'big5',
  'euc-kr',
  'koi8-r',
];
const charsetCases = Object.fromEntries(
  CHARSETS.flatMap((charset) =>
    Object.entries({
      'high bytes': Buffer.alloc(MIB, 0xe9),
      ASCII: ALERTS.slice(0, MIB),
      pairs: Buffer.alloc(MIB, Buffer.from([0x83, 0x41, 0x1b, 0x24])),
    }).map(([name, bytes]) => [`${charset}: ${name}`, text(bytes, `application/json; charset=${charset}`)]),
  ),
);

const LONG = 'a'.repeat(70);
const multipart = (boundary: string) => `multipart/form-data; boundary=${boundary}`;
const MULTIPART: Cases = {
  'a field': text(`--b\r\n\r\n${ALERTS.slice(0, -20)}]\r\n--b--`, multipart('b')),
  'almost boundaries': text(`--${LONG}\r\n\r\n${repeated(`\r\n--${LONG.slice(1)}`)}`, multipart(LONG)),
  'ends of boundaries': text(`--${LONG}\r\n\r\n${repeated('a')}`, multipart(LONG)),
  'line breaks': text(`--b\r\n\r\n${repeated('\r\n--')}`, multipart('b')),
  parts: text(repeated('--b\r\n\r\n{}\r\n'), multipart('b')),
  headers: text(`--b\r\n${repeated('content-type: a\r\n')}`, multipart('b')),
  'no headers': text(`--b\r\n${repeated('a: b\r\n')}\r\n{}\r\n--b--`, multipart('b')),
  'an encoded field': text(
    `--b\r\nContent-Transfer-Encoding: base64\r\n\r\n${repeated('QUJD')}\r\n--b--`,
    multipart('b'),
  ),
};

/** Returns a request whose line or headers are as long as Node accepts. */
function request(url: string, rawHeaders: string[] = []) {
  const headers: Record<string, string> = {};
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers[(rawHeaders[at] as string).toLowerCase()] = rawHeaders[at + 1] as string;
  return { method: 'POST', url, headers, rawHeaders };
}
/** An integration whose mapping reads everything. */
const ALL = { query: 'all', headers: 'all' } as const;
const head = (run: Work): Case => ({ run, bytes: HEAD_BYTES });
const query = (text: string) => head(() => keptRequest(request(`/?${repeated(text, HEAD_BYTES)}`), ALL));
const headers = (raw: string[]) => head(() => keptRequest(request('/', raw), ALL));
const REQUESTS: Cases = {
  'query: escapes that are not UTF-8': query('%f0=%f0&'),
  'query: one name': query('a&'),
  'query: distinct names': head(() =>
    keptRequest(request(`/?${counted((i) => `${i.toString(36)}&`, HEAD_BYTES)}`), ALL),
  ),
  'query: one value': query('%C3%A9'),
  'headers: distinct names': headers(
    Array.from({ length: 1_900 }, (_, i) => (i % 2 ? '' : `x${i.toString(36)}`)),
  ),
  'headers: names to keep': headers(Array.from({ length: 1_900 }, (_, i) => (i % 2 ? '' : `x-${i % 62}`))),
  'headers: one value': headers(['x-a', 'é'.repeat(HEAD_BYTES)]),
  'headers: a random value': headers(['x-a', repeated('aB3dE6gH', HEAD_BYTES)]),
  'query: a random value': query('aB3dE6gH'),
  'query: random values': query('a=aB3dE6gHiJ9lM2oP5rS8uV1xY4aB3dE6gH&'),
  'headers: a content type': headers(['content-type', `${';charset'.repeat(2_000)}`]),
};
const TYPES: Cases = Object.fromEntries(
  [';charset=', '; charset ', ';boundary="', 'multipart/', ' ', ';'].map((piece) => [
    `type: ${piece}`,
    head(text('--', `multipart/form-data${repeated(piece, HEAD_BYTES)}`)),
  ]),
);

const inflated = (coding: 'gzip' | 'deflate', sent: Buffer): Work =>
  rejectable(() => decompress(coding, sent, MIB, () => {}));
const many = (piece: Buffer) => Buffer.concat(Array(Math.floor(MIB / piece.length)).fill(piece));
const NOISE = Buffer.from(
  Array.from({ length: MIB - 1_000 }, (_, i) => (Math.imul(i, 2_654_435_761) >>> 24) & 0xff),
);
const CODINGS: Cases = {
  'gzip: alerts': inflated('gzip', gzipSync(ALERTS.slice(0, MIB))),
  'gzip: noise': inflated('gzip', gzipSync(NOISE)),
  'gzip: a bomb': inflated('gzip', gzipSync(Buffer.alloc(64 * MIB))),
  'gzip: empty members': inflated('gzip', many(gzipSync(''))),
  'gzip: members of one byte': inflated('gzip', many(gzipSync('x'))),
  'deflate: alerts': inflated('deflate', deflateRawSync(ALERTS.slice(0, MIB))),
  'deflate: a bomb': inflated('deflate', deflateRawSync(Buffer.alloc(64 * MIB))),
  'deflate: empty blocks': inflated('deflate', many(Buffer.from([0, 0, 0, 0xff, 0xff]))),
};

const eventBodies = new EventBodies(60_000);
afterAll(() => eventBodies.stop());
const reading =
  (chunkBytes: number): Work =>
  () => {
    const req = new PassThrough();
    const read = eventBodies.read(req as unknown as IncomingMessage, MIB, () => {});
    const chunk = Buffer.alloc(chunkBytes, 'x');
    for (let bytes = 0; bytes < MIB; bytes += chunkBytes) req.emit('data', chunk);
    req.emit('end');
    return read;
  };

const challenges: Cases = Object.fromEntries(
  CHALLENGES.flatMap((challenge) => {
    const sent = (url: string, given: Record<string, string> = {}) =>
      ({ url, headers: given }) as unknown as IncomingMessage;
    const post =
      (text: string, url = '/') =>
      () =>
        challengeOfPost(challenge, sent(url), Buffer.from(text));
    const small = (text: string): Case => ({ run: post(text), bytes: 8_192 });
    return [
      [`${challenge}: 1 MB`, post(JSON_BODIES['distinct shapes'] as string)],
      [
        `${challenge}: shapes`,
        small((JSON_BODIES['distinct shapes'] as string).slice(0, 8_000).replace(/,[^,]*$/, ']')),
      ],
      [`${challenge}: text`, small(`{"type":"url_verification","challenge":"${'x'.repeat(8_000)}"}`)],
      [`${challenge}: query`, head(post('', `/?${repeated('validationToken=%f0&', HEAD_BYTES)}`))],
      [
        `${challenge}: GET`,
        head(() =>
          challengeOfGet(challenge, sent('/', { 'x-okta-verification-challenge': 'x'.repeat(HEAD_BYTES) })),
        ),
      ],
    ] as [string, Work | Case][];
  }),
);

const certificates = new SnsCertificates(new OutboundClient());
const LARGE = Buffer.alloc(MIB, 'x');
/** Repeats what a header has, as often as a header may be long. */
const multiplied = (value: string) => {
  const joint = value.includes('v1a,') || value.includes('v1,') ? ' ' : ',';
  return Array(Math.floor(12_000 / (value.length + 1)))
    .fill(value)
    .join(joint);
};

/** Returns the cases of the presets of one family: signed rightly, wrongly, too early, and with as many signatures as fit. */
function signatures(...families: SignaturePreset['scheme']['family'][]): Cases {
  const cases: Cases = {};
  for (const { name, scheme } of presets.filter((preset) => families.includes(preset.scheme.family))) {
    const signer = SOURCE_SIGNERS[name as keyof typeof SOURCE_SIGNERS];
    if (signer === undefined) continue;
    const [{ secret, sign }, other] = [signer.start(), signer.start()];
    const verify = verifierOf(scheme, signer.parameters ?? {}, secret, certificates);
    const wrong = other.sign(LARGE, new Date());
    const multiple = Object.fromEntries(
      Object.entries(wrong).map(([header, value]) => [
        header,
        /time|-id$/.test(header) ? value : multiplied(value),
      ]),
    );
    cases[`${name}: right`] = () => verify({ headers: sign(LARGE, new Date()), body: LARGE });
    cases[`${name}: wrong`] = () => verify({ headers: wrong, body: LARGE });
    cases[`${name}: many signatures`] = () => verify({ headers: multiple, body: LARGE });
  }
  return cases;
}

const sns = (text: string): Work => {
  const verify = verifierOf(
    (findPreset('aws-sns') as SignaturePreset).scheme,
    { topicArn: 'arn:aws:sns:eu-central-1:111122223333:alarms' },
    '',
    certificates,
  );
  return () => verify({ headers: {}, body: Buffer.from(text) });
};

/** The files that read what anybody may send, each with its worst inputs, or with the file whose inputs show it. */
const PARSERS: Record<string, Cases | string> = {
  'request/event-text.ts': {
    'quoted-printable': transferred('quoted-printable', repeated('=3D')),
    base64: transferred('base64', repeated('Q\r\n')),
    ...bodies('application/json', JSON_BODIES),
  },
  'request/document.ts': 'request/event-text.ts',
  'request/charset.ts': charsetCases,
  'request/form.ts': {
    ...bodies(FORM, FORMS),
    ...bodies(`${FORM}; charset=shift_jis`, { 'in Shift JIS': FORMS['a thousand fields'] }),
  },
  'request/multipart.ts': { ...MULTIPART, ...TYPES },
  'request/parse-small.ts': Object.fromEntries(
    Object.entries(JSON_BODIES).map(([name, text]) => [name, () => parseSmall(Buffer.from(text), 100)]),
  ),
  'request/decompress.ts': CODINGS,
  'request/read-event-body.ts': { 'pieces of 64 kB': reading(65_536), 'pieces of 16 bytes': reading(16) },
  'request/kept-request.ts': REQUESTS,
  'request/kept-name.ts': 'request/kept-request.ts',
  'signature/families/credentials.ts': signatures('token', 'basic'),
  'signature/families/ed25519.ts': signatures('ed25519'),
  'signature/families/hmac.ts': signatures('hmac'),
  'signature/families/standard-webhooks.ts': signatures('standard-webhooks', 'standard-webhooks-ed25519'),
  'signature/families/sns.ts': Object.fromEntries(
    Object.entries(JSON_BODIES).map(([name, text]) => [name, sns(`{"TopicArn":${text}}`.slice(0, MIB))]),
  ),
  'challenge.ts': challenges,
  'event-id.ts': {
    'a long id': head(() =>
      eventIdFor('1', {
        delivery: deliveryIdIn({ 'webhook-id': 'x'.repeat(HEAD_BYTES) }),
        isUnverified: true,
        raw: '',
      }),
    ),
  },
};

test('every file that reads what anybody may send is measured', () => {
  // These read mappings, which no sender sends.
  const others = ['request/read-names.ts'];
  const filesIn = (folder: string) =>
    readdirSync(`api/intake/${folder}`)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`);
  const files = [...filesIn('request'), ...filesIn('signature/families')];
  expect([...Object.keys(PARSERS), ...others].sort()).toEqual(
    [...files, 'challenge.ts', 'event-id.ts'].sort(),
  );
  for (const cases of Object.values(PARSERS)) {
    if (typeof cases === 'string') expect(Object.keys(PARSERS[cases] as Cases)).not.toEqual([]);
    else expect(Object.keys(cases)).not.toEqual([]);
  }
});

const reference = { run: () => JSON.parse(ALERTS), bytes: ALERTS.length };

/** Returns how many times the CPU time of `JSON.parse` some work takes. */
function ratioOf(work: Work | Case, limit = MAX_RATIO): Promise<number> {
  const { run, bytes = MIB } = typeof work === 'function' ? { run: work } : work;
  return costRatio({ run, bytes }, reference, limit);
}

const measured = Object.entries(PARSERS).flatMap(([file, cases]) =>
  typeof cases === 'string' ? [] : Object.entries(cases).map(([name, work]) => [file, name, work] as const),
);

test.each(measured)(
  '%s: %s takes at most 5 times as long a byte as JSON.parse',
  async (_file, _name, work) => {
    expect(await ratioOf(work)).toBeLessThanOrEqual(MAX_RATIO);
  },
);

test('blocks of deflate that are only a table take more, in a thread other than the event loop', async () => {
  const limit = 6 * MAX_RATIO;
  expect(await ratioOf(inflated('deflate', tableBlocks(MIB)), limit)).toBeLessThan(limit);
});
