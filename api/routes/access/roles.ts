import { z } from 'zod';
import { SCOPES } from '../../../db/access/api-keys.js';
import {
  countOwnRoles,
  findRole,
  insertRole,
  isBuiltIn,
  type Role,
  listRoles as readRoles,
  deleteRole as removeRole,
  updateRole,
} from '../../../db/access/roles.js';
import { isDuplicateKey } from '../../../db/client/errors.js';
import { changed } from '../../audit/changed.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { conflict, notFound } from '../../http/errors.js';
import { changeOnce } from '../../idempotency/change-once.js';

const MAX_ROLES = 100;

export const roleName = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,39}$/,
    'must be 1 to 40 lower-case letters, digits and hyphens, and begin with a letter',
  );

export const roleSchema = z
  .object({
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    isBuiltIn: z.boolean().meta({ description: 'Such a role cannot be changed' }),
    updatedAt: z.iso.datetime().nullable().meta({ description: 'Null for a built-in role' }),
  })
  .meta({ id: 'Role' });

const scopes = z.array(z.enum(SCOPES)).min(1).max(SCOPES.length);
const newRole = z.strictObject({ name: roleName, scopes }).meta({ id: 'NewRole' });
const one = z.object({ ...success, data: roleSchema });
const common = {
  path: '/v2/roles/{name}',
  tag: 'Role',
  scopes: ['admin'],
  query: NO_QUERY,
  params: z.strictObject({ name: roleName.meta({ description: 'Name of the role' }) }),
} as const;

export const listRoles = defineRoute({
  method: 'get',
  path: '/v2/roles',
  operationId: 'listRoles',
  tag: 'Role',
  summary: 'List all roles, the built-in ones first',
  scopes: ['admin'],
  query: NO_QUERY,
  params: NO_PARAMS,
  responses: {
    200: { description: 'The roles', body: z.object({ ...success, data: z.array(roleSchema) }) },
  },
  handle: async ({ ctx, services: { database } }) => {
    ctx.body = { status: 'success', data: (await readRoles(database)).map(present) };
  },
});

export const createRole = defineRoute({
  method: 'post',
  path: '/v2/roles',
  operationId: 'createRole',
  tag: 'Role',
  summary: 'Create a role',
  description: `A role is a list of scopes with a name, which \`POST /v2/role-grants\` grants. There may be ${MAX_ROLES} besides the built-in ones.`,
  scopes: ['admin'],
  idempotent: true,
  query: NO_QUERY,
  params: NO_PARAMS,
  requestBody: { 'application/json': newRole },
  responses: {
    201: { description: 'The new role', body: one, headers: { Location: 'always' } },
    ...failures(400, 409, 415, 422),
  },
  handle: async (input) => {
    const role = await readJson(input.ctx, newRole, input.once);
    await changeOnce(input, async (transaction) => {
      if (isBuiltIn(role.name)) throw roleExists(role.name);
      if ((await countOwnRoles(transaction)) >= MAX_ROLES)
        throw conflict(
          'too_many_roles',
          `There are ${MAX_ROLES} roles, which is the limit. Delete one that is not granted.`,
        );
      await insertRole(transaction, { name: role.name, scopes: [...new Set(role.scopes)] }).catch((error) => {
        throw isDuplicateKey(error) ? roleExists(role.name) : error;
      });
      const made = await findRole(transaction, role.name);
      if (!made) throw notFound('role');
      const headers = { Location: `/v2/roles/${role.name}` };
      const data = present(made);
      const audit = changed(['role', null, role.name], null, data);
      return { status: 201, headers, body: { status: 'success', data }, audit };
    });
  },
});

export const getRole = defineRoute({
  ...common,
  method: 'get',
  operationId: 'getRole',
  etag: true,
  summary: 'Get a role',
  responses: { 200: { description: 'The role', body: one }, ...failures(404) },
  handle: async ({ ctx, params, services: { database } }) => {
    const role = await findRole(database, params.name);
    if (!role) throw notFound('role');
    ctx.body = { status: 'success', data: present(role) };
  },
});

export const putRole = defineRoute({
  ...common,
  method: 'put',
  operationId: 'putRole',
  summary: 'Change the scopes of a role',
  description: 'Takes effect on every host within 5 s. A built-in role cannot be changed.',
  idempotent: true,
  requestBody: { 'application/json': z.strictObject({ scopes }).meta({ id: 'RoleSettings' }) },
  responses: { 200: { description: 'The role', body: one }, ...failures(400, 404, 409, 415, 422) },
  handle: async (input) => {
    const { name } = input.params;
    const given = await readJson(input.ctx, z.strictObject({ scopes }), input.once);
    requireOwn(name);
    await changeOnce(input, async (transaction) => {
      const before = await findRole(transaction, name);
      if (!before) throw notFound('role');
      await updateRole(transaction, { name, scopes: [...new Set(given.scopes)] });
      const saved = await findRole(transaction, name);
      if (!saved) throw notFound('role');
      const audit = changed(['role', null, name], present(before), present(saved));
      return { status: 200, body: { status: 'success', data: present(saved) }, audit };
    });
    input.services.authenticator.forget();
  },
});

export const deleteRole = defineRoute({
  ...common,
  method: 'delete',
  operationId: 'deleteRole',
  summary: 'Delete a role that is not granted',
  idempotent: true,
  responses: { 204: { description: 'Deleted' }, ...failures(404, 409) },
  handle: async (input) => {
    const { name } = input.params;
    requireOwn(name);
    await changeOnce(input, async (transaction) => {
      const before = await findRole(transaction, name);
      const outcome = await removeRole(transaction, name);
      if (!before || outcome === null) throw notFound('role');
      if (outcome === 'granted')
        throw conflict(
          'role_granted',
          `The role \`${name}\` is granted. Delete its grants first: \`GET /v2/role-grants?role=${name}\` lists them.`,
        );
      return { status: 204, body: null, audit: changed(['role', null, name], present(before), null) };
    });
  },
});

const roleExists = (name: string) =>
  conflict('role_exists', `There is a role \`${name}\`. Choose another name, or change it with PUT.`);

/** @throws RequestError 409 for a built-in role */
function requireOwn(name: string): void {
  if (isBuiltIn(name))
    throw conflict(
      'built_in_role',
      `The role \`${name}\` is built in and stays as it is. Create one of another name.`,
    );
}

const present = ({ name, scopes, isBuiltIn, updatedAt }: Role): z.input<typeof roleSchema> => ({
  name,
  scopes,
  isBuiltIn,
  updatedAt: updatedAt?.toISOString() ?? null,
});
