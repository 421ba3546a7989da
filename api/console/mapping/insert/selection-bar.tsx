import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './insert.module.css';

const NARROW = '(max-width: 48em)';

/** Shows the selected field and cancels the selection. On narrow pages it scrolls to the alert fields. */
export function SelectionBar() {
  const { selection } = useEditorContext();
  const path = selection.selected?.path;
  useEffect(() => {
    if (!path || !matchMedia(NARROW).matches) return;
    document.getElementById('alert-fields')?.scrollIntoView({ block: 'start' });
  }, [path]);
  if (!selection.selected) return null;
  return (
    <div className={styles.selectionBar}>
      <span>
        <b>{selection.selected.label}</b> is selected. Choose an alert field.
      </span>
      <Button size="compact-sm" variant="default" flex="none" onClick={selection.cancel}>
        Cancel
      </Button>
    </div>
  );
}
