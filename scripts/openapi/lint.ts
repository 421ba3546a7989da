import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

/** Returns what the recommended rules of Redocly and Spectral find in an OpenAPI document, one line for each finding. */
export async function lintDocument(document: object): Promise<string[]> {
  return [...(await lintByRedocly(document)), ...(await lintBySpectral(document))];
}

async function lintByRedocly(document: object): Promise<string[]> {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: '/openapi.json',
    config: await createConfig({ extends: ['recommended'] }),
  });
  return problems.map(
    ({ severity, ruleId, message, location }) =>
      `redocly ${severity} ${ruleId} at ${location[0]?.pointer}: ${message}`,
  );
}

const SEVERITIES = ['error', 'warning', 'information', 'hint'];

async function lintBySpectral(document: object): Promise<string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset(new spectral.Ruleset({ extends: [[rulesets.oas, 'recommended']] }));
  const problems = await linter.run(JSON.stringify(document));
  return problems.map(
    ({ severity, code, message, path }) =>
      `spectral ${SEVERITIES[severity]} ${code} at #/${path.join('/')}: ${message}`,
  );
}
