import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './insert.module.css';

const NARROW = '(max-width: 48em)';

/** Says what is picked, and takes it back. On narrow pages the alert's fields come into sight. */
export function PickedBar() {
  const { picking } = useEditorContext();
  const path = picking.picked?.path;
  useEffect(() => {
    if (!path || !matchMedia(NARROW).matches) return;
    document.getElementById('alert-fields')?.scrollIntoView({ block: 'start' });
  }, [path]);
  if (!picking.picked) return null;
  return (
    <div className={styles.pickedBar}>
      <span>
        <b>{picking.picked.label}</b> is picked. Choose an alert field.
      </span>
      <Button size="compact-sm" variant="default" flex="none" onClick={picking.cancel}>
        Cancel
      </Button>
    </div>
  );
}
