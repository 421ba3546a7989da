import { type Dispatch, useEffect, useReducer, useRef } from 'react';
import { announce } from '../../parts/feedback/announce.tsx';
import { isTyping } from '../../parts/is-typing.ts';
import type { Draft } from '../model/draft/draft.ts';
import { type DraftAction, reduceDraft } from '../model/draft/draft-reducer.ts';

/** Changes that can be undone. */
const MAX_PAST = 100;

interface History {
  draft: Draft;
  /** Earlier drafts, the last one at the end. */
  past: readonly Draft[];
  /** What is being typed into. The keystrokes in one field are one change. */
  typedInto: string | null;
}

type Action = DraftAction | { type: 'undo' };

/** Returns the history after an edit or an undo. */
export function reduceHistory(history: History, action: Action): History {
  const { draft, past, typedInto } = history;
  if (action.type === 'undo') {
    const before = past.at(-1);
    return before ? { draft: before, past: past.slice(0, -1), typedInto: null } : history;
  }
  const next = reduceDraft(draft, action);
  if (next === draft) return history;
  // Another revision has been loaded. Going back behind it would undo what somebody has saved.
  if (action.type === 'replace') return { draft: next, past: [], typedInto: null };
  const typing = action.type === 'change' ? action.target : action.type === 'filter' ? 'filter' : null;
  const isSame = typing !== null && typing === typedInto;
  return { draft: next, past: isSame ? past : [...past, draft].slice(-MAX_PAST), typedInto: typing };
}

/** Holds a draft whose changes can be undone with Ctrl+Z from anywhere on the page. Inputs and editors keep their own undo. */
export function useUndo(first: () => Draft): {
  draft: Draft;
  dispatch: Dispatch<DraftAction>;
  undo?: () => void;
} {
  const [{ draft, past }, dispatch] = useReducer(reduceHistory, null, () => ({
    draft: first(),
    past: [],
    typedInto: null,
  }));
  const undo = () => {
    dispatch({ type: 'undo' });
    announce('Undid the last change');
  };
  const canUndo = past.length > 0;
  const latest = useRef(undo);
  latest.current = undo;
  useEffect(() => {
    if (!canUndo) return;
    const onKey = (event: KeyboardEvent) => {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z';
      if (!isUndo || isTyping(event)) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [canUndo]);
  return { draft, dispatch, ...(canUndo ? { undo } : {}) };
}
