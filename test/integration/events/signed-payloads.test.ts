import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findSource } from '../../../workers/mapping/catalogue/index.js';
import { Client } from '../../support/api/client.js';
import { makeWebhook, receiptOf, sendEvent } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { SOURCE_SIGNERS } from '../../support/signatures/source-signers.js';

const DATA = join(import.meta.dirname, '../../../../shared/data/payloads');
const when = existsSync(DATA) ? describe : describe.skip;
const reason = existsSync(DATA) ? '' : ' (skipped: ../shared/data/payloads is not there)';

/** The template of each file. */
const FILES: Record<string, { source: string }> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../unit/conformance/payload-alerts.json'), 'utf8'),
);
// Amazon SNS signs with a certificate. Its tests are in test/integration/sns.
const SIGNED = Object.entries(FILES).flatMap(([file, { source }]) => {
  const signature = findSource(source)?.signature;
  return signature && signature.scheme !== 'aws-sns' ? [{ file, source, signature }] : [];
});

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

when(`payloads, signed as their source documents${reason}`, () => {
  test('most of the sources that can sign are among them', () => {
    expect(SIGNED.length).toBeGreaterThanOrEqual(20);
  });

  test.each(SIGNED)(
    '$file as $signature.scheme',
    async ({ file, source, signature: { scheme, parameters } }) => {
      const signer = SOURCE_SIGNERS[scheme] as (typeof SOURCE_SIGNERS)[string];
      const { secret, sign } = signer.start();
      const { path } = await makeWebhook(client, {
        template: source,
        signature: { scheme, secret, parameters: { ...parameters, ...signer.parameters } },
      });
      const body = readFileSync(join(DATA, `${file}.json`));
      const send = (content: Buffer, headers: Record<string, string>) =>
        sendEvent(stack.url, path, content, headers);
      const now = new Date();

      const accepted = await send(body, sign(body, now));
      expect(accepted.status).toBe(202);
      const { eventId } = (await accepted.json()) as { eventId: string };
      expect(await receiptOf(client, eventId)).toMatchObject({ state: 'normalized' });

      const other = Buffer.concat([body, Buffer.from(' ')]);
      expect((await send(other, sign(body, now))).status).toBe(signer.coversBody ? 401 : 202);
      expect((await send(body, signer.start().sign(body, now))).status).toBe(401);
      expect((await send(body, {})).status).toBe(401);
      const old = sign(body, new Date(now.getTime() - 600_000));
      expect((await send(body, old)).status).toBe(signer.timed ? 401 : 202);
    },
  );
});
