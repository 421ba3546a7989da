import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { generateKeyText } from '../../db/access/api-keys.js';
import type { Database } from '../../db/client/connect.js';
import { findJob } from '../../db/jobs/jobs.js';
import { fingerprintOf, type LargeUpload, largeUpload } from '../support/api/large-upload.js';
import { makeWebhook, sendEvent } from '../support/api/webhooks.js';
import { type Backup, takeBackup } from '../support/engines/backup.js';
import { describeEngine, unpackedEngine } from '../support/engines/describe-engine.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { until } from '../support/until.js';

const ROWS = 60_000;
const SENDERS = 4;

describeEngine('Backup under load, restored to new servers', whyNot(), () => {
  const upload: LargeUpload = largeUpload(ROWS);
  const under = { 'idempotency-key': 'an-upload-before-the-backup', prefer: 'respond-async' };
  /** The ids of events that were acknowledged before the backup began. */
  const acknowledged: string[] = [];
  let backup: Backup;
  let first: Fleet;
  let restored: Fleet;
  let path: string;
  let jobId: string;

  beforeAll(async () => {
    const env = { IMPORT_CHUNK_ROWS: '500', BOOTSTRAP_API_KEY: generateKeyText() };
    first = await startFleet({ env });
    const [api] = first.apis;
    if (!api) throw new Error('no API');
    const { client, url } = api;
    path = (await makeWebhook(client)).path;
    await client.upload(upload.seed);
    const lock = await lockLastAccount(first.database);
    jobId = (await client.upload(upload.csv, '', under)).body.jobId;
    await until('the import has written some chunks', async () => (await chunksOf(first)) > 5);

    let isBackingUp = false;
    let isBackupDone = false;
    const senders = Array.from({ length: SENDERS }, async (_, sender) => {
      for (let n = 0; !isBackupDone; n++) {
        const response = await sendEvent(url, path, { alert: { name: `event ${sender} ${n}` } });
        const { eventId } = (await response.json()) as { eventId: string };
        if (!isBackingUp) acknowledged.push(eventId);
      }
    });
    await until('events are acknowledged', () => acknowledged.length > 100);
    isBackingUp = true;
    backup = await takeBackup(first);
    isBackupDone = true;
    await Promise.all(senders);
    const job = await findJob(first.database, jobId);
    expect(job?.finishedAt).toBeNull();
    await lock.rollback();
    await first.stop();
    restored = await startFleet({ env, restore: backup.restore });
  });
  afterAll(async () => {
    await first?.stop();
    await restored?.stop();
    backup?.remove();
  });

  const chunksOf = ({ database }: Fleet): Promise<number> => countOf(database, 'job_steps');

  /** Locks the account that an import writes last, so that none ends during the backup, however fast the machine is. */
  async function lockLastAccount(database: Database): Promise<Knex.Transaction> {
    const transaction = await database.transaction();
    const last = [
      { column: 'integration_id', order: 'desc' },
      { column: 'identity', order: 'desc' },
    ];
    await transaction('identities').orderBy(last).limit(1).forUpdate().select('identity');
    return transaction;
  }

  test('an import that was being written is completed, with every row right', async () => {
    await until(
      'the import has ended',
      async () => (await findJob(restored.database, jobId))?.finishedAt !== null,
      120_000,
    );
    const job = await findJob(restored.database, jobId);
    expect([job?.state, job?.error, job?.counts]).toEqual(['completed', null, upload.counts]);
    expect(await fingerprintOf(restored.database)).toEqual(upload.fingerprint);
  });

  test('every event that was acknowledged before the backup is stored, with one alert', async () => {
    expect(acknowledged.length).toBeGreaterThan(100);
    const { database } = restored;
    const found = async () => new Set((await database('events').select('id')).map(({ id }) => hex(id)));
    await until('they are stored', async () => {
      const ids = await found();
      return acknowledged.every((id) => ids.has(id.replaceAll('-', '')));
    });
    const [events, alerts] = await Promise.all(['events', 'alerts'].map((table) => countOf(database, table)));
    expect(alerts).toBe(events);
  });

  test('a request that is repeated with its Idempotency-Key is not executed again', async () => {
    const [api] = restored.apis;
    const again = await api?.client.upload(upload.csv, '', under);
    expect(again?.body.jobId).toBe(jobId);
  });

  test('webhook URLs still work, because SECRET_KEY is the same', async () => {
    const url = restored.apis[0]?.url as string;
    expect((await sendEvent(url, path, { alert: { name: 'after' } })).status).toBe(202);
    const { text } = (await restored.apis[0]?.client.get('/v2/webhooks')) ?? { text: '' };
    expect(text).toContain(path);
  });
});

const countOf = async (database: Database, table: string): Promise<number> =>
  Number((await database(table).count({ count: '*' }))[0]?.count);

const hex = (id: Buffer | string): string =>
  typeof id === 'string' ? id.replaceAll('-', '') : id.toString('hex');

function whyNot(): string | null {
  return unpackedEngine('backup') ? null : 'mariadb-dump could not be downloaded';
}
