import { Anchor, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { requestJson } from '../../http/request.ts';
import type { Job, JobFacets, One } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { Empty } from '../../parts/feedback/empty.tsx';
import { NoMatches } from '../../parts/filters/no-matches.tsx';
import { countSet } from '../../parts/filters/url-filters.ts';
import { LinkRow, RowLink } from '../../parts/lists/link-row.tsx';
import { LiveList } from '../../parts/lists/live-list.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { useLivePages } from '../../parts/lists/use-pages.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { StateBadge } from '../../parts/values/badge.tsx';
import { Message } from '../../parts/values/message.tsx';
import { useFullTime } from '../../settings/time-zone.ts';
import { counted } from '../../text/quantities.ts';
import { describeCounts } from '../job-counts.ts';
import { jobDuration } from '../job-duration.ts';
import { jobName } from '../job-names.ts';
import { JobProgress } from '../job-progress.tsx';
import { JobFilterBar } from './job-filter-bar.tsx';
import styles from './list.module.css';
import { type JobFilters, useJobFilters } from './use-job-filters.ts';

const REFRESH_MS = 2_000;

/** The job list page: all jobs that the key may see, newest first. */
export default function JobsPage() {
  const { filters, query, change, clear } = useJobFilters();
  const pages = useLivePages<Job>('/v2/jobs', query, REFRESH_MS);
  const { data: facets } = useJobFacets(query, pages.rows[0]?.id);
  return (
    <>
      <PageHead title="Jobs">
        Imports, exports and remaps that run in the background. Jobs are kept for 90 days.
      </PageHead>
      <JobFilterBar filters={filters} change={change} clear={clear} facets={facets} />
      {query.uploadLink?.length ? <OfLink clear={clear} /> : <Total facets={facets} />}
      <LiveList
        key={JSON.stringify(query)}
        pages={pages}
        what="jobs"
        head={['Job', 'State', 'Result', 'Created', 'Duration']}
        row={(job) => <JobRow key={job.id} job={job} />}
        empty={countSet(filters) > 0 ? <NoMatches what="job" clear={clear} /> : <NoJobs />}
      />
    </>
  );
}

/** Says that the list has the jobs of an upload link only. They are few, and not counted. */
const OfLink = ({ clear }: { clear: () => void }) => (
  <Text size="sm" c="dimmed" mb={6}>
    What an upload link has checked and uploaded.{' '}
    <Anchor component="button" type="button" size="sm" onClick={clear}>
      Show all jobs
    </Anchor>
  </Text>
);

/** How many jobs match the filters. It keeps its place until they are counted. */
function Total({ facets }: { facets: JobFacets | undefined }) {
  const fullTime = useFullTime();
  const since = facets?.countedFrom;
  return (
    <Text size="sm" c="dimmed" mb={6}>
      {facets ? counted(facets.jobs, 'job') : '\u00a0'}
      {since && ` since ${fullTime(since)}, earlier ones not counted`}
    </Text>
  );
}

function NoJobs() {
  const may = useMay('developer_records:write');
  const upload = (
    <Button component={Link} href="/identities/upload">
      Upload CSV
    </Button>
  );
  return (
    <Empty title="No jobs yet" action={may && upload}>
      Each upload, export and remap starts a job. Its progress and result appear here.
    </Empty>
  );
}

const FACETS_REFRESH_MS = 10_000;

/**
 * Counts the jobs that match the filters, by type and state.
 * @param newest the id of the newest listed job: a new one changes the counts at once
 */
const useJobFacets = (query: JobFilters['query'], newest: string | undefined) =>
  useQuery({
    queryKey: ['/v2/jobs/facets', query, newest],
    queryFn: ({ signal }) => requestJson<One<JobFacets>>('/v2/jobs/facets', { query, signal }),
    select: ({ data }) => data,
    enabled: !query.uploadLink?.length,
    placeholderData: (last) => last,
    refetchInterval: FACETS_REFRESH_MS,
    retry: false,
  });

/** One row of the job list: the progress of an unfinished job, otherwise its result. */
const JobRow = ({ job }: { job: Job }) => (
  <LinkRow>
    <Table.Td>
      <RowLink href={`/jobs/${job.id}`} fw={600}>
        {jobName(job)}
      </RowLink>
      {job.fileName && (
        <Text size="xs" c="dimmed" className={styles.file}>
          <bdi>{job.fileName}</bdi>
        </Text>
      )}
    </Table.Td>
    <Table.Td>
      <StateBadge state={job.state} />
    </Table.Td>
    <Table.Td className={styles.result}>
      <Result job={job} />
    </Table.Td>
    <Table.Td>
      <Ago at={job.createdAt} />
    </Table.Td>
    <Table.Td>{jobDuration(job)}</Table.Td>
  </LinkRow>
);

function Result({ job }: { job: Job }) {
  if (!job.finishedAt) return <JobProgress job={job} />;
  return (
    <Text size="sm" lineClamp={2}>
      <Message text={job.error?.message ?? (job.counts ? describeCounts(job) : '')} />
    </Text>
  );
}
