import type { Mapping } from '../../http/types.ts';
import { tabStorage } from '../../settings/storage.ts';
import { type Draft, toDraft, toMapping } from '../model/draft/draft.ts';

/** A draft as it is stored in sessionStorage. */
interface StoredDraft {
  /** The revision that the draft started from. */
  revision: number;
  mapping: Mapping;
}

const storageName = (webhookId: string) => `muster.draft.${webhookId}`;

/** Stores a draft for a reload of the page. It ends with the tab. */
export function keepDraft(webhookId: string, revision: number, draft: Draft): void {
  const stored: StoredDraft = { revision, mapping: toMapping(draft) };
  store(storageName(webhookId), JSON.stringify(stored));
}

export const forgetDraft = (webhookId: string): void => tabStorage.removeItem(storageName(webhookId));

/** Returns the stored draft, or null if there is none or it cannot be parsed. */
export function storedDraft(webhookId: string): { revision: number; draft: Draft } | null {
  try {
    const { revision, mapping } = JSON.parse(tabStorage.getItem(storageName(webhookId)) ?? '') as StoredDraft;
    return { revision, draft: toDraft(mapping) };
  } catch {
    return null;
  }
}

/** Stores a text. If sessionStorage is full, the text is not stored; nothing else depends on it. */
function store(name: string, text: string): void {
  try {
    tabStorage.setItem(name, text);
  } catch {
    tabStorage.removeItem(name);
  }
}
