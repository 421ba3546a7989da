import { connectProducer, type RedisConnection, readRedisTime } from '../../../workers/queues/connection.js';
import { ownersOf } from '../../../workers/queues/owner.js';
import { shardPrefixes } from '../../../workers/queues/shards/queue-prefix.js';
import { shardsInUse } from '../../../workers/queues/shards/shards-in-use.js';
import { type Clock, compareClocks } from '../clock.js';
import { describeFailure } from '../failure.js';
import { attempt, type Finding, failure, type Level } from '../finding.js';
import type { DoctorSettings } from '../settings.js';
import {
  findEviction,
  findMemory,
  findPersistence,
  findReplication,
  findVersion,
  findWaiting,
} from './node-checks.js';
import { addressesOf, formOf, primariesOf, type RedisNode, readNode, untilReady } from './nodes.js';
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
      'redis-clock': (check) => compareClocks(check, clock, () => readRedisTime(redis, prefix)),
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
  { redisUrl: url, redisPrefix, redisWaitReplicas: required, intakeShards }: DoctorSettings,
): Promise<Finding[]> {
  const nodes = await Promise.all(primariesOf(redis).map(readNode));
  const shards = Math.max(intakeShards, await shardsInUse(redis, redisPrefix));
  const owners = await Promise.all(ownersOf(redis, shardPrefixes(redisPrefix, shards)).map(readNode));
  const form = formOf(url);
  const keysOn = owners.map(({ address }) => address).join(', ');
  const where = form === 'server' ? addressesOf(url) : `${form} of ${addressesOf(url)}, keys on ${keysOn}`;
  return [
    findVersion(nodes, where),
    worstOf(owners, (owner) => findReplication(owner, form)),
    ...(required === 0 ? [] : [worstOf(owners, (owner) => findWaiting(owner, required))]),
    findPersistence(nodes),
    findEviction(nodes),
    worstOf(owners, findMemory),
  ];
}

const LEVELS: readonly Level[] = ['failure', 'warning', 'ok'];

/** Returns the worst finding about these nodes. It names the node if there are several. */
function worstOf(nodes: readonly RedisNode[], find: (node: RedisNode) => Finding): Finding {
  const findings = nodes.map((node) => {
    const finding = find(node);
    const isNamed = nodes.length === 1 || finding.found.includes(node.address);
    return isNamed ? finding : { ...finding, found: `${node.address}: ${finding.found}` };
  });
  const sorted = findings.sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  return sorted[0] as Finding;
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
