import type { Knex } from 'knex';
import { z } from 'zod';
import type { AuditChange, ObjectKind } from '../../../db/audit/entry.js';
import type { Database } from '../../../db/client/connect.js';
import type { Author } from '../../../db/webhooks/author.js';
import { lockChanges } from '../../../db/webhooks/webhook-change.js';
import type { Principal } from '../../access/auth.js';
import { changed } from '../../audit/changed.js';
import { readJson } from '../../body/read-body.js';
import { authorSchema, failures } from '../../endpoint/error-responses.js';
import { flag } from '../../endpoint/parameters.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, type Input, NO_QUERY } from '../../endpoint/route.js';
import { preconditionFailed, readIfMatchTag, tagRevision } from '../../http/entity-tag.js';
import { conflict, notFound } from '../../http/errors.js';
import { changeOnce } from '../../idempotency/change-once.js';
import type { ApiServices } from '../../services.js';
import { type DocumentChange, documentChangeSchema } from './document-changes.js';

/** What is stored under a name, as a document without secrets. */
export interface Stored<Document> {
  document: Document;
  /** Changes whenever the document does, and when a secret does. */
  tag: string;
  revision: number;
  savedBy: Author | null;
  updatedAt: Date;
}

/** What saving a document does. */
interface PlannedSave {
  changes: readonly DocumentChange[];
  save(): Promise<void>;
  /** What only the response of this request says, such as a new secret. */
  shown?: object;
}

/** A checked document. */
interface Checked<Found> {
  /** Called in a transaction that no other change by name is in. @throws RequestError if the document does not fit what is stored */
  plan(transaction: Knex.Transaction, before: Found | null): Promise<PlannedSave>;
  /** What the response says of the document. */
  shown?: object;
}

/** The query of `PUT`, which a kind may extend. */
export const dryRunQuery = z.strictObject({
  dryRun: flag.default(false).meta({ description: 'Only say what would change' }),
});

interface Viewer {
  services: ApiServices;
  principal: Principal;
}

/** A kind of things that are kept as documents under their names. */
export interface NamedKind<
  Document extends { name: string },
  Found extends Stored<Document>,
  Query extends DryRunQuery,
> {
  /** Such as `integration`. */
  one: string;
  /** What the audit log calls it. */
  object: ObjectKind;
  /** Such as `integrations`. */
  many: string;
  /** The operations are named after it, such as `getIntegrationByName`. */
  title: string;
  scopes: { read: readonly [Scope, ...Scope[]]; write: readonly [Scope, ...Scope[]] };
  name: z.ZodType<string>;
  /** How a request is read. */
  document: z.ZodType<Document>;
  /** How it is described, if otherwise. */
  documented: z.ZodType;
  maxBytes: number;
  /** Of `PUT`. */
  query: Query;
  /** What `GET` returns in addition to the document: of the thing itself, and what `PUT` adds to that. */
  presented: z.ZodRawShape;
  saved: z.ZodRawShape;
  notes: { put: string; delete: string };
  /** @throws RequestError 409 `ambiguous_name` if several have the name */
  find(services: ApiServices, database: Database, name: string): Promise<Found | null>;
  /** Returns the id that the audit log names. */
  idOf(found: Found): string;
  /** Checks a document outside of a transaction. @param seen what is stored at this time */
  check(input: PutInput<Query>, given: Document, seen: Found | null): Promise<Checked<Found>>;
  /** @param found null: there is none yet */
  present(viewer: Viewer, database: Database, found: Found | null): Promise<object>;
  remove(transaction: Knex.Transaction, found: Found, principal: Principal): Promise<void>;
  /** Called after a change. */
  refresh?(services: ApiServices): Promise<void>;
}

type Scope = Principal['scopes'][number];
type DryRunQuery = typeof dryRunQuery;
/** The request of `PUT`. */
export type PutInput<Query extends DryRunQuery> = Input<z.output<Query>, { name: string }>;

/** Returns the routes of a kind: `GET`, `PUT` and `DELETE /v2/by-name/…/{name}`. */
export function byNameRoutes<
  Document extends { name: string },
  Found extends Stored<Document>,
  Query extends DryRunQuery,
