import { Anchor, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { Job } from '../../http/types.ts';
import { JobProgress } from '../../jobs/job-progress.tsx';
import { JobOutcome } from '../../jobs/outcome/job-outcome.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { ProgressBar } from '../../parts/feedback/progress-bar.tsx';
import { counted } from '../../text/quantities.ts';
import styles from './remap.module.css';
import type { Remap, RemapStage } from './use-remap.ts';

interface RemapStepsProps {
  remap: Remap;
  /** Shown until a dry run is started. */
  offer: ReactNode;
}

/** A remap step by step: what it offers, the progress and counts of the dry run, and what the remap did. */
export function RemapSteps({ remap, offer }: RemapStepsProps) {
  const { stage, summary, run, reset } = remap;
  const area = useFocus(stage.name);
  const startAll = () => run({ dryRun: true, onlyIncomplete: false });
  return (
    <div ref={area} tabIndex={-1}>
      {stage.name === 'idle' && offer}
      {stage.name === 'running' && <Running stage={stage} />}
      {stage.name === 'counted' && (
        <Counted
          summary={summary}
          job={stage.job}
          go={() => run({ ...stage.request, dryRun: false, planId: stage.job.id })}
          cancel={reset}
        />
      )}
      {stage.name === 'done' && <Done summary={summary} job={stage.job} close={reset} />}
      {stage.name === 'all needed' && <AllNeeded startAll={startAll} cancel={reset} />}
      {stage.name === 'unfinished' && <Unfinished job={stage.job} startAll={startAll} close={reset} />}
      {stage.name === 'failed' && (
        <Failure error={stage.error} title="Could not remap the alerts" retry={reset} />
      )}
    </div>
  );
}

/** Keeps the focus in the returned area when a new stage has not the button that had it. */
function useFocus(stage: RemapStage['name']) {
  const area = useRef<HTMLDivElement>(null);
  const before = useRef(stage);
  useEffect(() => {
    if (before.current === stage) return;
    before.current = stage;
    if (document.activeElement === document.body) area.current?.focus({ preventScroll: true });
  }, [stage]);
  return area;
}

export const RemapLine = ({ isDone = false, children }: { isDone?: boolean; children: ReactNode }) => (
  <div className={styles.line}>
    {isDone ? (
      <IconCircleCheck size={18} className={styles.good} aria-hidden="true" />
    ) : (
      <IconAlertTriangle size={18} className={styles.warn} aria-hidden="true" />
    )}
    {children}
  </div>
);

const Running = ({ stage: { request, job } }: { stage: Extract<RemapStage, { name: 'running' }> }) => (
  <div className={styles.running} role="status">
    {job ? (
      <JobProgress job={job} />
    ) : (
      <ProgressBar label={request.dryRun ? 'Dry run' : 'Remapping'} share={null} />
    )}
  </div>
);

interface CountedProps {
  summary: string | null;
  job: Job;
  go(): void;
  cancel(): void;
}

function Counted({ summary, job, go, cancel }: CountedProps) {
  const { events = 0 } = job.counts ?? {};
  return (
    <RemapLine>
      <Text size="sm">
        {summary} Nothing has been written yet. <JobLink job={job}>View dry run</JobLink>
      </Text>
      <div className={styles.buttons}>
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button onClick={go} disabled={events === 0}>
          Remap {counted(events, 'event')}
        </Button>
      </div>
    </RemapLine>
  );
}

const JobLink = ({ job, children }: { job: Job; children: string }) => (
  <Anchor component={Link} href={`/jobs/${job.id}`} inherit underline="always">
    {children}
  </Anchor>
);

const Done = ({ summary, job, close }: Pick<CountedProps, 'summary' | 'job'> & { close(): void }) => (
  <RemapLine isDone>
    <Text size="sm">
      {summary} <JobLink job={job}>View job</JobLink>
    </Text>
    <Button variant="default" onClick={close}>
      Close
    </Button>
  </RemapLine>
);

const AllNeeded = ({ startAll, cancel }: { startAll(): void; cancel(): void }) => (
  <RemapLine>
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
  </RemapLine>
);

interface UnfinishedProps {
  job: Job;
  startAll(): void;
  close(): void;
}

/** The remap failed or was canceled. If it would have changed which events are one alert, all events can be remapped instead. */
const Unfinished = ({ job, startAll, close }: UnfinishedProps) => (
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
