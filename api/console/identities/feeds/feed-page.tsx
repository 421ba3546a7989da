import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { request, requestJson } from '../../http/request.ts';
import type { Feed, FeedRun, Job, One, Page } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Facts } from '../../parts/facts.tsx';
import { announce } from '../../parts/feedback/announce.tsx';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Section } from '../../parts/section.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { AccountSystemName } from '../systems/account-system-name.tsx';
import { GuardsForm } from './guards-form.tsx';
import { ProblemBadge } from './problem-badge.tsx';
import { Runs } from './runs.tsx';
import { Sample } from './sample.tsx';
import { FEEDS_PATH, scheduleText } from './use-feeds.ts';

const FeedDialog = lazyPart(() => import('./feed-dialog.tsx'));

/** Runs in the chart, as many as guards are tried over. */
const RUNS = 90;

/** The page of a feed: what its runs did, what its recipe makes of the file, its guards, and its settings. */
export default function FeedPage() {
  const { id = '' } = useParams();
  const feed = useQuery({
    queryKey: [FEEDS_PATH, id],
    queryFn: ({ signal }) => requestJson<One<Feed>>(`${FEEDS_PATH}/${id}`, { signal }),
    select: ({ data }) => data,
    refetchInterval: 15_000,
  });
  if (feed.error) return <Failure error={feed.error} title="Could not load the feed" retry={feed.refetch} />;
  if (!feed.data) return <Loading shape="details" />;
  return <Found feed={feed.data} />;
}

function Found({ feed }: { feed: Feed }) {
  const may = useMay('developer_records:write');
  const [isEditing, setEditing] = useState(false);
  const runs = useRuns(feed.id);
  const isRunning = runs.data?.some(({ state }) => state === 'running') ?? false;
  const sample = runs.data?.find(({ file }) => file !== null)?.file?.sample ?? [];
  return (
    <>
      <PageHead
        title={feed.name}
        above={<BackLink href="/identities/feeds">Feeds</BackLink>}
        aside={<ProblemBadge feed={feed} />}
        actions={may && <RunButtons feed={feed} isRunning={isRunning} />}
      >
        {feed.source.location}, {scheduleText(feed)}.
        {feed.nextRunAt && (
          <>
            {' '}
            Next run <Ago at={feed.nextRunAt} />.
          </>
        )}
      </PageHead>
      <Stack>
        {runs.error ? (
          <Failure error={runs.error} title="Could not load the runs" retry={runs.refetch} />
        ) : runs.data ? (
          <Runs runs={runs.data} />
        ) : (
          <Loading rows={4} />
        )}
        {sample.length > 0 && <Sample rows={sample} />}
        <GuardsForm key={feed.revision} feed={feed} isReadOnly={!may} />
        <Section title="Settings" about="Where the file comes from, and how its rows become identities.">
          <Stack gap="sm">
            <Settings feed={feed} />
            {may && (
              <Group gap="sm">
                <Button variant="default" onClick={() => setEditing(true)}>
                  Change settings
                </Button>
                <PauseButton feed={feed} />
                <DeleteFeed feed={feed} />
              </Group>
            )}
          </Stack>
        </Section>
      </Stack>
      <OnDemand>{isEditing && <FeedDialog feed={feed} onClose={() => setEditing(false)} />}</OnDemand>
    </>
  );
}

function useRuns(id: string) {
  return useQuery({
    queryKey: [FEEDS_PATH, id, 'runs'],
    queryFn: ({ signal }) =>
      requestJson<Page<FeedRun>>(`${FEEDS_PATH}/${id}/runs`, { query: { pageSize: RUNS }, signal }),
    select: ({ data }) => data,
    refetchInterval: ({ state }) =>
      state.data?.data.some((run) => run.state === 'running') ? 1_000 : 15_000,
  });
}

function RunButtons({ feed: { id }, isRunning }: { feed: Feed; isRunning: boolean }) {
  const cache = useQueryClient();
  const starting = useMutation({
    mutationFn: (dryRun: boolean) =>
      requestJson<One<Job>>(`${FEEDS_PATH}/${id}/runs`, {
        method: 'POST',
        query: dryRun ? { dryRun: true } : {},
        headers: { prefer: 'respond-async' },
      }),
    onSuccess: () => {
      announce('The feed runs');
      return cache.invalidateQueries({ queryKey: [FEEDS_PATH, id] });
    },
  });
  const isBusy = isRunning || starting.isPending;
  return (
    <>
      {starting.error && <Failure error={starting.error} title="Could not start the feed" />}
      <Button variant="default" disabled={isBusy} onClick={() => starting.mutate(true)}>
        Plan only
      </Button>
      <Button loading={isBusy} onClick={() => starting.mutate(false)}>
        Run now
      </Button>
    </>
  );
}

function Settings({ feed }: { feed: Feed }) {
  const { recipe, mirror, source, onError } = feed;
  const fields = [
    ...Object.entries(recipe.columns).map(([field, column]) => `${field}: column ${column}`),
    ...Object.entries(recipe.rules).map(([field, rule]) => `${field}: ${rule}`),
    ...(recipe.keep ? [`only rows with ${recipe.keep}`] : []),
  ];
  return (
    <Facts
      facts={[
        ['Source', <code key="source">{source.location}</code>],
        ['Secrets', source.secrets.length > 0 ? source.secrets.join(', ') : 'none'],
        ['Runs', scheduleText(feed)],
        [
          'Account system',
          recipe.integrationId === undefined ? (
            'a column of the file'
          ) : (
            <AccountSystemName key="system" integrationId={recipe.integrationId} isLink />
          ),
        ],
        [
          'Recipe',
          fields.length > 0
            ? fields.map((field) => <div key={field}>{field}</div>)
            : 'the columns by their known names',
        ],
        [
          'Removes accounts',
          mirror === null ? (
            'never'
          ) : (
            <span key="mirror">those of {mirror.join(', ')} that the file does not name</span>
          ),
        ],
        ['Invalid rows', onError === 'abort' ? 'fail the run' : 'are left out'],
      ]}
    />
  );
}

function PauseButton({ feed: { id, paused } }: { feed: Feed }) {
  const cache = useQueryClient();
  const changing = useMutation({
    mutationFn: () => requestJson(`${FEEDS_PATH}/${id}`, { method: 'PATCH', json: { paused: !paused } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: [FEEDS_PATH] }),
  });
  return (
    <>
      <Button variant="default" loading={changing.isPending} onClick={() => changing.mutate()}>
        {paused ? 'Resume' : 'Pause'}
      </Button>
      {changing.error && <Text size="sm">Could not change it. Try again.</Text>}
    </>
  );
}

function DeleteFeed({ feed: { id, name } }: { feed: Feed }) {
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const remove = async () => {
    await request(`${FEEDS_PATH}/${id}`, { method: 'DELETE' });
    announce(`Deleted the feed ${name}`);
    navigate('/identities/feeds');
    await cache.invalidateQueries({ queryKey: [FEEDS_PATH] });
  };
  return (
    <Confirm label="Delete feed" title="Delete this feed?" size="sm" onConfirm={remove}>
      It does not run any more. What it has written stays.
    </Confirm>
  );
}
