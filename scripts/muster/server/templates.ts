import { type TemplateFileContent, templateFile } from '../../../api/routes/templates/document.js';
import { documentKind } from './document-kind.js';

type Listed = { name: string; origin: string; managedBy: string | null };

/** Saved templates. Integrations take their mappings from them. */
export const templates = documentKind<'templates', TemplateFileContent>({
  one: 'template',
  kind: 'templates',
  secrets: [],
  list: async (server) => {
    const { status, body } = await server.send('GET', '/v2/webhook-templates', { expected: [403] });
    return status === 403 ? null : body.data.filter(({ origin }: Listed) => origin === 'saved');
  },
  complete: (content) => ({ ...content, title: content.title ?? content.name }),
  withReferences: (stored) => stored,
  defaultsOf: ({ name, mapping, sample }) => {
    const { title = name, ...defaults } = templateFile.parse({ name, mapping, sample });
    return { ...defaults, title };
  },
  required: ['name', 'mapping', 'sample'],
});
