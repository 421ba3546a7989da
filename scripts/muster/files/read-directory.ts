import type { z } from 'zod';
import { nearestWord } from '../../../workers/text/edit-distance.js';
import { type Finding, START } from '../finding.js';
import { YamlFile } from '../yaml/yaml-file.js';
import { FileProblem, Folder } from './folder.js';
import { FOLDERS, KINDS, type Kind, NAMED_KINDS } from './kinds.js';
import { checkFile } from './schema-findings.js';
import { type Settings, settingsFile } from './settings-schema.js';

/** A file of a folder. */
export interface ReadFile<Content> {
  /** Relative to the folder, with `/`. */
  path: string;
  yaml: YamlFile;
  /** Null: there are findings. */
  content: Content | null;
}

export type FileOf<Name extends Kind> = ReadFile<z.output<(typeof KINDS)[Name]['schema']>>;
export type IntegrationFile = FileOf<'integrations'>;
export type SamplesFile = FileOf<'samples'>;

/** The files of each kind, with the `managedBy` of `muster.yaml` if they have none of their own. Secrets are references, see `resolveSecret`. */
type Files = { [Name in Kind]: FileOf<Name>[] };

/** All files of a folder. */
export interface Directory extends Files {
  folder: Folder;
  settings: Settings;
  /** What is wrong with any of them. */
  findings: Finding[];
}

const SETTINGS = 'muster.yaml';

/**
 * Reads all files of a folder and checks each by itself and against the others, without compiling mappings.
 * @throws FileProblem if it is not a folder
 */
export function readDirectory(path: string): Directory {
  const folder = new Folder(path);
  const findings: Finding[] = [];
  const readFile = <Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    kind: { numbers: 'exact' | 'plain' },
  ) => {
    const file = read(folder, path, { schema, numbers: kind.numbers });
    findings.push(...file.findings);
    return file;
  };
  const settings = folder.has(SETTINGS)
    ? readFile(SETTINGS, settingsFile, { numbers: 'plain' }).content
    : null;
  const paths = pathsByKind(folder, findings);
  const filesOf = <Name extends Kind>(name: Name) =>
    paths[name].map((path) => {
      const file = readFile(path, KINDS[name].schema as z.ZodType, KINDS[name]);
      return { ...file, content: file.content && withDefaults(file.content, file.yaml, settings) };
    }) as FileOf<Name>[];
  const files: Files = {
    samples: filesOf('samples'),
    'account-systems': filesOf('account-systems'),
    tables: filesOf('tables'),
    templates: filesOf('templates'),
    integrations: filesOf('integrations'),
    destinations: filesOf('destinations'),
  };
  for (const kind of NAMED_KINDS) findings.push(...repeatedNames(files[kind]));
  findings.push(...withoutIntegration(files.samples, paths.integrations));
  if (NAMED_KINDS.every((kind) => files[kind].length === 0)) findings.push(noIntegrations(folder));
  return { ...files, folder, settings: settings ?? { managedBy: null, server: null }, findings };
}

/** Samples name them. */
const OF_A_SAMPLE = /\.(?:payload|request)\.ya?ml$/;

function pathsByKind(folder: Folder, findings: Finding[]): Record<Kind, string[]> {
  const kinds = Object.entries(KINDS) as [Kind, (typeof KINDS)[Kind]][];
  const paths = Object.fromEntries(kinds.map(([kind]) => [kind, []])) as unknown as Record<Kind, string[]>;
  for (const name of FOLDERS)
    for (const path of folder.filesIn(name)) {
      if (OF_A_SAMPLE.test(path)) continue;
      const kind = kinds.find(([, kind]) => kind.folder === name && kind.name.test(path))?.[0];
      if (kind) paths[kind].push(path);
      else if (/\.yml$/i.test(path) || /\.yaml$/i.test(path))
        findings.push(problem(path, 'wrong_name', 'is not read: its name must end with .yaml', 'warning'));
    }
  return paths;
}

function read<Schema extends z.ZodType>(
  folder: Folder,
  path: string,
  { schema, numbers }: { schema: Schema; numbers: 'exact' | 'plain' },
): ReadFile<z.output<Schema>> & { findings: Finding[] } {
  try {
    const yaml = new YamlFile(path, folder.readText(path), numbers);
    return { path, yaml, ...checkFile(yaml, schema, 'invalid_file') };
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    const findings = [problem(path, 'unreadable_file', error.message)];
    return { path, yaml: new YamlFile(path, '', numbers), content: null, findings };
  }
}

/** Null in a file is a value: nothing manages what it has. */
function withDefaults<Content>(content: Content, { value }: YamlFile, settings: Settings | null): Content {
  const isManaged = typeof content === 'object' && content !== null && 'managedBy' in content;
  const says = typeof value === 'object' && value !== null && 'managedBy' in value;
  return isManaged && !says ? { ...content, managedBy: settings?.managedBy ?? null } : content;
}

function repeatedNames(files: readonly ReadFile<{ name: string }>[]): Finding[] {
  const first = new Map<string, string>();
  return files.flatMap(({ path, yaml, content }) => {
    if (!content) return [];
    const before = first.get(content.name);
    if (before === undefined) first.set(content.name, path);
    if (before === undefined) return [];
    const message = `${before} has the name ${JSON.stringify(content.name)} too`;
    return [yaml.findingAt(yaml.placeOf(['name']), message, { code: 'repeated_name' })];
  });
}

/** Returns the path of the integration whose samples a file has. */
export const integrationOf = (samplesPath: string): string =>
  samplesPath.replace(/\.samples\.yaml$/, '.yaml');

const withoutIntegration = (samples: readonly SamplesFile[], integrations: readonly string[]): Finding[] =>
  samples
    .filter(({ path }) => !integrations.includes(integrationOf(path)))
    .map(({ path }) =>
      problem(path, 'no_integration', `there is no ${integrationOf(path)} that these samples are for`),
    );

function noIntegrations(folder: Folder): Finding {
  const similar = folder
    .names()
    .find((name) => !FOLDERS.includes(name) && nearestWord(name, ['integrations']) !== undefined);
  const advice = similar ? `; is it ${similar}?` : '';
  return problem(
    'integrations',
    'no_integrations',
    `there is no integration: no file in this folder ends with .yaml${advice}`,
  );
}

const problem = (
  file: string,
  code: string,
  message: string,
  level: Finding['level'] = 'error',
): Finding => ({
  level,
  code,
  file,
  ...START,
  message,
});
