import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { folderOf } from './folder.js';
import { type Ended, startProgram } from './program.js';

/** What happened: somebody opened a request to merge, or it was merged. */
export type Occasion = 'request' | 'merge';

export interface Step {
  /** As the shell of the provider runs it. */
  shell: readonly [string, ...string[]];
  script: string;
}

export interface Job {
  name: string;
  runsOn(occasion: Occasion): boolean;
  steps: Step[];
  /** Names of the variables of the project that it gets. */
  variables: readonly string[];
  /** Jobs whose files it gets. */
  from: readonly string[];
  /** The files that others get. */
  files: readonly string[];
}

/** Returns a recipe of docs/files.md, by the name of the file that it is. */
function recipeOf(file: string): object {
  const text = readFileSync('docs/files.md', 'utf8');
  const found = [...text.matchAll(/^```yaml\n# (.*)\n([\s\S]*?)^```$/gm)].find(([, name]) => name === file);
  if (!found?.[2]) throw new Error(`docs/files.md has no recipe ${file}`);
  return parse(found[2]);
}

/** @throws Error for a condition that is not known here, so that a new one in the docs is noticed */
function holds(conditions: Readonly<Record<string, boolean>>, condition: string): boolean {
  const known = conditions[condition];
  if (known === undefined) throw new Error(`What is ${condition}?`);
  return known;
}

interface GithubStep {
  if?: string;
  run?: string;
  uses?: string;
  with?: { name: string; path?: string };
}

/** The recipe for GitHub Actions. Leaves out what talks to GitHub. */
export function githubJobs(): Job[] {
  const { jobs } = recipeOf('.github/workflows/alerts.yaml') as {
    jobs: Record<string, { if?: string; env?: Record<string, string>; steps: GithubStep[] }>;
  };
  return Object.entries(jobs).map(([name, { if: condition = 'always()', env = {}, steps }]) => {
    const using = (action: string) =>
      steps.flatMap(({ uses = '', with: input }) => (uses.startsWith(action) && input ? input : []));
    return {
      name,
      runsOn: (occasion) =>
        holds(
          {
            'always()': true,
            "github.ref == 'refs/heads/main'": occasion === 'merge',
            '${{ !github.event.pull_request.head.repo.fork }}': true,
          },
          condition,
        ),
      steps: steps.flatMap(({ run = '' }) =>
        run === '' || run.startsWith('gh ') ? [] : { shell: ['bash', '-e', '-c'], script: run },
      ),
      variables: Object.keys(env),
      from: using('actions/download-artifact').map((input) => input.name),
      files: using('actions/upload-artifact').flatMap(({ path = [] }) => path),
    };
  });
}

interface GitlabJob {
  needs?: string[];
  rules?: { if: string }[];
  script: string | string[];
  artifacts?: { paths?: string[]; reports?: { junit: string } };
}

/** The recipe for GitLab. */
export function gitlabJobs(): Job[] {
  const { default: _, workflow: __, ...jobs } = recipeOf('.gitlab-ci.yml') as Record<string, GitlabJob>;
  return Object.entries(jobs).map(([name, { needs = [], rules = [], script, artifacts = {} }]) => ({
    name,
    runsOn: (occasion) =>
      rules.length === 0 ||
      rules.some((rule) =>
        holds({ '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH': occasion === 'merge' }, rule.if),
      ),
    steps: [script].flat().map((line) => ({ shell: ['bash', '-eo', 'pipefail', '-c'], script: line })),
    variables: ['MUSTER_URL', 'MUSTER_API_KEY', 'SHOP_SECRET'],
    from: needs,
    files: [...(artifacts.paths ?? []), ...(artifacts.reports ? [artifacts.reports.junit] : [])],
  }));
}

/**
 * Runs the jobs of a pipeline one after the other until one fails, each in a copy of the repository, with the files that other jobs have left.
 * @returns what each job printed, and the files that it left
 */
export async function runPipeline(
  jobs: readonly Job[],
  occasion: Occasion,
  { repository, variables }: { repository: string; variables: Readonly<Record<string, string>> },
): Promise<Record<string, Ended & { folder: string }>> {
  const ended: Record<string, Ended & { folder: string }> = {};
  for (const job of jobs) {
    if (!job.runsOn(occasion)) continue;
    const folder = folderOf({});
    cpSync(repository, folder, { recursive: true });
    for (const name of job.from)
      for (const file of jobs.find((one) => one.name === name)?.files ?? [])
        cpSync(join(ended[name]?.folder ?? '', file), join(folder, file));
    const result: Ended & { folder: string } = { code: 0, out: '', err: '', folder };
    ended[job.name] = result;
    const given = job.variables.flatMap((name) => (variables[name] ? [[name, variables[name]]] : []));
    const env = {
      ...Object.fromEntries(given),
      CI: 'true',
      GITHUB_WORKSPACE: folder,
      GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    };
    for (const { shell, script } of job.steps) {
      const { code, out, err } = await startProgram([...shell, script], { cwd: folder, env }).ended;
      Object.assign(result, { code, out: result.out + out, err: result.err + err });
      if (code !== 0) return ended;
    }
  }
  return ended;
}
