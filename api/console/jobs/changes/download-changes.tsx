import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { download } from '../../http/download.ts';
import { address } from '../../http/request.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import type { OutcomeChoice } from './outcomes.ts';

/** The button that downloads the whole file of a choice: all changes, all accounts that a revert skipped, or those with a conflict. */
export function DownloadChanges({ choice: { path, outcome } }: { choice: OutcomeChoice }) {
  const saving = useMutation({ mutationFn: download, onSuccess: () => announce('Downloaded the file') });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={16} />}
            loading={saving.isPending}
          >
            {LABELS[outcome ?? ''] ?? 'Download all changes'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {FORMATS.map(({ name, query }) => (
            <Menu.Item key={name} onClick={() => saving.mutate(address(path, query))}>
              {name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {saving.isError && <Failure error={saving.error} title="Could not download the changes" />}
    </>
  );
}

const FORMATS = [
  { name: 'CSV', query: { format: 'csv' } },
  { name: 'CSV for spreadsheets, with formulas escaped', query: { format: 'csv', escapeFormulas: true } },
  { name: 'Compressed CSV (csv.gz)', query: { format: 'csv.gz' } },
];

const LABELS: Record<string, string> = {
  skipped: 'Download skipped accounts',
  conflict: 'Download conflicts',
};
