import type { z } from 'zod';
import { mappingSchema } from '../../../workers/mapping/index.js';
import { managedBy } from '../../endpoint/managed-by.js';
import { newTemplateSchema } from './schema.js';

/** Everything of a saved template that a file can hold. */
export const templateDocument = newTemplateSchema.extend({ managedBy: managedBy.default(null) });

export type TemplateDocument = z.infer<typeof templateDocument>;

/** A saved template as a file has it. */
export const templateFile = templateDocument.extend({ mapping: mappingSchema }).meta({
  title: 'Muster template',
  description: 'A template of Muster: a mapping for integrations, and a sample payload',
});

export type TemplateFileContent = z.infer<typeof templateFile>;
