import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { Job } from '../../../http/types.ts';
import { useMay } from '../../../http/use-current-key.ts';
import { fileState } from '../../../jobs/outcome/file-state.ts';
import { useJob } from '../../../jobs/use-job.ts';
import { BackLink } from '../../../parts/back-link.tsx';
import { Empty, NotFound } from '../../../parts/feedback/empty.tsx';
import { Failure } from '../../../parts/feedback/failure.tsx';
import { Loading } from '../../../parts/feedback/loading.tsx';
import { ProgressBar } from '../../../parts/feedback/progress-bar.tsx';
import { PageHead } from '../../../parts/page-head.tsx';
import { AccountSystemName } from '../../systems/account-system-name.tsx';
import { decisionsAddress } from '../decisions/decisions-address.ts';
import { statesOf } from './account-state.ts';
import { queueOf } from './decision-queue.ts';
import { loadDecisions, loadRows } from './load-worklist.ts';
import { Reviewing } from './reviewing.tsx';

/** The review of a worklist: one account after the other, by keys or by hand. */
export default function ReviewPage() {
  const [search] = useSearchParams();
  const id = search.get('job');
  const { data: job, error, refetch } = useJob(id);
  if (id === null) return <NotFound />;
  return (
    <>
      <PageHead title="Review" above={<BackLink href={`/jobs/${id}`}>Worklist</BackLink>}>
        Decide who owns each account. Decisions are saved as you make them, and the next worklist knows them.
        They write no identities.
      </PageHead>
      {job ? (
        <OfJob job={job} />
      ) : error ? (
        <Failure error={error} title="Could not load the worklist" retry={refetch} />
      ) : (
        <Loading shape="details" />
      )}
    </>
  );
}

function OfJob({ job }: { job: Job }) {
  const mayWrite = useMay('developer_records:write');
  const state = fileState(job, Date.now());
  if (job.type !== 'identity-worklist') return <NotFound />;
  if (state === 'expired')
    return <Empty title="The worklist has expired">Make a new one. It knows what you have decided.</Empty>;
  if (!job.links.file) return <Empty title="The worklist has no file">Its page says why.</Empty>;
  if (!mayWrite)
    return (
      <Empty title="This key cannot decide">
        Sign in with a key that has the developer_records:write scope.
      </Empty>
    );
  return <Loaded key={job.id} job={job} path={job.links.file} />;
}

/** Loads the rows and what is decided about them. Both stay as they are while the page is open: the queue keeps what changes. */
function Loaded({ job, path }: { job: Job; path: string }) {
  const [share, setShare] = useState(0);
  const { data, error, refetch } = useQuery({
    queryKey: ['review', path],
    queryFn: async ({ signal }) => {
      const rows = await loadRows(path, signal, setShare);
      const integrationId = Number(rows[0]?.integrationId ?? 0);
      if (rows.length === 0) return { rows, integrationId };
      const byIdentity = new Map(rows.map((row) => [row.identity, row]));
      const decisions = await loadDecisions(integrationId, signal);
      queueOf(integrationId).load(statesOf(decisions, byIdentity, job.createdAt), byIdentity);
      return { rows, integrationId };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (error) return <Failure error={error} title="Could not load the worklist" retry={refetch} />;
  if (!data) return <ProgressBar label="Loading the worklist" share={share} />;
  const { rows, integrationId } = data;
  if (rows.length === 0)
    return <Empty title="Nothing to review">Every account of the list has an owner or a decision.</Empty>;
  return (
    <>
      <Text size="sm" mb="sm" component="div">
        Account system <AccountSystemName integrationId={integrationId} isLink />.{' '}
        <Button component={Link} href={decisionsAddress(integrationId)} variant="subtle" size="compact-sm">
          All decisions
        </Button>
      </Text>
      <Reviewing rows={rows} integrationId={integrationId} />
    </>
  );
}
