import { integrationFile } from '../../../api/routes/integrations/file-schema.js';
import { samplesFile } from './samples-schema.js';
import { tableFile } from './table-schema.js';

/**
 * The kinds of files: in which folder they are, and what they contain. A file is of the first kind whose name it has. In `exact` files,
 * numbers keep their digits.
 */
export const KINDS = {
  samples: { folder: 'integrations', name: /.\.samples\.yaml$/, schema: samplesFile, numbers: 'exact' },
  integrations: { folder: 'integrations', name: /\.yaml$/, schema: integrationFile, numbers: 'plain' },
  tables: { folder: 'tables', name: /\.yaml$/, schema: tableFile, numbers: 'plain' },
} as const;

export type Kind = keyof typeof KINDS;

export const FOLDERS: readonly string[] = [...new Set(Object.values(KINDS).map(({ folder }) => folder))];
