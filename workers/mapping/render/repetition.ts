import type { CompiledMapping } from '../definition/compile.js';
import { requestNames } from '../definition/request-names.js';
import { contentOf, repeatKey } from '../series/repeat-key.js';
import type { RequestSource, RequestValues } from '../values/request.js';
import type { NormalizedAlert } from './results.js';

/** The series in which the repetitions of an event's items without a key are counted. The body is hashed once, for the first such item. */
export class Repetitions {
  readonly #mapping: CompiledMapping;
  readonly #body: Uint8Array | string;
  readonly #request: RequestSource;
  #content: string | null = null;

  constructor(mapping: CompiledMapping, body: Uint8Array | string, request: RequestSource) {
    this.#mapping = mapping;
    this.#body = body;
    this.#request = request;
  }

  /** Returns the series of an item without a key; null if the mapping counts no repetitions, or the item is about anything but a problem. */
  seriesOf(item: number, { status }: NormalizedAlert['fields']): NormalizedAlert['series'] {
    const { repeatWindowSeconds } = this.#mapping;
    if (repeatWindowSeconds === null || (status?.value ?? 'firing') !== 'firing') return null;
    this.#content ??= contentOf(this.#body, valuesRead(this.#mapping, this.#request));
    const dedupKey = repeatKey(repeatWindowSeconds, this.#content, item);
    return { dedupKey, status: 'firing', occurrence: null, final: false, texts: 'newest', expiry: null };
  }
}

type Names = ReturnType<typeof requestNames>['query'];

/** Returns what the mapping reads of the request. Events that differ in it are not the same, and headers may name the attempt. */
function valuesRead(mapping: CompiledMapping, request: RequestSource): unknown[] {
  const { query, headers } = requestNames(mapping);
  if (query !== 'all' && headers !== 'all' && query.size + headers.size === 0) return [];
  const read = request();
  return [...chosen('query', query, read?.query), ...chosen('headers', headers, read?.headers)];
}

const chosen = (part: string, names: Names, values: RequestValues = {}): unknown[] =>
  Object.keys(values)
    .filter((name) => names === 'all' || names.has(name))
    .sort()
    .map((name) => [part, name, values[name]]);