>(kind: NamedKind<Document, Found, Query>) {
  const { one, many, title, scopes } = kind;
  const pathOf = (name: string) => `/v2/by-name/${many}/${name}`;
  const a = /^[aeiou]/.test(one) ? `an ${one}` : `a ${one}`;
  const common = {
    path: pathOf('{name}'),
    tag: `${one.charAt(0).toUpperCase()}${one.slice(1)} file`,
    params: z.strictObject({ name: kind.name.meta({ description: `Of the ${one}` }) }),
  } as const;
  const overtaken = (found: Found | null) =>
    preconditionFailed(one, { revision: found?.revision ?? 0, savedBy: found?.savedBy ?? null }, found?.tag);
  const recorded = (after: Found, before: Found | null, changes: readonly DocumentChange[]): AuditChange => {
    const members = (side: 'before' | 'after') =>
      Object.fromEntries(changes.map((change) => [change.path, change[side]]));
    const what = { kind: kind.object, id: kind.idOf(after), name: after.document.name };
    return Object.assign(what, { before: before && members('before'), after: members('after') });
  };
  const nameInUse = (name: string) =>
    conflict('name_in_use', `Another ${one} has the name ${JSON.stringify(name)}. Nothing was changed.`);

  const stored = z
    .object({
      ...kind.presented,
      document: kind.document.meta({
        id: `Stored${title}Document`,
        description: 'As `PUT` takes it, without secrets',
      }),
      savedBy: authorSchema,
      updatedAt: z.iso.datetime(),
    })
    .meta({ id: `Stored${title}` });
  const get = defineRoute({
    ...common,
    method: 'get',
    operationId: `get${title}ByName`,
    etag: true,
    summary: `Get ${a} as the document that a file holds`,
    description: `Its \`ETag\` is for the \`If-Match\` of \`PUT\` and \`DELETE\`. If several ${many} have the name, the response is 409 \`ambiguous_name\`.`,
    scopes: scopes.read,
    query: NO_QUERY,
    responses: {
      200: { description: `The ${one}`, body: z.object({ ...success, data: stored }) },
      ...failures(400, 404, 409),
    },
    handle: async ({ ctx, params: { name }, principal, services }) => {
      const found = await kind.find(services, services.database, name);
      if (!found) throw notFound(one);
      const presented = await kind.present({ services, principal }, services.database, found);
      const { document, savedBy, updatedAt } = found;
      const data = { ...presented, document, savedBy, updatedAt: updatedAt.toISOString() };
      ctx.body = { status: 'success', data };
      tagRevision(ctx, found.tag);
    },
  });

  const savedBody = z.object({
    ...success,
    data: z
      .object({
        outcome: z
          .enum(['created', 'changed', 'unchanged'])
          .meta({ description: 'With `dryRun`, what it would be' }),
        ...kind.presented,
        changes: z
          .array(documentChangeSchema)
          .meta({ description: 'Where the document differs from what was stored' }),
        ...kind.saved,
      })
      .meta({ id: `Saved${title}` }),
  });
  const put = defineRoute({
    ...common,
    method: 'put',
    operationId: `put${title}ByName`,
    summary: `Make ${a} what a document says: create it, or change what differs`,
    description:
      'All of it or nothing is changed. What the document leaves out gets its default. Send `If-Match` with the `ETag` of `GET`, to change only what you have read; ' +
      `\`"0"\` means that there was none. A document that changes nothing is accepted whatever \`If-Match\` says. ${kind.notes.put}`,
    scopes: scopes.write,
    idempotent: true,
    headers: ['If-Match'],
    query: kind.query,
    requestBody: { 'application/json': kind.documented },
    responses: {
      200: { description: 'What was changed, or would be', body: savedBody, headers: { ETag: 'always' } },
      201: {
        description: `The new ${one}`,
        body: savedBody,
        headers: { ETag: 'always', Location: 'always' },
      },
      ...failures(400, 409, 412, 413, 415, 422),
    },
    handle: async (input) => {
      const { ctx, principal, once, services } = input;
      const { name } = input.params;
      const { dryRun }: { dryRun: boolean } = input.query;
      const isExpected = readIfMatchTag(ctx);
      const given = await readJson(ctx, kind.document, once, { limit: kind.maxBytes });
      const checked = await kind.check(input, given, await kind.find(services, services.database, name));
      await changeOnce(input, async (transaction) => {
        // So that no other request gives the same name to another one meanwhile.
        await lockChanges(transaction);
        const before = await kind.find(services, transaction, name);
        const { changes, save, shown } = await checked.plan(transaction, before);
        const isChange = changes.length > 0;
        if (isChange && !isExpected(before?.tag ?? null)) throw overtaken(before);
        if (given.name !== name && (await kind.find(services, transaction, given.name)))
          throw nameInUse(given.name);
        const isWritten = isChange && !dryRun;
        if (isWritten) await save();
        const after = isWritten ? await kind.find(services, transaction, given.name) : before;
        const presented = await kind.present({ services, principal }, transaction, after);
        const outcome = before ? (isChange ? 'changed' : 'unchanged') : 'created';
        const data = { outcome, ...presented, changes, ...checked.shown, ...shown };
        const headers = { 'Cache-Control': 'no-store', ETag: `"${after?.tag ?? 0}"` };
        const isNew = isWritten && !before;
        const audit = isWritten && after ? [recorded(after, before, changes)] : [];
        return {
          audit,
          status: isNew ? 201 : 200,
          headers: isNew ? { ...headers, Location: pathOf(encodeURIComponent(given.name)) } : headers,
          body: { status: 'success', data },
        };
      });
      await kind.refresh?.(services);
    },
  });

  const remove = defineRoute({
    ...common,
    method: 'delete',
    operationId: `delete${title}ByName`,
    summary: `Delete ${a}. ${kind.notes.delete}`,
    scopes: scopes.write,
    idempotent: true,
    headers: ['If-Match'],
    query: NO_QUERY,
    responses: { 204: { description: 'Deleted' }, ...failures(400, 404, 409, 412) },
    handle: async (input) => {
      const { services } = input;
      const isExpected = readIfMatchTag(input.ctx);
      await changeOnce(input, async (transaction) => {
        await lockChanges(transaction);
        const before = await kind.find(services, transaction, input.params.name);
        if (!before) throw notFound(one);
        if (!isExpected(before.tag)) throw overtaken(before);
        await kind.remove(transaction, before, input.principal);
        const audit = changed([kind.object, kind.idOf(before), before.document.name], before.document, null);
        return { status: 204, body: null, audit };
      });
      await kind.refresh?.(services);
    },
  });
  return { get, put, remove };
}

/** @param ids of those that have the name */
export const ambiguousName = (many: string, name: string, ids: readonly string[]) =>
  conflict(
    'ambiguous_name',
    `${ids.length} ${many} have the name ${JSON.stringify(name)}: ${ids
      .slice(0, 10)
      .join(', ')}. Nothing was changed. Give the others another name.`,
  );
