import { expect, test } from '@jest/globals';
import { firstSteps } from '../../../api/console/integrations/first-steps/steps.js';

const doneWith = (...webhooks: { mappingRevision: number; usedAt?: string }[]) =>
  firstSteps(
    webhooks.map(({ mappingRevision, usedAt = null }, id) => ({
      id: `${id}`,
      mappingRevision,
      urls: [{ id: 'u', url: null, lastUsedAt: usedAt, createdAt: '', expiresAt: null }],
    })) as unknown as Parameters<typeof firstSteps>[0],
  );

test('the first steps are done once any integration exists, has a mapping and has received an event', () => {
  const done = (steps: ReturnType<typeof firstSteps>) => steps.map(({ isDone }) => isDone);
  expect(done(doneWith())).toEqual([false, false, false]);
  expect(done(doneWith({ mappingRevision: 0 }))).toEqual([true, false, false]);
  expect(done(doneWith({ mappingRevision: 1 }))).toEqual([true, true, false]);
  const used = { mappingRevision: 0, usedAt: '2026-11-22T03:50:00Z' };
  expect(done(doneWith({ mappingRevision: 1 }, used))).toEqual([true, true, true]);
});

test('the first steps lead to the newest integration', () => {
  expect(doneWith().map(({ href }) => href)).toEqual(['/integrations/new', null, null]);
  expect(doneWith({ mappingRevision: 1 }, { mappingRevision: 1 })[2]?.href).toBe('/integrations/0/test');
});
