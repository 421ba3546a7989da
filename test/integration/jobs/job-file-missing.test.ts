import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { finishJob, requestCancel } from '../../../db/jobs/job-lifecycle.js';
import { insertJob } from '../../../db/jobs/jobs.js';
import { Client } from '../../support/api/client.js';
import { content, finishedExport } from '../../support/api/finished-export.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

describe('without a file', () => {
  let stack: Stack;
  let client: Client;
  beforeAll(async () => {
    stack = await startStack({ worker: false });
    client = await Client.of(stack, 'developer_records:read');
  });
  afterAll(() => stack.stop());
  const ask = async (id: string) => {
    const { status, body } = await client.get(`/v2/jobs/${id}/file`);
    return { status, code: body.code };
  };

  test('an expired file is 410, before and after its removal', async () => {
    const id = await finishedExport(stack, { keptS: -1 });
    expect(await ask(id)).toEqual({ status: 410, code: 'result_expired' });
    await stack.database('jobs').where({ id }).update({ result_key: null });
    expect(await ask(id)).toEqual({ status: 410, code: 'result_expired' });
  });

  test('jobs that are not ready, failed or canceled are 409; unknown jobs and jobs without a file are 404', async () => {
    const open = (await client.json('POST', '/v2/developers/identities/exports', {})).body.jobId;
    expect(await ask(open)).toEqual({ status: 409, code: 'job_not_finished' });
    for (const state of ['failed', 'canceled'] as const) {
      const id = uuidv7();
      await insertJob(stack.database, {
        id,
        type: 'identity-export',
        queue: 'identity-export',
        apiKeyId: id,
        requestId: 'r',
        params: {},
      });
      if (state === 'canceled') await requestCancel(stack.database, id);
      else await finishJob(stack.database, id, { state });
      expect(await ask(id)).toEqual({ status: 409, code: `job_${state}` });
    }
    const upload = uuidv7();
    await insertJob(stack.database, {
      id: upload,
      type: 'identity-import',
      queue: 'identity-import',
      apiKeyId: upload,
      requestId: 'r',
      params: {},
    });
    expect(await ask(upload)).toEqual({ status: 404, code: 'not_found' });
    expect(await ask(uuidv7())).toEqual({ status: 404, code: 'not_found' });
  });

  test('a key without the scope to read cannot read files of other keys', async () => {
    const id = await finishedExport(stack);
    const writer = await Client.of(stack, 'developer_records:write');
    expect((await writer.get(`/v2/jobs/${id}/file`)).status).toBe(404);
  });
});

test('a store that fails within a file breaks the connection, so that no partial file looks complete', async () => {
  const stack = await startStack({ worker: false });
  const client = await Client.of(stack);
  const path = `/v2/jobs/${await finishedExport(stack)}/file`;
  const { files } = stack.api;
  stack.api.files = {
    write: (key, source) => files.write(key, source),
    stat: (key) => files.stat(key),
    remove: (key) => files.remove(key),
    list: () => files.list(),
    check: () => files.check(),
    read: () =>
      Readable.from(
        (async function* () {
          yield Buffer.from(content.slice(0, 1_000));
          throw new Error('the disk is gone');
        })(),
      ),
  };
  await expect(client.get(path)).rejects.toThrow();
  await stack.stop();
});
