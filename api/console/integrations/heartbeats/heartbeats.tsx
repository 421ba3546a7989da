import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { requestJson } from '../../http/request.ts';
import type { Heartbeat, One } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { OnDemand } from '../../parts/feedback/boundary.tsx';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import { Empty } from '../../parts/feedback/empty.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { lazyPart } from '../../parts/feedback/lazy-part.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Section } from '../../parts/section.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { StateBadge } from '../../parts/values/badge.tsx';
import { CopyText } from '../../parts/values/copy.tsx';
import { Time } from '../../parts/values/time.tsx';
import { duration } from '../../text/quantities.ts';
import type { TabProps } from '../webhook/tab-props.ts';
import { heartbeatsPath } from './path.ts';

const REFRESH_MS = 5_000;
const HeartbeatDialog = lazyPart(() => import('./heartbeat-dialog.tsx'));

/** The heartbeats tab: jobs that are expected to report, with their states. */
export default function Heartbeats({ webhook }: TabProps) {
  const path = heartbeatsPath(webhook.id);
  const may = useMay('webhooks:write');
  const [edited, setEdited] = useState<Heartbeat | 'new' | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => requestJson<One<Heartbeat[]>>(path, { signal }),
    refetchInterval: REFRESH_MS,
  });
  const add = may && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
      New heartbeat
    </Button>
  );
  if (!data) {
    if (error) return <Failure error={error} title="Could not load the heartbeats" retry={refetch} />;
    return <Loading shape="table" />;
  }
  return (
    <Stack>
      {error && <Failure error={error} title="Could not load the heartbeats" retry={refetch} />}
      {data.data.length === 0 ? (
        <Empty title="No heartbeats yet" action={add}>
          A heartbeat is a job that pings a URL when it is done, such as a nightly backup. Muster raises an
          alert if the ping is late, reports a failure, or a run takes too long.
        </Empty>
      ) : (
        <>
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              Jobs that ping a URL when they are done. The first ping begins the expectation.
            </Text>
            {add}
          </Group>
          <HeartbeatTable heartbeats={data.data} webhookId={webhook.id} may={may} edit={setEdited} />
          <Usage heartbeat={data.data[0]} />
        </>
      )}
      <OnDemand>
        {edited && (
          <HeartbeatDialog
            webhookId={webhook.id}
            heartbeat={edited === 'new' ? null : edited}
            onClose={() => setEdited(null)}
          />
        )}
      </OnDemand>
    </Stack>
  );
}

interface HeartbeatTableProps {
  heartbeats: readonly Heartbeat[];
  webhookId: string;
  may: boolean;
  edit: (heartbeat: Heartbeat) => void;
}

const HeartbeatTable = ({ heartbeats, webhookId, may, edit }: HeartbeatTableProps) => (
  <Table aria-label="Heartbeats">
    <Table.Thead>
      <Table.Tr>
        {['Heartbeat', 'State', 'Expected', 'Last success', 'Next', ...(may ? ['Actions'] : [])].map(
          (title) => (
            <Table.Th key={title}>{title}</Table.Th>
          ),
        )}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {heartbeats.map((heartbeat) => (
        <HeartbeatRow key={heartbeat.name} {...{ heartbeat, webhookId, may, edit }} />
      ))}
    </Table.Tbody>
  </Table>
);

interface HeartbeatRowProps extends Omit<HeartbeatTableProps, 'heartbeats'> {
  heartbeat: Heartbeat;
}

const HeartbeatRow = ({ heartbeat, webhookId, may, edit }: HeartbeatRowProps) => (
  <Table.Tr>
    <Table.Td data-label="Heartbeat">
      <Text component={Link} size="sm" fw={600} href={alertsHref(webhookId, heartbeat.name)}>
        {heartbeat.name}
      </Text>
      {heartbeat.description && (
        <Text size="sm" c="dimmed">
          {heartbeat.description}
        </Text>
      )}
    </Table.Td>
    <Table.Td data-label="State">
      <StateBadge state={heartbeat.state} />
      {heartbeat.state === 'failing' && heartbeat.lastExitStatus !== null && (
        <Text size="sm">Exit status {heartbeat.lastExitStatus}</Text>
      )}
    </Table.Td>
    <Table.Td data-label="Expected">{describeSchedule(heartbeat)}</Table.Td>
    <Table.Td data-label="Last success">
      {heartbeat.lastSuccessAt ? <Ago at={heartbeat.lastSuccessAt} /> : 'Never'}
    </Table.Td>
    <Table.Td data-label="Next">{nextOf(heartbeat)}</Table.Td>
    {may && (
      <Table.Td data-label="Actions">
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Edit ${heartbeat.name}`}
            onClick={() => edit(heartbeat)}
          >
            Edit
          </Button>
          <DeleteHeartbeat name={heartbeat.name} webhookId={webhookId} />
        </Group>
      </Table.Td>
    )}
  </Table.Tr>
);

function nextOf({ nextExpectedAt, schedule }: Heartbeat) {
  if (schedule === null) return 'Not expected';
  return nextExpectedAt ? <Time at={nextExpectedAt} /> : 'After the first ping';
}

const alertsHref = (webhookId: string, name: string): string =>
  `/alerts?${new URLSearchParams({ webhookId, dedupKey: `muster:heartbeat:${name}`, status: 'firing,resolved' })}`;

function describeSchedule({ schedule, graceSeconds }: Heartbeat): string {
  if (schedule === null) return 'No schedule: edit it, or its silence goes unnoticed';
  const times =
    'cron' in schedule
      ? `${schedule.cron} in ${schedule.timeZone}`
      : `Every ${duration(schedule.periodSeconds)}`;
  return graceSeconds === 0 ? times : `${times}, ${duration(graceSeconds)} of grace`;
}

function DeleteHeartbeat({ name, webhookId }: { name: string; webhookId: string }) {
  const cache = useQueryClient();
  const path = heartbeatsPath(webhookId);
  const remove = async () => {
    await requestJson(`${path}/${name}`, { method: 'DELETE' });
    announce(`Deleted ${name}`);
    await cache.invalidateQueries({ queryKey: [path] });
  };
  return (
    <Confirm
      label="Delete"
      size="compact-sm"
      aria-label={`Delete ${name}`}
      title={`Delete ${name}?`}
      onConfirm={remove}
    >
      Its URL stops working, and a firing alert of it is resolved within two minutes. Its pings stay among the
      events.
    </Confirm>
  );
}

/** How a job reports, with the URL of a heartbeat. */
function Usage({ heartbeat }: { heartbeat: Heartbeat | undefined }) {
  if (!heartbeat?.url) return null;
  const { name, url } = heartbeat;
  const lines = [
    `# ${name}: report the exit status of a job, and keep its output`,
    `curl -fsS --retry 3 -o /dev/null "${url}/start"`,
    'log=$(./job 2>&1); status=$?',
    `printf '%s' "$log" | curl -fsS --retry 3 -o /dev/null --data-binary @- "${url}/$status"`,
    '',
    '# or only that it succeeded',
    `./job && curl -fsS --retry 3 -o /dev/null "${url}"`,
  ];
  return (
    <Section
      title="In your job"
      about="Each heartbeat has its own URL, which ends with its name. Add /start, /fail, or the exit status."
      wide
    >
      <CopyText text={lines.join('\n')} what="the commands" />
    </Section>
  );
}
