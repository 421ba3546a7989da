import { Anchor, Group, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import type { Health } from '../http/types.ts';
import { useWebhookNames } from '../integrations/webhook/use-webhook-names.ts';
import { WebhookName } from '../integrations/webhook/webhook-name.tsx';
import { DataTable } from '../parts/lists/data-table.tsx';
import { Table } from '../parts/lists/table.tsx';
import { StateBadge } from '../parts/values/badge.tsx';
import { wholeNumber } from '../text/quantities.ts';
import styles from './health.module.css';

const SHOWN = 20;

/** The alerts that fire now, by integration and severity. Renders nothing as long as no event has had a deduplication key. */
export function FiringAlerts({ firing }: Pick<Health, 'firing'>) {
  const names = useWebhookNames();
  if (!firing?.hasSeries) return null;
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        Firing alerts
      </Title>
      {firing.webhooks.length === 0 ? (
        <Text size="sm" c="dimmed">
          No alert is firing.
        </Text>
      ) : (
        <DataTable label="Firing alerts" head={['Integration', 'Firing', 'Severities', 'Never resolved']}>
          {firing.webhooks.slice(0, SHOWN).map(({ webhookId, alerts, severities, neverResolved }) => (
            <Table.Tr key={webhookId}>
              <Table.Td>
                <WebhookName id={webhookId} names={names} />
              </Table.Td>
              <Table.Td className={styles.count}>
                <Anchor
                  component={Link}
                  href={`/alerts?status=firing&webhookId=${webhookId}`}
                  size="sm"
                  underline="always"
                >
                  {wholeNumber(alerts)}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <Group gap="xs">
                  {severities.slice(0, 5).map(({ severity, alerts: count }) => (
                    <span key={severity ?? ''}>
                      <StateBadge state={severity ?? 'none'} /> {wholeNumber(count)}
                    </span>
                  ))}
                </Group>
              </Table.Td>
              <Table.Td className={styles.count}>{wholeNumber(neverResolved)}</Table.Td>
            </Table.Tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}
