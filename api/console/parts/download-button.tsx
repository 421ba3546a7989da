import { Button, type ButtonProps } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { download } from '../http/download.ts';
import { announce } from './feedback/announce.tsx';
import { Failure } from './feedback/failure.tsx';

interface DownloadButtonProps extends ButtonProps {
  path: string;
  children: ReactNode;
}

/** A button that downloads a file from the API. A failure is shown next to it. */
export function DownloadButton({ path, children, ...button }: DownloadButtonProps) {
  const saving = useMutation({
    mutationFn: () => download(path),
    onSuccess: () => announce('Downloaded the file'),
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        {...button}
        loading={saving.isPending}
        onClick={() => saving.mutate()}
      >
        {children}
      </Button>
      {saving.isError && <Failure error={saving.error} title="Could not download the file" />}
    </>
  );
}
