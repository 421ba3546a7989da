import { accountSystemDocument } from '../../../api/routes/account-systems/document.js';
import { destinationFile } from '../../../api/routes/destinations/file-schema.js';
import { integrationFile } from '../../../api/routes/integrations/file-schema.js';
import { tableFile } from '../../../api/routes/tables/file-schema.js';
import { templateFile } from '../../../api/routes/templates/document.js';
import { samplesFile } from './samples-schema.js';

/**
 * The kinds of files: in which folder they are, and what they contain. A file is of the first kind whose name it has. In `exact` files,
 * numbers keep their digits.
 */
export const KINDS = {
  samples: { folder: 'integrations', name: /.\.samples\.yaml$/, schema: samplesFile, numbers: 'exact' },
  'account-systems': {
    folder: 'account-systems',
    name: /\.yaml$/,
    schema: accountSystemDocument,
    numbers: 'plain',
  },
  tables: { folder: 'tables', name: /\.yaml$/, schema: tableFile, numbers: 'plain' },
  templates: { folder: 'templates', name: /\.yaml$/, schema: templateFile, numbers: 'plain' },
  integrations: { folder: 'integrations', name: /\.yaml$/, schema: integrationFile, numbers: 'plain' },
  destinations: { folder: 'destinations', name: /\.yaml$/, schema: destinationFile, numbers: 'plain' },
} as const;

export type Kind = keyof typeof KINDS;

/** The kinds whose files have names of their own. */
export type NamedKind = Exclude<Kind, 'samples'>;
export const NAMED_KINDS = (Object.keys(KINDS) as Kind[]).filter((kind) => kind !== 'samples');

export const FOLDERS: readonly string[] = [...new Set(Object.values(KINDS).map(({ folder }) => folder))];
