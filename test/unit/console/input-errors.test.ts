import { expect, test } from '@jest/globals';
import { RequestFailure } from '../../../api/console/http/request-failure.js';
import { inputErrors } from '../../../api/console/parts/input-errors.js';

const rejected = (...fields: (string | null)[]) =>
  new RequestFailure(400, { errors: fields.map((field) => ({ field, code: 'c', message: `of ${field}` })) });

test('an error is shown at its input', () => {
  const errors = inputErrors(rejected('email'), ['email', 'identity']);
  expect(errors.at('email')).toBe('of email');
  expect(errors.at('identity')).toBeUndefined();
  expect(errors.hasOthers).toBe(false);
});

test.each([
  ['of no field', rejected(null)],
  ['of a field without an input', rejected('email', 'somethingElse')],
  ['without errors', rejected()],
  ['that is none of the API', new Error('broken')],
])('an error %s is shown elsewhere', (_, error) => {
  expect(inputErrors(error, ['email']).hasOthers).toBe(true);
});

test('without an error nothing is shown', () => {
  expect(inputErrors(null, ['email']).hasOthers).toBe(false);
});
