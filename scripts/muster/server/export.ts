import { type Document, isAlias, isMap, type Node, type Scalar, stringify } from 'yaml';
import { findPreset } from '../../../api/intake/signature/presets/index.js';
import type { IntegrationDocument } from '../../../api/routes/integrations/document.js';
import { differences } from '../../../api/routes/integrations/document-changes.js';
import {
  type IntegrationFileContent,
  integrationFile,
} from '../../../api/routes/integrations/file-schema.js';
import { MAX_AT_ONCE, mapAtOnce } from '../at-once.js';
import type { Directory } from '../files/read-directory.js';
import type { YamlFile } from '../yaml/yaml-file.js';
import { type MusterServer, pathOf } from './client.js';

/** A file as the server has it. */
export interface ExportedFile {
  /** Relative to the folder. */
  path: string;
  /** Null: there is none yet. */
  before: string | null;
  after: string;
}

export interface Exported {
  files: ExportedFile[];
  /** Files whose integration the server does not have. */
  unknown: string[];
  /** Why an integration could not be exported. */
  problems: string[];
}

/**
 * Returns each integration of the server as a file. Of a file that is there, only what differs is changed, so that comments and order
 * stay. Writes nothing.
 * @throws Unavailable, UploadFailure
 */
export async function exportAll(server: MusterServer, directory: Directory): Promise<Exported> {
  const all: { name: string }[] = await server.list('/v2/webhooks');
  const names = [...new Set(all.map(({ name }) => name))].sort();
  const known = new Map(
    directory.integrations.flatMap((file) => (file.content ? [[file.content.name, file]] : [])),
  );
  const taken = new Set(directory.integrations.map(({ path }) => path));
  const problems: string[] = [];
  const documents = await mapAtOnce(names, MAX_AT_ONCE, async (name) => {
    const { status, body } = await server.send('GET', pathOf(name), { expected: [404, 409] });
    if (status === 409) problems.push(body.message);
    return status === 200 ? (body.data.document as IntegrationDocument) : null;
  });
  const templates = await templatesOf(server, directory);
  const files = documents.flatMap((document): ExportedFile | [] => {
    if (!document) return [];
    const file = known.get(document.name);
    if (!file?.content) {
      const path = newPath(document.name, taken);
      return { path, before: null, after: newText(document, directory.settings.managedBy, server.address) };
    }
    try {
      const after = edited(file.yaml, withMapping(file.content, templates), document);
      return { path: file.path, before: file.yaml.text, after };
    } catch (error) {
      problems.push(`${file.path}: ${(error as Error).message}`);
      return [];
    }
  });
  files.sort((one, other) => (one.path < other.path ? -1 : 1));
  const unknown = directory.integrations.filter(({ content }) => content && !names.includes(content.name));
  return { files, unknown: unknown.map(({ path }) => path), problems };
}

/** Returns the mappings of the templates from which files without a mapping take it. */
async function templatesOf(
  server: MusterServer,
  { integrations }: Directory,
): Promise<ReadonlyMap<string, unknown>> {
  const names = integrations.flatMap(({ content }) =>
    content?.template && content.mapping === undefined ? content.template : [],
  );
  const found = await mapAtOnce([...new Set(names)], MAX_AT_ONCE, async (name) => {
    const path = `/v2/webhook-templates/${encodeURIComponent(name)}`;
    const { status, body } = await server.send('GET', path, { expected: [404] });
    return [name, status === 200 ? body.data.mapping : undefined] as const;
  });
  return new Map(found);
}

function withMapping(
  content: IntegrationFileContent,
  templates: ReadonlyMap<string, unknown>,
): IntegrationDocument {
  const mapping = content.mapping ?? templates.get(content.template ?? '');
  const { secret, ...signature } = content.signature ?? {};
  return {
    ...content,
    ...(mapping === undefined ? {} : { mapping }),
    signature: content.signature && (signature as IntegrationDocument['signature']),
  };
}

/** What a file means that says nothing. */
const DEFAULTS: Record<string, unknown> = integrationFile.parse({ name: 'x' });

/**
 * Returns the text of a file after what differs from the server was changed in it.
 * @throws Error if the file says it in a way that cannot be edited
 */
function edited(yaml: YamlFile, content: IntegrationDocument, stored: IntegrationDocument): string {
  const wanted = { ...stored, managedBy: stored.managedBy ?? content.managedBy };
  const found = [...differences([], content, wanted)];
  const { document } = yaml;
  if (found.length === 0 || document === null) return yaml.text;
  const copy = document.clone() as Document;
  for (const { path, after } of found) change(copy, path, after);
  return copy.toString({ lineWidth: 0 });
}

function change(document: Document, path: readonly string[], value: unknown): void {
  for (let depth = 1; depth < path.length; depth++)
    if (isAlias(document.getIn(path.slice(0, depth), true)))
      throw new Error(
        `${path.join('.')} is different on the server, and part of an alias here: change the file by hand`,
      );
  const [top = ''] = path;
  const isDefault = path.length === 1 ? differs(DEFAULTS[top], value) === false : value === null;
  if (isDefault) remove(document, path);
  else document.setIn(path, document.createNode(value));
}

/** Deletes a member, and keeps the comment above it: it may be about the whole file. */
function remove(document: Document, path: readonly string[]): void {
  const map = document.getIn(path.slice(0, -1), true);
  if (!isMap<Scalar, Node | null>(map)) return;
  const index = map.items.findIndex(({ key }) => key.value === path.at(-1));
  const comment = map.items[index]?.key.commentBefore;
  map.delete(path.at(-1));
  const next = map.items[index]?.key;
  if (comment && next) next.commentBefore = [comment, next.commentBefore].filter(Boolean).join('\n');
  else if (comment) map.comment = [map.comment, comment].filter(Boolean).join('\n');
}

const differs = (one: unknown, other: unknown): boolean => !differences([], one, other).next().done;

function newText(document: IntegrationDocument, managedBy: string | null, address: string): string {
  const { signature } = document;
  const secret =
    signature && findPreset(signature.scheme)?.secret ? { secret: referenceFor(document.name) } : {};
  const content = { ...document, signature: signature && { ...signature, ...secret } };
  const entries = Object.entries(content).filter(([name, value]) =>
    name === 'managedBy'
      ? value !== null && value !== managedBy
      : name === 'name' || differs(DEFAULTS[name], value),
  );
  const schema = `# yaml-language-server: $schema=${address}/schemas/integration.json\n`;
  return schema + stringify(Object.fromEntries(entries), { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Returns the reference to a secret of a new file: a variable of the environment, such as `${GRAFANA_EU_SECRET}`. */
const referenceFor = (name: string): string => {
  const word = slugOf(name).replaceAll('-', '_').toUpperCase();
  return `$\{${/^\d/.test(word) ? `M${word}` : word}_SECRET}`;
};

function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return slug || 'integration';
}

function newPath(name: string, taken: Set<string>): string {
  const slug = slugOf(name);
  for (let number = 1; ; number++) {
    const path = `integrations/${slug}${number === 1 ? '' : `-${number}`}.yaml`;
    if (taken.has(path)) continue;
    taken.add(path);
    return path;
  }
}
