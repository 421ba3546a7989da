import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BenchContext, type Benchmark, median } from './benchmark.js';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
/** What is not in a clone. */
const NOT_CLONED = ['.git', '.bootstrap', '.data', '.engines', 'dist', 'dist.new', 'node_modules'];
const RUNNING = 'Muster is running';

/**
 * Measures `npm start` in a fresh copy of the project with an empty npm cache, until it says that it is running, and the start after that.
 * Floor: npm installs the same packages, which also come from the registry. Programs of the system are installed only if they are missing.
 */
export const start: Benchmark = async (context) => {
  const [ours, second, floor]: [number[], number[], number[]] = [[], [], []];
  for (let run = 1; run <= context.runs; run++) {
    const bare = copyOf(context, `floor-${run}`);
    floor.push(await seconds(bare, ['npm', 'ci', '--workspaces=false', '--no-progress']));
    const clone = copyOf(context, `ours-${run}`);
    ours.push(await seconds(clone, ['npm', 'start'], context.say));
    second.push(await seconds(clone, ['npm', 'start']));
    context.say(`ours  ${ours.at(-1)} s, the second start ${second.at(-1)} s; floor ${floor.at(-1)} s`);
  }
  const [own, least] = [median(ours), median(floor)];
  const otherFloors = { 'the second start': median(second) };
  return { name: 'start', ratio: least / own, ours: own, floor: least, unit: 's', otherFloors };
};

interface Copy {
  project: string;
  env: NodeJS.ProcessEnv;
}

function copyOf({ folder }: BenchContext, name: string): Copy {
  const project = join(folder, name);
  mkdirSync(project);
  const filter = (path: string) => !NOT_CLONED.some((left) => path === join(PROJECT, left));
  cpSync(PROJECT, project, { recursive: true, filter });
  const { DATABASE_URL, REDIS_URL, ...env } = process.env;
  const npmCache = join(folder, `${name}-cache`);
  return {
    project,
    env: { ...env, PORT: '0', DATA_DIR: join(project, '.data'), npm_config_cache: npmCache },
  };
}

/** Runs a command until it ends or says that Muster is running, then stops it. Returns the seconds, rounded to tenths. */
async function seconds(
  { project, env }: Copy,
  [program = '', ...args]: string[],
  say = (_line: string): void => {},
): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let output = '';
  let tookMs: number | null = null;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (tookMs !== null || !output.includes(RUNNING)) return;
    tookMs = performance.now() - startedAt;
    child.kill('SIGINT');
  });
  const [code] = await ended;
  if (tookMs === null && code !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${output}`);
  for (const line of output.split('\n')) if (/\d s$/.test(line)) say(line.trim());
  return Math.round((tookMs ?? performance.now() - startedAt) / 100) / 10;
}
