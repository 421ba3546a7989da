import { ActionIcon, Autocomplete } from '@mantine/core';
import { IconArrowRight, IconTrash } from '@tabler/icons-react';
import { rowError, type ValueRow } from '../model/draft/value-rows.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './value-map.module.css';

interface ValueMapRowProps {
  row: ValueRow;
  rows: readonly ValueRow[];
  /** Payload values and alert values to choose from. Any other can be typed. */
  suggested: { from: readonly string[]; to: readonly string[] };
  /** Whether the row was just added. It gets the focus. */
  isNew: boolean;
  change(row: ValueRow): void;
  remove(id: number): void;
}

/** One row of a value map: a payload value and the alert value that replaces it. */
export function ValueMapRow({ row, rows, suggested, isNew, change, remove }: ValueMapRowProps) {
  const { mayWrite } = useEditorContext();
  const number = rows.indexOf(row) + 1;
  return (
    <div className={styles.row}>
      <Autocomplete
        aria-label={`Payload value ${number}`}
        placeholder={suggested.from[0] ?? 'P1'}
        data={suggestions(row.from, suggested.from)}
        value={row.from}
        readOnly={!mayWrite}
        // An unfinished new row is not an error yet.
        error={isNew && (row.from === '' || row.to === '') ? null : rowError(row, rows)}
        data-autofocus={isNew && row.from === '' ? true : undefined}
        onChange={(from) => change({ ...row, from })}
      />
      <IconArrowRight size={16} aria-label="becomes" className={styles.arrow} />
      <Autocomplete
        aria-label={`Alert value ${number}`}
        placeholder={suggested.to[0] ?? ''}
        data={suggestions(row.to, suggested.to)}
        value={row.to}
        readOnly={!mayWrite}
        data-autofocus={isNew && row.from !== '' ? true : undefined}
        onChange={(to) => change({ ...row, to })}
      />
      {mayWrite && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          onClick={() => remove(row.id)}
          aria-label={`Remove value ${number}`}
        >
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </div>
  );
}

/** Returns no suggestions for a complete value: the list would only hide what is below it. */
const suggestions = (text: string, values: readonly string[]): string[] =>
  values.includes(text.trim()) ? [] : [...values];
