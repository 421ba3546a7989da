import { byteSize, counted } from '../../text/quantities.js';
import { type Finding, failure, ok, warning } from '../finding.js';
import type { RedisForm, RedisNode } from './nodes.js';

/** The oldest version whose commands the queues need. */
const OLDEST = [6, 2] as const;
/** The API stops accepting events before Redis is full. From here on there is little room for a peak. */
const HIGH_SHARE = 0.7;
const FULL_SHARE = 0.95;

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

export const findMemory: NodeCheck = (nodes) => {
  const read = ({ info }: RedisNode, field: string): number => Number(info.get(field) ?? 0);
  const unlimited = nodes.filter((node) => read(node, 'maxmemory') === 0);
  if (unlimited.length > 0) {
    const used = Math.max(...unlimited.map((node) => read(node, 'used_memory')));
    const advice =
      'Set maxmemory below the memory of its host: without it, events are accepted until the system kills Redis.';
    return warning(
      'redis-memory',
      `${byteSize(used)} used, maxmemory is not set${on(nodes, unlimited)}`,
      advice,
    );
  }
  const share = (node: RedisNode): number => read(node, 'used_memory') / read(node, 'maxmemory');
  const fullest = nodes.reduce((most, node) => (share(node) > share(most) ? node : most));
  const found = `${byteSize(read(fullest, 'used_memory'))} of ${byteSize(read(fullest, 'maxmemory'))} used${on(nodes, [fullest])}`;
  if (share(fullest) < HIGH_SHARE) return ok('redis-memory', found);
  const advice = 'Raise maxmemory, or add workers so that the queues become shorter.';
  return share(fullest) < FULL_SHARE
    ? warning('redis-memory', found, advice)
    : failure('redis-memory', found, advice);
};

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
      : 'Set appendfsync always: if the host of Redis crashes, accepted events of the last seconds are lost.',
  );
};

const replicasOf = ({ info }: RedisNode): number => Number(info.get('connected_slaves') ?? 0);

/** Reports the role and the replicas of each primary. */
export function findReplication(nodes: readonly RedisNode[], form: RedisForm): Finding {
  const replicas = nodes.filter(({ info }) => info.get('role') !== 'master');
  if (replicas.length > 0) {
    const advice =
      'Set REDIS_URL to the primary, or to the Sentinels that know it: a replica rejects writes.';
    return failure('redis-replication', `connected to a replica${on(nodes, replicas)}`, advice);
  }
  const counts = nodes.map((node) => counted(replicasOf(node), 'replica'));
  const found =
    form === 'Cluster'
      ? `${counted(nodes.length, 'primary', 'primaries')} with ${counts.join(', ')}`
      : `primary with ${counts[0]}`;
  const alone = nodes.filter((node) => replicasOf(node) === 0);
  if (form === 'server' || alone.length === 0) return ok('redis-replication', found);
  const advice = 'Start a replica: without one, there is nothing to fail over to.';
  return warning('redis-replication', `${found}${on(nodes, alone)}`, advice);
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
