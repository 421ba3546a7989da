import { expect, test } from '@jest/globals';
import { readStartSettings } from '../../../scripts/start/settings.js';

test('neither the metrics of the API nor those of the worker, on the port after, can have the port of the API', () => {
  for (const METRICS_PORT of ['3000', '2999']) {
    expect(() => readStartSettings({ PORT: '3000', METRICS_PORT })).toThrow(/METRICS_PORT: .*PORT/);
  }
  expect(readStartSettings({ PORT: '3000', METRICS_PORT: '3001' }).metricsPort).toBe(3001);
  expect(readStartSettings({ PORT: '0', METRICS_PORT: '0' }).metricsPort).toBe(0);
  expect(readStartSettings({ METRICS_PORT: '' }).metricsPort).toBeNull();
});
