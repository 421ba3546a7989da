import { Stack } from '@mantine/core';
import { useMay } from '../../http/use-current-key.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Empty } from '../../parts/feedback/empty.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { DryRunStep } from './dry-run-step.tsx';
import { FileDrop } from './file/file-drop.tsx';
import { FilePreview } from './file/file-preview.tsx';
import { usePreview } from './file/use-preview.ts';
import { ImportStep } from './import-step.tsx';
import { UploadOptionsInput } from './options/upload-options.tsx';
import { UploadPart } from './upload-part.tsx';
import { useUpload } from './use-upload.ts';
import { useUploadJobs } from './use-upload-jobs.ts';

/** The upload page: choose a file, see how it is read, start a dry run, import. */
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
  const preview = usePreview(upload);
  const known = { upload, preview: preview.data, disabled: jobs.isBusy };
  const isRemoval = upload.options.mode === 'remove';
  return (
    <Stack gap="md">
      <UploadPart number={1} title="File">
        <FileDrop file={upload.file} disabled={jobs.isBusy} onFile={upload.choose}>
          {!upload.file && (
            <>
              The first line names the columns <b>email</b>, <b>integrationId</b> and <b>identity</b>. If they
              have other names, you can choose them here.
            </>
          )}
        </FileDrop>
        <FilePreview upload={upload} preview={preview} disabled={jobs.isBusy} />
      </UploadPart>
      <UploadPart number={2} title="Options">
        <UploadOptionsInput {...known} />
      </UploadPart>
      <UploadPart number={3} title="Dry run">
        <DryRunStep upload={upload} preview={preview.data} job={jobs.dryRun} isBusy={jobs.isBusy} />
      </UploadPart>
      <UploadPart number={4} title={isRemoval ? 'Removal' : 'Import'}>
        <ImportStep
          upload={upload}
          preview={preview.data}
          dryRun={jobs.dryRun.data}
          job={jobs.import}
          isBusy={jobs.isBusy}
        />
      </UploadPart>
    </Stack>
  );
}

const NotAllowed = () => (
  <Empty title="This key cannot upload identities">
    Sign in with a key that has the developer_records:write scope, or ask an administrator for one.
  </Empty>
);
