import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { folderOf } from '../../support/muster/folder.js';
import { githubJobs, gitlabJobs, type Occasion, runPipeline } from '../../support/muster/pipeline.js';
import { startProgram } from '../../support/muster/program.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

/** npm installs the package for each command. */
jest.setTimeout(300_000);

let stack: Stack;
let client: Client;
let variables: Record<string, string>;
/** Has the package of the command. */
let repository: string;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  const key = await stack.key('webhooks:write');
  client = new Client(stack.url, key);
  variables = { MUSTER_URL: stack.url, MUSTER_API_KEY: key, SHOP_SECRET: '0123456789abcdef-secret' };
  repository = folderOf({ 'alerts/integrations/shop.yaml': '' });
  const packed = startProgram(['npm', 'pack', join(process.cwd(), 'dist/cli')], { cwd: repository, env: {} });
  expect(await packed.ended).toMatchObject({ code: 0 });
});
afterAll(() => stack.stop());

test.each([
  ['GitHub Actions', githubJobs, /^::error file=alerts\/integrations\/shop.yaml,line=4,col=\d+,title=/],
  ['GitLab CI', gitlabJobs, /^alerts\/integrations\/shop.yaml:4:\d+: error: /],
])('the pipeline of %s checks, plans and applies what its files say', async (provider, jobsOf, shown) => {
  const name = `Shop of ${provider}`;
  const shop = `name: ${name}
signature: { scheme: github, secret: "\${SHOP_SECRET}" }
description: One
template: generic-alert
`;
  const write = (text: string) => writeFileSync(join(repository, 'alerts/integrations/shop.yaml'), text);
  const pipeline = (occasion: Occasion) => runPipeline(jobsOf(), occasion, { repository, variables });
  const stored = () => client.get(`/v2/by-name/integrations/${encodeURIComponent(name)}`);

  // A request with an error ends with the check, and says where the error is.
  write(shop.replace('template:', 'tempalte:'));
  const wrong = await pipeline('request');
  expect(Object.keys(wrong)).toEqual(['check']);
  expect(wrong.check).toMatchObject({ code: 1, out: expect.stringMatching(shown) });
  expect(readFileSync(join(wrong.check?.folder ?? '', 'check.xml'), 'utf8')).toContain('<failure');

  // A request is planned, and changes nothing.
  write(shop);
  const request = await pipeline('request');
  expect(Object.entries(request).map(([job, { code }]) => [job, code])).toEqual([
    ['check', 0],
    ['plan', 0],
  ]);
  const folder = request.plan?.folder ?? '';
  const [plan, text] = ['plan.json', 'plan.txt'].map((file) => readFileSync(join(folder, file), 'utf8'));
  expect(text).toContain(`+ ${name}  (integrations/shop.yaml)`);
  expect(plan).not.toContain(variables.SHOP_SECRET);
  if (provider === 'GitHub Actions')
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toBe(
      readFileSync(join(folder, 'plan.md'), 'utf8'),
    );
  expect((await stored()).status).toBe(404);

  // What is merged is applied.
  const merged = await pipeline('merge');
  expect(merged.apply).toMatchObject({ code: 0, out: expect.stringContaining(`created ${name}\n`) });
  expect((await stored()).body.data.document).toMatchObject({
    description: 'One',
    signature: { scheme: 'github' },
  });
  expect(existsSync(join(repository, 'plan.json'))).toBe(false);
});
