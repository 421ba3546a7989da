import { Button } from '@mantine/core';
import { useState } from 'react';
import { announce } from '../../parts/feedback/announce.tsx';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import { counted } from '../../text/quantities.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { History } from './history.tsx';
import { Review } from './review.tsx';
import styles from './save.module.css';

/** Which revision it is, what was changed since, and what to do with that. */
export function SaveBar() {
  const { base, count, mayWrite, restart } = useEditorContext();
  const [open, setOpen] = useState<'review' | 'history' | null>(null);
  const close = () => setOpen(null);
  const discard = async () => {
    restart(base);
    announce('The unsaved changes were discarded');
  };
  return (
    <div className={styles.bar}>
      <span className={styles.state} data-testid="draft state">
        {base.revision === 0 ? 'no revision yet' : `revision ${base.revision}`}
        {count > 0 && <b> · {counted(count, 'unsaved change')}</b>}
      </span>
      <div className={styles.actions}>
        {count > 0 && (
          <Confirm label="Discard" size="sm" title="Discard the unsaved changes?" onConfirm={discard}>
            The mapping is drawn again as it was saved. This cannot be undone.
          </Confirm>
        )}
        {base.revision > 0 && (
          <Button variant="default" onClick={() => setOpen('history')}>
            History
          </Button>
        )}
        {mayWrite && (
          <Button onClick={() => setOpen('review')} disabled={count === 0}>
            Review and save
          </Button>
        )}
      </div>
      {open === 'review' && <Review close={close} />}
      {open === 'history' && <History close={close} />}
    </div>
  );
}
