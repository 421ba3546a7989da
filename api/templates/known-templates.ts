import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Database } from '../../db/client/connect.js';
import {
  findSavedTemplate,
  listSavedTemplates,
  type SavedTemplate,
  templateRevisions,
} from '../../db/webhooks/saved-templates.js';
import { catalogue, findSource } from '../../workers/mapping/catalogue/index.js';
import {
  compileYielding,
  type JsonValue,
  type PreparedTemplate,
  prepareTemplate,
  type Recognizable,
  Recognizer,
} from '../../workers/mapping/index.js';

/** A template of the catalogue or a saved one, ready to be recognized. */
export interface KnownTemplate extends Recognizable {
  name: string;
  title: string;
  origin: 'catalogue' | 'saved';
}

type Prepared = PreparedTemplate<KnownTemplate>;

/** The templates of this process. A saved template is prepared again only when its revision changes. */
const state: {
  ofCatalogue: Promise<Prepared[]> | null;
  ofSaved: Map<string, Prepared | null>;
  recognizer: { key: string; value: Recognizer<KnownTemplate> } | null;
} = { ofCatalogue: null, ofSaved: new Map(), recognizer: null };

/**
 * Returns the mapping of a template as JSON text, or null if there is none of this name. A saved template comes before one of
 * the catalogue: a later version of Muster may add a source of the same name.
 */
export async function mappingOfTemplate(database: Database, name: string): Promise<string | null> {
  const mapping = (await findSavedTemplate(database, name))?.mapping ?? findSource(name)?.mapping;
  return mapping === undefined ? null : JSON.stringify(mapping);
}

/** Returns the recognizer of all templates, with the saved ones as they are in the database now. */
export async function currentRecognizer(database: Database): Promise<Recognizer<KnownTemplate>> {
  const revisions = await templateRevisions(database);
  const key = JSON.stringify([...revisions].sort());
  if (state.recognizer?.key === key) return state.recognizer.value;
  state.ofCatalogue ??= prepareAll(catalogue.map((source) => ({ ...source, origin: 'catalogue' as const })));
  const own = await prepareSaved(database, revisions);
  const others = (await state.ofCatalogue).filter(({ template }) => !revisions.has(template.name));
  const value = new Recognizer([...own, ...others]);
  state.recognizer = { key, value };
  return value;
}

async function prepareSaved(database: Database, revisions: ReadonlyMap<string, string>): Promise<Prepared[]> {
  const versionOf = (name: string) => `${name}/${revisions.get(name)}`;
  const names = [...revisions.keys()];
  if (names.some((name) => !state.ofSaved.has(versionOf(name)))) {
    const saved = await listSavedTemplates(database);
    const prepared = new Map<string, Prepared | null>();
    for (const template of saved) {
      const version = versionOf(template.name);
      prepared.set(version, state.ofSaved.get(version) ?? (await prepareOne(ofSaved(template))));
    }
    state.ofSaved = prepared;
  }
  return names.flatMap((name) => state.ofSaved.get(versionOf(name)) ?? []);
}

const ofSaved = ({ name, title, mapping, sample }: SavedTemplate) => ({
  name,
  title,
  mapping,
  sample: sample as JsonValue,
  origin: 'saved' as const,
});

type Uncompiled = Omit<KnownTemplate, 'mapping'> & { mapping: unknown };

/** Compiles one template, each expression in a turn of the event loop. Null if it does not compile; a saved mapping always does. */
async function prepareOne({ mapping, ...template }: Uncompiled): Promise<Prepared | null> {
  await yieldToOthers();
  const compiled = await compileYielding(mapping, yieldToOthers, true);
  if ('errors' in compiled) return null;
  return prepareTemplate({ ...template, mapping: compiled.mapping });
}

async function prepareAll(templates: readonly Uncompiled[]): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  for (const template of templates) prepared.push(...[(await prepareOne(template)) ?? []].flat());
  return prepared;
}
