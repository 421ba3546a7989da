import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useParams, useSearchParams } from 'wouter';
import { RequestFailure } from '../../http/request-failure.ts';
import { useMay } from '../../http/use-current-key.ts';
import { FileDrop } from '../../identities/upload/file/file-drop.tsx';
import { JobLink } from '../../identities/upload/job-link.tsx';
import { StepProgress } from '../../identities/upload/step-progress.tsx';
import { UploadPart } from '../../identities/upload/upload-part.tsx';
import { useSteps } from '../../identities/upload/use-steps.ts';
import { useStepJobs } from '../../identities/upload/use-upload-jobs.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { Empty } from '../../parts/feedback/empty.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { counted } from '../../text/quantities.ts';
import { RemapHint } from '../remap-hint.tsx';
import { TABLES, tableAddress, tableEntry, useTable } from '../use-table.ts';
import { TableOptionsInput } from './table-options.tsx';
import { readTableUpload, type TableOptions, tableRequest, withTableOptions } from './upload-state.ts';

/** Loaded with the first outcome: the file that all lists load has what many pages import. */
const JobOutcome = lazyPart(() => import('./outcome.tsx'));

/** The page that uploads a lookup table: choose a file, start a dry run, write a revision. */
export default function UploadTablePage() {
  const { name = '' } = useParams();
  const may = useMay('tables:write');
  const { data: table, error, isPending, refetch } = useTable(name);
  const isNew = error instanceof RequestFailure && error.status === 404;
  return (
    <>
      <PageHead
        title={isNew ? `New table ${name}` : `Upload ${name}`}
        above={
          isNew ? (
            <BackLink href="/tables">Tables</BackLink>
          ) : (
            <BackLink href={tableAddress(name)}>{name}</BackLink>
          )
        }
      >
        A dry run first validates the file and shows what it would change. Nothing is written until you upload
        it.
      </PageHead>
      {!may && (
        <Empty title="This key cannot upload tables">
          Sign in with a key that has the tables:write scope, or ask an administrator for one.
        </Empty>
      )}
      {may && isPending && <Loading shape="details" />}
      {may && error && !isNew && <Failure error={error} title="Could not load the table" retry={refetch} />}
      {may && (table || isNew) && <UploadSteps key={name} name={name} isNew={isNew} />}
    </>
  );
}

function UploadSteps({ name, isNew }: { name: string; isNew: boolean }) {
  const [search, setSearch] = useSearchParams();
  const { options, jobs } = readTableUpload(search, isNew);
  const { take, forgetFailure, ...steps } = useSteps({
    page: `${tableAddress(name)}/upload`,
    path: tableEntry(name).path,
    jobs,
    request: (step) => tableRequest(options, step),
  });
  const { dryRun, import: writing, isBusy } = useStepJobs(steps);
  useRefreshedTable(name, Boolean(writing.data?.finishedAt));
  const change = (changes: Partial<TableOptions>) => {
    forgetFailure();
    setSearch((before) => withTableOptions(before, changes), { replace: true });
  };
  const checked = dryRun.data?.finishedAt ? dryRun.data : null;
  const written = writing.data?.finishedAt ? writing.data : null;
  return (
    <Stack gap="md">
      <UploadPart number={1} title="File">
        <FileDrop
          file={steps.file}
          disabled={isBusy}
          onFile={(file) => {
            take(file);
            change({});
          }}
        >
          The first line names the columns. Each row has another key; at most 20 columns and 1,000,000 rows.
        </FileDrop>
      </UploadPart>
      <UploadPart number={2} title="Options">
        <TableOptionsInput options={options} isNew={isNew} disabled={isBusy} onChange={change} />
      </UploadPart>
      <UploadPart number={3} title="Dry run">
        <StepProgress step="dryRun" upload={steps} job={dryRun} />
        {checked && <JobOutcome placeholder={<Loading rows={2} />} job={checked} />}
        {checked?.links.file && (
          <Group>
            <DownloadButton path={checked.links.file}>Download changes</DownloadButton>
          </Group>
        )}
        {checked && <JobLink id={checked.id}>View dry run</JobLink>}
        {!isBusy && (
          <DryRunButton
            hasFile={steps.file !== null}
            isRepeated={checked !== null}
            start={() => steps.send('dryRun')}
          />
        )}
      </UploadPart>
      <UploadPart number={4} title="Upload">
        <StepProgress step="import" upload={steps} job={writing} />
        {written && <JobOutcome placeholder={<Loading rows={2} />} job={written} />}
        {written && <RemapHint job={written} />}
        {jobs.import && <JobLink id={jobs.import}>View upload job</JobLink>}
        {written?.state.startsWith('completed') && (
          <div>
            <Button component={Link} href={tableAddress(name)} variant="default">
              View table
            </Button>
          </div>
        )}
        {!isBusy && !written && (
          <WriteButton
            rows={checked?.state.startsWith('completed') ? rowsOf(checked.counts) : null}
            hasFile={steps.file !== null}
            start={() => steps.send('import')}
          />
        )}
      </UploadPart>
    </Stack>
  );
}

const rowsOf = (counts: Record<string, number> | null): number =>
  (counts?.total ?? 0) - (counts?.rejected ?? 0);

/** Loads the table and its lists again once another revision may be active. */
function useRefreshedTable(name: string, isDone: boolean): void {
  const cache = useQueryClient();
  useEffect(() => {
    if (!isDone) return;
    const { path, queryKey } = tableEntry(name);
    for (const key of [queryKey, [TABLES], [`${path}/rows`], [`${path}/revisions`], [`${path}/misses`]])
      void cache.invalidateQueries({ queryKey: key });
  }, [isDone, name, cache]);
}

interface ButtonProps {
  hasFile: boolean;
  start: () => unknown;
}

function DryRunButton({ hasFile, isRepeated, start }: ButtonProps & { isRepeated: boolean }) {
  if (!hasFile)
    return (
      <Text size="sm" c="dimmed">
        {isRepeated ? 'To repeat the dry run, choose the file again.' : 'Choose a file first.'}
      </Text>
    );
  return (
    <div>
      <Button variant={isRepeated ? 'default' : 'filled'} onClick={start}>
        {isRepeated ? 'Repeat dry run' : 'Start dry run'}
      </Button>
    </div>
  );
}

/** @param rows of a successful dry run; null without one */
function WriteButton({ rows, hasFile, start }: ButtonProps & { rows: number | null }) {
  if (rows === null || !hasFile)
    return (
      <Text size="sm" c="dimmed">
        {rows === null
          ? 'Available after a successful dry run.'
          : 'The page was reloaded and no longer has the file. Choose the file and repeat the dry run to upload it.'}
      </Text>
    );
  return (
    <div>
      <Button onClick={start}>Upload {counted(rows, 'row')}</Button>
    </div>
  );
}
