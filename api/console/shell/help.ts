const address = (help: string): string => `/guide/${help}`;

/** The pages of the documentation by the start of an address in the console. The first that matches counts. `*` is any one segment. */
const HELP: readonly (readonly [path: string, help: string])[] = [
  ['/integrations/new', 'templates'],
  ['/integrations/import', 'drop-in'],
  ['/integrations/*/senders', 'drop-in'],
  ['/integrations/*/mapping', 'mapping'],
  ['/integrations/*/settings', 'signatures'],
  ['/integrations', 'alerts'],
  ['/alerts', 'alerts#how-do-alerts-open-and-resolve'],
  ['/events', 'alerts#how-events-are-processed'],
  ['/destinations', 'destinations'],
  ['/identities/upload', 'importing#csv'],
  ['/identities/history', 'reading#history-of-an-account'],
  ['/identities/person', 'alerts#whom-does-an-alert-concern'],
  ['/identities/coverage', 'reading#coverage'],
  ['/identities/feeds', 'feeds'],
  ['/identities/systems', 'account-systems'],
  ['/identities/worklist/review', 'worklists#how-do-i-review-in-the-console'],
  ['/identities/decisions', 'worklists#how-does-it-remember-what-i-decide'],
  ['/identities/worklist', 'worklists'],
  ['/identities', 'reading'],
  ['/tables', 'lookups'],
  ['/jobs', 'importing#what-did-an-upload-change'],
  ['/audit', 'security#audit-log'],
  ['/keys', 'importing#what-are-the-limits-of-an-api-key'],
  ['/health', 'operating#metrics'],
  ['/', 'console'],
];

/** All addresses that help links lead to. */
export const HELP_PAGES: readonly string[] = HELP.map(([, help]) => address(help));

/** Returns the address of the documentation of a page of the console. */
export function helpFor(location: string): string {
  const segments = segmentsOf(location);
  const matches = (path: string) =>
    segmentsOf(path).every((segment, place) => segment === '*' || segment === segments[place]);
  const [, help] = HELP.find(([path]) => matches(path)) ?? ['/', 'console'];
  return address(help);
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');
