import { z } from 'zod';

const count = z.number().int().nullable();

export const coverageSchema = z
  .object({
    integrationId: z.number().int(),
    accounts: count.meta({ description: 'Accounts that have an owner' }),
    owners: count.meta({ description: 'Different owners of these accounts' }),
    removed: count.meta({
      description:
        'Removed accounts that are still remembered. They are forgotten once no earlier upload could bring them back',
    }),
    lastUpload: z
      .object({
        acceptedAt: z.iso.datetime(),
        jobId: z.uuid().nullable().meta({ description: '`null` if the job has been deleted' }),
        apiKey: z.object({ id: z.uuid(), name: z.string() }).nullable().meta({
          description:
            'The API key that sent it, or that made the upload link. `null` if the job has been deleted',
        }),
        uploadLink: z
          .object({ id: z.uuid(), name: z.string() })
          .nullable()
          .meta({ description: 'The upload link that it came through; null without one' }),
      })
      .nullable()
      .meta({
        description:
          'The last upload or removal that named an account of this account system and was not superseded',
      }),
  })
  .meta({
    id: 'Coverage',
    description: 'How much of an account system is recorded. A count is `null` if it took too long',
  });
