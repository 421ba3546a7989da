import type { ComponentType } from 'react';
import { FIRST_TAB, TAB_CODE, type TabName } from './integrations/tab-code.ts';
import { loadPart } from './parts/feedback/load-part.ts';

type ImportPage = () => Promise<{ default: ComponentType }>;

const INTEGRATION = '/integrations/:id/:tab?';

/** The code of each page, by its path. Each page is a separate file that is loaded on the first visit. The first path that matches counts. */
export const PAGE_CODE: Readonly<Record<string, ImportPage>> = {
  '/integrations': () => import('./integrations/list.tsx'),
  '/integrations/new': () => import('./integrations/gallery/new.tsx'),
  '/integrations/import': () => import('./integrations/import/import-page.tsx'),
  [INTEGRATION]: () => import('./integrations/integration.tsx'),
  '/alerts': () => import('./alerts/list/alerts-page.tsx'),
  '/alerts/:id': () => import('./alerts/detail/alert-page.tsx'),
  '/events': () => import('./events/list/events-page.tsx'),
  '/events/:id': () => import('./events/detail/event-page.tsx'),
  '/destinations': () => import('./destinations/list/destinations-page.tsx'),
  '/destinations/:id/:tab?': () => import('./destinations/detail/destination-page.tsx'),
  '/identities': () => import('./identities/list/identities-page.tsx'),
  '/identities/upload': () => import('./identities/upload/upload-page.tsx'),
  '/identities/history': () => import('./identities/history/history-page.tsx'),
  '/identities/person': () => import('./identities/person/person-page.tsx'),
  '/identities/coverage': () => import('./identities/coverage/coverage-page.tsx'),
  '/identities/feeds': () => import('./identities/feeds/feeds-page.tsx'),
  '/identities/feeds/:id': () => import('./identities/feeds/feed-page.tsx'),
  '/identities/systems/:id': () => import('./identities/systems/account-system-page.tsx'),
  '/identities/worklist': () => import('./identities/worklist/worklist-page.tsx'),
  '/identities/worklist/review': () => import('./identities/worklist/review/review-page.tsx'),
  '/identities/decisions': () => import('./identities/worklist/decisions/decisions-page.tsx'),
  '/tables': () => import('./tables/list/tables-page.tsx'),
  '/tables/:name': () => import('./tables/detail/table-page.tsx'),
  '/tables/:name/upload': () => import('./tables/upload/upload-page.tsx'),
  '/jobs': () => import('./jobs/list/jobs-page.tsx'),
  '/jobs/:id': () => import('./jobs/detail/job-page.tsx'),
  '/audit': () => import('./audit/audit-page.tsx'),
  '/keys': () => import('./keys/keys-page.tsx'),
  '/health': () => import('./health/health-page.tsx'),
};

/** The API's address of the entries, for each page that shows one of them. */
const DATA: Readonly<Record<string, string>> = {
  [INTEGRATION]: '/v2/webhooks',
  '/alerts/:id': '/v2/alerts',
  '/events/:id': '/v2/events',
  '/destinations/:id/:tab?': '/v2/destinations',
  '/tables/:name': '/v2/tables',
  '/jobs/:id': '/v2/jobs',
};

const SIGNATURE_FORM = ['/v2/signature-presets', '/v2/webhook-templates'];
/** What a tab of an integration shows first, besides the integration. A key that can read the integration can read it too. */
const TAB_DATA: Readonly<Partial<Record<TabName, readonly string[]>>> = {
  settings: SIGNATURE_FORM,
  test: SIGNATURE_FORM,
};

/** Returns the addresses of the data that the page at this location shows first; none if they depend on more than the location. */
export function dataOf(location: string): string[] {
  const base = DATA[pageAt(location) ?? ''];
  const tab = tabAt(location);
  return base ? [`${base}/${location.split('/')[2]}`, ...((tab && TAB_DATA[tab]) ?? [])] : [];
}

/** Returns whether the page at this location counts firing alerts, which not every key may read. */
export const showsFiring = (location: string): boolean => pageAt(location) === INTEGRATION;

/** Loads the code of the page at this location, and of its tab. A failure is shown with the page. */
export function preloadPage(location: string): void {
  const page = pageAt(location);
  const tab = tabAt(location);
  const parts = [page && PAGE_CODE[page], tab && TAB_CODE[tab]];
  for (const part of parts) if (part) loadPart(part).catch(() => {});
}

/** Returns the tab of an integration at this location; undefined if there is none. */
function tabAt(location: string): TabName | undefined {
  const tab = location.split('/')[3] || FIRST_TAB;
  return pageAt(location) === INTEGRATION && Object.hasOwn(TAB_CODE, tab) ? (tab as TabName) : undefined;
}

/** Returns the path of the page at this location; undefined if there is no page. */
export const pageAt = (location: string): string | undefined =>
  Object.keys(PAGE_CODE).find((path) => isAt(path, location));

/**
 * Returns whether a location has the path, as the router decides it: a segment of the path can be a parameter such as `:id`, or one that
 * can be absent such as `:tab?`. A parameter is never empty, one slash at the end is ignored, and so is case.
 */
function isAt(path: string, location: string): boolean {
  const [wanted, given] = [path.split('/'), location.toLowerCase().replace(/\/$/, '').split('/')];
  return (
    given.length <= wanted.length &&
    wanted.every((part, place) => {
      const value = given[place];
      if (value === undefined) return part.endsWith('?');
      return part.startsWith(':') ? value !== '' : part === value;
    })
  );
}
