import { Anchor, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useFiring } from '../health/use-health.ts';
import { useMay } from '../http/use-current-key.ts';
import { counted, wholeNumber } from '../text/quantities.ts';

/** A page does not wait longer for the line, in milliseconds. */
const PATIENCE_MS = 500;

/** Returns whether `FiringSeries` is loaded, or takes long. Until then the page waits: the line would move the tabs when it comes. */
export function useIsFiringKnown(): boolean {
  const { isLoading } = useFiring({ enabled: useMay('alerts:read') });
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate || !isLoading;
}

/** Says how many alerts of an integration fire, and how many of them belong to series that have never been resolved. */
export function FiringSeries({ webhookId }: { webhookId: string }) {
  const may = useMay('alerts:read');
  const { data } = useFiring({ enabled: may });
  const own = data?.webhooks.find((webhook) => webhook.webhookId === webhookId);
  if (!own) return null;
  return (
    <Text size="sm" c="dimmed" mb="xs">
      <Anchor component={Link} href={`/alerts?status=firing&webhookId=${webhookId}`} underline="always">
        {counted(own.alerts, 'alert is', 'alerts are')} firing
      </Anchor>
      {own.neverResolved === 0 ? '.' : `; ${neverResolved(own.neverResolved, own.alerts)}`}
    </Text>
  );
}

const neverResolved = (count: number, alerts: number): string => {
  const which = count < alerts ? `${wholeNumber(count)} of them have` : count === 1 ? 'it has' : 'they have';
  return `${which} a key for which no recovery has arrived yet. If the sender sends recoveries, check that the mapping's status recognizes them.`;
};
