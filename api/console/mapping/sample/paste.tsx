import { Textarea } from '@mantine/core';
import styles from './sample.module.css';
import type { Sample } from './use-sample.ts';

/** An input for a payload to try the mapping on. */
export function PasteSample({ paste: { text, error, change } }: Pick<Sample, 'paste'>) {
  return (
    <Textarea
      className={styles.paste}
      label="Payload (JSON)"
      description="Kept in this tab only."
      placeholder='{"title": "…"}'
      rows={6}
      spellCheck={false}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      error={error && `Line ${error.line}, column ${error.column}: ${error.message}`}
    />
  );
}
