import { Button, Checkbox, Group, Radio, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type QueryValue, requestJson } from '../../http/request.ts';
import type { Accepted } from '../../http/types.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { counted } from '../../text/quantities.ts';
import { filtersOf, isFiltered } from '../list-state.ts';
import { PATH } from '../use-identities.ts';
import { useListState } from '../use-list-state.ts';
import { useExports } from './use-exports.ts';

/** A button that has a file made of what the list shows. */
export function ExportButton({ total }: { total: number | undefined }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => setOpen(true)}>
        Export
      </Button>
      {open && <ExportDialog total={total} onClose={() => setOpen(false)} />}
    </>
  );
}

function ExportDialog({ total, onClose }: { total: number | undefined; onClose: () => void }) {
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
      announce('The export has begun');
      onClose();
    },
  });
  const rows = total === undefined ? 'All identities' : counted(total, 'identity', 'identities');
  return (
    <Dialog onClose={onClose} title="Export" centered>
      <Stack>
        <Text size="sm">
          {rows}
          {isFiltered(state) ? ', those that the list shows now' : ''}, sorted as the list is. The file can be
          uploaded again unchanged.
        </Text>
        <Radio.Group label="Format" value={format} onChange={setFormat}>
          <Group mt={6}>
            <Radio value="csv" label="CSV" data-autofocus />
            <Radio value="csv.gz" label="CSV, packed (.gz)" />
          </Group>
        </Radio.Group>
        <Checkbox
          label="For spreadsheets"
          description="Puts ' in front of cells that a spreadsheet would take for a formula. An upload takes it off again."
          checked={escapeFormulas}
          onChange={({ currentTarget }) => setEscapeFormulas(currentTarget.checked)}
        />
        {starting.isError && <Failure error={starting.error} title="The export has not begun" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={starting.isPending} onClick={() => starting.mutate()}>
            Start
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

const startExport = (query: Record<string, QueryValue>, key: string) =>
  requestJson<Accepted>(`${PATH}/exports`, {
    method: 'POST',
    query,
    headers: { 'idempotency-key': key },
  });
