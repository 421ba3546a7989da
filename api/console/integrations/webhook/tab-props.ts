import type { Webhook } from '../../http/types.ts';

/** The props of each tab of an integration's page. */
export interface TabProps {
  webhook: Webhook;
}
