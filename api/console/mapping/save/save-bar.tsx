import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { announce } from '../../parts/feedback/announce.tsx';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import { counted } from '../../text/quantities.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { SaveTemplate } from '../template/save-template.tsx';
import { History } from './history.tsx';
import { Review } from './review.tsx';
import styles from './save.module.css';

/** Shows the revision and the number of unsaved changes, with the buttons to discard, review and save, in an element next to the tabs. */
export function SaveBar({ place }: { place: HTMLElement | null }) {
  const { base, count, mayWrite, restart, undo } = useEditorContext();
  const [open, setOpen] = useState<'review' | 'history' | 'template' | null>(null);
  const close = () => setOpen(null);
  useSaveKey(() => {
    if (mayWrite && count > 0) setOpen('review');
  });
  const discard = async () => {
    restart(base);
    announce('Discarded the unsaved changes');
  };
  const bar = (
    <div className={styles.bar}>
      <span className={styles.state} data-testid="draft state">
        {base.revision === 0 ? 'No revision yet' : `Revision ${base.revision}`}
        {count > 0 && <b> · {counted(count, 'unsaved change')}</b>}
      </span>
      <div className={styles.actions}>
        {undo && (
          <Button size="xs" variant="default" onClick={undo} title="Ctrl+Z">
            Undo
          </Button>
        )}
        {count > 0 && (
          <Confirm label="Discard" size="xs" title="Discard unsaved changes?" onConfirm={discard}>
            The editor goes back to the saved mapping. You cannot undo this.
          </Confirm>
        )}
        {base.revision > 0 && (
          <Button size="xs" variant="default" onClick={() => setOpen('history')}>
            History
          </Button>
        )}
        {mayWrite && (base.revision > 0 || count > 0) && (
          <Button size="xs" variant="default" onClick={() => setOpen('template')}>
            Save as template
          </Button>
        )}
        {mayWrite && (
          <Button size="xs" onClick={() => setOpen('review')} disabled={count === 0} title="Ctrl+S">
            Review and save
          </Button>
        )}
      </div>
      {open === 'review' && <Review close={close} />}
      {open === 'template' && <SaveTemplate close={close} />}
      {open === 'history' && <History close={close} />}
    </div>
  );
  return place && createPortal(bar, place);
}

/** Calls `review` when Ctrl+S or ⌘S is pressed, also while the user types, unless a dialog is open. */
function useSaveKey(review: () => void): void {
  const latest = useRef(review);
  latest.current = review;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      if (event.key.toLowerCase() !== 's') return;
      // Saving the page as a file is of no use here.
      event.preventDefault();
      if (document.querySelector('[role="dialog"]') === null) latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
