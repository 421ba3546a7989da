import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, type Redis } from 'ioredis';
import type { RedisConnection } from '../../../workers/queues/connection.js';
import { parseSentinelUrl } from '../../../workers/queues/sentinel-url.js';

/** What one server reports about itself. */
export interface RedisNode {
  address: string;
  /** The fields of INFO. */
  info: ReadonlyMap<string, string>;
  /** Null if this account may not read it. */
  appendfsync: string | null;
}

export type RedisForm = 'server' | 'Sentinel' | 'Cluster';

/** Returns which of the forms of REDIS_URL this is. */
export function formOf(url: string): RedisForm {
  if (parseSentinelUrl(url)) return 'Sentinel';
  return url.includes(',') ? 'Cluster' : 'server';
}

/** Returns the addresses in a REDIS_URL, without user and password. */
export function addressesOf(url: string): string {
  if (url.startsWith('unix://')) return url.slice('unix://'.length);
  const nodes = parseSentinelUrl(url)?.nodes ?? url.split(',').map((one) => new URL(one));
  return nodes.map(({ host }) => host).join(', ');
}

/**
 * Waits until a connection can be used.
 * @throws Error with the reason why it cannot, or after `withinMs`
 */
export async function untilReady(redis: RedisConnection, withinMs: number): Promise<void> {
  if (redis.status === 'ready') return;
  const stop = new AbortController();
  try {
    await Promise.race([
      new Promise<void>((resolve) => redis.once('ready', () => resolve())),
      new Promise<never>((_, reject) => redis.on('error', (error) => reject(lastReasonOf(error)))),
      sleep(withinMs, undefined, { signal: stop.signal }).then(() => {
        throw new Error(`no response within ${withinMs / 1_000} s`);
      }),
    ]);
  } finally {
    stop.abort();
  }
}

/** A Cluster's own error only says that no node could be used. */
const lastReasonOf = (error: Error & { lastNodeError?: Error }): Error => error.lastNodeError ?? error;

/** Returns the servers that take writes: all primaries of a Cluster, otherwise the one of the connection. */
export function primariesOf(redis: RedisConnection): Redis[] {
  return redis instanceof Cluster ? redis.nodes('master') : [redis];
}

/** Asks a server about itself. */
export async function readNode(redis: Redis): Promise<RedisNode> {
  const [info, appendfsync] = await Promise.all([
    redis.info(),
    redis.config('GET', 'appendfsync').then(
      (pair) => (pair as string[])[1] ?? null,
      () => null,
    ),
  ]);
  return { address: addressOf(redis), info: fieldsOf(info), appendfsync };
}

/** The options of a connection that Sentinels found do not name the server. */
function addressOf({ options, stream }: Redis): string {
  if (options.path) return options.path;
  const { remoteAddress, remotePort } = stream as Socket;
  return remoteAddress ? `${remoteAddress}:${remotePort}` : `${options.host}:${options.port}`;
}

const fieldsOf = (info: string): Map<string, string> =>
  new Map(
    info
      .split('\r\n')
      .map((line) => line.split(/:(.*)/))
      .map(([name = '', value = '']) => [name, value]),
  );
