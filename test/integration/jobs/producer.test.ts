import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import type { Logger } from 'pino';
import { connectProducer } from '../../../workers/queues/connection.js';
import { upkeep } from '../../../workers/queues/contracts/upkeep.js';
import { queueDepths } from '../../../workers/queues/depth.js';
import { Producer, QueueUnavailable } from '../../../workers/queues/producer.js';
import { Replication } from '../../../workers/queues/replication.js';

const timers = () => process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length;

test('closing a producer whose connection has ended leaves nothing that keeps the process alive', async () => {
  const connection = connectProducer(process.env.TEST_REDIS_URL as string);
  await once(connection, 'ready');
  const producer = new Producer(connection, '{t-producer}');
  expect(await producer.has({ queue: 'upkeep', id: 'nobody' })).toBe(false);
  connection.disconnect();
  await once(connection, 'end');
  const before = timers();
  await producer.close();
  expect(timers()).toBe(before);
});

test('a job that no replica has is rejected; until the replicas catch up, no other is added, and a repeated one is added once', async () => {
  const connection = connectProducer(process.env.TEST_REDIS_URL as string);
  await once(connection, 'ready');
  const prefix = `{t-${randomUUID().slice(0, 8)}}`;
  const messages: string[] = [];
  const note = (_: object, message: string) => void messages.push(message);
  const log = { warn: note, info: note } as unknown as Logger;
  const producer = new Producer(
    connection,
    prefix,
    new Replication(connection, prefix, { replicas: 1, log }),
  );
  const enqueue = (id: string, by = producer) => by.enqueue(upkeep, id, { version: 1 });
  const waiting = async () => (await queueDepths(connection, prefix, upkeep.queues))[0]?.waiting;
  for (const id of ['one', 'one', 'two']) await expect(enqueue(id)).rejects.toThrow(QueueUnavailable);
  expect(await waiting()).toBe(1);
  expect(messages).toEqual([expect.stringMatching(/too few replicas .* lower REDIS_WAIT_REPLICAS/)]);
  await enqueue('one', new Producer(connection, prefix));
  expect(await waiting()).toBe(1);
  await producer.close();
});
