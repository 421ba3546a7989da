import type { CompiledMapping } from '../definition/compile.js';
import { normalizeValue } from '../render/normalize.js';
import type { FieldResult, Normalized } from '../render/results.js';
import type { JsonValue } from '../values/json-value.js';
import { isOfRequest, isPresent, matchingTags, type Subject, type Tag, tagsOf } from './required-paths.js';
import { isFree, type Shape, shapeOf, shapeOfPath } from './shape.js';

/** Alerts of a payload that a template is tried on. A thousand hold the event loop for more than 100 ms. */
const MAX_RENDERED = 250;

/** A template that can be recognized by the sample of what its source sends. */
export interface Recognizable {
  mapping: CompiledMapping;
  sample: JsonValue;
  /** Payloads of other events and versions, which the source is recognized by too. */
  otherSamples?: readonly JsonValue[];
}

/** The keys of a sample, and the tags of the template that find a value in it. */
interface PreparedSample {
  shape: Shape;
  required: readonly Tag[];
}

/** A template, its samples, and all keys that these have or its tags name. */
export interface PreparedTemplate<Template extends Recognizable> {
  template: Template;
  samples: readonly PreparedSample[];
  /** With the paths of first-ofs, which other versions of the source send. */
  known: Shape;
  /** Its tags that read the request. They count if the payload comes with one. */
  ofRequest: readonly Tag[];
}

/** A template, and how similar the keys of a payload and of the sample that is most similar are, 0 to 1. */
export interface Resemblance<Template extends Recognizable> extends PreparedTemplate<Template> {
  likeness: number;
  /** The tags that find a value in that sample. */
  required: readonly Tag[];
  /** Share of the payload's keys that any template knows that this one knows, 0 to 1. */
  explained: number;
  /** Share of all keys of the payload that only this template knows, 0 to 1; 0 if there are hardly any. */
  own: number;
}

/** A template that was tried on a payload. */
export interface Candidate<Template extends Recognizable> {
  template: Template;
  /**
   * 0 to 1: how similar the keys are (40%), how many required paths match (40%), and the fill rate (20%). At least nearly the share
   * of keys that only this source has.
   */
  score: number;
  /** Tags of the template that find a value in its sample or read the request, and how many of them find one here. */
  requiredPaths: number;
  matchedPaths: number;
  /** Share of the fields with paths that get their value from the payload, over all alerts. */
  fillRate: number;
  /** What the template makes of the payload. */
  normalized: Normalized;
}

/** Templates that are tried on the payload, after the comparison of keys has ranked all of them. */
const MAX_TRIED = 5;

/** Reads a template once, so that recognizing a payload compiles nothing. */
export function prepareTemplate<Template extends Recognizable>(
  template: Template,
): PreparedTemplate<Template> {
  const { mapping, sample, otherSamples = [] } = template;
  const tags = tagsOf(mapping);
  const samples = [sample, ...otherSamples].map((payload) => ({
    shape: shapeOf(payload),
    required: matchingTags(mapping, tags, { payload }),
  }));
  const named = tags.flat().filter(({ root }) => root === 'webhook' || root === 'item');
  const ofTags = named.flatMap((path) => shapeOfPath(path, mapping.split));
  const known = new Set([...samples.flatMap(({ shape }) => [...shape]), ...ofTags]);
  return { template, samples, known, ofRequest: tags.filter(isOfRequest) };
}

/** Finds the templates whose samples have the keys of a payload. */
export class Recognizer<Template extends Recognizable> {
  readonly #templates: readonly PreparedTemplate<Template>[];
  /** The number of templates that know a path. */
  readonly #counts = new Map<string, number>();

  constructor(templates: readonly PreparedTemplate<Template>[]) {
    this.#templates = templates;
    for (const { known } of templates) {
      for (const path of known) this.#counts.set(path, (this.#counts.get(path) ?? 0) + 1);
    }
  }

