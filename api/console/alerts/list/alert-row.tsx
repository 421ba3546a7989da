import { Anchor, Group, Table, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Alert } from '../../http/types.ts';
import type { WebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { WebhookName } from '../../integrations/webhook/webhook-name.tsx';
import { Ago } from '../../parts/values/ago.tsx';
import { StateBadge } from '../../parts/values/badge.tsx';
import { AlertTitle } from '../alert-card.tsx';
import styles from './list.module.css';

/** One row of the alert list. */
export const AlertRow = ({ alert, names }: { alert: Alert; names: WebhookNames }) => (
  <Table.Tr>
    <Table.Td className={styles.severity}>
      {alert.severity === null ? <Missing /> : <StateBadge state={alert.severity} />}
    </Table.Td>
    <Table.Td className={styles.alert}>
      <Group gap="xs">
        <Anchor component={Link} href={`/alerts/${alert.id}`} fw={600} size="sm" lineClamp={2}>
          <AlertTitle alert={alert} />
        </Anchor>
        {alert.state === 'incomplete' && <StateBadge state="incomplete" />}
      </Group>
      <Text size="sm" c="dimmed" lineClamp={1}>
        <bdi>{alert.description}</bdi>
      </Text>
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
      <Ago at={alert.receivedAt} />
    </Table.Td>
  </Table.Tr>
);

const Missing = () => (
  <Text size="sm" c="dimmed">
    None
  </Text>
);
