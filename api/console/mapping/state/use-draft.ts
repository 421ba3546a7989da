import { useEffect, useMemo, useState } from 'react';
import type { Mapping } from '../../http/types.ts';
import { tabStorage } from '../../settings/storage.ts';
import { countChanges, diffDrafts, type MappingChange } from '../model/draft/diff.ts';
import { type Draft, toDraft, toMapping } from '../model/draft/draft.ts';
import { type MergedDrafts, mergeDrafts, takePlace } from '../model/draft/merge.ts';
import type { Base } from './use-saved-mapping.ts';
import { useUndo } from './use-undo.ts';

/** What is left of a merge: the places that both changed and that need a choice. */
export type Merged = Pick<MergedDrafts, 'taken' | 'conflicts'>;

/**
 * Holds the unsaved mapping and its changes to a saved revision. The draft survives a reload of the page. If a newer
 * revision is loaded then, `startedFrom` is the revision that the draft started from.
 */
export function useDraft(webhookId: string, first: Base) {
  const [stored] = useState(() => storedDraft(webhookId));
  const [base, setBase] = useState(first);
  const { draft, dispatch, undo } = useUndo(() => stored?.draft ?? first.draft);
  const [startedFrom, setStartedFrom] = useState(
    stored && stored.revision !== first.revision ? stored.revision : null,
  );
  const [merged, setMerged] = useState<Merged | null>(null);
  const changes = useMemo(() => diffDrafts(base.draft, draft), [base, draft]);
  const count = countChanges(changes);
  useEffect(() => {
    if (count === 0) forgetDraft(webhookId);
    else keepDraft(webhookId, base.revision, draft);
  }, [webhookId, base.revision, draft, count]);
  return {
    base,
    draft,
    dispatch,
    /** Takes back the last change; undefined if there is none. */
    undo,
    changes,
    count,
    startedFrom: count > 0 ? startedFrom : null,
    /** The outcome of the last merge; null before one. */
    merged,
    /** Continues from a revision that somebody else saved. Merges it into the draft, which started from `ancestor`. */
    merge: (next: Base, ancestor: Base = base) => {
      const { draft: both, ...rest } = mergeDrafts(ancestor.draft, next.draft, draft);
      setBase(next);
      setStartedFrom(null);
      setMerged(rest);
      dispatch({ type: 'replace', draft: both });
    },
    /** Settles places that both changed. */
    resolve: (settled: readonly MappingChange[], side: 'theirs' | 'mine') => {
      const targets = settled.map(({ target }) => target);
      setMerged((before) => before && without(before, targets));
      if (side === 'mine') return;
      const taken = targets.reduce((one, target) => takePlace(one, target, base.draft), draft);
      dispatch({ type: 'replace', draft: taken });
    },
    /** Replaces the draft by a saved mapping. */
    restart: (next: Base) => {
      setBase(next);
      setStartedFrom(null);
      setMerged(null);
      dispatch({ type: 'replace', draft: next.draft });
    },
  };
}

const without = (merged: Merged, targets: readonly string[]): Merged => ({
  ...merged,
  conflicts: merged.conflicts.filter(({ target }) => !targets.includes(target)),
});

export type DraftState = ReturnType<typeof useDraft>;

/** A draft as it is stored in sessionStorage. */
interface StoredDraft {
  /** The revision that the draft started from. */
  revision: number;
  mapping: Mapping;
}

const storageName = (webhookId: string) => `muster.draft.${webhookId}`;

/** Stores a draft for a reload of the page. It ends with the tab. */
function keepDraft(webhookId: string, revision: number, draft: Draft): void {
  const stored: StoredDraft = { revision, mapping: toMapping(draft) };
  store(storageName(webhookId), JSON.stringify(stored));
}

const forgetDraft = (webhookId: string): void => tabStorage.removeItem(storageName(webhookId));

/** Returns the stored draft, or null if there is none or it cannot be parsed. */
function storedDraft(webhookId: string): { revision: number; draft: Draft } | null {
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
