import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { announce } from '../../parts/feedback/announce.tsx';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { labelOf, type Target } from '../model/draft/alert-fields.ts';
import { fieldAt } from '../model/draft/draft.ts';
import { rowError, toRows, toValues, type ValueRow } from '../model/draft/value-rows.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { ValueLine } from './value-map-row.tsx';

interface ValueMapProps {
  target: Target;
  /** A value of the payload that a line is begun for. */
  from: string | null;
  close(): void;
}

/** What a field's values become: the payload's on the left, the alert's on the right. */
export function ValueMap({ target, from, close }: ValueMapProps) {
  const { draft, dispatch, mayWrite } = useEditorContext();
  const map = useRows(fieldAt(draft, target).values, from);
  const wrong = map.rows.some((row) => rowError(row, map.rows) !== null);
  const take = () => {
    dispatch({ type: 'change', target, change: { values: toValues(map.rows) } });
    announce(`The value map of ${labelOf(target)} was changed`);
    close();
  };
  return (
    <Dialog onClose={close} title={`Values of ${labelOf(target)}`} centered>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          What the payload says, whatever its case, and what is put in its place. What is not here stays as it
          is, with a warning.
        </Text>
        {map.rows.map((row) => (
          <ValueLine
            key={row.id}
            row={row}
            rows={map.rows}
            isSeverity={target === 'fields.severity'}
            isNew={row.id === map.begun}
            change={map.change}
            remove={map.remove}
          />
        ))}
        {mayWrite && (
          <Group justify="space-between">
            <Button size="xs" variant="subtle" leftSection={<IconPlus size={14} />} onClick={map.add}>
              Add a value
            </Button>
            <Group gap="sm">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button onClick={take} disabled={wrong}>
                Use these
              </Button>
            </Group>
          </Group>
        )}
      </Stack>
    </Dialog>
  );
}

function useRows(values: Record<string, string>, from: string | null) {
  const next = useRef(Object.keys(values).length);
  const begin = (text: string): ValueRow => ({ id: next.current++, from: text, to: '' });
  const [rows, setRows] = useState(() => {
    const there = toRows(values);
    return from !== null || there.length === 0 ? [...there, begin(from ?? '')] : there;
  });
  const [begun, setBegun] = useState(rows.at(-1)?.to === '' ? rows.at(-1)?.id : undefined);
  const add = () => {
    const row = begin('');
    setRows((before) => [...before, row]);
    setBegun(row.id);
  };
  const change = (row: ValueRow) => setRows((before) => before.map((one) => (one.id === row.id ? row : one)));
  const remove = (id: number) => setRows((before) => before.filter((one) => one.id !== id));
  return { rows, begun, add, change, remove };
}
