import type { Mapping } from '../../http/types.ts';
import { type Draft, toDraft, toMapping } from '../model/draft/draft.ts';

/** A draft that waits in this tab to be gone on with. */
interface Kept {
  /** The revision that it was drawn over. */
  revision: number;
  mapping: Mapping;
}

const nameOf = (webhookId: string) => `muster.draft.${webhookId}`;

/** Keeps a draft over a reload; it goes with the tab. */
export function keepDraft(webhookId: string, revision: number, draft: Draft): void {
  const kept: Kept = { revision, mapping: toMapping(draft) };
  keep(nameOf(webhookId), JSON.stringify(kept));
}

export const forgetDraft = (webhookId: string): void => sessionStorage.removeItem(nameOf(webhookId));

/** The draft that was kept, if there is one that can be read. */
export function keptDraft(webhookId: string): { revision: number; draft: Draft } | null {
  try {
    const { revision, mapping } = JSON.parse(sessionStorage.getItem(nameOf(webhookId)) ?? '') as Kept;
    return { revision, draft: toDraft(mapping) };
  } catch {
    return null;
  }
}

/** Where there is no room, or the browser allows none, it is not kept: nothing else is lost by that. */
function keep(name: string, text: string): void {
  try {
    sessionStorage.setItem(name, text);
  } catch {
    sessionStorage.removeItem(name);
  }
}
