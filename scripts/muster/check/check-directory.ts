import { type Directory, integrationOf, type SamplesFile } from '../files/read-directory.js';
import { REFERENCES } from '../files/references.js';
import type { Finding } from '../finding.js';
import { checkMapping, checkOwn } from './check-mapping.js';
import { type CheckedSample, checkSamples } from './check-samples.js';
import { readTables } from './tables.js';
import { updateSamples } from './update-samples.js';

/** What the check of a folder found. */
export interface CheckResult {
  /** Errors and warnings, by file and place. */
  findings: Finding[];
  integrations: number;
  tables: number;
  /** All samples that were rendered. */
  samples: {
    file: string;
    name: string;
    line: number;
    column: number;
    isUpdated: boolean;
    findings: readonly Finding[];
  }[];
  /** Samples that could not be checked, because the mapping is not known here or is invalid. */
  unchecked: number;
  /** With `--update`: what was changed. */
  updated: Finding[];
}

/** Compiles all mappings of a folder, and renders all samples. @param update whether to write the alerts that Muster makes */
export async function checkDirectory(
  directory: Directory,
  { update }: { update: boolean },
): Promise<CheckResult> {
  const { tables, findings: ofTables } = await readTables(directory);
  const ofTemplates = directory.templates.flatMap(({ content, yaml }) =>
    content ? checkOwn(content, yaml).findings : [],
  );
  const samplesOf = new Map(directory.samples.map((samples) => [integrationOf(samples.path), samples]));
  const result: CheckResult = {
    findings: [...directory.findings, ...ofTables, ...ofTemplates, ...unknownIntegrations(directory)],
    integrations: directory.integrations.length,
    tables: tables.size,
    samples: [],
    unchecked: 0,
    updated: [],
  };
  for (const integration of directory.integrations) {
    const { mapping, isOwn, findings } = await checkMapping(integration, directory.templates);
    result.findings.push(...findings);
    const samples = samplesOf.get(integration.path);
    if (!samples?.content) continue;
    if (!mapping) {
      result.unchecked += samples.content.length;
      continue;
    }
    const checked = await checkSamples({
      folder: directory.folder,
      integration,
      samples,
      mapping,
      isOwn,
      tables,
    });
    const isUpdated = update && updateSamples(directory.folder, samples, checked.samples);
    result.findings.push(...checked.findings);
    for (const sample of checked.samples) addSample(result, samples, sample, { update, isUpdated });
  }
  result.findings.sort(byPlace);
  return result;
}

/** Returns the integrations that destinations name and no file has. */
function unknownIntegrations({ destinations, integrations }: Directory): Finding[] {
  // Of a file with errors, the name may not be known.
  if (integrations.some(({ content }) => !content)) return [];
  const known = new Set(integrations.map(({ content }) => content?.name));
  return destinations.flatMap(({ content, yaml }) =>
    REFERENCES.destination(content ?? {})
      .filter(({ name }) => !known.has(name))
      .map(({ name, path }) =>
        yaml.findingAt(
          yaml.placeOf(path),
          `integrations: no file has the integration ${JSON.stringify(name)}. If there is one, only the server knows it`,
          { level: 'warning', code: 'unknown_integration' },
        ),
      ),
  );
}

const REPLACED: ReadonlySet<string> = new Set(['other_alerts', 'no_alerts']);

function addSample(
  result: CheckResult,
  { path: file, yaml }: SamplesFile,
  { name, index, findings }: CheckedSample,
  { update, isUpdated }: { update: boolean; isUpdated: boolean },
): void {
  const written = isUpdated ? findings.filter(({ code }) => REPLACED.has(code)) : [];
  const left = findings.filter((finding) => !written.includes(finding));
  result.updated.push(...written);
  result.findings.push(...(update && !isUpdated ? left.map(notUpdated) : left));
  result.samples.push({
    file,
    name,
    ...yaml.placeOf([index]),
    isUpdated: written.length > 0,
    findings: left,
  });
}

const notUpdated = (finding: Finding): Finding =>
  REPLACED.has(finding.code)
    ? {
        ...finding,
        message: `${finding.message}. --update left the file as it is, because its anchors are shared: edit it by hand`,
      }
    : finding;

function byPlace(one: Finding, other: Finding): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1;
  return one.line - other.line || one.column - other.column;
}
