import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMay } from '../../http/use-current-key.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Empty } from '../../parts/feedback/empty.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { DryRunStep } from './dry-run-step.tsx';
import { FileDrop } from './file-drop.tsx';
import { ImportStep } from './import-step.tsx';
import { UploadOptionsInput } from './upload-options.tsx';
import { useUpload } from './use-upload.ts';
import { useUploadJobs } from './use-upload-jobs.ts';

/** Brings a CSV in: first tried, then done. */
export default function UploadPage() {
  return (
    <>
      <PageHead title="Upload a CSV" above={<BackLink href="/identities">Identities</BackLink>}>
        The file is checked first, and nothing is written by that. You see what it would do before you import
        it.
      </PageHead>
      {useMay('developer_records:write') ? <Upload /> : <NotAllowed />}
    </>
  );
}

function Upload() {
  const desk = useUpload();
  const jobs = useUploadJobs(desk);
  return (
    <Stack gap="md">
      <Part number={1} title="Choose the file">
        <FileDrop file={desk.file} disabled={jobs.isBusy} onFile={desk.choose} />
        <UploadOptionsInput options={desk.options} disabled={jobs.isBusy} onChange={desk.change} />
      </Part>
      <Part number={2} title="Check it">
        <DryRunStep desk={desk} job={jobs.check} isBusy={jobs.isBusy} />
      </Part>
      <Part number={3} title="Import it">
        <ImportStep desk={desk} check={jobs.check.data} job={jobs.import} isBusy={jobs.isBusy} />
      </Part>
    </Stack>
  );
}

const Part = ({ number, title, children }: { number: number; title: string; children: ReactNode }) => (
  <Paper withBorder p="md" component="section" aria-label={title}>
    <Title order={2} size="h4" mb="sm">
      <Text span inherit c="dimmed">
        {number}
      </Text>{' '}
      {title}
    </Title>
    <Stack gap="md">{children}</Stack>
  </Paper>
);

const NotAllowed = () => (
  <Empty title="This key may not upload">
    Sign in with a key that has the scope developer_records:write, or ask an administrator for one.
  </Empty>
);
