import { Button, Textarea } from '@mantine/core';
import type { ClipboardEvent } from 'react';
import { byteSize } from '../../text/quantities.ts';
import styles from './sample.module.css';
import type { Sample } from './use-sample.ts';

/** A text area lays out all of its text, which takes a second for a megabyte. Of a longer text it only has the beginning. */
const LONG_TEXT = 50_000;
const SHOWN_OF_LONG_TEXT = 2_000;

/** An input for a payload to try the mapping on. */
export function PasteSample({ paste: { text, error, change } }: Pick<Sample, 'paste'>) {
  const isLong = text.length > LONG_TEXT;
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text/plain');
    if (!isLong && pasted.length <= LONG_TEXT) return;
    event.preventDefault();
    change(pasted);
  };
  return (
    <div className={styles.source}>
      <Textarea
        className={styles.paste}
        label="Payload (JSON)"
        description={
          isLong
            ? `${byteSize(new Blob([text]).size)}. The beginning is shown; the whole payload is used.`
            : 'Kept in this tab only.'
        }
        placeholder='{"title": "…"}'
        rows={6}
        spellCheck={false}
        readOnly={isLong}
        value={isLong ? `${text.slice(0, SHOWN_OF_LONG_TEXT)}…` : text}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        onPaste={onPaste}
        error={error && `Line ${error.line}, column ${error.column}: ${error.message}`}
      />
      {isLong && (
        <Button size="compact-xs" variant="default" onClick={() => change('')}>
          Remove payload
        </Button>
      )}
    </div>
  );
}
