import {
  deleteTemplate,
  findSavedTemplate,
  insertTemplate,
  updateTemplate,
} from '../../../db/webhooks/saved-templates.js';
import { findSource } from '../../../workers/mapping/catalogue/index.js';
import { hashJson, preconditionFailed } from '../../http/entity-tag.js';
import { badRequest, conflict } from '../../http/errors.js';
import { oneAtATime } from '../../preview/one-at-a-time.js';
import { changesBetween } from '../by-name/document-changes.js';
import { byNameRoutes, dryRunQuery } from '../by-name/routes.js';
import { checkNewMapping, mappingDoc } from '../webhooks/mapping-body.js';
import { templateDocument } from './document.js';
import { BODY_MAX_BYTES } from './manage.js';
import { requireLimits, requireOwner } from './owners.js';
import { templateName } from './schema.js';

export const {
  get: getTemplateByName,
  put: putTemplateByName,
  remove: deleteTemplateByName,
} = byNameRoutes({
  one: 'template',
  object: 'template',
  many: 'templates',
  title: 'Template',
  scopes: { read: ['webhooks:read', 'webhooks:write'], write: ['webhooks:write'] },
  name: templateName,
  document: templateDocument,
  documented: templateDocument.extend({ mapping: mappingDoc }).meta({ id: 'TemplateDocument' }),
  maxBytes: BODY_MAX_BYTES,
  query: dryRunQuery,
  presented: {},
  saved: {},
  notes: {
    put: 'Only saved templates have a document, and their names cannot change. Integrations that were created with it keep their mapping. The template of another key needs the scope `webhooks:write:all` as well.',
    delete: 'Integrations that were created with it keep their mapping',
  },
  find: async (_services, database, name) => {
    const found = await findSavedTemplate(database, name);
    if (!found) return null;
    const { title, description, sample, managedBy, revision, savedBy, updatedAt } = found;
    const document = { name, title, description, mapping: found.mapping ?? null, sample, managedBy };
    return { document, tag: hashJson(document), revision, savedBy, updatedAt };
  },
  idOf: ({ document }) => document.name,
  check: async (input, given) => {
    const { principal, params } = input;
    await oneAtATime(input, (pause) => checkNewMapping(given.mapping, principal, pause));
    if (given.name !== params.name) throw renamed(params.name);
    if (findSource(given.name)) throw nameTaken(given.name);
    const { name, title = name, description, mapping, sample, managedBy } = given;
    const content = { title, description, mapping, sample, managedBy };
    return {
      plan: async (transaction, before) => {
        await requireOwner(transaction, name, principal);
        const save = async () => {
          // Another request may change it by the other path at the same time.
          const isExpected = (revision: number) => revision === before?.revision;
          const outcome = before
            ? await updateTemplate(transaction, name, content, { author: principal, isExpected })
            : await insertTemplate(transaction, name, content, principal);
          if (outcome !== 'saved' && outcome !== true)
            throw preconditionFailed('template', { revision: 0, savedBy: null, ...before });
          await requireLimits(transaction, principal);
        };
        return { changes: changesBetween(before?.document ?? null, { name, ...content }), save };
      },
    };
  },
  present: async () => ({}),
  remove: async (transaction, { document: { name } }, principal) => {
    await requireOwner(transaction, name, principal);
    await deleteTemplate(transaction, name);
  },
});

const nameTaken = (name: string) =>
  conflict('name_taken', `The catalogue has a template named ${JSON.stringify(name)} already.`);

function renamed(name: string) {
  const message = `must be ${name}: the name of a template cannot change`;
  return badRequest('invalid_name', `\`name\` ${message}.`, [
    { field: 'name', code: 'invalid_name', message },
  ]);
}
