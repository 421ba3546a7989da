import { withPreset } from '../../../api/routes/destinations/document.js';
import {
  type DestinationFileContent,
  destinationFile,
} from '../../../api/routes/destinations/file-schema.js';
import { presetOf } from '../../../workers/outbox/presets/index.js';
import { UploadFailure } from '../../upload/failure.js';
import { documentKind } from './document-kind.js';
import { referenceFor } from './file-names.js';

/** Destinations. They name integrations, which the plan may create before. */
export const destinations = documentKind<'destinations', DestinationFileContent>({
  one: 'destination',
  kind: 'destinations',
  secrets: ['url', 'secret', 'headers.*'],
  list: (server) => server.list('/v2/destinations'),
  meaning: async ({ directory }, _content, saved: { missing: string[] }) => {
    const planned = new Set(directory.integrations.map(({ content }) => content?.name));
    const missing = saved.missing.filter((name) => !planned.has(name));
    if (missing.length === 0) return {};
    throw new UploadFailure(
      `integrations: there is no ${missing.map((name) => JSON.stringify(name)).join(', ')}`,
    );
  },
  complete: (content) => withPreset(content),
  withReferences: (stored, content) => {
    const { name, preset: presetName } = stored;
    const preset = presetOf(presetName);
    const spelled = new Map(
      Object.entries(content?.headers ?? {}).map((entry) => [entry[0].toLowerCase(), entry]),
    );
    const headers = Object.keys(stored.headers).map(
      (header) => spelled.get(header) ?? [header, referenceFor(name, header)],
    );
    const url = content ? content.url : preset?.isMail ? undefined : referenceFor(name, 'url');
    const secret = content ? content.secret : preset?.needsSecret && referenceFor(name, 'secret');
    return {
      ...stored,
      ...(url === undefined ? {} : { url }),
      ...(secret === undefined ? {} : { secret }),
      headers: Object.fromEntries(headers),
    };
  },
  defaultsOf: ({ preset }) => withPreset(destinationFile.parse({ name: 'x', preset })),
  required: ['name', 'preset'],
});
