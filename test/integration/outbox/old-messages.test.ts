import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { toUuidBinary } from '../../../db/bulk/uuid-binary.js';
import { writeBeliefs } from '../../../db/outbox/beliefs.js';
import { deleteDestination, insertDestination } from '../../../db/outbox/destinations.js';
import { deleteOldBeliefs } from '../../../db/outbox/old-messages.js';
import { SOME_DESTINATION } from '../../support/outbox/some-destination.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own.drop());

test('what a destination knows is kept while an alert fires and as long as alerts, and not when the destination is deleted', async () => {
  const { database } = own;
  const [kept, deleted] = [uuidv7(), uuidv7()];
  for (const id of [kept, deleted]) await insertDestination(database, { ...SOME_DESTINATION, id, name: id });
  const [firing, over, old] = [uuidv7(), uuidv7(), uuidv7()];
  await database.transaction((transaction) =>
    writeBeliefs(
      transaction,
      [kept, deleted].flatMap((destinationId) =>
        [firing, over, old].map((keyId) => ({
          destinationId,
          keyId,
          alertId: uuidv7(),
          isFiring: keyId === firing,
          severity: null,
          transitionId: 1,
        })),
      ),
    ),
  );
  const told = { told_at: new Date(0) };
  await database('beliefs').whereIn('key_id', [firing, old].map(toUuidBinary)).update(told);
  await deleteDestination(database, deleted);
  const before = new Date(Date.now() - 60_000);
  while ((await deleteOldBeliefs(database, before, 1)) > 0);
  const left = await database('beliefs').select('destination_id', 'key_id');
  expect(left.map((row) => [row.destination_id, row.key_id]).sort()).toEqual(
    [firing, over].map((keyId) => [kept, toUuidBinary(keyId)]).sort(),
  );
});
