import { Text } from '@mantine/core';
import type { AlertDetail } from '../http/types.ts';
import { Facts } from '../parts/facts.tsx';
import styles from './alerts.module.css';

/** What an alert says to whoever is called by it. */
export const AlertBody = ({ alert }: { alert: AlertDetail }) => (
  <>
    <Text className={styles.description} mb="md">
      {alert.description === null ? <i>No description</i> : <bdi>{alert.description}</bdi>}
    </Text>
    <Facts
      facts={[
        ['Severity', <Value key="severity" text={alert.severity} />],
        ['Source', <Value key="source" text={alert.source} />],
        ['Service', <Value key="service" text={alert.service} />],
        ['Environment', <Value key="environment" text={alert.environment} />],
        ['Team', <Value key="team" text={alert.team} />],
        ...Object.entries(alert.custom).map(
          ([name, text]) => [name, <Value key={name} text={text} />] as const,
        ),
      ]}
    />
  </>
);

const Value = ({ text }: { text: string | null }) =>
  text === null ? (
    <Text span c="dimmed" inherit>
      none
    </Text>
  ) : (
    <bdi>{text}</bdi>
  );