  /** Returns the templates that a payload resembles most, the most similar first. Takes up to 15 ms for 1 MiB. */
  resembling(payload: JsonValue): Resemblance<Template>[] {
    const shape = shapeOf(payload);
    return this.#templates
      .map((template) => ({ ...template, ...this.#compare(template, shape) }))
      .filter(({ likeness }) => likeness > 0)
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, MAX_TRIED);
  }

  /**
   * Combines how much of the sample's keys the payload has with how much of the payload's known keys the template knows: a large
   * payload has the keys of many small samples, and a large sample those of many small payloads. A key that only one source has
   * counts for it if the payload has it, against it if the payload lacks it, and against all others. A
   * key that a tag names and the sample lacks counts less.
   */
  #compare(
    { samples, known }: PreparedTemplate<Template>,
    payload: Shape,
  ): Pick<Resemblance<Template>, 'likeness' | 'required' | 'explained' | 'own'> {
    const found = [...known].filter((path) => payload.has(path));
    if (found.length === 0) return { likeness: 0, required: [], explained: 0, own: 0 };
    const [all, ofFound] = [this.#weigh(payload), this.#weigh(found)];
    const compared = samples.map(({ shape, required }) => {
      const ofSample = this.#weigh(found.filter((path) => shape.has(path)));
      const shared = ofSample + NAMED_ONLY * (ofFound - ofSample);
      return { required, likeness: (2 * shared) / (Math.max(this.#weigh(shape), ofFound) + all) };
    });
    const best = compared.reduce((one, other) => (other.likeness > one.likeness ? other : one));
    return { ...best, explained: ofFound / all, own: this.#ownShare(samples, payload) };
  }

  /**
   * Returns the share of a payload's keys that only the template with these samples has. Keys that no template knows count as those of
   * another source.
   */
  #ownShare(samples: readonly PreparedSample[], payload: Shape): number {
    const own = [...payload].filter(
      (path) => this.#counts.get(path) === 1 && samples.some(({ shape }) => shape.has(path)),
    );
    if (own.length < FEW_KEYS) return 0;
    const foreign = [...payload].filter((path) => !this.#counts.has(path)).length;
    const ofForeign = foreign * Math.log(1 + this.#templates.length);
    return this.#weigh(own) / (this.#weigh(payload) + ofForeign);
  }

  /** Sums the weights of paths. A path that few samples have weighs more; one that none has does not count. */
  #weigh(paths: Iterable<string>): number {
    let sum = 0;
    for (const path of paths) {
      const count = this.#counts.get(path);
      if (count !== undefined) sum += Math.log(1 + this.#templates.length / count);
    }
    return sum;
  }
}

/** Tries a template on a payload. Takes as long as mapping the payload, and up to 5 ms more. */
export function tryTemplate<Template extends Recognizable>(
  { template, likeness, explained, own, ...tags }: Resemblance<Template>,
  subject: Subject,
): Candidate<Template> {
  const required = subject.request ? [...tags.required, ...tags.ofRequest] : tags.required;
  const matching = matchingTags(template.mapping, required, subject, isPresent);
  const matchedPaths = matching.length;
  const matched = required.length === 0 ? 0 : weightOf(matching) / weightOf(required);
  const map = (mapping: CompiledMapping) =>
    normalizeValue(mapping, subject.payload, subject.request, MAX_RENDERED);
  const normalized = map(template.mapping);
  // What a template filters is as much its source's as what it keeps.
  const isFiltered = normalized.eventState === 'filtered';
  const fillRate = fillRateOf(isFiltered ? map({ ...template.mapping, filter: null }) : normalized);
  const similarity = (0.4 * likeness + 0.4 * matched + 0.2 * fillRate) * (1 - UNEXPLAINED * (1 - explained));
  const score = Math.max(similarity, OWN * own);
  return { template, score, requiredPaths: required.length, matchedPaths, fillRate, normalized };
}

/** What a key counts that a tag names and the sample lacks. */
const NAMED_ONLY = 0.9;

/** What counts a payload all of whose keys only one source has, however few of them the template reads. */
const OWN = 0.9;

/** Fewer keys than these may be a coincidence. */
const FEW_KEYS = 3;

/** How much keys that only other templates know count against one. */
const UNEXPLAINED = 0.2;

/** What a tag counts that reads only what users choose, such as a label that others do not have. */
const FREE_TAG = 0.25;

const weightOf = (tags: readonly Tag[]): number =>
  tags.reduce(
    (sum, paths) => sum + (paths.every(({ keys }) => keys.slice(0, -1).some(isFree)) ? FREE_TAG : 1),
    0,
  );

function fillRateOf({ alerts }: Normalized): number {
  const results = alerts.flatMap(({ fields, custom }): FieldResult[] => [
    ...Object.values(fields),
    ...Object.values(custom),
  ]);
  const rendered = results.filter(({ paths }) => paths.length > 0);
  if (rendered.length === 0) return 0;
  return rendered.filter(({ result }) => result === 'resolved').length / rendered.length;
}
