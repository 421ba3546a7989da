import { ActionIcon, Autocomplete, TextInput } from '@mantine/core';
import { IconArrowRight, IconTrash } from '@tabler/icons-react';
import { SEVERITIES } from '../model/draft/alert-fields.ts';
import { rowError, type ValueRow } from '../model/draft/value-rows.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './value-map.module.css';

interface ValueLineProps {
  row: ValueRow;
  rows: readonly ValueRow[];
  isSeverity: boolean;
  /** Whether it was just begun: the cursor goes there. */
  isNew: boolean;
  change(row: ValueRow): void;
  remove(id: number): void;
}

/** One value of the payload and what it becomes. */
export function ValueLine({ row, rows, isSeverity, isNew, change, remove }: ValueLineProps) {
  const { mayWrite } = useEditorContext();
  const number = rows.indexOf(row) + 1;
  return (
    <div className={styles.valueLine}>
      <TextInput
        aria-label={`Value ${number} of the payload`}
        placeholder="P1"
        value={row.from}
        readOnly={!mayWrite}
        // Who has just begun a line need not be told that it is not finished.
        error={isNew && (row.from === '' || row.to === '') ? null : rowError(row, rows)}
        data-autofocus={isNew && row.from === '' ? true : undefined}
        onChange={({ currentTarget }) => change({ ...row, from: currentTarget.value })}
      />
      <IconArrowRight size={16} aria-label="becomes" className={styles.arrow} />
      <Autocomplete
        aria-label={`What value ${number} becomes`}
        placeholder={isSeverity ? 'critical' : ''}
        data={isSeverity ? suggestions(row.to) : []}
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

/** None once it is written out: the list would only hide what is below it. */
const suggestions = (text: string): string[] =>
  SEVERITIES.some((severity) => severity === text.trim()) ? [] : [...SEVERITIES];
