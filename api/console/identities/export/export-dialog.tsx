import { Button, Checkbox, Group, Radio, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type QueryValue, requestJson } from '../../http/request.ts';
import type { Accepted } from '../../http/types.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { counted } from '../../text/quantities.ts';
import { IDENTITIES_PATH } from '../identities-path.ts';
import { filtersOf, isFiltered } from '../list-state.ts';
import { useListState } from '../use-list-state.ts';
import { useExports } from './use-exports.ts';

/** Starts an export of the listed identities to a file. */
export default function ExportDialog({ total, onClose }: { total: number | undefined; onClose: () => void }) {
  const { state } = useListState();
  const [format, setFormat] = useState('csv');
  const [escapeFormulas, setEscapeFormulas] = useState(false);
  const { add } = useExports();
  const once = useSendOnce();
  const { sortKey, sortOrder } = state;
  const query = { ...filtersOf(state), sortKey, sortOrder, format, escapeFormulas };
  const starting = useMutation({
    mutationFn: () => once(query, (key) => startExport(query, key)),
    onSuccess: ({ jobId }) => {
      add(jobId);
      announce('Export started');
      onClose();
    },
  });
  const rows = total === undefined ? 'All identities' : counted(total, 'identity', 'identities');
  return (
    <Dialog onClose={onClose} title="Export identities" centered>
      <Stack>
        <Text size="sm">
          {rows}
          {isFiltered(state) ? ' that match the filters' : ''}, in the order of the list. You can upload the
          file again unchanged.
        </Text>
        <Radio.Group label="Format" value={format} onChange={setFormat}>
          <Group mt={6}>
            <Radio value="csv" label="CSV" data-autofocus />
            <Radio value="csv.gz" label="Compressed CSV (.csv.gz)" />
          </Group>
        </Radio.Group>
        <Checkbox
          label="Escape formulas for spreadsheets"
          description="Adds ' before cells that a spreadsheet would treat as a formula. An upload removes it again."
          checked={escapeFormulas}
          onChange={({ currentTarget }) => setEscapeFormulas(currentTarget.checked)}
        />
        {starting.isError && <Failure error={starting.error} title="Could not start the export" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={starting.isPending} onClick={() => starting.mutate()}>
            Start export
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

const startExport = (query: Record<string, QueryValue>, key: string) =>
  requestJson<Accepted>(`${IDENTITIES_PATH}/exports`, {
    method: 'POST',
    query,
    headers: { 'idempotency-key': key },
  });
