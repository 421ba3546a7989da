import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findPreset, presets, type SignaturePreset } from '../../../api/intake/signature/presets/index.js';
import { verifierOf } from '../../../api/intake/signature/verifier.js';
import { SnsCertificates } from '../../../api/sns/sns-certificates.js';
import { OutboundClient } from '../../../workers/outbound/outbound-client.js';
import { type SignatureHeaders, SOURCE_SIGNERS } from '../../support/signatures/source-signers.js';

const certificates = new SnsCertificates(new OutboundClient());

test('every preset but that of SNS has a signer', () => {
  const names = presets.map(({ name }) => name).filter((name) => name !== 'aws-sns');
  expect(Object.keys(SOURCE_SIGNERS).sort()).toEqual(names.sort());
});

const bodies = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
/** A place in a text, as a share of its length, and what is written there. */
const strokes = fc.record({
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
  by: fc.constantFrom(...'0a7Zq'),
});

/**
 * Returns a text with one character replaced, which is not only the other case of the same letter. The last one stays: at the end
 * of base64, some bits have no meaning.
 */
function struck(text: string, { at, by }: { at: number; by: string }): string {
  const index = Math.floor(at * text.replace(/.=*$/, '').length);
  const other = (text[index] as string).toLowerCase() === by.toLowerCase() ? 'x' : by;
  return text.slice(0, index) + other + text.slice(index + 1);
}

describe.each(Object.entries(SOURCE_SIGNERS))('%s', (name, signer) => {
  const { scheme } = findPreset(name) as SignaturePreset;
  const { secret, sign } = signer.start();
  const verifierFor = (key: string) => verifierOf(scheme, signer.parameters ?? {}, key, certificates);
  const verify = verifierFor(secret);
  const at = new Date();

  test('a request as the source sends it is verified', () => {
    fc.assert(
      fc.property(bodies, (body) => verify({ headers: sign(body, at), body }) === 'verified'),
      { numRuns: 50 },
    );
  });

  test('a changed body is rejected if it is covered', () => {
    fc.assert(
      fc.property(bodies, bodies, (body, other) => {
        fc.pre(!body.equals(other));
        const verdict = verify({ headers: sign(body, at), body: other });
        expect(verdict).toBe(signer.coversBody ? 'wrong_signature' : 'verified');
      }),
      { numRuns: 50 },
    );
  });

  test('a change of any character of any header is rejected, and so is a header that is missing', () => {
    fc.assert(
      fc.property(bodies, strokes, (body, stroke) => {
        const headers = sign(body, at);
        for (const [header, value] of Object.entries(headers)) {
          const changed: SignatureHeaders = { ...headers, [header]: struck(value, stroke) };
          expect(verify({ headers: changed, body })).not.toBe('verified');
          const { [header]: _, ...rest } = headers;
          expect(verify({ headers: rest, body })).toBe('missing_header');
        }
      }),
      { numRuns: 100 },
    );
  });

  test('a request that is signed with another secret is rejected', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const other = signer.start();
        expect(verify({ headers: other.sign(body, at), body })).toBe('wrong_signature');
        expect(verifierFor(other.secret)({ headers: sign(body, at), body })).toBe('wrong_signature');
      }),
      { numRuns: 20 },
    );
  });

  test.each([-310, -290, 290, 310])('a request %d s from now is rejected if it is too far', (seconds) => {
    const body = Buffer.from('{"a":1}');
    const headers = sign(body, new Date(Date.now() + seconds * 1_000));
    const tooFar = signer.timed && Math.abs(seconds) > 300;
    expect(verify({ headers, body })).toBe(tooFar ? 'old_timestamp' : 'verified');
    // The age is known before the body is hashed.
    const other = verifierFor(signer.start().secret);
    expect(other({ headers, body })).toBe(tooFar ? 'old_timestamp' : 'wrong_signature');
  });
});

test('Grafana may name the header as its documentation or as its source code does, unless a header is set', () => {
  const { scheme } = findPreset('grafana') as SignaturePreset;
  const secret = 'a secret of some length';
  const body = Buffer.from('{}');
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const verdictOf = (header: string, parameters = {}) =>
    verifierOf(scheme, parameters, secret, certificates)({ headers: { [header]: signature }, body });
  expect(verdictOf('x-grafana-alerting-signature')).toBe('verified');
  expect(verdictOf('x-grafana-alert-signature')).toBe('verified');
  expect(verdictOf('x-other')).toBe('missing_header');
  expect(verdictOf('x-other', { header: 'x-other' })).toBe('verified');
  expect(verdictOf('x-grafana-alert-signature', { header: 'x-other' })).toBe('missing_header');
});
