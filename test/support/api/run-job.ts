import { isDeepStrictEqual } from 'node:util';
import type { Job as QueuedJob } from 'bullmq';
import { Registry } from 'prom-client';
import { OutboundClient } from '../../../workers/outbound/outbound-client.js';
import type { QueueHandler } from '../../../workers/run/handler.js';
import type { AttemptOutcome } from '../../../workers/run/job-outcome.js';
import { WorkerMetrics } from '../../../workers/run/metrics.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import { readWorkerSettings } from '../../../workers/run/settings.js';
import { runWriter } from '../run-writer.js';
import type { Stack } from '../servers/stack.js';

/** The payload of a job that has a row in `jobs`. */
export const recordedJob = (jobId: string) => ({ version: 1, jobId, requestId: jobId });

/**
 * Runs a handler in the test's process as a worker does at the first of five attempts. The payload goes through JSON first,
 * as it does in Redis.
 * @throws Error when JSON loses something of the payload, and whatever the handler throws
 */
export function runJob(
  handler: QueueHandler,
  payload: object,
  services: WorkerServices,
): Promise<AttemptOutcome> {
  const data = JSON.parse(JSON.stringify(payload));
  if (!isDeepStrictEqual(data, payload)) throw new Error('JSON does not preserve the payload');
  const queued = {
    name: 'test',
    data,
    attemptsMade: 0,
    opts: { attempts: 5 },
    moveToWait: async () => {},
    moveToDelayed: async () => {},
  };
  return handler(queued as unknown as QueuedJob, undefined, services);
}

/** Returns the context of a worker on the stack's database, Redis and files, for stacks without a worker. */
export function workerServices({ database, files, api, env }: Stack): WorkerServices {
  const { producer, reading, redis, clock, log } = api;
  const metrics = new WorkerMetrics(new Registry(), redis, clock);
  const closing = new AbortController().signal;
  return {
    settings: readWorkerSettings(env),
    database,
    reading,
    redis,
    clock,
    files,
    producer,
    metrics,
    log,
    runWriter,
    outbound: new OutboundClient(),
    wakeOutbox: () => {},
    closing,
  };
}
