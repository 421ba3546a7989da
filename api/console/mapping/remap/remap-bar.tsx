import { Anchor, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Job } from '../../http/types.ts';
import { JobProgress } from '../../jobs/job-progress.tsx';
import { JobOutcome } from '../../jobs/outcome/job-outcome.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { ProgressBar } from '../../parts/feedback/progress-bar.tsx';
import { counted } from '../../text/quantities.ts';
import { stillHas, useDrift } from '../drift/use-drift.ts';
import { describeRemap } from '../model/remap-text.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './remap.module.css';
import { useIncomplete } from './use-incomplete.ts';
import { type RemapStage, useRemap } from './use-remap.ts';

const ID = 'remap';

/** Moves the focus to the first button of the bar. */
export const focusRemap = (): void => document.querySelector<HTMLElement>(`#${ID} button`)?.focus();

/** Offers to remap the events of incomplete alerts with the saved mapping, and those that lacked what it finds again. */
export function RemapBar() {
  const { webhook, base, count, mayWrite } = useEditorContext();
  const incomplete = useIncomplete(webhook.id);
  const drifted = useDrifted();
  const { stage, run, reset } = useRemap(webhook.id);
  const offered = drifted ? AFTER_DRIFT : incomplete;
  if (!mayWrite || base.revision === 0 || (offered === null && stage.name === 'idle')) return null;
  const request = drifted ? { onlyIncomplete: false, from: drifted } : { onlyIncomplete: true };
  return (
    <section id={ID} className={styles.bar} aria-label="Remap alerts" data-stage={stage.name}>
      {stage.name === 'idle' && (
        <Offer what={offered} hasChanges={count > 0} start={() => run({ dryRun: true, ...request })} />
      )}
      {stage.name === 'running' && <Running stage={stage} />}
      {stage.name === 'counted' && (
        <Counted stage={stage} go={() => run({ ...stage.request, dryRun: false })} cancel={reset} />
      )}
      {stage.name === 'done' && <Done stage={stage} close={reset} />}
      {stage.name === 'all needed' && (
        <AllNeeded startAll={() => run({ dryRun: true, onlyIncomplete: false })} cancel={reset} />
      )}
      {stage.name === 'unfinished' && (
        <Unfinished
          stage={stage}
          startAll={() => run({ dryRun: true, onlyIncomplete: false })}
          close={reset}
        />
      )}
      {stage.name === 'failed' && (
        <Failure error={stage.error} title="Could not remap the alerts" retry={reset} />
      )}
    </section>
  );
}

const AFTER_DRIFT = 'Events were mapped without a value that this revision finds';

/** Returns from when on events lacked what the saved mapping finds again, or null. */
function useDrifted(): string | null {
  const { webhook, base } = useEditorContext();
  const times = useDrift(webhook.id).flatMap((problem) =>
    problem.kind === 'path' && problem.last && !stillHas(base.draft, problem) ? problem.last.at : [],
  );
  return times.sort()[0] ?? null;
}

interface OfferProps {
  /** Why, as the start of a text. */
  what: string | null;
  /** Whether the mapping has unsaved changes. */
  hasChanges: boolean;
  start(): void;
}

const Offer = ({ what, hasChanges, start }: OfferProps) => (
  <Line icon={<IconAlertTriangle size={18} className={styles.warn} aria-hidden="true" />}>
    <Text size="sm">
      {what}. {hasChanges ? 'Save your changes to remap them.' : 'You can remap them with the saved mapping.'}
    </Text>
    <Button variant="default" onClick={start} disabled={hasChanges}>
      Start dry run
    </Button>
  </Line>
);

function Running({ stage: { request, job } }: { stage: Extract<RemapStage, { name: 'running' }> }) {
  return (
    <div className={styles.running} role="status">
      {job ? (
        <JobProgress job={job} />
      ) : (
        <ProgressBar label={request.dryRun ? 'Dry run' : 'Remapping'} share={null} />
      )}
    </div>
  );
}

interface CountedProps {
  stage: Extract<RemapStage, { job: Job; name: 'counted' | 'done' | 'unfinished' }>;
  go(): void;
  cancel(): void;
}

function Counted({ stage: { job, request }, go, cancel }: CountedProps) {
  const counts = job.counts ?? {};
  return (
    <Line icon={<IconAlertTriangle size={18} className={styles.warn} aria-hidden="true" />}>
      <Text size="sm">
        {describeRemap(counts, false, request.onlyIncomplete)} Nothing has been written yet.
      </Text>
      <div className={styles.buttons}>
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button onClick={go} disabled={!counts.events}>
          Remap {counted(counts.events ?? 0, 'event')}
        </Button>
      </div>
    </Line>
  );
}

const Done = ({ stage: { job, request }, close }: { stage: CountedProps['stage']; close(): void }) => (
  <Line icon={<IconCircleCheck size={18} className={styles.good} aria-hidden="true" />}>
    <Text size="sm">
      {describeRemap(job.counts ?? {}, true, request.onlyIncomplete)}{' '}
      <Anchor component={Link} href={`/jobs/${job.id}`} size="sm" underline="always">
        View job
      </Anchor>
    </Text>
    <Button variant="default" onClick={close}>
      Close
    </Button>
  </Line>
);

const AllNeeded = ({ startAll, cancel }: { startAll(): void; cancel(): void }) => (
  <Line icon={<IconAlertTriangle size={18} className={styles.warn} aria-hidden="true" />}>
    <Text size="sm">
      All events are needed, not only those of incomplete alerts: the mapping puts events with the same key
      into one alert, and the stored alerts have no key yet. Nothing has been written yet.
    </Text>
    <div className={styles.buttons}>
      <Button variant="default" onClick={cancel}>
        Cancel
      </Button>
      <Button onClick={startAll}>Start dry run with all events</Button>
    </div>
  </Line>
);

interface UnfinishedProps {
  stage: CountedProps['stage'];
  startAll(): void;
  close(): void;
}

/** The remap failed or was canceled. If it would have changed which events are one alert, all events can be remapped instead. */
const Unfinished = ({ stage: { job }, startAll, close }: UnfinishedProps) => (
  <Stack gap="sm">
    <JobOutcome job={job} />
    <div className={styles.buttons}>
      <Button variant="default" onClick={close}>
        Close
      </Button>
      {job.error?.code === 'grouping_changes' && (
        <Button onClick={startAll}>Start dry run with all events</Button>
      )}
    </div>
  </Stack>
);

const Line = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <div className={styles.line}>
    {icon}
    {children}
  </div>
);
