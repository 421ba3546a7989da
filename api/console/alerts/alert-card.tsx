import { Anchor, Group, Paper, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Alert } from '../http/types.ts';
import { StateBadge } from '../parts/values/badge.tsx';

/** An alert in short: what it says, where it is from, and whether anything is missing. */
export const AlertCard = ({ alert }: { alert: Alert }) => (
  <Paper withBorder p="sm">
    <Group gap="xs">
      {alert.severity !== null && <StateBadge state={alert.severity} />}
      {alert.state === 'incomplete' && <StateBadge state="incomplete" />}
      <Anchor component={Link} href={`/alerts/${alert.id}`} fw={600}>
        <AlertTitle alert={alert} />
      </Anchor>
    </Group>
    {alert.description !== null && (
      <Text size="sm" lineClamp={2} mt={4}>
        <bdi>{alert.description}</bdi>
      </Text>
    )}
    <Text size="sm" c="dimmed" mt={4} lineClamp={2}>
      <bdi>{whereOf(alert).join(' · ')}</bdi>
    </Text>
  </Paper>
);

/** An alert's title, kept apart from what stands around it whatever direction it is written in. */
export const AlertTitle = ({ alert }: { alert: Pick<Alert, 'title'> }) =>
  alert.title === null ? <i>No title</i> : <bdi>{alert.title}</bdi>;

const whereOf = ({ source, service, environment, team }: Alert): string[] =>
  [source, service, environment, team].filter((text) => text !== null);
