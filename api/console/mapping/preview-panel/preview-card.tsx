import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Badge, StateBadge } from '../../parts/values/badge.tsx';
import { Message } from '../../parts/values/message.tsx';
import shared from '../mapping.module.css';
import { ALERT_FIELDS, LIFECYCLE_FIELD_NAMES, labelOf } from '../model/draft/alert-fields.ts';
import { isMapped } from '../model/draft/draft.ts';
import type { PreviewedAlert } from '../model/previewed.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { AlertPreview, BELOW } from './alert-preview.tsx';
import styles from './preview-panel.module.css';

interface PreviewCardProps {
  /** The index of the alert among the sample's alerts. */
  number: number;
  show(number: number): void;
}

/** A preview of the alert that the sample payload creates. */
export function PreviewCard({ number, show }: PreviewCardProps) {
  const { alert, preview, mayWrite, isUntouched } = useEditorContext();
  const count = preview.preview?.alertCount ?? 0;
  const shown = preview.preview?.alerts.length ?? 0;
  return (
    <section className={shared.card} aria-labelledby="alert-preview" aria-busy={preview.isLoading}>
      <div className={shared.cardHead}>
        <h2 id="alert-preview" className={shared.cardTitle}>
          Preview
        </h2>
        {alert &&
          !isUntouched &&
          (preview.isStale ? <Badge>not checked</Badge> : <StateBadge state={alert.state} />)}
      </div>
      {count > 1 && (
        <Group gap="xs" justify="space-between" className={styles.pager}>
          <ActionIcon
            variant="default"
            size="sm"
            aria-label="Previous alert"
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
            aria-label="Next alert"
            disabled={number + 1 >= shown}
            onClick={() => show(number + 1)}
          >
            <IconChevronRight size={14} />
          </ActionIcon>
        </Group>
      )}
      {alert ? <AlertPreview alert={alert} /> : <NoAlert mayWrite={mayWrite} />}
      <EventErrors alert={alert} />
    </section>
  );
}

function NoAlert({ mayWrite }: { mayWrite: boolean }) {
  const { preview, sample } = useEditorContext();
  if (!mayWrite) return <p className={shared.note}>Previews need a key with the scope webhooks:write.</p>;
  if (preview.preview && preview.preview.alertCount === 0)
    return (
      <p className={shared.note}>
        {preview.preview.events[0]?.eventState === 'filtered'
          ? 'The filter drops this payload, so it creates no alert.'
          : 'This payload creates no alert.'}
      </p>
    );
  if (sample.isComing || (sample.subject && preview.isLoading)) return <AlertOutline />;
  return (
    <p className={shared.note}>
      {sample.subject ? 'The preview could not be loaded.' : 'Choose a payload to preview its alert.'}
    </p>
  );
}

/** The errors and warnings of the event or alert as a whole. */
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
      <Message text={message} />
    </p>
  ));
}

/** The fields of an alert whose preview is loading, so that what is below them stays in place when their values come. */
function AlertOutline() {
  const { draft } = useEditorContext();
  const labels = [
    ...BELOW.map((name) => ALERT_FIELDS[name].label),
    ...LIFECYCLE_FIELD_NAMES.map((name) => `fields.${name}` as const)
      .filter((target) => isMapped(draft, target))
      .map(labelOf),
    ...draft.custom.map(({ name }) => name),
  ];
  return (
    <>
      <div className={styles.title}>
        <span className={styles.nothing}>Loading the preview…</span>
      </div>
      <dl className={styles.facts}>
        {labels.map((label) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd className={styles.nothing}>…</dd>
          </Fragment>
        ))}
      </dl>
    </>
  );
}
