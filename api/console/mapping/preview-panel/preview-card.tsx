import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { StateBadge } from '../../parts/values/badge.tsx';
import shared from '../mapping.module.css';
import type { PreviewedAlert } from '../model/previewed.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { AlertLook } from './alert-preview.tsx';
import styles from './preview-panel.module.css';

interface PreviewCardProps {
  /** Which of the sample's alerts, from 0. */
  number: number;
  show(number: number): void;
}

/** The alert as it will look. */
export function PreviewCard({ number, show }: PreviewCardProps) {
  const { alert, preview, mayWrite } = useEditorContext();
  const count = preview.preview?.alertCount ?? 0;
  const shown = preview.preview?.alerts.length ?? 0;
  return (
    <section className={shared.card} aria-labelledby="alert-preview" aria-busy={preview.isBehind}>
      <div className={shared.cardHead}>
        <h2 id="alert-preview" className={shared.cardTitle}>
          Preview
        </h2>
        {alert && <StateBadge state={alert.state} />}
      </div>
      {count > 1 && (
        <Group gap="xs" justify="space-between" className={styles.pager}>
          <ActionIcon
            variant="default"
            size="sm"
            aria-label="The alert before"
            disabled={number === 0}
            onClick={() => show(number - 1)}
          >
            <IconChevronLeft size={14} />
          </ActionIcon>
          <Text size="sm">
            Alert {number + 1} of {count}
          </Text>
          <ActionIcon
            variant="default"
            size="sm"
            aria-label="The next alert"
            disabled={number + 1 >= shown}
            onClick={() => show(number + 1)}
          >
            <IconChevronRight size={14} />
          </ActionIcon>
        </Group>
      )}
      {alert ? <AlertLook alert={alert} /> : <NoAlert mayWrite={mayWrite} />}
      <EventErrors alert={alert} />
    </section>
  );
}

function NoAlert({ mayWrite }: { mayWrite: boolean }) {
  const { preview } = useEditorContext();
  if (!mayWrite) return <p className={shared.note}>A preview needs the scope webhooks:write.</p>;
  if (preview.preview && preview.preview.alertCount === 0)
    return <p className={shared.note}>This payload makes no alert.</p>;
  return (
    <p className={shared.note}>
      {preview.isBehind ? 'Making the alert…' : 'Choose a payload to see the alert that it makes.'}
    </p>
  );
}

/** What is wrong with the event or the alert as a whole. */
function EventErrors({ alert }: { alert: PreviewedAlert | null }) {
  const { preview } = useEditorContext();
  const [event] = preview.preview?.events ?? [];
  const messages = [
    ...(event?.faults ?? []).map(({ message }) => message),
    ...(event?.warnings ?? []).map(({ message }) => message),
    ...(alert?.faults ?? []).filter(({ field }) => field === null).map(({ message }) => message),
  ];
  return [...new Set(messages)].map((message) => (
    <p key={message} className={styles.warning}>
      {message}
    </p>
  ));
}
