import { z } from 'zod';

/** Returns the JSON Schema (draft 2020-12) of a kind of files, for editors. */
export function toFileSchema(file: z.ZodType): Record<string, unknown> {
  const schema = z.toJSONSchema(file, { io: 'input', unrepresentable: 'any' });
  // zod writes the name of a component as `id`, which JSON Schema knows no more, and our own `override`.
  return JSON.parse(JSON.stringify(schema), function (this: unknown, name: string, value: unknown) {
    return name === 'id' && typeof value === 'string' ? undefined : value;
  });
}
