import { expect, test } from '@jest/globals';
import { RequestFailure } from '../../../api/console/http/request-failure.js';
import { inputFaults } from '../../../api/console/parts/input-errors.js';

const refused = (...fields: (string | null)[]) =>
  new RequestFailure(400, { errors: fields.map((field) => ({ field, code: 'c', message: `of ${field}` })) });

test('a fault is told at its input', () => {
  const faults = inputFaults(refused('email'), ['email', 'identity']);
  expect(faults.at('email')).toBe('of email');
  expect(faults.at('identity')).toBeUndefined();
  expect(faults.hasOthers).toBe(false);
});

test.each([
  ['of no field', refused(null)],
  ['of a field without an input', refused('email', 'somethingElse')],
  ['without faults', refused()],
  ['that is none of the API', new Error('broken')],
])('a refusal %s is told elsewhere', (_, error) => {
  expect(inputFaults(error, ['email']).hasOthers).toBe(true);
});

test('without a refusal nothing is told', () => {
  expect(inputFaults(null, ['email']).hasOthers).toBe(false);
});
