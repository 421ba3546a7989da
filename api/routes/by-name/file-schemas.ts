import type { z } from 'zod';
import { destinationFile } from '../destinations/file-schema.js';
import { integrationFile } from '../integrations/file-schema.js';

/** The schemas of files, by what a file has. */
export const FILE_SCHEMAS = {
  integration: integrationFile,
  destination: destinationFile,
} satisfies Record<string, z.ZodType>;

export type FileSchemaName = keyof typeof FILE_SCHEMAS;
export const FILE_SCHEMA_NAMES = Object.keys(FILE_SCHEMAS) as FileSchemaName[];
