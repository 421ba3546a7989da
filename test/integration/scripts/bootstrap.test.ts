import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { isAlive, until } from '../../support/until.js';

let project: string;
let bin: string;
/** A project that was set up, whose build most tests start with. */
let ready: string;

beforeAll(async () => {
  makeProject();
  ready = project;
  await setUp();
});

beforeEach(makeProject);

afterEach(() => rmSync(project, { recursive: true }));

afterAll(() => rmSync(ready, { recursive: true }));

/** Starts with what the setup of an unchanged project has built. */
const useBuild = (): void => cpSync(join(ready, 'dist'), join(project, 'dist'), { recursive: true });

/** Creates a project with the files of the setup and a program of one line. It uses the packages of this clone. */
function makeProject(): void {
  project = mkdtempSync(join(tmpdir(), 'muster-bootstrap-'));
  bin = join(project, 'bin');
  const finders = ['scripts/private-servers/find.ts', 'scripts/find-chromium.ts'];
  for (const path of [
    'scripts/bootstrap',
    'scripts/bootstrap.mjs',
    ...finders,
    'tsconfig.json',
    'tsconfig.build.json',
    'package.json',
  ]) {
    cpSync(path, join(project, path), { recursive: true });
  }
  for (const folder of ['api', 'api/console', 'workers', 'db', 'bin']) mkdirSync(join(project, folder));
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
  write('package-lock.json', '{"packages":{}}');
  write('api/main.ts', programOf(42));
  write('workers/main.ts', 'export {};\n');
  write('scripts/muster-packed.ts', 'export {};\n');
  write('api/console/vite.config.ts', 'export default { root: import.meta.dirname };\n');
  write('api/console/index.html', '<script type="module" src="./main.tsx"></script>\n');
  write('api/console/main.tsx', 'document.title = "forty-two";\n');
  write('scripts/find-faketime.ts', "export const findFaketime = (): string => '/lib/faketime.so';\n");
  for (const name of ['mariadbd', 'mariadb-install-db', 'redis-server']) program(name, '');
}

const programOf = (total: number) => `const line: string = 'total:${total}';\nconsole.log(line);\n`;

function write(path: string, text: string): void {
  writeFileSync(join(project, path), text);
}

function withoutServers(): void {
  for (const name of ['mariadbd', 'redis-server']) rmSync(join(bin, name));
}

function program(name: string, script: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
}

interface Outcome {
  code: number;
  output: string;
}

/** Runs the setup where only `bin` contains the servers. */
function setUp(env: Record<string, string> = {}, args: string[] = []): Promise<Outcome> {
  return outcomeOf(startSetUp(env, args));
}

function startSetUp(env: Record<string, string>, args: string[]): ChildProcess {
  const { NODE_OPTIONS, npm_lifecycle_event, DATABASE_URL, REDIS_URL, CHROMIUM_PATH, ...rest } = process.env;
  return spawn(process.execPath, [join(project, 'scripts/bootstrap.mjs'), ...args], {
    env: { ...rest, MUSTER_SERVER_PATH: bin, ...env },
  });
}

async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const [code] = await once(child, 'close');
  return { code, output };
}

const built = (path: string) => join(project, 'dist', path);

/** Returns the content of all scripts of the built console. */
function builtConsole(): string {
  const folder = built('console/assets');
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');
}

test('builds what is not built yet, and prints nothing if everything is up to date', async () => {
  const lines = /^Building \.* ?\d+\.\d s\nBuilding the console \.* ?\d+\.\d s\n$/;
  expect(await setUp()).toEqual({ code: 0, output: expect.stringMatching(lines) });
  expect(readFileSync(built('api/main.js'), 'utf8')).toContain('total:42');
  expect(builtConsole()).toContain('forty-two');
  expect(await setUp()).toEqual({ code: 0, output: '' });
});

