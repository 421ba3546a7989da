import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ALERT, makeWebhook, receiptOf, sendEvent } from '../../support/api/webhooks.js';
import { type Processes, startProcesses } from '../../support/servers/processes.js';
import { until } from '../../support/until.js';

/** A span as OTLP's JSON has it. */
interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  links?: { traceId: string; spanId: string }[];
  attributes: { key: string; value: Record<string, string> }[];
}

interface TraceRequest {
  resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[];
}

/** What clients send, and what must not be in any trace. */
const SECRET = 'do-not-trace-me';
const UPLOAD = 'PATCH /v2/developers/identities';
const EVENT = 'POST /api/v1/webhook/{webhook_id}';
const CLIENT_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${CLIENT_TRACE}-00f067aa0ba902b7-01`;

const bodies: string[] = [];
const collector = createServer(async (req, res) => {
  if (req.method === 'POST' && req.url === '/v1/traces') bodies.push(await text(req));
  res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});
let processes: Processes;
beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  processes = await startProcesses({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  });
});
afterAll(async () => {
  await processes.stop();
  collector.closeAllConnections();
  collector.close();
});

const spans = (): ReceivedSpan[] =>
  bodies
    .flatMap((body) => (JSON.parse(body) as TraceRequest).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap((scope) => scope.spans);

const named = (name: string, traceId?: string): ReceivedSpan | undefined =>
  spans().find((span) => span.name === name && (traceId === undefined || span.traceId === traceId));

/** Waits for a request's span and for all spans between it and another one. Returns the names from the outermost span to the latter. */
async function chainOf(request: string, name: string, traceId?: string): Promise<string[]> {
  let chain: string[] = [];
  // Each process sends its spans when they have ended, so the inner ones arrive first.
  await until(`the spans from ${request} to ${name} arrive`, () => {
    chain = namesTo(named(name, traceId));
    return chain[0] === request;
  });
  return chain;
}

/** Returns the names of a span and of those around it that have arrived, the outermost first. */
function namesTo(innermost: ReceivedSpan | undefined): string[] {
  const chain: string[] = [];
  for (let span = innermost; span; ) {
    chain.unshift(span.name);
    const { parentSpanId, traceId: within } = span;
    span = spans().find((other) => other.spanId === parentSpanId && other.traceId === within);
  }
  return chain;
}

test('an upload is one trace, from the request to the SQL of its job, within the trace of the client', async () => {
  const csv = `email,integrationId,identity\n${SECRET}@example.com,1,${SECRET}\n`;
  const { status } = await processes.client.upload(csv, `?onError=abort`, { traceparent });
  expect(status).toBe(200);
  expect(await chainOf(UPLOAD, 'INSERT identities', CLIENT_TRACE)).toEqual([
    UPLOAD,
    'enqueue identity-import',
    'process identity-import',
    'write step',
    'INSERT identities',
  ]);
  expect(await chainOf(UPLOAD, 'INSERT jobs', CLIENT_TRACE)).toEqual([
    'PATCH /v2/developers/identities',
    'INSERT jobs',
  ]);
  const job = named('process identity-import', CLIENT_TRACE);
  expect(job?.attributes).toContainEqual({ key: 'muster.job.outcome', value: { stringValue: 'completed' } });
});

test('an event is one trace, from the request to the SQL of its alert, and no trace of its sender', async () => {
  const webhook = await makeWebhook(processes.client);
  const body = { ...ALERT, note: SECRET };
  const headers = { traceparent, 'x-note': SECRET };
  const response = await sendEvent(processes.url, `${webhook.path}?note=${SECRET}`, body, headers);
  const { eventId } = (await response.json()) as { eventId: string };
  await receiptOf(processes.client, eventId);
  expect(await chainOf(EVENT, 'INSERT alerts')).toEqual([
    EVENT,
    'process alert-intake',
    'write events',
    'INSERT alerts',
  ]);
  const request = named(EVENT);
  expect(request?.traceId).not.toBe(CLIENT_TRACE);
  expect(named('process alert-intake')?.links).toMatchObject([{ spanId: request?.spanId }]);
  const token = webhook.path.split('/').at(-1) as string;
  for (const secret of [SECRET, token, processes.key, ALERT.alert.message, 'example.com', webhook.id])
    expect(bodies.join()).not.toContain(secret);
});
