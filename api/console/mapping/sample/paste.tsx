import { Textarea } from '@mantine/core';
import styles from './sample.module.css';
import type { Sample } from './use-sample.ts';

/** A payload of one's own to try the mapping on. */
export function PasteSample({ paste: { text, error, change } }: Pick<Sample, 'paste'>) {
  return (
    <Textarea
      className={styles.paste}
      label="A payload, as JSON"
      description="It stays in this tab."
      placeholder='{"title": "…"}'
      rows={6}
      spellCheck={false}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      error={error && `Line ${error.line}, column ${error.column}: ${error.message}`}
    />
  );
}