test('builds again after a change, and removes files without a source', async () => {
  useBuild();
  write('api/old.ts', 'export {};\n');
  await setUp();
  rmSync(join(project, 'api/old.ts'));
  write('api/main.ts', programOf(43));
  expect((await setUp()).output).toMatch(/^Building/);
  expect(readFileSync(built('api/main.js'), 'utf8')).toContain('total:43');
  expect(existsSync(built('api/old.js'))).toBe(false);
});

test('bundles the programs, which then need neither the compiled modules nor the packages', async () => {
  write(
    'api/line.ts',
    "import { UUID } from 'uuidv7';\nexport const line = UUID.parse('0'.repeat(32)).toString();\n",
  );
  write('api/main.ts', "import { line } from './line.js';\nconsole.log(line, new Error().stack);\n");
  write('workers/main.ts', "import { line } from '../api/line.js';\nconsole.log(line);\n");
  useBuild();
  await setUp();
  rmSync(join(project, 'node_modules'));
  rmSync(built('api/line.js'));
  const child = spawn(process.execPath, ['--enable-source-maps', built('api/main.js')], { stdio: 'pipe' });
  const { output } = await outcomeOf(child);
  expect(output).toContain('00000000-0000-0000-0000-000000000000');
  expect(output).toContain(`${join(project, 'api/main.ts')}:2:`);
  expect(readdirSync(built('chunks')).filter((name) => name.endsWith('.js'))).toHaveLength(1);
});

test('if the sources do not compile, prints the compiler’s output and one line, and keeps the last build', async () => {
  useBuild();
  write('api/main.ts', 'export const total = (;\n');
  for (const _attempt of [1, 2]) {
    const { code, output } = await setUp();
    expect(code).toBe(1);
    expect(output).toContain('api/main.ts:1:22: ERROR: Unexpected ";"');
    expect(output).toMatch(/\nThe TypeScript sources do not compile: see above\.\n$/);
  }
  expect(readFileSync(built('api/main.js'), 'utf8')).toContain('total:42');
});

test('a change of the console builds only the console, a change of the server only the server', async () => {
  useBuild();
  write('api/console/main.tsx', 'document.title = "forty-three";\n');
  expect((await setUp()).output).toMatch(/^Building the console .*\n$/);
  expect(builtConsole()).toContain('forty-three');
  expect(builtConsole()).not.toContain('forty-two');
  write('api/main.ts', programOf(43));
  expect((await setUp()).output).toMatch(/^Building \.* ?\d+\.\d s\n$/);
  expect(existsSync(built('api/console'))).toBe(false);
});

test('if the console does not build, prints the builder’s output and one line, and keeps the last build', async () => {
  useBuild();
  write('api/console/main.tsx', 'document.title = (;\n');
  const { code, output } = await setUp();
  expect(code).toBe(1);
  expect(output).toContain('main.tsx');
  expect(output).toMatch(/\nThe console does not build: see above\.\n$/);
  expect(builtConsole()).toContain('forty-two');
});

test('build builds server and console, and needs no database servers', async () => {
  withoutServers();
  expect((await setUp({ PATH: bin }, ['build'])).code).toBe(0);
  expect([existsSync(built('api/main.js')), builtConsole()]).toEqual([
    true,
    expect.stringContaining('forty-two'),
  ]);
});

test('scripts build, then run their program in the same process, and install no servers', async () => {
  withoutServers();
  const scripts = [
    ['upload', 'upload.ts', ['people.csv']],
    ['keys', 'keys.ts', ['list']],
    ['migrate', 'migrate.ts', []],
    ['doctor', 'doctor.ts', ['--json']],
    ['bench', 'bench/main.ts', ['--help']],
  ] as const;
  mkdirSync(join(project, 'scripts/bench'), { recursive: true });
  for (const [, file] of scripts)
    write(`scripts/${file}`, `console.log('${file}', process.pid, process.argv.slice(2).join());\n`);
  let building = 'Building .*\n';
  for (const [name, file, args] of scripts) {
    const child = startSetUp({ PATH: bin }, [name, ...args]);
    const { code, output } = await outcomeOf(child);
    expect(code).toBe(0);
    expect(output).toMatch(new RegExp(`^${building}${file} ${child.pid} ${args.join()}\n$`));
    building = '';
  }
  expect(existsSync(built('console'))).toBe(false);
});

