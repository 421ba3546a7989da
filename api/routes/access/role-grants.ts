import { z } from 'zod';
import { findApiKey } from '../../../db/access/api-keys.js';
import {
  countGrants,
  deleteGrant,
  findGrant,
  insertGrant,
  listGrants,
  type RoleGrant,
  SUBJECT_KINDS,
  type Subject,
} from '../../../db/access/role-grants.js';
import type { Database } from '../../../db/client/connect.js';
import { changed } from '../../audit/changed.js';
import { readJson } from '../../body/read-body.js';
import { authorSchema, failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { BODY, summary } from '../../http/error-details.js';
import { conflict, notFound, unprocessable } from '../../http/errors.js';
import { changeOnce } from '../../idempotency/change-once.js';
import { PAGE_HEADERS, pageQuery, pageSchema, sendPage, timePosition } from '../../lists/list-page.js';
import { roleName } from './roles.js';

const MAX_GRANTS = 10_000;

const subject = z.strictObject({
  kind: z.enum(SUBJECT_KINDS).meta({ description: '`group`: everybody in it' }),
  id: z.uuid().toLowerCase(),
});

export const roleGrantSchema = z
  .object({
    id: z.uuid(),
    subject,
    role: z.string(),
    createdAt: z.iso.datetime(),
    createdBy: authorSchema,
  })
  .meta({ id: 'RoleGrant' });

const newGrant = z.strictObject({ subject, role: roleName }).meta({ id: 'NewRoleGrant' });

export const createRoleGrant = defineRoute({
  method: 'post',
  path: '/v2/role-grants',
  operationId: 'createRoleGrant',
  tag: 'Role',
  summary: 'Grant a role to an API key, a person or a group',
  description:
    'The subject gets the scopes of the role besides those that it has. Takes effect on every host within 5 s.',
  scopes: ['admin'],
  idempotent: true,
  query: NO_QUERY,
  params: NO_PARAMS,
  requestBody: { 'application/json': newGrant },
  responses: {
    201: {
      description: 'The grant',
      body: z.object({ ...success, data: roleGrantSchema }),
      headers: { Location: 'always' },
    },
    ...failures(400, 409, 415, 422),
  },
  handle: async (input) => {
    const { principal, services } = input;
    const given = await readJson(input.ctx, newGrant, input.once);
    await changeOnce(input, async (transaction) => {
      if ((await countGrants(transaction)) >= MAX_GRANTS)
        throw conflict(
          'too_many_grants',
          `There are ${MAX_GRANTS} grants, which is the limit. Grant roles to groups.`,
        );
      await requireSubject(transaction, given.subject);
      const createdBy = { id: principal.id, name: principal.name };
      const id = await insertGrant(transaction, { subject: given.subject, role: given.role, createdBy });
      if (id === null) throw invalid('role', 'unknown_role', 'is not a role');
      const made = await findGrant(transaction, id);
      if (!made) throw notFound('grant');
      const headers = { Location: `/v2/role-grants/${id}` };
      const data = present(made);
      const audit = changed(['role_grant', id, made.role], null, data);
      return { status: 201, headers, body: { status: 'success', data }, audit };
    });
    services.authenticator.forget();
  },
});

export const listRoleGrants = defineRoute({
  method: 'get',
  path: '/v2/role-grants',
  operationId: 'listRoleGrants',
  tag: 'Role',
  summary: 'List the grants of roles, newest first',
  scopes: ['admin'],
  query: z.strictObject({
    subjectKind: z
      .enum(SUBJECT_KINDS)
      .optional()
      .meta({ description: 'Only grants to subjects of this kind' }),
    subjectId: z.uuid().toLowerCase().optional().meta({ description: 'Only grants to this subject' }),
    role: roleName.optional().meta({ description: 'Only grants of this role' }),
    ...pageQuery,
  }),
  params: NO_PARAMS,
  responses: {
    200: {
      description: 'A page of grants',
      headers: PAGE_HEADERS,
      body: z.object({ ...success, data: z.array(roleGrantSchema), page: pageSchema }),
    },
    ...failures(400),
  },
  handle: async ({ ctx, query: { pageSize, cursor, ...filters }, services }) => {
    await sendPage(ctx, {
      page: { pageSize, cursor },
      filters,
      read: (page) => listGrants(services.database, filters, page),
      position: timePosition,
      positionOf: ({ createdAt, id }) => [createdAt, id],
      present,
    });
  },
});

export const deleteRoleGrant = defineRoute({
  method: 'delete',
  path: '/v2/role-grants/{id}',
  operationId: 'deleteRoleGrant',
  tag: 'Role',
  summary: 'Take a grant back',
  description: 'Takes effect on every host within 5 s.',
  scopes: ['admin'],
  query: NO_QUERY,
  params: ID_PARAMS,
  idempotent: true,
  responses: { 204: { description: 'Taken back' }, ...failures(404) },
  handle: async (input) => {
    const { id } = input.params;
    await changeOnce(input, async (transaction) => {
      const before = await findGrant(transaction, id);
      if (!before || !(await deleteGrant(transaction, id))) throw notFound('grant');
      return {
        status: 204,
        body: null,
        audit: changed(['role_grant', id, before.role], present(before), null),
      };
    });
    input.services.authenticator.forget();
  },
});

/**
 * Checks that a key that is named exists. People and groups come from the provider of sign-in, so they may be granted a role before they come.
 * @throws RequestError 422
 */
async function requireSubject(database: Database, { kind, id }: Subject): Promise<void> {
  if (kind === 'key' && !(await findApiKey(database, id)))
    throw invalid('subject.id', 'unknown_subject', 'is not an API key');
}

const invalid = (field: string, code: string, message: string) => {
  const errors = [{ field, code, message }];
  return unprocessable(code, summary(BODY, errors), errors);
};

const present = ({
  id,
  subject,
  role,
  createdAt,
  createdBy,
}: RoleGrant): z.input<typeof roleGrantSchema> => ({
  id,
  subject,
  role,
  createdAt: createdAt.toISOString(),
  createdBy,
});
