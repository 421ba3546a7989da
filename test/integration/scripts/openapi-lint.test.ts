import { expect, test } from '@jest/globals';
import { lintDocument } from '../../../scripts/openapi/lint.js';

const operation = { responses: { 200: { description: 'OK' } } };

/** `npm run check` expects that they report nothing in the whole document, which takes more than 5 s of CPU time. */
test('both linters report an operation without an id', async () => {
  const findings = await lintDocument({
    openapi: '3.1.0',
    info: { title: 'Muster', version: '1' },
    paths: { '/v2/alerts': { get: operation } },
  });
  expect(findings).toContainEqual(expect.stringMatching(/^redocly warn operation-operationId/));
  expect(findings).toContainEqual(expect.stringMatching(/^spectral warning operation-operationId/));
});
