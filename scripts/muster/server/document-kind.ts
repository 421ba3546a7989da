import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { MAX_AT_ONCE, mapAtOnce } from '../at-once.js';
import type { NamedKind } from '../files/kinds.js';
import type { Directory, FileOf } from '../files/read-directory.js';
import { differs, edited } from '../yaml/edit-file.js';
import type { MusterServer } from './client.js';
import { newPath } from './file-names.js';
import { type Applied, NOTHING, type PlannedChange, refused, tagOf } from './planned-change.js';
import { withSecrets } from './secrets.js';
import {
  type Applying,
  type Exported,
  type ExportedFile,
  type NamedFile,
  NOT_EXPORTED,
  type Planning,
  type ServerKind,
} from './server-kind.js';

type Content = { name: string; managedBy: string | null };

/** A kind whose things are documents under `/v2/by-name`. */
export interface DocumentKind<Name extends NamedKind, File extends Content> {
  one: PlannedChange['kind'];
  kind: Name;
  /** Where references to secrets are, such as `signature.secret`. */
  secrets: readonly string[];
  /** Null: the key may not read them. */
  list(server: MusterServer): Promise<{ name: string; managedBy: string | null }[] | null>;
  /** Returns the document of a file, with what it takes from other files of the folder. */
  documentOf?(content: File, directory: Directory): File;
  /** Returns what a plan says besides the places that differ. */
  meaning?(planning: Planning, content: File, saved: Saved): Promise<Partial<PlannedChange>>;
  /** Returns what a file says, with what the server fills in. @param given what files of the folder take from the server */
  complete(content: File, given: ReadonlyMap<string, unknown>): object;
  /** What files of the folder take from the server. */
  givenBy?(server: MusterServer, directory: Directory): Promise<ReadonlyMap<string, unknown>>;
  /** Returns a stored document with references in place of its secrets: those of its file, or new ones. */
  withReferences(stored: File, content: File | null): object;
  /** Returns what a file means that says nothing besides what it must have. */
  defaultsOf(stored: File): Record<string, unknown>;
  /** What a file must have. */
  required: readonly string[];
}

/** The response of `PUT`. */
// biome-ignore lint/suspicious/noExplicitAny: from another process; the code that reads a field checks it.
type Saved = any;

