import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useFileDownload } from '../../parts/use-file-download.tsx';
import { tableEntry } from '../use-table.ts';

/** Downloads the rows of a table. */
export function DownloadRows({ name }: { name: string }) {
  const { mutate, isPending } = useFileDownload({
    path: tableEntry(name).path,
    fileName: `${name}.csv`,
    what: 'table',
  });
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={isPending}
      onClick={() => mutate({})}
    >
      Download CSV
    </Button>
  );
}
