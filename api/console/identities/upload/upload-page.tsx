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

/** The upload page: choose a file, start a dry run, import. */
export default function UploadPage() {
  return (
    <>
      <PageHead title="Upload CSV" above={<BackLink href="/identities">Identities</BackLink>}>
        A dry run first validates the file and shows what it would change. Nothing is written until you import
        it.
      </PageHead>
      {useMay('developer_records:write') ? <UploadSteps /> : <NotAllowed />}
    </>
  );
}

function UploadSteps() {
  const upload = useUpload();
  const jobs = useUploadJobs(upload);
  return (
    <Stack gap="md">
      <Part number={1} title="File">
        <FileDrop file={upload.file} disabled={jobs.isBusy} onFile={upload.choose}>
          The first line must name the columns <b>email</b>, <b>integrationId</b> and <b>identity</b>.
        </FileDrop>
        <UploadOptionsInput options={upload.options} disabled={jobs.isBusy} onChange={upload.change} />
      </Part>
      <Part number={2} title="Dry run">
        <DryRunStep upload={upload} job={jobs.dryRun} isBusy={jobs.isBusy} />
      </Part>
      <Part number={3} title="Import">
        <ImportStep upload={upload} dryRun={jobs.dryRun.data} job={jobs.import} isBusy={jobs.isBusy} />
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
  <Empty title="This key cannot upload identities">
    Sign in with a key that has the developer_records:write scope, or ask an administrator for one.
  </Empty>
);
