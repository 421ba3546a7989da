import { z } from 'zod';
import { integrationFile } from './file-schema.js';

/** Returns the JSON Schema (draft 2020-12) of an integration file, for editors. */
export function integrationFileSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(integrationFile, { io: 'input', unrepresentable: 'any' });
  // zod writes the name of a component as `id`, which JSON Schema knows no more, and our own `override`.
  return JSON.parse(JSON.stringify(schema), function (this: unknown, name: string, value: unknown) {
    return name === 'id' && typeof value === 'string' ? undefined : value;
  });
}
