import { Text } from '@mantine/core';
import type { AlertDetail } from '../../http/types.ts';
import { ALERT_FIELDS } from '../../mapping/model/draft/alert-fields.ts';
import { Facts } from '../../parts/facts.tsx';
import styles from './detail.module.css';

const SHOWN = ['severity', 'source', 'service', 'environment', 'team'] as const;

/** The content of an alert: its description and its fields. */
export const AlertBody = ({ alert }: { alert: AlertDetail }) => (
  <>
    <Text className={styles.description} mb="md">
      {alert.description === null ? <i>No description</i> : <bdi>{alert.description}</bdi>}
    </Text>
    <Facts
      facts={[
        ...SHOWN.map((name) => [ALERT_FIELDS[name].label, <Value key={name} text={alert[name]} />] as const),
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
      None
    </Text>
  ) : (
    <bdi>{text}</bdi>
  );
