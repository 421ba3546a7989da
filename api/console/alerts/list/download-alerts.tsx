import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { QueryValue } from '../../http/request.ts';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { usePopup } from '../../parts/popups/use-popup.ts';
import { useFileDownload } from '../../parts/use-file-download.tsx';

const DownloadMenu = lazyPart(() => import('./download-menu.tsx'));

/** Downloads all alerts that match the filters. */
export function DownloadAlerts({ filters }: { filters: Record<string, QueryValue> }) {
  const { mutate, isPending } = useFileDownload({
    path: '/v2/alerts',
    fileName: 'alerts.csv',
    what: 'alerts',
  });
  const { popup, buttonProps } = usePopup('menu', DownloadMenu.load);
  const download = (escapeFormulas: boolean) => mutate({ ...filters, escapeFormulas });
  return (
    <>
      <Button {...buttonProps} variant="default" leftSection={<IconDownload size={16} />} loading={isPending}>
        Download CSV
      </Button>
      <OnDemand>{popup && <DownloadMenu popup={popup} download={download} />}</OnDemand>
    </>
  );
}
