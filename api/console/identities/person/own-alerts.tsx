import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { AlertRow } from '../../alerts/list/alert-row.tsx';
import type { Alert } from '../../http/types.ts';
import { useWebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { More } from '../../parts/lists/more.tsx';
import { usePages } from '../../parts/lists/use-pages.ts';
import { Section } from '../../parts/section.tsx';

const DAYS = 30;
const DAY_MS = 86_400_000;
const PAGE_SIZE = 10;

/** The alerts that a person owns, those of the last 30 days. */
export function OwnAlerts({ email }: { email: string }) {
  const [from] = useState(() => new Date(Date.now() - DAYS * DAY_MS).toISOString());
  const names = useWebhookNames();
  const alerts = usePages<Alert>('/v2/alerts', { ownerEmail: email, from, pageSize: PAGE_SIZE });
  const all = `/alerts?${new URLSearchParams({ status: 'all', ownerEmail: email, from })}`;
  return (
    <Section
      title="Alerts"
      about={
        <>
          Those of the last {DAYS} days that have this person as their owner.{' '}
          <Anchor component={Link} href={all} inherit underline="always">
            View in the list of alerts
          </Anchor>
        </>
      }
      wide
    >
      {alerts.isPending && <Loading shape="table" />}
      {alerts.error && (
        <Failure error={alerts.error} title="Could not load the alerts" retry={alerts.refetch} />
      )}
      {alerts.data && alerts.rows.length === 0 && (
        <Text size="sm" c="dimmed">
          No alert of the last {DAYS} days has this owner. A mapping sets it with the field Owner.
        </Text>
      )}
      {alerts.rows.length > 0 && (
        <DataTable
          label="Alerts of this person"
          head={['Severity', 'Alert', 'Service', 'Team', 'Integration', 'Started', 'Last event', 'Duration']}
        >
          {alerts.rows.map((alert) => (
            <AlertRow key={alert.id} alert={alert} names={names} />
          ))}
        </DataTable>
      )}
      <More {...alerts} />
    </Section>
  );
}
