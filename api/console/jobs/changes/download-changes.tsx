import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { download } from '../../http/download.ts';
import { address } from '../../http/request.ts';
import type { Job } from '../../http/types.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';

/** The button that downloads all changes of a job, and those that a revert skipped, in a chosen format. */
export function DownloadChanges({ links: { changes, skipped } }: Pick<Job, 'links'>) {
  const saving = useMutation({ mutationFn: download, onSuccess: () => announce('Downloaded the file') });
  const items = (path: string) =>
    FORMATS.map(({ name, query }) => (
      <Menu.Item key={name} onClick={() => saving.mutate(address(path, query))}>
        {name}
      </Menu.Item>
    ));
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
            Download all changes
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {changes && items(changes)}
          {skipped && <Menu.Label>Skipped accounts</Menu.Label>}
          {skipped && items(skipped)}
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
