/** Lints the OpenAPI document; part of `npm run check`. Prints each finding, and exits with 1 if there is any. */
import { describeApi } from '../api/openapi/openapi.js';
import { routes } from '../api/routes/index.js';
import { lintDocument } from './openapi/lint.js';

const findings = await lintDocument(await describeApi(routes, 'https://muster.internal'));
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
else console.log('The OpenAPI document passes the recommended rules of Redocly and Spectral.');