test('check needs only the packages', async () => {
  withoutServers();
  expect(await setUp({ PATH: bin }, ['check'])).toEqual({ code: 0, output: '' });
  expect(existsSync(built('api/main.js'))).toBe(false);
});

test('every npm script starts with the setup, and no package runs code during installation', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  for (const [name, command] of Object.entries(scripts)) {
    expect(command).toMatch(new RegExp(`^(exec )?node scripts/bootstrap\\.mjs ${name}( &&|$)`));
  }
  expect(readFileSync('.npmrc', 'utf8')).toMatch(/^ignore-scripts=true$/m);
});

test('an unknown script is reported with the list of scripts', async () => {
  const { code, output } = await setUp({}, ['strat']);
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/^Unknown script strat\. Known scripts: start, .*\n$/),
  ]);
});

/** The project needs one package, which is not installed. */
const LOCKED = { '': { dependencies: { koa: '3.2.1' } }, 'node_modules/koa': { version: '3.2.1' } };

test.each(['signal', 'parent'])(
  'stopped by its %s, it stops what it runs and says nothing more',
  async (how) => {
    rmSync(join(project, 'node_modules'));
    write('package-lock.json', JSON.stringify({ packages: LOCKED }));
    const pidFile = join(project, 'npm.pid');
    program('npm', `echo $$ > ${pidFile}.new; mv ${pidFile}.new ${pidFile}; exec sleep 600`);
    const env = { npm_execpath: '', PATH: `${bin}:${process.env.PATH}` };
    const command = `'${process.execPath}' '${join(project, 'scripts/bootstrap.mjs')}' start; true`;
    const child =
      how === 'signal'
        ? startSetUp(env, ['start'])
        : spawn('sh', ['-c', command], { env: { ...process.env, NODE_OPTIONS: '', ...env } });
    const outcome = outcomeOf(child);
    await until('npm runs', () => existsSync(pidFile));
    child.kill('SIGTERM');
    expect(await outcome).toEqual({
      code: how === 'signal' ? 143 : null,
      output: expect.stringMatching(/^Installing npm packages \.*$/),
    });
    await until('npm has ended', () => !isAlive(Number(readFileSync(pidFile, 'utf8'))));
  },
);

test('a start installs no package of the tests, and the tests install the others', async () => {
  rmSync(join(project, 'node_modules'));
  const jest = { 'node_modules/jest': { version: '30.5.2' }, test: { devDependencies: { jest: '30.5.2' } } };
  write('package-lock.json', JSON.stringify({ packages: { ...LOCKED, ...jest } }));
  const all = JSON.stringify({ packages: { ...LOCKED, ...jest } });
  const some = JSON.stringify({ packages: LOCKED });
  const hidden = join(project, 'node_modules/.package-lock.json');
  program(
    'npm',
    `echo "$*" >> ${join(project, 'npm.log')}
    mkdir -p ${join(project, 'node_modules')}
    case "$*" in *--workspaces=false*) echo '${some}' > ${hidden};; *) echo '${all}' > ${hidden};; esac`,
  );
  const env = { npm_execpath: '', PATH: `${bin}:${process.env.PATH}` };
  // Without esbuild, only the packages are installed.
  for (const name of ['migrate', 'migrate', 'check', 'migrate', 'check']) await setUp(env, [name]);
  const calls = readFileSync(join(project, 'npm.log'), 'utf8').trimEnd().split('\n');
  expect(calls.map((call) => call.includes('--workspaces=false'))).toEqual([true, false]);
});

