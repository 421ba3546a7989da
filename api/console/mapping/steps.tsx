import { SegmentedControl } from '@mantine/core';
import { useEffect, useState } from 'react';
import styles from './mapping.module.css';

const STEPS = { payload: 'Payload', fields: 'Fields', result: 'Result' } as const;
type Step = keyof typeof STEPS;

/** Returns the part of the mapping that a phone shows. A selected payload field shows the alert fields, where it is inserted. */
export function useStep(first: Step, selected: unknown): [Step, (step: Step) => void] {
  const [step, setStep] = useState(first);
  useEffect(() => {
    if (selected) setStep('fields');
  }, [selected]);
  return [selected ? 'fields' : step, setStep];
}

/** Chooses the part that a phone shows. Wider pages show all of them. */
export const Steps = ({ step, choose }: { step: Step; choose: (step: Step) => void }) => (
  <SegmentedControl
    className={styles.steps}
    fullWidth
    aria-label="Step"
    data={Object.entries(STEPS).map(([value, label]) => ({ value, label }))}
    value={step}
    onChange={(value) => choose(value as Step)}
  />
);
