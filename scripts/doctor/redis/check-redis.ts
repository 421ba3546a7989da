import { connectProducer, type RedisConnection } from '../../../workers/queues/connection.js';
import { ownerOf } from '../../../workers/queues/owner.js';
import { type Clock, compareClocks } from '../clock.js';
import { describeFailure } from '../failure.js';
import { attempt, type Finding, failure } from '../finding.js';
import type { DoctorSettings } from '../settings.js';
import {
  findEviction,
  findMemory,
  findPersistence,
  findReplication,
  findVersion,
  findWaiting,
} from './node-checks.js';
import { addressesOf, formOf, primariesOf, readNode, readRedisTime, untilReady } from './nodes.js';
import { findQueues, findWorkers } from './work.js';

const READY_WITHIN_MS = 3_000;
const LEFT_OUT = 'Workers and queues are checked once it can be used.';

/** Checks Redis, the workers and the queues. If Redis cannot be used, that is the only finding. */
export async function checkRedis(settings: DoctorSettings, clock: Clock): Promise<Finding[]> {
  const { redisUrl: url, redisPrefix: prefix } = settings;
  const redis = connectProducer(url);
  redis.on('error', () => {});
  try {
    await untilReady(redis, READY_WITHIN_MS);
    const servers = await checkServers(redis, settings);
    const others: Record<string, (check: string) => Promise<Finding>> = {
      'redis-clock': (check) => compareClocks(check, clock, () => readRedisTime(redis)),
      workers: (check) => findWorkers(check, redis, prefix),
      queues: (check) => findQueues(check, redis, prefix),
    };
    const found = Object.entries(others).map(([check, find]) => attempt(check, () => find(check)));
    return [...servers, ...(await Promise.all(found))];
  } catch (error) {
    const finding = explain(error, url);
    return [{ ...finding, advice: `${finding.advice} ${LEFT_OUT}` }];
  } finally {
    if (redis.status !== 'end') redis.disconnect();
  }
}

async function checkServers(
  redis: RedisConnection,
  { redisUrl: url, redisPrefix, redisWaitReplicas: required }: DoctorSettings,
): Promise<Finding[]> {
  const nodes = await Promise.all(primariesOf(redis).map(readNode));
  const waiting =
    required === 0 ? [] : [findWaiting(await readNode(await ownerOf(redis, redisPrefix)), required)];
  const form = formOf(url);
  return [
    findVersion(nodes, `${form === 'server' ? '' : `${form} `}${addressesOf(url)}`),
    findReplication(nodes, form),
    ...waiting,
    findPersistence(nodes),
    findEviction(nodes),
    findMemory(nodes),
  ];
}

/** Explains why Redis cannot be used. */
function explain(error: unknown, url: string): Finding {
  const reason = describeFailure(error);
  const where = addressesOf(url);
  if (/^(WRONGPASS|NOAUTH|ERR .*AUTH|NOPERM)/.test(reason)) {
    const advice = 'Correct the user and password in REDIS_URL; both must be percent-encoded.';
    return failure('redis', `${where} rejects the user or password (${reason})`, advice);
  }
  const advice =
    'Check that it runs and is not frozen, the host and port in REDIS_URL, and the firewall between.';
  return failure('redis', `${where} cannot be used (${reason})`, advice);
}
