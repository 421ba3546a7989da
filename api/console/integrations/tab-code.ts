/** The code of each tab of an integration, by its name in the path. Each is a separate file: the mapping tab brings a large editor. */
export const TAB_CODE = {
  mapping: () => import('../mapping/mapping.tsx'),
  test: () => import('./test/test.tsx'),
  events: () => import('./events.tsx'),
  heartbeats: () => import('./heartbeats/heartbeats.tsx'),
  senders: () => import('./senders/senders.tsx'),
  settings: () => import('./settings/settings.tsx'),
};

export type TabName = keyof typeof TAB_CODE;

/** The tab that a path without one opens. */
export const FIRST_TAB = 'mapping';