test('if packages cannot be installed, prints npm’s output and one line', async () => {
  rmSync(join(project, 'node_modules'));
  write('package-lock.json', JSON.stringify({ packages: LOCKED }));
  program('npm', 'echo "npm error network"; exit 1');
  const { code, output } = await setUp({ npm_execpath: '', PATH: `${bin}:${process.env.PATH}` });
  expect(code).toBe(1);
  expect(output).toMatch(/npm error network\n\nnpm could not install the packages: .*\n$/);
});

test('an old Node version is reported in one line', async () => {
  const old = join(project, 'old-node.cjs');
  writeFileSync(old, "Object.defineProperty(process, 'versions', { value: { node: '20.18.3' } });");
  const { code, output } = await setUp({ NODE_OPTIONS: `--require ${old}` });
  expect({ code, output }).toEqual({
    code: 1,
    output: 'Muster needs Node 20.19 or newer; this is 20.18.3.\n',
  });
});

test('missing servers are reported in one line with the command, if nothing may be installed', async () => {
  useBuild();
  withoutServers();
  expect(await setUp({ PATH: bin })).toEqual({
    code: 1,
    output: expect.stringMatching(/^Muster needs mariadbd \(or mysqld\) and redis-server.*not found.*\n$/),
  });
  program('brew', '');
  expect((await setUp({ PATH: bin })).output).toMatch(/Run: brew install mariadb redis\n$/);
});

test('a start with external servers does not need installed ones', async () => {
  useBuild();
  withoutServers();
  const given = { PATH: bin, DATABASE_URL: 'mysql://a@b/c', REDIS_URL: 'redis://a' };
  write('scripts/start.ts', "console.log('started');\n");
  expect(await setUp(given, ['start'])).toEqual({ code: 0, output: expect.stringMatching(/\nstarted\n$/) });
  expect((await setUp(given, ['test'])).code).toBe(1);
});

/** Creates a fake apt that finds no package before `update`, and then installs a package by creating its program. */
function fakeApt(installs: string): void {
  program('sudo', 'shift; exec "$@"');
  program('apt-cache', 'echo "$2"; echo "$2-10.6"; echo "$2-10.6-plugins"');
  program(
    'apt-get',
    `echo "$*" >> ${join(project, 'apt.log')}
    case "$*" in
      *update*) touch ${join(project, 'updated')};;
      *install*) [ -e ${join(project, 'updated')} ] || { echo 'E: Unable to locate package'; exit 100; }
        ${installs};;
    esac`,
  );
}

test('on Debian installs the programs, and updates the package lists if necessary', async () => {
  useBuild();
  rmSync(join(bin, 'redis-server'));
  fakeApt(`cp ${join(bin, 'mariadbd')} ${join(bin, 'redis-check-rdb')}`);
  expect(await setUp({ PATH: `${bin}:${process.env.PATH}` })).toEqual({
    code: 0,
    output: expect.stringMatching(/^Installing MariaDB and Redis.* \d+\.\d s\n$/),
  });
  const calls = readFileSync(join(project, 'apt.log'), 'utf8');
  expect(calls).toMatch(/install -y --no-install-recommends redis-tools\n.*update\n.*redis-tools\n$/);
});

