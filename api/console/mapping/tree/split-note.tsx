import { Button, Text } from '@mantine/core';
import { announce } from '../../parts/feedback/announce.tsx';
import { listOf, takesWhole } from '../model/draft/split.ts';
import { tagOf } from '../model/draft/tags.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './tree.module.css';

/** Shows which list is split into alerts, and removes the split. */
export function SplitNote() {
  const { draft, dispatch, mayWrite, fieldErrors } = useEditorContext();
  if (draft.split === null) return null;
  const undo = () => {
    dispatch({ type: 'split', path: null });
    announce('Each event now creates one alert');
  };
  return (
    <div className={styles.splitNote}>
      <Text size="sm" component="div">
        One alert for each element of <code>{listOf(draft.split)}</code>
        {takesWhole(draft.split) && ', or one for a payload without this list'}, available as{' '}
        <code>{tagOf('item.…')}</code>
        {fieldErrors.get('split')?.map(({ message }) => (
          <Text key={message} size="sm" c="var(--bad)">
            {message}
          </Text>
        ))}
      </Text>
      {mayWrite && (
        <Button size="compact-xs" variant="default" onClick={undo}>
          Remove split
        </Button>
      )}
    </div>
  );
}
