import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { request } from '../http/request.ts';
import { saveFile } from '../http/save-file.ts';
import type { Accepted } from '../http/types.ts';
import { announce } from '../parts/announce.tsx';
import { Failure } from '../parts/failure.tsx';

/** Downloads all alerts that the filters let through. What takes a worker longer than a minute is a job to come back to. */
export function DownloadAlerts({ filters }: { filters: Record<string, string> }) {
  const [, navigate] = useLocation();
  const { mutate, isPending } = useMutation({
    mutationFn: () => request('/v2/alerts', { query: { ...filters, format: 'csv' } }),
    onSuccess: async (response) => {
      if (response.status === 202) return navigate(`/jobs/${((await response.json()) as Accepted).jobId}`);
      saveFile(await response.blob(), 'alerts.csv');
      announce('The alerts are downloaded');
    },
    onError: (error) =>
      notifications.show({
        message: <Failure error={error} title="The alerts could not be downloaded" />,
        color: 'red',
        autoClose: false,
      }),
  });
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={isPending}
      onClick={() => mutate()}
    >
      Download CSV
    </Button>
  );
}
