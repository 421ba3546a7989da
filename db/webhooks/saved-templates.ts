import type { Tables } from 'knex/types/tables.js';
import type { Database } from '../client/connect.js';
import { isDuplicateKey } from '../client/errors.js';
import { inTransaction } from '../client/transaction.js';
import { type Author, authorColumns, type SaveOptions, toAuthor } from './author.js';

/** A template that somebody saved from a mapping of their own. */
export interface SavedTemplate {
  name: string;
  title: string;
  description: string;
  mapping: unknown;
  sample: unknown;
  /** Where the file is kept from which it comes, such as the address of a repository; null: nobody keeps one. */
  managedBy: string | null;
  /** Counts the changes of the template. */
  revision: number;
  savedBy: Author | null;
  /** The API key that created it, or for a template of an earlier release the one that saved it last. */
  ownerId: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export type TemplateContent = Pick<
  SavedTemplate,
  'title' | 'description' | 'mapping' | 'sample' | 'managedBy'
>;

/** What all saved templates may take, and those of one key. Each is in memory of every API process that recognizes payloads. */
export const TEMPLATE_LIMITS = {
  all: { count: 100, bytes: 4 * 1024 * 1024 },
  perKey: { count: 25, bytes: 1024 * 1024 },
};

/** Returns all saved templates by title. */
export async function listSavedTemplates(database: Database): Promise<SavedTemplate[]> {
  const rows = await database('saved_templates').orderBy(['title', 'name']);
  return rows.map(toTemplate);
}

/** Returns the revision of each saved template by name, to notice which have changed. */
export async function templateRevisions(database: Database): Promise<Map<string, string>> {
  const rows = await database('saved_templates').select('name', 'revision', 'created_at');
  return new Map(rows.map((row) => [row.name, `${row.created_at.getTime()}/${row.revision}`]));
}

/** Returns a saved template, or null if there is none. */
export async function findSavedTemplate(database: Database, name: string): Promise<SavedTemplate | null> {
  const row = await database('saved_templates').where({ name }).first();
  return row ? toTemplate(row) : null;
}

/** Saves a template. Returns false if the name is taken. */
export async function insertTemplate(
  database: Database,
  name: string,
  content: TemplateContent,
  author: Author,
): Promise<boolean> {
  const now = new Date();
  const row = {
    name,
    revision: 1,
    owner_id: author.id,
    created_at: now,
    updated_at: now,
    ...authorColumns(author),
  };
  try {
    await database('saved_templates').insert({ ...row, ...columnsOf(content) });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/**
 * Replaces the given properties of a saved template, unless its revision is not the expected one: that is a conflict. Returns
 * null if there is no such template.
 */
export async function updateTemplate(
  database: Database,
  name: string,
  change: Partial<TemplateContent>,
  { author, isExpected = () => true }: SaveOptions,
): Promise<'saved' | 'conflict' | null> {
  return inTransaction(database, async (transaction) => {
    const row = await transaction('saved_templates').where({ name }).first().forUpdate();
    if (!row) return null;
    if (!isExpected(row.revision)) return 'conflict';
    const kept = { owner_id: toTemplate(row).ownerId };
    const saved = { ...kept, revision: row.revision + 1, updated_at: new Date(), ...authorColumns(author) };
    const content = columnsOf({ ...toTemplate(row), ...change });
    await transaction('saved_templates')
      .where({ name })
      .update({ ...saved, ...content });
    return 'saved';
  });
}

/** Deletes a saved template. Integrations made from it keep their mapping. Returns false if there is none. */
export async function deleteTemplate(database: Database, name: string): Promise<boolean> {
  return (await database('saved_templates').where({ name }).delete()) > 0;
}

/** Returns how many templates are saved and the bytes of their mappings and samples: of all keys, or of one. */
export async function templateLoad(
  database: Database,
  ownerId?: string,
): Promise<{ count: number; bytes: number }> {
  const query = database('saved_templates').count({ count: '*' }).sum({ bytes: 'bytes' });
  if (ownerId !== undefined) query.whereRaw('COALESCE(owner_id, saved_by_id) = ?', [ownerId]);
  const [sum] = await query;
  return { count: Number(sum?.count ?? 0), bytes: Number(sum?.bytes ?? 0) };
}

function columnsOf({ title, description, mapping, sample, managedBy }: TemplateContent) {
  const texts = { mapping: JSON.stringify(mapping), sample: JSON.stringify(sample) };
  const bytes = Buffer.byteLength(texts.mapping) + Buffer.byteLength(texts.sample);
  return { title, description, ...texts, bytes, managed_by: managedBy };
}

const toTemplate = (row: Tables['saved_templates']): SavedTemplate => ({
  name: row.name,
  title: row.title,
  description: row.description,
  mapping: JSON.parse(row.mapping),
  sample: JSON.parse(row.sample),
  managedBy: row.managed_by,
  revision: row.revision,
  savedBy: toAuthor(row),
  ownerId: row.owner_id ?? row.saved_by_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