test('only the tests need a browser: it is installed or requested like the servers, and the tests run without it', async () => {
  useBuild();
  expect(await setUp({ PATH: bin })).toEqual({ code: 0, output: '' });
  const tests = { PATH: bin };
  const without = 'Without it the tests of the console fail; all others run\\.';
  expect(await setUp(tests, ['test'])).toEqual({
    code: 0,
    output: expect.stringMatching(
      `^The tests of the console need Chromium or Chrome, not found here\\. .*CHROMIUM_PATH.*\n${without}\nUnpacking the server of OpenSSH`,
    ),
  });
  program('pacman', '');
  expect((await setUp(tests, ['test'])).output).toMatch(/Run: sudo pacman -S chromium\n/);
  program('env', 'exec /usr/bin/env "$@"');
  program('touch', `PATH=${process.env.PATH} exec touch "$@"`);
  fakeApt('echo "E: no space left"; exit 100');
  const failed = await setUp(tests, ['test']);
  expect(failed.code).toBe(0);
  expect(failed.output).toMatch(
    /E: no space left\n\napt-get could not install chromium-headless-shell: see above\.\n/,
  );
  expect(failed.output).toMatch(new RegExp(`\n${without}\n`));
  fakeApt(`/bin/cp ${join(bin, 'mariadbd')} ${join(bin, 'chromium')}`);
  // As on a release without this package.
  program('apt-cache', '[ "$2" = chromium-headless-shell ] || echo "$2"');
  expect(await setUp(tests, ['test'])).toEqual({
    code: 0,
    output: expect.stringMatching(/^Installing Chromium.* \d+\.\d s\n$/),
  });
  const installs = readFileSync(join(project, 'apt.log'), 'utf8').match(/(?<=recommends ).*/g);
  expect([installs?.at(0), installs?.at(-1)]).toEqual(['chromium-headless-shell', 'chromium']);
  expect(await setUp(tests, ['test'])).toEqual({ code: 0, output: '' });
  const elsewhere = { ...tests, CHROMIUM_PATH: join(bin, 'elsewhere') };
  program('apt-get', 'exit 1');
  expect((await setUp(elsewhere, ['test'])).output).toMatch(/Chromium or Chrome, not found here/);
  program('elsewhere', '');
  expect(await setUp(elsewhere, ['test'])).toEqual({ code: 0, output: '' });
});

test('libfaketime, which sets clocks in tests, is installed or requested in the same way', async () => {
  const library = join(project, 'libfaketime.so');
  const found = `existsSync('${library}') ? '${library}' : undefined`;
  write(
    'scripts/find-faketime.ts',
    `import { existsSync } from 'node:fs';\nexport const findFaketime = (): string | undefined => ${found};\n`,
  );
  program('chromium', '');
  useBuild();
  const { code, output } = await setUp({ PATH: bin }, ['test:faults']);
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(
      /\nThe tests with wrong clocks need libfaketime, not found here\. .*\nWithout it the tests with wrong clocks are skipped\.\n$/,
    ),
  ]);
  fakeApt(`: > ${library}`);
  program('env', 'exec /usr/bin/env "$@"');
  program('touch', `PATH=${process.env.PATH} exec touch "$@"`);
  expect((await setUp({ PATH: bin }, ['test'])).output).toMatch(
    /^Installing libfaketime.* \d+\.\d s\nUnpacking the server of OpenSSH, for the tests .*\n$/,
  );
  expect(readFileSync(join(project, 'apt.log'), 'utf8')).toMatch(/ libfaketime\n/);
});

test('if apt fails, prints its output and one line', async () => {
  useBuild();
  rmSync(join(bin, 'mariadbd'));
  fakeApt('echo "E: no space left"; exit 100');
  const { code, output } = await setUp({ PATH: `${bin}:${process.env.PATH}` });
  expect(code).toBe(1);
  expect(output).toMatch(
    /E: no space left\n\napt-get could not install mariadb-server-core mariadb-client-core: see above\.\n$/,
  );
});

test('of two setups at the same time, one builds and the other waits', async () => {
  const outcomes = await Promise.all([setUp(), setUp()]);
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
  const said = outcomes.map(({ output }) => output).join('');
  expect(said.match(/Building /g)).toHaveLength(2);
  expect(said).toMatch(/Waiting for the set-up that process \d+ is doing here/);
});

test('the lock of a killed setup does not block the next one', async () => {
  mkdirSync(join(project, '.bootstrap'));
  const gone = spawn(process.execPath, ['--version']);
  await once(gone, 'exit');
  write('.bootstrap/lock', String(gone.pid));
  useBuild();
  write('api/main.ts', programOf(43));
  expect((await setUp()).code).toBe(0);
  expect(existsSync(join(project, '.bootstrap/lock'))).toBe(false);
});
