import { Group, Text } from '@mantine/core';
import type { Alert } from '../../http/types.ts';
import type { WebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { WebhookName } from '../../integrations/webhook/webhook-name.tsx';
import { LinkRow, RowLink } from '../../parts/lists/link-row.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { Ago, LastingSince } from '../../parts/values/ago.tsx';
import { StateBadge } from '../../parts/values/badge.tsx';
import { Message } from '../../parts/values/message.tsx';
import { duration } from '../../text/quantities.ts';
import { AlertBadges } from '../alert-badges.tsx';
import { AlertTitle } from '../alert-card.tsx';
import { secondsBetween } from '../alert-times.ts';
import styles from './list.module.css';

/** One row of the alert list. */
export const AlertRow = ({ alert, names }: { alert: Alert; names: WebhookNames }) => (
  <LinkRow>
    <Table.Td className={styles.severity}>
      {alert.severity === null ? <Missing /> : <StateBadge state={alert.severity} />}
    </Table.Td>
    <Table.Td className={styles.alert}>
      <Group gap="xs">
        <RowLink href={`/alerts/${alert.id}`} fw={600} lineClamp={2}>
          <AlertTitle alert={alert} />
        </RowLink>
        <AlertBadges alert={alert} />
      </Group>
      <Text size="sm" c="dimmed" lineClamp={1}>
        <bdi>{alert.description}</bdi>
      </Text>
      <IncompleteReason errors={alert.faults} />
    </Table.Td>
    <Table.Td className={styles.cell}>
      <Text size="sm" lineClamp={2}>
        <bdi>{alert.service}</bdi>
      </Text>
      <Text size="sm" c="dimmed" lineClamp={1}>
        <bdi>{alert.environment}</bdi>
      </Text>
    </Table.Td>
    <Table.Td className={styles.cell}>
      <Text size="sm" lineClamp={2}>
        <bdi>{alert.team}</bdi>
      </Text>
    </Table.Td>
    <Table.Td className={styles.cell}>
      <WebhookName id={alert.webhookId} names={names} />
    </Table.Td>
    <Table.Td className={styles.short}>
      <Ago at={alert.startedAt} />
    </Table.Td>
    <Table.Td className={styles.time}>
      <Ago at={alert.lastEventAt} />
    </Table.Td>
    <Table.Td className={styles.time}>
      <Duration alert={alert} />
    </Table.Td>
  </LinkRow>
);

/** How long the alert fired, or has been firing. Nothing for an alert that stands alone. */
function Duration({ alert: { startedAt, resolvedAt, status } }: { alert: Alert }) {
  if (resolvedAt !== null) return duration(secondsBetween(startedAt, resolvedAt));
  return status === 'firing' ? <LastingSince at={startedAt} /> : null;
}

const Missing = () => (
  <Text size="sm" c="dimmed">
    None
  </Text>
);

/** Why an alert is incomplete: its first error, and how many more there are. Renders nothing for a complete alert. */
function IncompleteReason({ errors }: { errors: Alert['faults'] }) {
  const [first] = errors;
  if (!first) return null;
  const more = errors.length > 1 ? ` (+${errors.length - 1} more)` : '';
  return (
    <Text size="sm" c="var(--warn)" lineClamp={1} title={errors.map(({ message }) => message).join('\n')}>
      <bdi>
        <Message text={first.message} />
      </bdi>
      {more}
    </Text>
  );
}
