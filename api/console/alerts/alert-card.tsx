import { Anchor, Group, Paper, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Alert } from '../http/types.ts';
import { StateBadge } from '../parts/values/badge.tsx';
import { AlertBadges } from './alert-badges.tsx';

interface CardProps {
  alert: Alert;
  /** What an event did to the alert. */
  note?: string | null;
}

/** A short view of an alert: severity, status, state, title, description and origin. */
export const AlertCard = ({ alert, note = null }: CardProps) => (
  <Paper withBorder p="sm">
    {note !== null && (
      <Text size="sm" fw={600} mb={4}>
        {note}
      </Text>
    )}
    <Group gap="xs">
      {alert.severity !== null && <StateBadge state={alert.severity} />}
      <AlertBadges alert={alert} />
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
      <bdi>{originOf(alert).join(' · ')}</bdi>
    </Text>
  </Paper>
);

/** An alert's title, isolated from the surrounding text because it may be written right to left. */
export const AlertTitle = ({ alert }: { alert: Pick<Alert, 'title'> }) =>
  alert.title === null ? <i>Untitled</i> : <bdi>{alert.title}</bdi>;

const originOf = ({ source, service, environment, team }: Alert): string[] =>
  [source, service, environment, team].filter((text) => text !== null);
