import { expect, test } from '@jest/globals';
import type { PreviewPayload } from '../../../api/preview/payloads.js';
import { makePreview } from '../../../api/preview/preview.js';
import { compiled } from '../mapping/mapping.js';

const ALERTS = 400;

test('a preview stops after the payload with which it has a thousand alerts, and reads no further one', async () => {
  const mapping = compiled({ split: 'list', fields: { title: { template: '{{item.name}}' } } });
  const list = Array.from({ length: ALERTS }, (_, number) => ({ name: `disk ${number}` }));
  let read = 0;
  async function* payloads(): AsyncGenerator<PreviewPayload> {
    for (; read < 10; ) {
      read += 1;
      yield { eventId: null, receivedAt: null, parsed: { value: { list } }, body: '', request: undefined };
    }
  }
  const { alertCount } = await makePreview(payloads(), { mapping, before: undefined }, async () => {});
  expect(read).toBeLessThanOrEqual(3);
  expect(alertCount).toBe(read * ALERTS);
});
