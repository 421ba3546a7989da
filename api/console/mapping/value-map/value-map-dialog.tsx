import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTemplates } from '../../integrations/webhook/use-templates.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { labelOf, nameOfResult, SUGGESTED_VALUES, type Target } from '../model/draft/alert-fields.ts';
import { fieldAt } from '../model/draft/draft.ts';
import { rankableWords } from '../model/draft/own-ranks.ts';
import { rowError, toRows, toValues, type ValueRow } from '../model/draft/value-rows.ts';
import { proposeSeverity } from '../model/severity-words.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { SeverityRanks } from './severity-ranks.tsx';
import { ValueMapRow } from './value-map-row.tsx';

interface ValueMapDialogProps {
  target: Target;
  /** Payload values to add a row for. */
  from: readonly string[];
  close(): void;
}

const NOT_LISTED_ELSEWHERE = 'A value that is not listed stays as it is and causes a warning.';
const NOT_LISTED = new Map<Target, string>([
  ['fields.status', 'Common words such as "ok" and "down" need no entry. Any other word counts as firing.'],
]);

/** Edits a field's value map: payload values on the left, alert values on the right. */
export function ValueMapDialog({ target, from, close }: ValueMapDialogProps) {
  const { draft, dispatch, mayWrite } = useEditorContext();
  const seen = useUnmappedValues(target);
  const propose = useProposal(target);
  const field = fieldAt(draft, target);
  const map = useRows(field.values, from, propose);
  const [ranks, setRanks] = useState(field.ranks ?? []);
  const rankable =
    target === 'fields.severity'
      ? rankableWords(
          ranks,
          map.rows.map(({ to }) => to),
        )
      : [];
  const hasErrors = map.rows.some((row) => rowError(row, map.rows) !== null);
  const apply = () => {
    dispatch({ type: 'change', target, change: { values: toValues(map.rows), ranks } });
    announce(`Changed the value map of ${labelOf(target)}`);
    close();
  };
  return (
    <Dialog onClose={close} title={`Value map of ${labelOf(target)}`} centered>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Replaces payload values, ignoring case. {NOT_LISTED.get(target) ?? NOT_LISTED_ELSEWHERE}
        </Text>
        {map.rows.map((row) => (
          <ValueMapRow
            key={row.id}
            row={row}
            rows={map.rows}
            suggested={{ from: seen, to: SUGGESTED_VALUES.get(target) ?? [] }}
            isNew={row.id === map.newRow}
            change={map.change}
            remove={map.remove}
          />
        ))}
        <SeverityRanks words={rankable} ranks={ranks} change={setRanks} />
        {mayWrite && (
          <Group justify="space-between">
            <Button size="xs" variant="subtle" leftSection={<IconPlus size={14} />} onClick={map.add}>
              Add value
            </Button>
            <Group gap="sm">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button onClick={apply} disabled={hasErrors}>
                Apply
              </Button>
            </Group>
          </Group>
        )}
      </Stack>
    </Dialog>
  );
}

/** Returns the values of the last events that need an entry, most frequent first. */
function useUnmappedValues(target: Target): string[] {
  const { lastEvents } = useEditorContext();
  const field = lastEvents.preview?.statistics?.fields[nameOfResult(target)];
  return field?.unmapped.map(({ value }) => value).slice(0, MAX_SEEN) ?? [];
}

const MAX_SEEN = 10;

/** The map ignores case. */
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Returns a function that proposes the alert value for a payload value, or an empty text. */
function useProposal(target: Target): (word: string) => string {
  const { data: templates } = useTemplates();
  return (word) => (target === 'fields.severity' ? proposeSeverity(word, templates ?? []) : '');
}

function useRows(values: Record<string, string>, from: readonly string[], propose: (word: string) => string) {
  const next = useRef(Object.keys(values).length);
  const create = (text: string): ValueRow => ({ id: next.current++, from: text, to: propose(text) });
  const [rows, setRows] = useState(() => {
    const existing = toRows(values);
    const missing = from.filter((word) => !existing.some((row) => isSame(row.from, word))).map(create);
    return existing.length + missing.length === 0 ? [create('')] : [...existing, ...missing];
  });
  const [newRow, setNewRow] = useState(rows.at(-1)?.to === '' ? rows.at(-1)?.id : undefined);
  const add = () => {
    const row = create('');
    setRows((before) => [...before, row]);
    setNewRow(row.id);
  };
  const change = (row: ValueRow) => setRows((before) => before.map((one) => (one.id === row.id ? row : one)));
  const remove = (id: number) => setRows((before) => before.filter((one) => one.id !== id));
  return { rows, newRow, add, change, remove };
}
