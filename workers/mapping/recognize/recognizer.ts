import type { CompiledMapping } from '../definition/compile.js';
import { normalizeValue } from '../render/normalize.js';
import type { FieldResult, Normalized } from '../render/results.js';
import type { JsonValue } from '../values/json-value.js';
import { isOfRequest, matchingTags, type Subject, type Tag, tagsOf } from './required-paths.js';
import { type Shape, shapeOf } from './shape.js';

/** A template that can be recognized by the sample of what its source sends. */
export interface Recognizable {
  mapping: CompiledMapping;
  sample: JsonValue;
}

/** A template, the keys of its sample, and its tags that find a value in the sample. */
export interface PreparedTemplate<Template extends Recognizable> {
  template: Template;
  shape: Shape;
  required: readonly Tag[];
  /** Its tags that read the request. They count if the payload comes with one. */
  ofRequest: readonly Tag[];
}

/** A template, and how similar the keys of its sample and of a payload are, 0 to 1. */
export interface Resemblance<Template extends Recognizable> extends PreparedTemplate<Template> {
  likeness: number;
}

/** A template that was tried on a payload. */
export interface Candidate<Template extends Recognizable> {
  template: Template;
  /** 0 to 1: how similar the keys are (40%), how many required paths match (40%), and the fill rate (20%). */
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
  const { mapping, sample } = template;
  const tags = tagsOf(mapping);
  const required = matchingTags(mapping, tags, { payload: sample });
  return { template, shape: shapeOf(sample), required, ofRequest: tags.filter(isOfRequest) };
}

/** Finds the templates whose samples have the keys of a payload. */
export class Recognizer<Template extends Recognizable> {
  readonly #templates: readonly PreparedTemplate<Template>[];
  /** The number of samples that have a path. */
  readonly #counts = new Map<string, number>();

  constructor(templates: readonly PreparedTemplate<Template>[]) {
    this.#templates = templates;
    for (const { shape } of templates) {
      for (const path of shape) this.#counts.set(path, (this.#counts.get(path) ?? 0) + 1);
    }
  }

  /** Returns the templates that a payload resembles most, the most similar first. Takes up to 15 ms for 1 MiB. */
  resembling(payload: JsonValue): Resemblance<Template>[] {
    const shape = shapeOf(payload);
    return this.#templates
      .map((template) => ({ ...template, likeness: this.#likeness(template.shape, shape) }))
      .filter(({ likeness }) => likeness > 0)
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, MAX_TRIED);
  }

  /**
   * Combines how much of the sample's keys the payload has with how much of the payload's known keys the sample has: a large
   * payload has the keys of many small samples, and a large sample those of many small payloads.
   */
  #likeness(sample: Shape, payload: Shape): number {
    const shared = this.#weigh([...sample].filter((path) => payload.has(path)));
    return shared === 0 ? 0 : (2 * shared) / (this.#weigh(sample) + this.#weigh(payload));
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
  { template, likeness, ...tags }: Resemblance<Template>,
  subject: Subject,
): Candidate<Template> {
  const required = subject.request ? [...tags.required, ...tags.ofRequest] : tags.required;
  const matchedPaths = matchingTags(template.mapping, required, subject).length;
  const matched = required.length === 0 ? 0 : matchedPaths / required.length;
  const normalized = normalizeValue(template.mapping, subject.payload, subject.request);
  const fillRate = fillRateOf(normalized);
  const score = 0.4 * likeness + 0.4 * matched + 0.2 * fillRate;
  return { template, score, requiredPaths: required.length, matchedPaths, fillRate, normalized };
}

function fillRateOf({ alerts }: Normalized): number {
  const results = alerts.flatMap(({ fields, custom }): FieldResult[] => [
    ...Object.values(fields),
    ...Object.values(custom),
  ]);
  const rendered = results.filter(({ paths }) => paths.length > 0);
  if (rendered.length === 0) return 0;
  return rendered.filter(({ result }) => result === 'resolved').length / rendered.length;
}
