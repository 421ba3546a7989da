import type { IncomingHttpHeaders } from 'node:http';
import type { JsonValue } from '../../mapping/index.js';
import { cellOf, valueAt } from './json-values.js';
import type { SourceOf } from './settings.js';
import { SourceError } from './source-error.js';

type Next = NonNullable<SourceOf<'https'>['json']>['next'];

export interface Page {
  /** From which it came. */
  url: URL;
  headers: IncomingHttpHeaders;
  value: JsonValue;
}

/**
 * Returns the URL of the page after a page; null: it is the last one.
 * @throws SourceError `paging` if it is at another origin than the list
 */
export function nextPage(next: Next, page: Page, list: URL): URL | null {
  if (next === null) return null;
  if (next.by === 'link') return linkedPage(page, list);
  const cursor = cellOf(valueAt(page.value, next.path));
  if (cursor === null)
    throw new SourceError(
      'paging',
      `The cursor at ${next.path} is a list or an object. Check \`json.next.path\`.`,
    );
  if (cursor === '') return null;
  const url = new URL(list);
  url.searchParams.set(next.parameter, cursor);
  return url;
}

function linkedPage({ url, headers }: Page, list: URL): URL | null {
  const target = headers.link === undefined ? null : linkOf([headers.link].flat().join(','), 'next');
  if (target === null) return null;
  const linked = URL.canParse(target, url.href) ? new URL(target, url) : null;
  if (linked?.origin === list.origin) return linked;
  throw new SourceError(
    'paging',
    `The next page is at ${linked?.host ?? 'an invalid URL'}, and not at ${list.origin} like the first one. Use the URL of that host as \`url\`.`,
  );
}

/** One link with its parameters, from its `<` on. No URL has a `<` or `>`, and a quoted value may have any separator. */
const LINK = /<([^<>]*)>((?:[^,"]|"[^"]*")*)/g;
const RELATION = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;",]+))/i;

/** Returns the target of the first link with a relation (RFC 8288). */
export function linkOf(header: string, relation: string): string | null {
  for (const [, target = '', parameters = ''] of header.matchAll(LINK)) {
    const [, quoted, plain] = RELATION.exec(parameters) ?? [];
    const relations = (quoted ?? plain ?? '').toLowerCase().split(/\s+/);
    if (relations.includes(relation)) return target;
  }
  return null;
}
