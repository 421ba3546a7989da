import type { Job as QueuedJob } from 'bullmq';
import { contextOf, inSpan, isTracing, linksTo } from '../tracing/spans.js';

/** What the payload of a job may say about the requests that it came from. */
interface Traced {
  traceparent?: unknown;
  traceparents?: unknown;
}

/**
 * Makes one attempt at a job within a span. The span belongs to the trace of the job's request. A batch of events of several requests
 * has a trace of its own, with a link to each of them.
 */
export function traceJob(queued: QueuedJob, attempt: () => Promise<void>): Promise<void> {
  if (!isTracing()) return attempt();
  const { name, queueName, id = '' } = queued;
  const { traceparent, traceparents }: Traced = queued.data ?? {};
  const all = Array.isArray(traceparents) ? traceparents.filter((one) => typeof one === 'string') : [];
  const attributes = {
    'messaging.system': 'bullmq',
    'messaging.operation.type': 'process',
    'messaging.destination.name': queueName,
    'messaging.message.id': id,
  };
  const parent = contextOf(traceparent ?? (all.length === 1 ? all[0] : undefined));
  return inSpan(`process ${name}`, { kind: 'CONSUMER', attributes, parent, links: linksTo(all) }, attempt);
}
