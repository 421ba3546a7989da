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
import { remapInWords } from '../model/remap-text.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './remap.module.css';
import { useIncomplete } from './use-incomplete.ts';
import { type RemapStage, useRemap } from './use-remap.ts';

/** Offers to map the events of incomplete alerts again with what is saved now. */
export function RemapBar() {
  const { webhook, base, count, mayWrite } = useEditorContext();
  const incomplete = useIncomplete(webhook.id);
  const { stage, run, reset } = useRemap(webhook.id);
  if (!mayWrite || base.revision === 0 || (incomplete === null && stage.name === 'idle')) return null;
  return (
    <section className={styles.bar} aria-label="Earlier alerts" data-stage={stage.name}>
      {stage.name === 'idle' && <Offer incomplete={incomplete} drawn={count > 0} count={() => run(true)} />}
      {stage.name === 'running' && <Running stage={stage} />}
      {stage.name === 'counted' && <Counted stage={stage} go={() => run(false)} cancel={reset} />}
      {stage.name === 'done' && <Done stage={stage} close={reset} />}
      {stage.name === 'unfinished' && <Unfinished stage={stage} close={reset} />}
      {stage.name === 'failed' && (
        <Failure error={stage.error} title="The alerts were not remapped" retry={reset} />
      )}
    </section>
  );
}

interface OfferProps {
  incomplete: string | null;
  /** There are unsaved changes. */
  drawn: boolean;
  count(): void;
}

const Offer = ({ incomplete, drawn, count }: OfferProps) => (
  <Line icon={<IconAlertTriangle size={18} className={styles.warn} aria-hidden="true" />}>
    <Text size="sm">
      {incomplete}.{' '}
      {drawn
        ? 'When the changes are saved, they can be remapped.'
        : 'Remap them with the mapping as it is saved now?'}
    </Text>
    <Button variant="default" onClick={count} disabled={drawn}>
      Dry run: what would change?
    </Button>
  </Line>
);

function Running({ stage: { dryRun, job } }: { stage: Extract<RemapStage, { name: 'running' }> }) {
  return (
    <div className={styles.running} role="status">
      {job ? (
        <JobProgress job={job} />
      ) : (
        <ProgressBar label={dryRun ? 'Counting what would change' : 'Remapping'} share={null} />
      )}
    </div>
  );
}

interface CountedProps {
  stage: Extract<RemapStage, { job: Job; name: 'counted' | 'done' | 'unfinished' }>;
  go(): void;
  cancel(): void;
}

function Counted({ stage: { job }, go, cancel }: CountedProps) {
  const counts = job.counts ?? {};
  return (
    <Line icon={<IconAlertTriangle size={18} className={styles.warn} aria-hidden="true" />}>
      <Text size="sm">{remapInWords(counts, false)} Nothing is written yet.</Text>
      <div className={styles.buttons}>
        <Button variant="default" onClick={cancel}>
          Leave them
        </Button>
        <Button onClick={go} disabled={!counts.events}>
          Remap {counted(counts.events ?? 0, 'event')}
        </Button>
      </div>
    </Line>
  );
}

const Done = ({ stage: { job }, close }: { stage: CountedProps['stage']; close(): void }) => (
  <Line icon={<IconCircleCheck size={18} className={styles.good} aria-hidden="true" />}>
    <Text size="sm">
      {remapInWords(job.counts ?? {}, true)}{' '}
      <Anchor component={Link} href={`/jobs/${job.id}`} size="sm" underline="always">
        The job
      </Anchor>
    </Text>
    <Button variant="default" onClick={close}>
      Close
    </Button>
  </Line>
);

/** It failed, or somebody has stopped it. */
const Unfinished = ({ stage: { job }, close }: { stage: CountedProps['stage']; close(): void }) => (
  <Stack gap="sm">
    <JobOutcome job={job} />
    <div>
      <Button variant="default" onClick={close}>
        Close
      </Button>
    </div>
  </Stack>
);

const Line = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <div className={styles.line}>
    {icon}
    {children}
  </div>
);
