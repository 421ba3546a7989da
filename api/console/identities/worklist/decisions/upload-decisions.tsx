import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { RequestFailure } from '../../../http/request-failure.ts';
import { sendFile } from '../../../http/send-file.ts';
import { useSendOnce } from '../../../http/use-send-once.ts';
import { ErrorTable } from '../../../jobs/outcome/error-table.tsx';
import { announce } from '../../../parts/feedback/announce.tsx';
import { Failure } from '../../../parts/feedback/failure.tsx';
import { Section } from '../../../parts/section.tsx';
import { counted, wholeNumber } from '../../../text/quantities.ts';
import { FileDrop } from '../../upload/file/file-drop.tsx';
import { decisionsPath } from '../review/load-worklist.ts';

interface Uploaded {
  counts: { total: number; saved: number; unchanged: number; removed: number };
}

/** Uploads a worklist that somebody has filled in, as CSV or as a workbook. */
export function UploadDecisions({ integrationId }: { integrationId: string }) {
  const [file, setFile] = useState<File | null>(null);
  const cache = useQueryClient();
  const once = useSendOnce();
  const path = decisionsPath(integrationId);
  const sending = useMutation({
    mutationFn: (sent: File) =>
      once([path, sent.name, sent.size, sent.lastModified], (idempotencyKey) =>
        sendFile<Uploaded>({
          method: 'POST',
          path,
          query: {},
          file: sent,
          idempotencyKey,
          onProgress: () => {},
          signal: new AbortController().signal,
        }),
      ),
    onSuccess: async ({ counts }) => {
      announce(`Saved ${counted(counts.saved, 'decision')}`);
      await cache.invalidateQueries({ queryKey: [path] });
    },
  });
  const { error, data } = sending;
  const rows = error instanceof RequestFailure && error.errors.some(({ line }) => line !== undefined);
  return (
    <Section
      title="Upload a filled-in worklist"
      about="A row with an email names the owner. The column decision takes owner, not this person, bot, left and later. Rows without both say nothing. If a row is invalid, nothing is stored."
      wide
    >
      <Stack gap="sm">
        <FileDrop
          file={file}
          disabled={sending.isPending}
          onFile={(chosen) => {
            setFile(chosen);
            sending.reset();
          }}
        >
          The worklist itself, or a file with the columns <b>identity</b> and <b>decision</b>. CSV or Excel.
        </FileDrop>
        <div>
          <Button
            disabled={file === null}
            loading={sending.isPending}
            onClick={() => file && sending.mutate(file)}
          >
            Upload decisions
          </Button>
        </div>
        {data && (
          <Text size="sm" role="status">
            {counted(data.counts.total, 'row')}: {wholeNumber(data.counts.saved)} saved,{' '}
            {wholeNumber(data.counts.unchanged)} unchanged, {wholeNumber(data.counts.removed)} taken back.
          </Text>
        )}
        {rows && error instanceof RequestFailure && (
          <ErrorTable errors={error.errors} count={error.errorCount} />
        )}
        {error && !rows && <Failure error={error} title="Could not upload the decisions" />}
      </Stack>
    </Section>
  );
}
