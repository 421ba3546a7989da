import { expect, test } from '@jest/globals';
import { describeApi } from '../../../api/openapi/openapi.js';
import { routes } from '../../../api/routes/index.js';
import { lintDocument } from '../../../scripts/openapi/lint.js';

interface Document {
  paths: Record<string, Record<string, { operationId?: string; tags?: string[] }>>;
}
const describe = () => describeApi(routes, 'https://muster.internal') as unknown as Document & object;

test('the document has no errors and no warnings under the recommended rules of Redocly and Spectral', async () => {
  expect(await lintDocument(describe())).toEqual([]);
});

test('both linters report an operation without an id', async () => {
  const document = describe();
  delete document.paths['/v2/alerts']?.get?.operationId;
  const findings = await lintDocument(document);
  expect(findings).toContainEqual(expect.stringMatching(/^redocly warn operation-operationId/));
  expect(findings).toContainEqual(expect.stringMatching(/^spectral warning operation-operationId/));
});
