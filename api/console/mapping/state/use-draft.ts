import { useEffect, useMemo, useReducer, useState } from 'react';
import { countChanges, diffDrafts } from '../model/draft/diff.ts';
import { reduceDraft } from '../model/draft/draft-reducer.ts';
import { forgetDraft, keepDraft, keptDraft } from './draft-store.ts';
import type { Base } from './use-saved-mapping.ts';

/**
 * The mapping that is drawn over a saved one. It outlives a reload of the page; over another revision than it was begun
 * with, `begunOver` tells which that was.
 */
export function useDraft(webhookId: string, first: Base) {
  const [kept] = useState(() => keptDraft(webhookId));
  const [base, setBase] = useState(first);
  const [draft, dispatch] = useReducer(reduceDraft, kept?.draft ?? first.draft);
  const [begunOver, setBegunOver] = useState(kept && kept.revision !== first.revision ? kept.revision : null);
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
    begunOver: count > 0 ? begunOver : null,
    /** Compares with another revision from now on; the draft stays as it is. */
    rebase: (next: Base) => {
      setBase(next);
      setBegunOver(null);
    },
    /** Goes on from a saved mapping; what was drawn is gone. */
    restart: (next: Base) => {
      setBase(next);
      setBegunOver(null);
      dispatch({ type: 'replace', draft: next.draft });
    },
  };
}

export type DraftState = ReturnType<typeof useDraft>;
