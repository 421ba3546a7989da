import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { connectProducer } from '../../../workers/queues/connection.js';
import { Producer } from '../../../workers/queues/producer.js';

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
