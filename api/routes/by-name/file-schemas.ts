import type { z } from 'zod';
import { accountSystemDocument } from '../account-systems/document.js';
import { destinationFile } from '../destinations/file-schema.js';
import { integrationFile } from '../integrations/file-schema.js';
import { tableFile } from '../tables/file-schema.js';
import { templateFile } from '../templates/document.js';

/** The schemas of files, with what a file has one of. */
export const FILE_SCHEMAS: readonly { one: string; file: z.ZodType }[] = [
  { one: 'account-system', file: accountSystemDocument },
  { one: 'integration', file: integrationFile },
  { one: 'destination', file: destinationFile },
  { one: 'table', file: tableFile },
  { one: 'template', file: templateFile },
];
