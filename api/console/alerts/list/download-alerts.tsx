import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { saveFile } from '../../http/download.ts';
import { type QueryValue, request } from '../../http/request.ts';
import type { Accepted } from '../../http/types.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { usePopup } from '../../parts/popups/use-popup.ts';

const DownloadMenu = lazyPart(() => import('./download-menu.tsx'));

type Filters = Record<string, QueryValue>;

/** Downloads all alerts that match the filters. A download that takes a worker longer than a minute opens its job instead. */
export function DownloadAlerts({ filters }: { filters: Filters }) {
  const { mutate, isPending } = useDownload(filters);
  const { popup, buttonProps } = usePopup('menu', DownloadMenu.load);
  return (
    <>
      <Button {...buttonProps} variant="default" leftSection={<IconDownload size={16} />} loading={isPending}>
        Download CSV
      </Button>
      <OnDemand>{popup && <DownloadMenu popup={popup} download={mutate} />}</OnDemand>
    </>
  );
}

function useDownload(filters: Filters) {
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: (escapeFormulas: boolean) =>
      request('/v2/alerts', { query: { ...filters, format: 'csv', escapeFormulas } }),
    onSuccess: async (response) => {
      if (response.status === 202) return navigate(`/jobs/${((await response.json()) as Accepted).jobId}`);
      saveFile(await response.blob(), 'alerts.csv');
      announce('Alerts downloaded');
    },
    onError: (error) =>
      notifications.show({
        message: <Failure error={error} title="Could not download the alerts" />,
        color: 'red',
        autoClose: false,
      }),
  });
}
