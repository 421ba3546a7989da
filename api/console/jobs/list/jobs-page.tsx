import { Button, NativeSelect } from '@mantine/core';
import { Link } from 'wouter';
import type { Job } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { Empty } from '../../parts/feedback/empty.tsx';
import { FilterBar } from '../../parts/filters/filter-bar.tsx';
import { NoMatches } from '../../parts/filters/no-matches.tsx';
import { countSet, onlyValue } from '../../parts/filters/url-filters.ts';
import { LiveList } from '../../parts/lists/live-list.tsx';
import { useLivePages } from '../../parts/lists/use-live-pages.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { JOB_STATES, JOB_TYPES } from '../job-names.ts';
import { JobRow } from './job-row.tsx';
import { useJobFilters } from './use-job-filters.ts';

const REFRESH_MS = 2_000;
const ALL = { value: '', label: 'All' };
const TYPES = [ALL, ...Object.entries(JOB_TYPES).map(([value, label]) => ({ value, label }))];
const STATES = [ALL, ...JOB_STATES.map((value) => ({ value, label: value.replaceAll('_', ' ') }))];

/** The job list page: all jobs that the key may see, newest first. */
export default function JobsPage() {
  const { filters, change, clear } = useJobFilters();
  const count = countSet(filters);
  const pages = useLivePages<Job>('/v2/jobs', filters, { everyMs: REFRESH_MS });
  return (
    <>
      <PageHead title="Jobs">
        Imports, exports and remaps that run in the background. Jobs are kept for 90 days.
      </PageHead>
      <FilterBar count={count} clear={clear}>
        <NativeSelect
          label="Type"
          data={TYPES}
          value={onlyValue(filters.type)}
          onChange={({ currentTarget }) => change({ type: [currentTarget.value] })}
        />
        <NativeSelect
          label="State"
          data={STATES}
          value={onlyValue(filters.state)}
          onChange={({ currentTarget }) => change({ state: [currentTarget.value] })}
        />
      </FilterBar>
      <LiveList
        key={JSON.stringify(filters)}
        pages={pages}
        what="jobs"
        head={['Job', 'State', 'Result', 'Created', 'Duration']}
        row={(job) => <JobRow key={job.id} job={job} />}
        empty={count > 0 ? <NoMatches what="job" clear={clear} /> : <NoJobs />}
      />
    </>
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
