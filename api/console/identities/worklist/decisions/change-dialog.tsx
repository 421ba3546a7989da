import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { WorklistDecision } from '../../../http/types.ts';
import { Dialog } from '../../../parts/feedback/dialog.tsx';
import { Failure } from '../../../parts/feedback/failure.tsx';
import { FormActions } from '../../../parts/feedback/form-actions.tsx';
import { type SentChange, WORDS } from '../review/account-state.ts';

interface ChangeDialogProps {
  one: WorklistDecision;
  onSave: (change: SentChange) => Promise<unknown>;
  onClose: () => void;
}

const KINDS = Object.entries(WORDS).map(([value, label]) => ({ value, label }));

/** Changes a decision. The suggestion stays with it, for the precision of its rule. */
export default function ChangeDialog({ one, onSave, onClose }: ChangeDialogProps) {
  const [decision, setDecision] = useState(one.decision);
  const [email, setEmail] = useState(one.email ?? one.suggested?.email ?? '');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const needsEmail = decision === 'owner' || decision === 'not_this_person';
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    const suggested = one.suggested && {
      email: one.suggested.email,
      score: one.suggested.score,
      reason: one.suggested.reason,
    };
    try {
      await onSave({
        identity: one.identity,
        decision,
        ...(needsEmail ? { email: email.trim() } : {}),
        ...(suggested ? { suggested } : {}),
      });
      onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title="Change the decision" onClose={onClose} centered>
      <form onSubmit={save}>
        <Stack>
          <NativeSelect
            label="Decision"
            data={KINDS}
            value={decision}
            onChange={({ currentTarget }) =>
              setDecision(KINDS.find(({ value }) => value === currentTarget.value)?.value as typeof decision)
            }
          />
          {needsEmail && (
            <TextInput
              label="Email"
              type="email"
              required
              value={email}
              onChange={({ currentTarget }) => setEmail(currentTarget.value)}
            />
          )}
          {error !== null && <Failure error={error} title="Could not change the decision" />}
          <FormActions submit="Save" isBusy={busy} cancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
