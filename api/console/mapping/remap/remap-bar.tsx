import { Button, Text } from '@mantine/core';
import { stillHas, useDrift } from '../drift/use-drift.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import styles from './remap.module.css';
import { RemapLine, RemapSteps } from './remap-steps.tsx';
import { useIncomplete } from './use-incomplete.ts';
import { useRemap } from './use-remap.ts';

const ID = 'remap';

/** Moves the focus to the first button of the bar. */
export const focusRemap = (): void => document.querySelector<HTMLElement>(`#${ID} button`)?.focus();

/** Offers to remap the events of incomplete alerts with the saved mapping, and those that lacked what it finds again. */
export function RemapBar() {
  const { webhook, base, count, mayWrite } = useEditorContext();
  const incomplete = useIncomplete(webhook.id);
  const drifted = useDrifted();
  const remap = useRemap(webhook.id);
  const { stage, run } = remap;
  const offered = drifted ? AFTER_DRIFT : incomplete;
  if (!mayWrite || base.revision === 0 || (offered === null && stage.name === 'idle')) return null;
  const request = drifted ? { onlyIncomplete: false, from: drifted } : { onlyIncomplete: true };
  return (
    <section id={ID} className={styles.bar} aria-label="Remap alerts" data-stage={stage.name}>
      <RemapSteps
        remap={remap}
        offer={
          <Offer what={offered} hasChanges={count > 0} start={() => run({ dryRun: true, ...request })} />
        }
      />
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
  <RemapLine>
    <Text size="sm">
      {what}. {hasChanges ? 'Save your changes to remap them.' : 'You can remap them with the saved mapping.'}
    </Text>
    <Button variant="default" onClick={start} disabled={hasChanges}>
      Start dry run
    </Button>
  </RemapLine>
);
