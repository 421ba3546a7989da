import { MAPPING_MAX_BYTES } from '../../../api/routes/webhooks/mapping-body.js';
import { type CompiledMapping, compileMapping, mappingWarnings } from '../../../workers/mapping/index.js';
import type { FileOf, IntegrationFile } from '../files/read-directory.js';
import type { Finding } from '../finding.js';
import type { YamlFile } from '../yaml/yaml-file.js';

/** The mapping of an integration, as far as it is known without a server. */
export interface CheckedMapping {
  /** Null: there is none, it is invalid, or it is that of a template which only a server knows. */
  mapping: CompiledMapping | null;
  /** Whether the file has it, so that findings are about places in it. */
  isOwn: boolean;
  findings: Finding[];
}

/**
 * Compiles the mapping of an integration, or that of its template.
 * @param templates those of the folder
 */
export async function checkMapping(
  { content, yaml }: IntegrationFile,
  templates: readonly FileOf<'templates'>[],
): Promise<CheckedMapping> {
  if (!content) return { mapping: null, isOwn: false, findings: [] };
  if (content.mapping !== undefined) return checkOwn(content, yaml);
  const own = templates.find((template) => template.content?.name === content.template)?.content;
  if (!own) return ofTemplate(content.template, yaml);
  // What is wrong with it is said of its own file.
  const result = compileMapping(own.mapping);
  return { mapping: 'mapping' in result ? result.mapping : null, isOwn: false, findings: [] };
}

/** Compiles the mapping that a file has. */
export function checkOwn(content: { mapping?: unknown }, yaml: YamlFile): CheckedMapping {
  if (JSON.stringify(content.mapping).length > MAPPING_MAX_BYTES) {
    const message = `the mapping must have at most ${MAPPING_MAX_BYTES.toLocaleString('en-US')} characters as JSON`;
    const finding = yaml.findingAt(yaml.placeOf(['mapping']), message, { code: 'too_large' });
    return { mapping: null, isOwn: true, findings: [finding] };
  }
  const result = compileMapping(content.mapping);
  if ('mapping' in result) {
    const findings = mappingWarnings(result.mapping).map(({ field, code, message }) =>
      yaml.findingAt(yaml.placeOf(placeInMapping(yaml, field)), `${field}: ${message}`, {
        level: 'warning',
        code,
      }),
    );
    return { mapping: result.mapping, isOwn: true, findings };
  }
  const findings = result.errors.map(({ field, code, message, line, column }) => {
    const path = placeInMapping(yaml, field ?? '');
    const isInText = line !== undefined && column !== undefined;
    const place = isInText ? yaml.placeInText(path, { line, column }) : yaml.placeOf(path);
    // The place in the file says the same.
    const text = isInText ? message.replace(/^line \d+, column \d+: /, '') : message;
    return yaml.findingAt(place, field ? `${field}: ${text}` : text, { code });
  });
  return { mapping: null, isOwn: true, findings };
}

/** Returns the path in a file of a place in its mapping, such as `fields.title.template`. */
export const placeInMapping = (yaml: YamlFile, field: string): string[] =>
  yaml.pathOf(field ? `mapping.${field}` : 'mapping');

async function ofTemplate(name: string | null, yaml: YamlFile): Promise<CheckedMapping> {
  if (name === null) return { mapping: null, isOwn: false, findings: [] };
  // Loaded when it is needed: it has all sources.
  const { findSource } = await import('../../../workers/mapping/catalogue/index.js');
  const source = findSource(name);
  const result = source && compileMapping(source.mapping);
  if (result && 'mapping' in result) return { mapping: result.mapping, isOwn: false, findings: [] };
  const message = `template: Muster has no template ${JSON.stringify(name)} of its own. If it is a saved one, only the server knows it, and samples are not checked`;
  const finding = yaml.findingAt(yaml.placeOf(['template']), message, {
    level: 'warning',
    code: 'unknown_template',
  });
  return { mapping: null, isOwn: false, findings: [finding] };
}
