import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { verifyStandardWebhooks } from '../../../api/intake/signature/families/standard-webhooks.js';
import { newSecret, parseSecret, signatureHeaders } from '../../../workers/outbox/signature.js';
import { cases } from '../../support/effort.js';
import { testUnless } from '../../support/test-unless.js';

const nowS = () => Math.floor(Date.now() / 1_000);
const secretOf = (bytes: Uint8Array): string => `whsec_${Buffer.from(bytes).toString('base64')}`;

/** Returns whether the reference library accepts a request. */
function libraryTakes(secret: string, headers: Record<string, string>, body: string): boolean {
  try {
    new Webhook(secret).verify(body, headers, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

test('the reference library and the intake verify each signature, with any of the secrets', () => {
  const secret = fc.uint8Array({ minLength: 24, maxLength: 64 }).map(secretOf);
  const body = fc.string({ unit: 'grapheme', maxLength: 300 });
  const property = fc.property(secret, secret, body, fc.uuid(), (one, other, text, id) => {
    const headers = signatureHeaders({ id, timestampSeconds: nowS(), body: text, secrets: [one, other] });
    for (const each of [one, other]) {
      expect(libraryTakes(each, headers, text)).toBe(true);
      expect(verifyStandardWebhooks(each)({ headers, body: Buffer.from(text) })).toBe('verified');
      expect(libraryTakes(each, headers, `${text} `)).toBe(false);
    }
    expect(libraryTakes(newSecret(), headers, text)).toBe(false);
    expect(headers['webhook-signature']).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
  });
  fc.assert(property, { numRuns: cases(100) });
});

test('the example of the standard', () => {
  const headers = signatureHeaders({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestampSeconds: 1_614_265_330,
    body: '{"test": 2432232314}',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  });
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('a body of bytes is signed like its text', () => {
  const request = { id: 'msg_1', timestampSeconds: 1, secrets: [newSecret()] as const };
  const text = '{"größe":"12 €"}';
  expect(signatureHeaders({ ...request, body: Buffer.from(text) })).toEqual(
    signatureHeaders({ ...request, body: text }),
  );
});

describe('a secret', () => {
  test('is new each time, with 32 bytes', () => {
    const [one, other] = [newSecret(), newSecret()];
    expect(one).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(one).not.toBe(other);
    expect(parseSecret(one)).toBe(one);
  });

  test('is taken as people paste it', () => {
    const key = Buffer.concat([Buffer.from([0xfb, 0xff, 0xbf]), randomBytes(22)]);
    const base64 = key.toString('base64');
    const secret = `whsec_${base64}`;
    const pasted = [
      ...[secret, ` ${secret}\n`, `"${secret}"`, `v1,${secret}`, base64],
      ...[`whsec_${key.toString('base64url')}`, `whsec_${base64.replace(/=+$/, '')}`],
    ];
    expect(pasted.map(parseSecret)).toEqual(pasted.map(() => secret));
  });

  test('has 24 to 64 bytes', () => {
    const sizes = [23, 24, 64, 65].map((size) => parseSecret(secretOf(randomBytes(size))) !== null);
    expect(sizes).toEqual([false, true, true, false]);
  });

  test.each([
    '',
    'whsec_',
    'whsec_••••••••••••••••••••••••••••••••',
    'whpk_abc',
    'not base64 at all, but long',
  ])('is not %j', (text) => {
    expect(parseSecret(text)).toBeNull();
  });
});

const isMissing = (program: string) => spawnSync(program, ['version']).error !== undefined;

/** Returns the first example of the documentation in a language. */
const exampleIn = (language: string): string =>
  readFileSync('docs/destinations.md', 'utf8')
    .split('## How do I verify the signature?')[1]
    ?.split(`\`\`\`${language}\n`)[1]
    ?.split('```')[0] ?? '';

/** Returns a signed request, and the same with another body, as arguments. */
const requests = () => {
  const [secret, body] = [newSecret(), '{"title":"größer als 90% 😀"}'];
  const secrets = [newSecret(), secret] as const;
  const headers = signatureHeaders({ id: 'msg_1', timestampSeconds: nowS(), body, secrets });
  return [body, `${body} `].map((text) => [secret, JSON.stringify(headers), text]);
};

const NODE = `console.log(verify(process.argv[1], JSON.parse(process.argv[2]), Buffer.from(process.argv[3])))`;
const PYTHON = `
import json, sys
print(verify(sys.argv[1], json.loads(sys.argv[2]), sys.argv[3].encode()))`;

describe('the example of the documentation verifies a signature', () => {
  test('in Node.js', () => {
    const script = exampleIn('js') + NODE;
    const run = (request: string[]) =>
      execFileSync(process.execPath, ['--input-type=module', '-e', script, ...request], { encoding: 'utf8' });
    expect(requests().map(run)).toEqual(['true\n', 'false\n']);
  });

  testUnless(isMissing('python3') ? 'there is no python3' : null)('in Python', () => {
    const script = exampleIn('python') + PYTHON;
    const run = (request: string[]) =>
      execFileSync('python3', ['-c', script, ...request], { encoding: 'utf8' });
    expect(requests().map(run)).toEqual(['True\n', 'False\n']);
  });

  testUnless(isMissing('openssl') ? 'there is no openssl' : null)('in a shell', () => {
    const folder = mkdtempSync(join(tmpdir(), 'signature-'));
    const [secret, body] = [newSecret(), '{"title":"größer als 90% 😀"}'];
    writeFileSync(join(folder, 'body.json'), body);
    const [ID, TIMESTAMP] = ['msg_1', '1772352000'];
    const headers = signatureHeaders({
      id: ID,
      timestampSeconds: Number(TIMESTAMP),
      body,
      secrets: [secret],
    });
    const env = { ...process.env, ID, TIMESTAMP, SECRET: secret };
    const script = `${exampleIn('sh')}printf %s "$SIGNATURE"`;
    const signature = execFileSync('sh', ['-c', script], { cwd: folder, env, encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect(signature).toBe(headers['webhook-signature']);
  });
});
