import { useEffect, useMemo, useReducer, useState } from 'react';
import { countChanges, diffDrafts } from '../model/draft/diff.ts';
import { reduceDraft } from '../model/draft/draft-reducer.ts';
import { forgetDraft, keepDraft, storedDraft } from './draft-store.ts';
import type { Base } from './use-saved-mapping.ts';

/**
 * Holds the unsaved mapping and its changes to a saved revision. The draft survives a reload of the page. If a newer
 * revision is loaded then, `startedFrom` is the revision that the draft started from.
 */
export function useDraft(webhookId: string, first: Base) {
  const [stored] = useState(() => storedDraft(webhookId));
  const [base, setBase] = useState(first);
  const [draft, dispatch] = useReducer(reduceDraft, stored?.draft ?? first.draft);
  const [startedFrom, setStartedFrom] = useState(
    stored && stored.revision !== first.revision ? stored.revision : null,
  );
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
    changes,
    count,
    startedFrom: count > 0 ? startedFrom : null,
    /** Compares the draft with another revision from now on. The draft does not change. */
    rebase: (next: Base) => {
      setBase(next);
      setStartedFrom(null);
    },
    /** Replaces the draft by a saved mapping. */
    restart: (next: Base) => {
      setBase(next);
      setStartedFrom(null);
      dispatch({ type: 'replace', draft: next.draft });
    },
  };
}

export type DraftState = ReturnType<typeof useDraft>;
