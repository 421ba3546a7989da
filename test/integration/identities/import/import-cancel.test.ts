import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import type { FileStore } from '../../../../db/files/index.js';
import { requestCancel } from '../../../../db/jobs/job-lifecycle.js';
import { type ImportDesk, openImportDesk } from '../../../support/api/import-desk.js';
import { HEADER } from '../../../unit/identities/reading.js';

let desk: ImportDesk;
beforeAll(async () => {
  desk = await openImportDesk();
});
afterAll(() => desk.close());
beforeEach(() => desk.database('identities').delete());

jest.setTimeout(120_000);

const accept = (content: string) =>
  desk.accept({ content, format: 'csv', action: 'assert', onError: 'abort', dryRun: false });

/** The desk's file store, but with another source for the upload. */
const uploadOf = (content: () => AsyncGenerator<Buffer>): FileStore =>
  new Proxy(desk.files, {
    get: (target, name) => {
      if (name === 'read') return () => Readable.from(content());
      const found = Reflect.get(target, name);
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });

test('an import that is canceled during the validation pass writes nothing', async () => {
  const row = 'ada@example.com,1,ada\n';
  const id = await accept(HEADER + row);
  const files = uploadOf(async function* () {
    yield Buffer.from(HEADER);
    await requestCancel(desk.database, id);
    yield Buffer.from(row);
  });
  await desk.deliver(id, { files });
  expect(await desk.find(id)).toMatchObject({ state: 'canceled' });
  expect(await desk.database('identities')).toEqual([]);
});

test('an import can be canceled while it reads only blank lines', async () => {
  const id = await accept(`${HEADER}ada@example.com,1,ada\n`);
  let stopped = false;
  const files = uploadOf(async function* () {
    yield Buffer.from(HEADER);
    await requestCancel(desk.database, id);
    // Far longer than a cancellation takes, and slow enough to stay below the limit of blank lines.
    for (let i = 0; i < 600 && !stopped; i++) {
      yield Buffer.alloc(1_000, '\n');
      await sleep(50);
    }
    yield Buffer.from('ada@example.com,1,ada\n');
  });
  await desk.deliver(id, { files });
  stopped = true;
  expect(await desk.find(id)).toMatchObject({ state: 'canceled', counts: null });
  expect(await desk.database('identities')).toEqual([]);
});
