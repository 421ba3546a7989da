import { z } from 'zod';

/** Where a file is kept from which something comes. */
export const managedBy = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'must not contain control characters')
  .nullable()
  .meta({
    description: 'Where the file is kept from which it comes, such as the address of a repository',
  });
