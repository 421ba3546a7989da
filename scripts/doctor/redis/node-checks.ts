import { MEMORY_SHARE } from '../../../api/intake/pressure.js';
import { byteSize, counted } from '../../../workers/text/quantities.js';
import { type Finding, failure, ok, warning } from '../finding.js';
import type { RedisForm, RedisNode } from './nodes.js';

/** The oldest version whose commands the queues need. */
const OLDEST = [6, 2] as const;
/** From this share of its memory on, there is little room for a peak. */
const HIGH_SHARE = 0.7;

type NodeCheck = (nodes: readonly RedisNode[]) => Finding;

/** Returns the servers to which something applies, as ` on ADDRESS` if there are several. */
function on(nodes: readonly RedisNode[], some: readonly RedisNode[]): string {
  return nodes.length > 1 ? ` on ${some.map(({ address }) => address).join(', ')}` : '';
}

/** Reports which server it is, and its version. */
export function findVersion(nodes: readonly RedisNode[], where: string): Finding {
  const names = nodes.map(({ info }) => {
    const valkey = info.get('valkey_version');
    return valkey ? `Valkey ${valkey}` : `Redis ${info.get('redis_version')}`;
  });
  const found = `${[...new Set(names)].join(', ')}, ${where}`;
  const isOld = nodes.some(({ info }) => {
    const [major = 0, minor = 0] = (info.get('redis_version') ?? '').split('.').map(Number);
    return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  });
  if (!isOld) return ok('redis', found);
  return failure('redis', found, `Upgrade it: Muster needs Redis ${OLDEST.join('.')} or newer, or Valkey.`);
}

export const findEviction: NodeCheck = (nodes) => {
  const evicting = nodes.filter(({ info }) => info.get('maxmemory_policy') !== 'noeviction');
  if (evicting.length === 0) return ok('redis-eviction', 'maxmemory-policy is noeviction');
  const policy = evicting[0]?.info.get('maxmemory_policy');
  return failure(
    'redis-eviction',
    `maxmemory-policy is ${policy}${on(nodes, evicting)}: a full Redis deletes jobs and accepted events`,
    'Set maxmemory-policy noeviction.',
  );
};

/** Reports how much of its memory a server uses. */
export function findMemory({ info }: RedisNode): Finding {
  const used = Number(info.get('used_memory') ?? 0);
  const max = Number(info.get('maxmemory') ?? 0);
  if (max === 0) {
    const advice =
      'Set maxmemory below the memory of its host: without it, events are accepted until the system kills Redis.';
    return warning('redis-memory', `${byteSize(used)} used, maxmemory is not set`, advice);
  }
  const found = `${byteSize(used)} of ${byteSize(max)} used`;
  const advice = 'Raise maxmemory, or add workers so that the queues become shorter.';
  if (used / max < HIGH_SHARE) return ok('redis-memory', found);
  if (used / max < MEMORY_SHARE) return warning('redis-memory', found, advice);
  return failure('redis-memory', found, `Events are rejected with 503. ${advice}`);
}

export const findPersistence: NodeCheck = (nodes) => {
  const volatile = nodes.filter(({ info }) => info.get('aof_enabled') !== '1');
  if (volatile.length > 0) {
    return failure(
      'redis-persistence',
      `appendonly is no${on(nodes, volatile)}: a restart of Redis loses accepted events`,
      'Set appendonly yes and appendfsync always.',
    );
  }
  const late = nodes.filter(({ appendfsync }) => appendfsync !== 'always');
  if (late.length === 0) return ok('redis-persistence', 'appendonly is yes, appendfsync is always');
  const value = late[0]?.appendfsync;
  return warning(
    'redis-persistence',
    `appendonly is yes, appendfsync ${value === null ? 'cannot be read' : `is ${value}`}${on(nodes, late)}`,
    value === null
      ? 'Check that it is always, or allow this account the command CONFIG GET.'
      : 'Set appendfsync always: if Redis or its host crashes, accepted events of the last seconds are lost.',
  );
};

const replicasOf = ({ info }: RedisNode): number => Number(info.get('connected_slaves') ?? 0);

/** Reports the role and the replicas of the server that has the keys. */
export function findReplication(owner: RedisNode, form: RedisForm): Finding {
  const check = 'redis-replication';
  if (owner.info.get('role') !== 'master') {
    const advice =
      'Set REDIS_URL to the primary, or to the Sentinels that know it: a replica rejects writes.';
    return failure(check, 'connected to a replica', advice);
  }
  const found = `primary with ${counted(replicasOf(owner), 'replica')}`;
  if (form === 'server' || replicasOf(owner) > 0) return ok(check, found);
  const advice = 'Start a replica: without one, there is nothing to fail over to.';
  return warning(check, found, advice);
}

/**
 * Reports whether there are enough replicas for REDIS_WAIT_REPLICAS, also after a failover.
 * @param owner the primary that has the keys
 */
export function findWaiting(owner: RedisNode, required: number): Finding {
  const check = 'redis-wait-replicas';
  const found = `REDIS_WAIT_REPLICAS is ${required}, ${owner.address} has ${counted(replicasOf(owner), 'replica')}`;
  if (replicasOf(owner) > required) return ok(check, found);
  if (replicasOf(owner) < required) {
    const advice =
      'Start replicas, or lower REDIS_WAIT_REPLICAS: until then, events and jobs are rejected with 503.';
    return failure(check, found, advice);
  }
  const advice =
    'Start one more: a failover turns one of them into the primary, and then events and jobs are rejected with 503.';
  return warning(check, found, advice);
}
