import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import {
  signedDeliveryId,
  verifyStandardWebhooks,
} from '../../../api/intake/signature/families/standard-webhooks.js';

const BODY = '{"größe":"12 €","text":"a.b,c"}';
const KEY = randomBytes(24).toString('base64');
const nowS = () => Math.floor(Date.now() / 1_000);
/** One time for all signatures of this file: signatures of different seconds differ. */
const SIGNED_AT = nowS();

type Headers = Record<string, string>;

/** Returns whether the reference library accepts a request. */
function libraryTakes(secret: string, headers: Headers, body: string): boolean {
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

const weTake = (secret: string, headers: Headers, body: string): boolean =>
  verifyStandardWebhooks(secret)({ headers, body: Buffer.from(body) }) === 'verified';

function signed(secret: string, { id = 'msg_1', at = SIGNED_AT, body = BODY } = {}): Headers {
  const signature = new Webhook(secret).sign(id, new Date(at * 1_000), body);
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': signature };
}

const right = signed(KEY)['webhook-signature'] as string;
const [, bare = ''] = right.split(',');
const other = signed(randomBytes(24).toString('base64'))['webhook-signature'] as string;

describe('a request is accepted exactly if the reference library accepts it', () => {
  test.each<[string, string, Headers, boolean]>([
    ['a base64 secret with whsec_', `whsec_${KEY}`, {}, true],
    ['a base64 secret without whsec_', KEY, {}, true],
    ['another secret', randomBytes(24).toString('base64'), {}, false],
    ['a bare signature without v1,', KEY, { 'webhook-signature': bare }, false],
    ['another version', KEY, { 'webhook-signature': `v1a,${bare}` }, false],
    [
      'the right signature after 7 others',
      KEY,
      { 'webhook-signature': `${`${other} `.repeat(7)}${right}` },
      true,
    ],
    ['a bare signature after a right one', KEY, { 'webhook-signature': `${right} ${bare}` }, true],
    ['something behind the signature', KEY, { 'webhook-signature': `${right},more` }, true],
    ['an unpadded signature', KEY, { 'webhook-signature': right.replace(/=+$/, '') }, false],
    ['no signature', KEY, { 'webhook-signature': '' }, false],
    ['no id', KEY, { 'webhook-id': '' }, false],
    ['no timestamp', KEY, { 'webhook-timestamp': 'now' }, false],
    ['another id', KEY, { 'webhook-id': 'msg_2' }, false],
  ])('%s', (_, secret, change, taken) => {
    const headers = { ...signed(KEY), ...change };
    expect([weTake(secret, headers, BODY), libraryTakes(secret, headers, BODY)]).toEqual([taken, taken]);
  });

  test.each([
    ['4 minutes old', -240, true],
    ['4 minutes ahead', 240, true],
    ['6 minutes old', -360, false],
    ['6 minutes ahead', 360, false],
  ])('%s', (_, seconds, taken) => {
    const headers = signed(KEY, { at: nowS() + seconds });
    expect([weTake(KEY, headers, BODY), libraryTakes(KEY, headers, BODY)]).toEqual([taken, taken]);
  });

  test('for any key, id, body and signatures', () => {
    const part = fc.constantFrom(right, bare, other, 'v1,', 'v1', 'v2,abc', ',', '', 'v1,AAAA');
    const property = fc.property(
      fc.uint8Array({ minLength: 16, maxLength: 64 }),
      fc.boolean(),
      fc.stringMatching(/^[\x21-\x7e]{1,30}$/),
      fc.string({ unit: 'grapheme' }),
      fc.array(part, { maxLength: 5 }),
      fc.boolean(),
      (key, prefixed, id, body, parts, isRight) => {
        const secret = `${prefixed ? 'whsec_' : ''}${Buffer.from(key).toString('base64')}`;
        const headers = signed(secret, { id, body });
        const all = isRight ? [...parts, headers['webhook-signature']] : parts;
        headers['webhook-signature'] = all.join(' ');
        expect(weTake(secret, headers, body)).toBe(libraryTakes(secret, headers, body));
      },
    );
    fc.assert(property, { numRuns: 300 });
  });
});

test('at most 8 signatures of its version are compared', () => {
  const among = (others: string) => ({ ...signed(KEY), 'webhook-signature': `${others}${right}` });
  expect(weTake(KEY, among(`${other} `.repeat(8)), BODY)).toBe(false);
  expect(weTake(KEY, among('v1a,AAAA '.repeat(100)), BODY)).toBe(true);
});

describe('headers of Svix', () => {
  const asSvix = (headers: Headers): Headers =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.replace('webhook-', 'svix-'), value]),
    );

  test('are accepted instead of those of the standard', () => {
    expect(weTake(KEY, asSvix(signed(KEY)), BODY)).toBe(true);
    expect(weTake(KEY, asSvix(signed(KEY)), `${BODY} `)).toBe(false);
    expect(weTake(KEY, { ...signed(KEY), ...asSvix(signed(KEY)) }, BODY)).toBe(true);
  });

  test('are not mixed with them', () => {
    const { 'webhook-id': id, ...rest } = signed(KEY);
    expect(weTake(KEY, { 'svix-id': id as string, ...rest }, BODY)).toBe(false);
  });
});

test('a secret that is not base64 is used as the key unchanged', () => {
  const secret = 'not base64 at all';
  const headers = signed(Buffer.from(secret).toString('base64'));
  expect(weTake(secret, headers, BODY)).toBe(true);
  expect(weTake('whsec_not base64 at all', headers, BODY)).toBe(false);
});

test('the delivery id is the signed one, regardless of other headers', () => {
  const svix = { 'svix-id': 'msg_1', 'svix-timestamp': String(SIGNED_AT), 'svix-signature': right };
  expect(signedDeliveryId({ ...svix, 'webhook-id': 'forged', 'idempotency-key': 'forged' })).toEqual({
    name: 'svix-id',
    value: 'msg_1',
  });
  expect(signedDeliveryId({ ...signed(KEY), 'svix-id': 'forged' })).toEqual({
    name: 'webhook-id',
    value: 'msg_1',
  });
});
