import { expect, test } from '@jest/globals';
import { parametersSchema } from '../../../../api/intake/signature/parameters.js';
import { findPreset } from '../../../../api/intake/signature/presets/index.js';
import { settingProblems } from '../../../../api/intake/signature/settings.js';
import { catalogue } from '../../../../workers/mapping/catalogue/index.js';

const proposals = catalogue.flatMap(({ name, signature }) => (signature ? [{ name, ...signature }] : []));

test('sources that document a signature propose it', () => {
  expect(proposals.length).toBeGreaterThan(25);
});

test.each(proposals)(
  'the signature of $name needs only what a person has to enter',
  ({ scheme, parameters = {} }) => {
    expect(findPreset(scheme)).toBeDefined();
    const valid = parametersSchema.parse(parameters);
    const secret = findPreset(scheme)?.secret ? 'a-secret-of-some-length' : null;
    const fields = settingProblems({ scheme, secret, parameters: valid }).map(({ path }) => path.join('.'));
    expect(fields).toEqual(scheme === 'aws-sns' ? ['parameters.topicArn'] : []);
  },
);
