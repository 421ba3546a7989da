import { Button, Select } from '@mantine/core';
import { Link, useSearchParams } from 'wouter';
import type { Job } from '../http/types.ts';
import { useMay } from '../http/use-current-key.ts';
import { usePages } from '../http/use-pages.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { Failure } from '../parts/failure.tsx';
import { Loading } from '../parts/loading.tsx';
import { More } from '../parts/more.tsx';
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
  if (pages.isPending) return <Loading />;
  if (pages.isError && pages.rows.length === 0) {
    return <Failure error={pages.error} title="The jobs could not be read" retry={pages.refetch} />;
  }
  if (pages.rows.length === 0) return <NoJobs filtered={filters.type !== null || filters.state !== null} />;
  return (
    <>
      <DataTable label="Jobs" head={['Job', 'State', 'Result', 'Made', 'Took']}>
        {pages.rows.map((job) => (
          <JobRow key={job.id} job={job} />
        ))}
      </DataTable>
      <More {...pages} />
    </>
  );
}

function NoJobs({ filtered }: { filtered: boolean }) {
  const may = useMay('developer_records:write');
  if (filtered) return <Empty title="No such job">Choose another type or state above.</Empty>;
  const upload = (
    <Button component={Link} href="/identities/upload">
      Upload a CSV
    </Button>
  );
  return (
    <Empty title="No job yet" action={may && upload}>
      Each upload, export and remap becomes a job here.
    </Empty>
  );
}
