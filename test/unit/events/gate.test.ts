import { expect, test } from '@jest/globals';
import { Gate } from '../../../workers/events/store/gate.js';

/** Work that ends on demand, and the names of the work that has begun and ended. */
function workshop() {
  const seen: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const work = (name: string) => () =>
    new Promise<void>((resolve, reject) => {
      seen.push(`${name} begins`);
      ends.set(name, (error) => {
        seen.push(`${name} ends`);
        error ? reject(error) : resolve();
      });
    });
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error);
    await new Promise(setImmediate);
  };
  return { seen, work, end };
}

test('shared work runs concurrently; exclusive work waits for it, and later work waits too', async () => {
  const { seen, work, end } = workshop();
  const gate = new Gate();
  const all = [
    gate.shared(work('a')),
    gate.shared(work('b')),
    gate.exclusive(work('alone')),
    gate.shared(work('c')),
  ];
  await end('');
  expect(seen).toEqual(['a begins', 'b begins']);
  await end('b');
  expect(seen).toHaveLength(3);
  await end('a');
  expect(seen.slice(3)).toEqual(['a ends', 'alone begins']);
  await end('alone');
  expect(seen.slice(5)).toEqual(['alone ends', 'c begins']);
  await end('c');
  await Promise.all(all);
});

test('two exclusive tasks never run at the same time, and a failed task blocks no other', async () => {
  const { seen, work, end } = workshop();
  const gate = new Gate();
  const shared = gate.shared(work('a'));
  const first = gate.exclusive(work('first'));
  const second = gate.exclusive(work('second'));
  const later = gate.shared(work('later'));
  await end('');
  const failures = Promise.allSettled([shared, first]);
  await end('a', new Error('a'));
  expect(seen).toEqual(['a begins', 'a ends', 'first begins']);
  await end('first', new Error('first'));
  expect(seen.slice(3)).toEqual(['first ends', 'second begins']);
  await end('second');
  await end('later');
  expect((await failures).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await Promise.all([second, later]);
});
