import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { saveFile } from '../http/download.ts';
import { type QueryValue, request } from '../http/request.ts';
import type { Accepted } from '../http/types.ts';
import { announce } from './feedback/announce.tsx';
import { Failure } from './feedback/failure.tsx';

interface FileDownload {
  path: string;
  fileName: string;
  /** What is in the file, such as "alerts". */
  what: string;
}

/** Downloads a file that a worker makes for the request. One that takes longer than a minute opens its job instead. */
export function useFileDownload({ path, fileName, what }: FileDownload) {
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: (query: Record<string, QueryValue>) => request(path, { query: { ...query, format: 'csv' } }),
    onSuccess: async (response) => {
      if (response.status === 202) return navigate(`/jobs/${((await response.json()) as Accepted).jobId}`);
      saveFile(await response.blob(), fileName);
      announce(`Downloaded the ${what}`);
    },
    onError: (error) =>
      notifications.show({
        message: <Failure error={error} title={`Could not download the ${what}`} />,
        color: 'red',
        autoClose: false,
      }),
  });
}
