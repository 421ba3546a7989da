import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { DAY_MS } from '../../../db/upkeep/horizons.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import { expireSeries } from '../../../workers/upkeep/expire-series.js';
import { runTurn } from '../../../workers/upkeep/run-turn.js';
import { workerServices } from '../../support/api/run-job.js';
import { itemsEvent, writeEvents } from '../../support/series/write-items.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ worker: false });
});
afterAll(() => stack.stop());

const firing = (dedupKey: string, receivedAt: number) =>
  itemsEvent(uuidv7(), receivedAt, [{ dedupKey, status: 'firing' }]);

test('the place that upkeep keeps always has a time limit, also if it expires during a turn', async () => {
  const services = workerServices(stack);
  const { redis, settings } = services;
  const key = `${settings.redisPrefix}:expired-items`;
  const old = Date.now() - (settings.alertRetentionDays + 2) * DAY_MS;
  const store = (time: number) =>
    writeEvents(stack.database, [firing('disk', time), firing('disk', Date.now())]);

  await store(old);
  await runTurn([expireSeries], services);
  expect(await redis.ttl(key)).toBeGreaterThan(0);

  await store(old + 1_000);
  const expiring = new Proxy(redis, {
    get: (target, name) =>
      name === 'get'
        ? async (one: string) => {
            const value = await target.get(one);
            await target.del(one);
            return value;
          }
        : (Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)),
  });
  await runTurn([expireSeries], { ...services, redis: expiring } as WorkerServices);
  expect(await redis.ttl(key)).not.toBe(-1);
});
