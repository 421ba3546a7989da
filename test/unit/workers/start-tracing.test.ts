import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { isTracing } from '../../../workers/tracing/spans.js';
import { startTracing } from '../../../workers/tracing/start.js';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };

test.each([
  ['by default', {}, 0],
  ['when the SDK is disabled', { ...endpoint, OTEL_SDK_DISABLED: 'true' }, 0],
  ['with the exporter none', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }, 0],
  ['with another exporter, and says so', { OTEL_TRACES_EXPORTER: 'zipkin' }, 1],
  ['with gRPC, and says so', { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 1],
])('tracing is off %s', async (_, env, warnings) => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const stop = await startTracing({ service: 'test', tables: [], env, log });
  await stop();
  expect(isTracing()).toBe(false);
  expect(lines.filter((line) => line.includes('tracing is off'))).toHaveLength(warnings);
});
