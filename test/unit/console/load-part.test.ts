import { expect, jest, test } from '@jest/globals';
import type { LazyPart } from '../../../api/console/parts/feedback/lazy-part.tsx';
import { loadedPart, loadPart } from '../../../api/console/parts/feedback/load-part.ts';

// @ts-expect-error: the placeholder of a lazy part would hide the property of the component
type _Placed = LazyPart<{ placeholder: string }>;

test('what was loaded is there at once, and is imported once', async () => {
  const importPart = jest.fn(async () => ({ default: 'the part' }));
  expect(loadedPart(importPart)).toBeUndefined();
  await loadPart(importPart);
  await loadPart(importPart);
  expect(loadedPart(importPart)).toBe('the part');
  expect(importPart).toHaveBeenCalledTimes(1);
});

test('what could not be loaded can be loaded again', async () => {
  const importPart = jest.fn(async () => ({ default: 'the part' }));
  importPart.mockRejectedValueOnce(new Error('The file is gone'));
  await expect(loadPart(importPart)).rejects.toThrow('The file is gone');
  expect(loadedPart(importPart)).toBeUndefined();
  await loadPart(importPart);
  expect(loadedPart(importPart)).toBe('the part');
});
