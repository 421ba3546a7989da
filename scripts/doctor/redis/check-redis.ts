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
import { findPrefixes } from './prefixes.js';
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
      prefixes: (check) => findPrefixes(check, redis, settings),
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
  const owner = await readNode(await ownerOf(redis, redisPrefix));
  const form = formOf(url);
  const where =
    form === 'server' ? addressesOf(url) : `${form} of ${addressesOf(url)}, keys on ${owner.address}`;
  return [
    findVersion(nodes, where),
    findReplication(owner, form),
    ...(required === 0 ? [] : [findWaiting(owner, required)]),
    findPersistence(nodes),
    findEviction(nodes),
    findMemory(owner),
  ];
}

const REASONS: readonly [reason: RegExp, found: string, advice: string][] = [
  [
    /WRONGPASS|NOAUTH|NOPERM/,
    'rejects the user or password',
    'Correct the user and password in REDIS_URL; both must be percent-encoded. Sentinels may need sentinelUser and sentinelPassword.',
  ],
  [
    /No such master/,
    'does not know the name in REDIS_URL',
    'Correct the part after the last slash: the name that the Sentinels watch.',
  ],
  [
    /certificate/i,
    'has a certificate that is not trusted',
    'Set NODE_EXTRA_CA_CERTS to the certificate of its authority, and use the host name that its certificate has.',
  ],
];

/** Explains why Redis cannot be used. */
function explain(error: unknown, url: string): Finding {
  const reason = describeFailure(error);
  const [, found, advice] = REASONS.find(([known]) => known.test(reason)) ?? [
    null,
    'cannot be used',
    'Check that it runs and is not frozen, the address in REDIS_URL and whether it needs TLS, and the firewall between.',
  ];
  return failure('redis', `${addressesOf(url)} ${found} (${reason})`, advice);
}
