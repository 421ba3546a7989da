import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import openapiTS from 'openapi-typescript';
import { describeApi } from '../../api/openapi/openapi.js';
import { routes } from '../../api/routes/index.js';
import { describeEngine, unpackedEngine } from '../support/engines/describe-engine.js';
import { GENERATORS, JOURNEY, KEEPER } from '../support/engines/generated-clients.js';
import { startProgram } from '../support/muster/program.js';
import { type Stack, startStack } from '../support/servers/stack.js';

const engine = unpackedEngine('generators');

describeEngine('Generated clients', engine === null ? 'no generators' : null, () => {
  let stack: Stack;
  let key: string;
  const folders: string[] = [];
  beforeAll(async () => {
    stack = await startStack({ worker: false });
    key = await stack.key('webhooks:write');
  });
  afterAll(async () => {
    for (const folder of folders) rmSync(folder, { recursive: true });
    await stack.stop();
  });

  test.each(GENERATORS)(
    'a client of $name compiles, and keeps an integration',
    async ({ name, command, source }) => {
      const root = engine as string;
      const folder = mkdtempSync(join(root, 'client-'));
      folders.push(folder);
      const run = async (program: string, ...args: string[]) => {
        const env = { MUSTER_URL: stack.url, MUSTER_API_KEY: key };
        const { code, out, err } = await startProgram([program, ...args], { cwd: folder, env }).ended;
        if (code !== 0) throw new Error(`${program}: ${out}${err}`);
        return out;
      };
      const document = JSON.parse(JSON.stringify(await describeApi(routes, stack.url)));
      const [program = '', ...args] = command ?? [];
      if (command === null) writeFileSync(join(folder, 'schema.ts'), await openapiTS(document));
      writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
      if (command !== null) await run(join(root, 'node_modules/.bin', program), ...args);
      for (const [file, text] of Object.entries({ client: source, journey: JOURNEY, keeper: KEEPER }))
        writeFileSync(join(folder, `${file}.ts`), text);
      const flags = '--noEmit --strict --noUncheckedIndexedAccess --skipLibCheck --ignoreConfig';
      const target =
        '--module esnext --moduleResolution bundler --target es2023 --lib es2023,dom,dom.iterable';
      const types = ['--typeRoots', resolve('node_modules/@types'), '--types', 'node'];
      const compiler = resolve('node_modules/.bin/tsc');
      await run(compiler, ...flags.split(' '), ...target.split(' '), ...types, 'journey.ts');
      const integration = `Zürich / 50% of ${name}`;
      const steps = JSON.parse(await run(resolve('node_modules/.bin/tsx'), 'journey.ts', integration));
      expect(steps).toEqual([
        [200, 'created'],
        [201, 'created'],
        [200, integration],
        [412, null],
        [412, null],
        [204, null],
        [404, null],
      ]);
    },
  );
});
