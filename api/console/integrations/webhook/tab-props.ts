import type { Webhook } from '../../http/types.ts';

/** The props of each tab of an integration's page. */
export interface TabProps {
  webhook: Webhook;
}

export interface OpenTabProps extends TabProps {
  /** The place for the actions of the tab, next to the tabs. Null until the page has been rendered. */
  bar: HTMLElement | null;
}
