import { z } from 'zod';
import { ACTOR_KINDS, OBJECT_KINDS } from '../../../db/audit/entry.js';
import type { AuditEntry } from '../../../db/audit/list-audit.js';
import { anyOf } from '../../endpoint/parameters.js';
import { timeFilter } from '../../lists/time-query.js';

const members = z.record(z.string(), z.unknown()).nullable();

export const auditEntrySchema = z
  .object({
    id: z.uuid(),
    at: z.iso.datetime(),
    actor: z
      .object({
        kind: z.enum(ACTOR_KINDS),
        id: z.uuid().nullable().meta({ description: 'Of the key, the upload link or the person' }),
        name: z.string().meta({ description: 'At that time' }),
      })
      .meta({
        description: '`system`: nobody asked for it, such as upkeep, or a command on the server did it',
      }),
    action: z.string().meta({
      description: 'The `operationId` of the request, or the name of the upkeep task or the command',
    }),
    object: z.object({
      kind: z.enum(OBJECT_KINDS),
      id: z.string().nullable().meta({ description: 'Its id, number or name. Null for many objects' }),
      name: z.string().nullable().meta({ description: 'At that time' }),
    }),
    before: members.meta({
      description:
        'The members that were changed, by their paths such as `signature.mode`, as they were; null if the object is new. Secrets are `***`. A member that is too ' +
        'long is an object with `cut`, its length, and `start`',
    }),
    after: members.meta({ description: 'As they are since; null if the object was removed' }),
    requestId: z.string().nullable(),
    address: z
      .string()
      .nullable()
      .meta({ description: 'Of the client, as far as `AUDIT_ADDRESS` of the service keeps it' }),
  })
  .meta({ id: 'AuditEntry' });

/** The query parameters that select entries. */
export const auditFilterQuery = {
  actorKind: anyOf(z.enum(ACTOR_KINDS), 'Only changes by this kind of actor'),
  actorId: z.uuid().optional().meta({ description: 'Only changes by this key, upload link or person' }),
  action: anyOf(z.string().min(1).max(60), 'Only this action'),
  objectKind: anyOf(z.enum(OBJECT_KINDS), 'Only changes of this kind of object'),
  objectId: z.string().min(1).max(255).optional().meta({ description: 'Only changes of this object' }),
  requestId: z.string().min(1).max(64).optional().meta({ description: 'Only changes of this request' }),
  from: timeFilter('Only changes at this time or later'),
  to: timeFilter('Only changes before this time'),
};

export const presentEntry = ({ at, ...entry }: AuditEntry): z.input<typeof auditEntrySchema> =>
  Object.assign(entry, { at: at.toISOString() });