/** Returns how such a kind is kept on a server. */
export function documentKind<Name extends NamedKind, File extends Content>(
  own: DocumentKind<Name, File>,
): ServerKind {
  const { one, kind, secrets } = own;
  const pathOf = (name: string) => `/v2/by-name/${kind}/${encodeURIComponent(name)}`;
  const filesOf = (directory: Directory) => directory[kind] as FileOf<Name>[];

  async function plan(planning: Planning, { path, content }: NamedFile & { content: object }) {
    const { server, directory, env } = planning;
    const document = own.documentOf?.(content as File, directory) ?? (content as File);
    const sources = { root: directory.folder.root, env, file: path };
    const json = withSecrets(document, secrets, sources);
    const { body, headers } = await server.send('PUT', `${pathOf(document.name)}?dryRun=true`, { json });
    const { outcome, changes, warnings = [] } = body.data;
    if (outcome === 'unchanged') return null;
    const change: PlannedChange = {
      ...NOTHING,
      kind: one,
      action: outcome === 'created' ? 'create' : 'change',
      name: document.name,
      file: path,
      base: tagOf(headers),
      document,
      changes,
      warnings,
      ...(await own.meaning?.(planning, document, body.data)),
    };
    return change;
  }

  async function put(
    { server, root, env }: Applying,
    change: PlannedChange,
    dryRun: boolean,
  ): Promise<Applied> {
    const { name, base, document, file, dropsAll } = change;
    const query = new URLSearchParams({
      ...(dryRun ? { dryRun: 'true' } : {}),
      ...(dropsAll ? { confirm: 'drops-all' } : {}),
    });
    const { status, body } = await server.send('PUT', `${pathOf(name)}?${query}`, {
      json: withSecrets(document ?? {}, secrets, { root, env, file: file ?? name }),
      headers: { 'if-match': `"${base}"` },
      expected: [400, 409, 412, 422],
    });
    if (status === 412) return refused(change, `${overtaken(body)} Make a new plan`);
    if (status >= 400) return refused(change, body.message);
    if (body.data.outcome === 'unchanged') return { change, outcome: 'already' };
    // The same thing and the same files, but another secret in the environment.
    if (dryRun && !isDeepStrictEqual(change.changes, body.data.changes))
      return refused(
        change,
        'it would change other things than the plan says. Is the environment another one? Make a new plan',
      );
    return { change, outcome: 'applied' };
  }

  async function exportFiles(server: MusterServer, directory: Directory): Promise<Exported> {
    const listed = await own.list(server);
    if (listed === null) return { ...NOT_EXPORTED, closed: [kind] };
    const names = [...new Set(listed.map(({ name }) => name))].sort();
    const files = filesOf(directory);
    const known = new Map(files.flatMap((file) => (file.content ? [[file.content.name, file]] : [])));
    const taken = new Set(files.map(({ path }) => path));
    const problems: string[] = [];
    const documents = await mapAtOnce(names, MAX_AT_ONCE, async (name) => {
      const { status, body } = await server.send('GET', pathOf(name), { expected: [404, 409] });
      if (status === 409) problems.push(body.message);
      // Programs take them for steps in a path, also when they are escaped.
      if (name === '.' || name === '..')
        problems.push(
          `${/^[aeiou]/.test(one) ? 'An' : 'A'} ${one} has the name ${JSON.stringify(name)}, which no URL can have: give it another name`,
        );
      return status === 200 ? (body.data.document as File) : null;
    });
    const given = (await own.givenBy?.(server, directory)) ?? new Map();
    const exported = documents.flatMap((stored): ExportedFile | [] => {
      if (!stored) return [];
      const file = known.get(stored.name);
      if (!file?.content)
        return { path: newPath(kind, stored.name, taken), before: null, after: newText(stored) };
      const content = file.content as unknown as File;
      const wanted = {
        ...own.withReferences(stored, content),
        managedBy: stored.managedBy ?? content.managedBy,
      };
      try {
        const after = edited(
          file.yaml,
          own.complete(content, given) as Record<string, unknown>,
          wanted,
          own.defaultsOf(stored),
        );
        return { path: file.path, before: file.yaml.text, after };
      } catch (error) {
        problems.push(`${file.path}: ${(error as Error).message}`);
        return [];
      }
    });
    const unknown = files.filter(({ content }) => content && !names.includes(content.name));
    return { files: exported, unknown: unknown.map(({ path }) => ({ path, one })), problems, closed: [] };

    function newText(stored: File): string {
      const defaults = own.defaultsOf(stored);
      const entries = Object.entries(own.withReferences(stored, null)).filter(([name, value]) =>
        name === 'managedBy'
          ? value !== null && value !== directory.settings.managedBy
          : own.required.includes(name) || differs(defaults[name], value),
      );
      const schema = `# yaml-language-server: $schema=${server.address}/schemas/${one.replace(' ', '-')}.json\n`;
      return schema + stringify(Object.fromEntries(entries), { lineWidth: 0, aliasDuplicateObjects: false });
    }
  }

  return {
    one,
    filesOf,
    plan,
    managed: async (server, managedBy) =>
      ((await own.list(server)) ?? []).filter((each) => each.managedBy === managedBy).map(({ name }) => name),
    tag: async (server, name) => {
      // Several of the name have no tag together: such a deletion is refused.
      const { status, headers } = await server.send('GET', pathOf(name), { expected: [404, 409] });
      return status === 404 ? null : tagOf(headers);
    },
    put,
    delete: async ({ server }, change) => {
      const { status, body } = await server.send('DELETE', pathOf(change.name), {
        headers: { 'if-match': `"${change.base}"` },
        expected: [404, 409, 412],
      });
      if (status === 404) return { change, outcome: 'already' };
      if (status === 412) return refused(change, 'it was changed since. Make a new plan');
      return status >= 400 ? refused(change, body.message) : { change, outcome: 'applied' };
    },
    export: exportFiles,
  };
}

function overtaken({
  current,
}: {
  current?: { revision: number; savedBy: { name: string } | null };
}): string {
  if (!current || current.revision === 0) return 'it does not exist any more.';
  const by = current.savedBy ? ` by the key ${JSON.stringify(current.savedBy.name)}` : '';
  return `it was changed since${by}.`;
}
