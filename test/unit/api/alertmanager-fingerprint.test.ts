import { expect, test } from '@jest/globals';
import { fingerprintOf } from '../../../workers/alertmanager/fingerprint.js';

const MASK = 2n ** 64n - 1n;

/** The algorithm as Prometheus documents it, in `common/model/signature.go`. */
function documented(labels: Record<string, string>): string {
  const names = Object.keys(labels).sort((one, other) =>
    Buffer.compare(Buffer.from(one), Buffer.from(other)),
  );
  let hash = 0xcbf29ce484222325n;
  for (const name of names)
    for (const text of [name, labels[name] ?? ''])
      for (const byte of [...Buffer.from(text), 0xff]) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & MASK;
  return hash.toString(16).padStart(16, '0');
}

test.each([
  ['no labels', {}, 'cbf29ce484222325'],
  ['of Alertmanager 0.25', { v: '1' }, '11bd7203a6c9a822'],
  ['of Alertmanager 0.25', { a: 'b', c: 'd' }, '53997eba86e1c7f5'],
  ['of Alertmanager 0.25', { alertname: 'ok', b: '2', B: '1', _: '3' }, 'eaeb8211b50af59b'],
  [
    'of a webhook of Alertmanager',
    {
      alertname: 'InstanceDown',
      code: '200',
      instance: '127.0.0.1:9090',
      job: 'prometheus',
      monitor: 'codelab-monitor',
      severity: 'critical',
    },
    '791cec13fcba0368',
  ],
  [
    'names whose bytes have another order than their UTF-16',
    { alertname: 'é', ü: '😀', 'z～': '1', 'z😀': '2' },
    'f032a82dcb9639dc',
  ],
])('the fingerprint %s', (_, labels: Record<string, string>, fingerprint) => {
  expect(fingerprintOf(labels)).toBe(fingerprint);
  expect(documented(labels)).toBe(fingerprint);
});

test('a fingerprint is that of the documented algorithm', () => {
  for (let count = 0; count < 200; count++) {
    const names = Array.from({ length: count % 9 }, () =>
      String.fromCodePoint(33 + Math.floor(Math.random() * 0xd000)),
    );
    const labels = Object.fromEntries(names.map((name, index) => [name, name.repeat(index)]));
    expect(fingerprintOf(labels)).toBe(documented(labels));
  }
});
