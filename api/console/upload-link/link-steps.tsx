import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import type { CurrentUploadLink, Job } from '../http/types.ts';
import { isHeaderUnknown } from '../identities/upload/columns/column-choice.ts';
import { FileDrop } from '../identities/upload/file/file-drop.tsx';
import { FilePreview } from '../identities/upload/file/file-preview.tsx';
import { usePreview } from '../identities/upload/file/use-preview.ts';
import { StepProgress } from '../identities/upload/step-progress.tsx';
import { UploadPart } from '../identities/upload/upload-part.tsx';
import { type Upload, useUpload } from '../identities/upload/use-upload.ts';
import { useStepJobs } from '../identities/upload/use-upload-jobs.ts';
import { ErrorTable } from '../jobs/outcome/error-table.tsx';
import { Warnings } from '../jobs/outcome/job-outcome.tsx';
import { Message } from '../parts/values/message.tsx';
import { useFullTime } from '../settings/time-zone.ts';
import { counted } from '../text/quantities.ts';
import { describeResult } from './describe-result.ts';
import { Ended } from './ended.tsx';
import { ErrorGroups } from './error-groups.tsx';

interface LinkStepsProps {
  link: CurrentUploadLink;
  /** Loads again what is left of the link. */
  refresh: () => void;
}

/** Choose a file, check it, upload it. */
export function LinkSteps({ link, refresh }: LinkStepsProps) {
  const upload = useUpload();
  const jobs = useStepJobs(upload);
  const preview = usePreview(upload);
  const ended = [jobs.dryRun.data, jobs.import.data].filter((job) => job?.finishedAt).length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is left changes with each accepted file.
  useEffect(refresh, [upload.jobs.dryRun, upload.jobs.import, ended]);
  const { uploadsLeft } = link;
  if (uploadsLeft === 0 && !upload.file)
    return (
      <Ended title="All uploads of this link are used">Ask for a new link if you have another file.</Ended>
    );
  const imported = jobs.import.data?.finishedAt ? jobs.import.data : null;
  const canRead = !preview.data || !isHeaderUnknown(preview.data);
  return (
    <Stack gap="md">
      <Head link={link} />
      <UploadPart number={1} title="File">
        <FileDrop
          file={upload.file}
          disabled={jobs.isBusy || uploadsLeft === 0}
          onFile={(file) => upload.choose(file)}
        >
          {!upload.file && (
            <>
              The first line names the columns <b>email</b>, the owner of an account, and <b>identity</b>, the
              name of the account. If they have other names, you can choose them here.
            </>
          )}
        </FileDrop>
        <FilePreview upload={upload} preview={preview} disabled={jobs.isBusy} />
      </UploadPart>
      {upload.file && canRead && (
        <UploadPart number={2} title="Check">
          <StepProgress step="dryRun" upload={upload} job={jobs.dryRun} />
          <Result job={jobs.dryRun.data} showsRows={imported === null} />
          {!jobs.isBusy && !imported && uploadsLeft > 0 && (
            <CheckButton upload={upload} link={link} isRepeated={jobs.dryRun.data !== undefined} />
          )}
        </UploadPart>
      )}
      {upload.file && canRead && (jobs.dryRun.data?.finishedAt || link.checksLeft === 0) && (
        <UploadPart number={3} title="Upload">
          <StepProgress step="import" upload={upload} job={jobs.import} />
          <Result job={jobs.import.data} showsRows />
          {!jobs.isBusy && !imported && uploadsLeft > 0 && (
            <UploadButton upload={upload} check={jobs.dryRun.data} />
          )}
          {imported && (
            <Text size="sm">
              {uploadsLeft > 0
                ? `You can upload ${counted(uploadsLeft, 'more file')}: choose it above.`
                : 'All uploads of this link are used.'}
            </Text>
          )}
        </UploadPart>
      )}
    </Stack>
  );
}

function Head({
  link: { name, accountSystem, integrationId, uploadsLeft, expiresAt },
}: Pick<LinkStepsProps, 'link'>) {
  const fullTime = useFullTime();
  return (
    <div>
      <Title order={1} size="h2">
        <bdi>{name}</bdi>
      </Title>
      <Text mt={4}>
        Upload who owns the accounts of <b>{accountSystem ?? `account system ${integrationId}`}</b>, as a CSV
        file or an Excel workbook. You see how it is read and what is wrong with it before anything is
        written.
      </Text>
      <Text size="sm" c="dimmed" mt={4}>
        {uploadsLeft === 0 ? 'No uploads left' : `${counted(uploadsLeft, 'upload')} left`}, until{' '}
        <time dateTime={expiresAt} title={new Date(expiresAt).toISOString()}>
          {fullTime(expiresAt)}
        </time>
        .
      </Text>
    </div>
  );
}

const COLORS = { good: 'green', warn: 'yellow', bad: 'red' };

/** What a finished file would do or has done, and its errors by cause. */
function Result({ job, showsRows }: { job: Job | undefined; showsRows: boolean }) {
  if (!job?.finishedAt) return null;
  const { tone, title, text } = describeResult(job);
  return (
    <Stack gap="md">
      <Alert color={COLORS[tone]} title={title} role={tone === 'bad' ? 'alert' : 'status'}>
        <Text size="sm">
          <Message text={text} />
        </Text>
      </Alert>
      <Warnings warnings={job.warnings} />
      {job.error && <ErrorTable errors={job.error.errors} count={job.error.errorCount} />}
      {showsRows && <ErrorGroups job={job} />}
    </Stack>
  );
}

function CheckButton({
  upload,
  link,
  isRepeated,
}: {
  upload: Upload;
  link: CurrentUploadLink;
  isRepeated: boolean;
}) {
  if (link.checksLeft === 0)
    return (
      <Text size="sm" c="dimmed">
        This link can check no more files.
      </Text>
    );
  return (
    <div>
      <Button variant={isRepeated ? 'default' : 'filled'} onClick={() => upload.send('dryRun')}>
        {isRepeated ? 'Check again' : 'Check file'}
      </Button>
    </div>
  );
}

/** Uploads the valid rows. */
function UploadButton({ upload, check }: { upload: Upload; check: Job | undefined }) {
  const { total = 0, rejected = 0 } = check?.counts ?? {};
  if (check && (check.state === 'failed' || rejected === total))
    return (
      <Text size="sm" c="dimmed">
        Nothing can be uploaded. Correct the file and choose it again.
      </Text>
    );
  return (
    <div>
      <Button onClick={() => upload.send('import')}>
        {check ? `Upload ${counted(total - rejected, 'valid row')}` : 'Upload file'}
      </Button>
    </div>
  );
}
