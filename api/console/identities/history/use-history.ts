import type { HistoryEntry, Identity } from '../../http/types.ts';
import { usePages } from '../../parts/lists/use-pages.ts';
import { IDENTITIES_PATH } from '../identities-path.ts';

export const HISTORY_PATH = `${IDENTITIES_PATH}/history`;

/** An account as the address of its history names it. */
export interface AccountText {
  integrationId: string;
  identity: string;
}

/** Loads the changes of an account's owner page by page, newest first, and how many days they are kept. */
export function useHistory({ integrationId, identity }: AccountText) {
  const pages = usePages<HistoryEntry, { retentionDays: number }>(HISTORY_PATH, { integrationId, identity });
  return { ...pages, retentionDays: pages.data?.pages[0]?.retentionDays };
}

/** Returns the address of the page with the history of an account. */
export const historyAddress = ({
  integrationId,
  identity,
}: AccountText | Pick<Identity, 'integrationId' | 'identity'>): string =>
  `/identities/history?${new URLSearchParams({ integrationId: String(integrationId), identity })}`;
