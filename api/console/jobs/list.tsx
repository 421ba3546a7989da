import { Select } from '@mantine/core';
import { useSearchParams } from 'wouter';
import type { Job } from '../http/types.ts';
import { usePages } from '../http/use-pages.ts';
import { Empty } from '../parts/empty.tsx';
import { LiveList } from '../parts/live-list.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { JobRow } from './job-row.tsx';
import styles from './jobs.module.css';
import { JOB_STATES, JOB_TYPES } from './names.ts';

const REFRESH_MS = 2_000;
const TYPES = Object.entries(JOB_TYPES).map(([value, label]) => ({ value, label }));
const STATES = JOB_STATES.map((value) => ({ value, label: value.replaceAll('_', ' ') }));

/** All jobs that the key may see, newest first. */
export default function JobList() {
  const [search, setSearch] = useSearchParams();
  const given = (name: string) => search.get(name);
  const choose = (name: string) => (value: string | null) =>
    setSearch(
      (before) => {
        if (value) before.set(name, value);
        else before.delete(name);
        return before;
      },
      { replace: true },
    );
  return (
    <>
      <PageHead title="Jobs">
        Work that goes on behind a request: imports, exports and remaps. They are kept for 90 days.
      </PageHead>
      <div className={styles.filters}>
        <Select
          label="Type"
          placeholder="any"
          clearable
          data={TYPES}
          value={given('type')}
          onChange={choose('type')}
        />
        <Select
          label="State"
          placeholder="any"
          clearable
          data={STATES}
          value={given('state')}
          onChange={choose('state')}
        />
      </div>
      <Jobs type={given('type')} state={given('state')} />
    </>
  );
}

function Jobs(filters: { type: string | null; state: string | null }) {
  const pages = usePages<Job>('/v2/jobs', filters, { refetchInterval: REFRESH_MS });
  return (
    <LiveList
      key={JSON.stringify(filters)}
      pages={pages}
      what="jobs"
      head={['Job', 'State', 'Result', 'Made', 'Took']}
      row={(job) => <JobRow key={job.id} job={job} />}
      empty={<NoJobs filtered={filters.type !== null || filters.state !== null} />}
    />
  );
}

const NoJobs = ({ filtered }: { filtered: boolean }) =>
  filtered ? (
    <Empty title="No such job">Choose another type or state above.</Empty>
  ) : (
    <Empty title="No job yet">
      Each upload, export and remap becomes a job here. Begin by uploading a CSV under Identities.
    </Empty>
  );
