import { Alert, Button, Group, Text, Title } from '@mantine/core';
import type { RefObject } from 'react';
import { wholeNumber } from '../../../text/quantities.ts';
import { AccountPageLink } from '../../systems/account-page-link.tsx';
import { describeState } from './account-state.ts';
import { Candidates } from './candidates.tsx';
import { OtherOwner } from './other-owner.tsx';
import styles from './review.module.css';
import type { Review } from './use-review.ts';

interface CardProps {
  review: Review;
  integrationId: number;
  total: number;
  /** The input of another owner, for its key. */
  other: RefObject<HTMLInputElement | null>;
}

/** An account, what is known of it, its candidates, and the buttons that decide. */
export function AccountCard({ review, integrationId, total, other }: CardProps) {
  const { row, state, index, problem } = review;
  const decided = describeState(row, state);
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          Account {wholeNumber(index + 1)} of {wholeNumber(total)}
          {decided && (
            <>
              , decided: <bdi>{decided}</bdi>
            </>
          )}
        </Text>
        <Group gap={4}>
          <Step label="Previous account" keyName="k" isDisabled={index === 0} onStep={review.previous}>
            Previous
          </Step>
          <Step label="Next account" keyName="j" isDisabled={index === total - 1} onStep={review.next}>
            Next
          </Step>
          <Button variant="default" size="compact-sm" onClick={review.goToOpen}>
            Next open
          </Button>
        </Group>
      </Group>
      <Title order={2} size="h3" className={styles.identity}>
        <bdi>{row.identity}</bdi>
        <AccountPageLink integrationId={integrationId} identity={row.identity} />
      </Title>
      <p className={styles.known}>
        {row.displayName && <bdi>{row.displayName}</bdi>}
        {row.displayName && row.accountEmail && ' · '}
        {row.accountEmail && <bdi>{row.accountEmail}</bdi>}
        {!row.displayName && !row.accountEmail && 'The list has neither a name nor an email of it.'}
      </p>
      {problem !== null && (
        <Alert color="red" role="alert" title="This decision is not saved" mb="sm">
          {problem}. Decide again.
        </Alert>
      )}
      <Candidates review={review} integrationId={integrationId} />
      <DecisionButtons review={review} />
      <OtherOwner key={row.identity} review={review} input={other} />
    </>
  );
}

interface StepProps {
  label: string;
  keyName: string;
  isDisabled: boolean;
  onStep: () => void;
  children: string;
}

const Step = ({ label, keyName, isDisabled, onStep, children }: StepProps) => (
  <Button
    variant="default"
    size="compact-sm"
    disabled={isDisabled}
    aria-label={label}
    title={`${label} (${keyName})`}
    onClick={onStep}
  >
    {children}
  </Button>
);

const BUTTONS = [
  { decision: 'owner', key: '1', label: 'Owner', about: 'The chosen candidate owns the account' },
  {
    decision: 'not_this_person',
    key: '2',
    label: 'Not this person',
    about: 'The chosen candidate does not own it',
  },
  { decision: 'bot', key: '3', label: 'Bot', about: 'It belongs to a machine' },
  { decision: 'left', key: '4', label: 'Left', about: 'Its owner has left' },
  { decision: 'later', key: '5', label: 'Later', about: 'Ask again in 30 days' },
] as const;

/** The buttons that decide. They stay in place from account to account. */
function DecisionButtons({ review: { candidate, decide, undo } }: { review: Review }) {
  return (
    <fieldset className={styles.decisions} aria-label="Decision">
      {BUTTONS.map(({ decision, key, label, about }) => {
        const needsCandidate = decision === 'owner' || decision === 'not_this_person';
        return (
          <Button
            key={decision}
            variant={decision === 'owner' ? 'filled' : 'default'}
            size="sm"
            disabled={needsCandidate && candidate === null}
            title={about}
            aria-keyshortcuts={key}
            onClick={() => {
              if (!needsCandidate) decide({ decision });
              else if (candidate !== null) decide({ decision, email: candidate });
            }}
          >
            {label}
            <kbd className={styles.key}>{key}</kbd>
          </Button>
        );
      })}
      <Button
        variant="subtle"
        size="sm"
        disabled={undo === null}
        onClick={() => undo?.()}
        aria-keyshortcuts="u Control+Z"
      >
        Undo
        <kbd className={styles.key}>u</kbd>
      </Button>
    </fieldset>
  );
}
