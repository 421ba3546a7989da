import { findPreset } from '../../../api/intake/signature/presets/index.js';
import {
  type IntegrationFileContent,
  integrationFile,
} from '../../../api/routes/integrations/file-schema.js';
import { MAX_AT_ONCE, mapAtOnce } from '../at-once.js';
import { localTables } from '../files/local-tables.js';
import { documentKind } from './document-kind.js';
import { effectOf } from './effect.js';
import { referenceFor } from './file-names.js';

const DEFAULTS: Record<string, unknown> = integrationFile.parse({ name: 'x' });

/** Integrations. A new mapping is tried on stored events. */
export const integrations = documentKind<'integrations', IntegrationFileContent>({
  one: 'integration',
  kind: 'integrations',
  secrets: ['signature.secret'],
  list: (server) => server.list('/v2/webhooks'),
  // The plan changes the template before.
  documentOf: (content, { templates }) => {
    const own = templates.find((file) => file.content?.name === content.template)?.content;
    return own && content.mapping === undefined ? { ...content, mapping: own.mapping } : content;
  },
  meaning: async ({ server, directory, events }, content, { id, changes, warnings, filter }) => {
    const isMapped = changes.some((change: { path: string }) => /^(?:mapping|template)\b/.test(change.path));
    // The plan uploads them before.
    const planned = new Set(localTables(directory).map(({ content }) => `table ${content.name} `));
    const isPlanned = (message: string) => [...planned].some((table) => message.includes(table));
    return {
      warnings: warnings.filter(
        (one: { code: string; message: string }) => one.code !== 'unknown_table' || !isPlanned(one.message),
      ),
      dropsAll: filter !== undefined && filter.events > 0 && filter.filtered === filter.events,
      effect: isMapped && id !== null && events > 0 ? await effectOf(server, { id, content, events }) : null,
    };
  },
  // Files without a mapping have that of their template.
  givenBy: async (server, directory) => {
    const names = directory.integrations.flatMap(({ content }) =>
      content?.template && content.mapping === undefined ? content.template : [],
    );
    const found = await mapAtOnce([...new Set(names)], MAX_AT_ONCE, async (name) => {
      const path = `/v2/webhook-templates/${encodeURIComponent(name)}`;
      const { status, body } = await server.send('GET', path, { expected: [404] });
      return [name, status === 200 ? body.data.mapping : undefined] as const;
    });
    return new Map(found);
  },
  complete: (content, mappings) => {
    const mapping = content.mapping ?? mappings.get(content.template ?? '');
    return { ...content, ...(mapping === undefined ? {} : { mapping }) };
  },
  withReferences: (stored, content) => {
    const { signature } = stored;
    if (!signature) return stored;
    const known = content?.signature?.secret;
    const isNew = !content?.signature && findPreset(signature.scheme)?.secret;
    const secret = isNew ? referenceFor(stored.name, 'secret') : known;
    return { ...stored, signature: { ...signature, ...(secret === undefined ? {} : { secret }) } };
  },
  defaultsOf: () => DEFAULTS,
  required: ['name'],
});
