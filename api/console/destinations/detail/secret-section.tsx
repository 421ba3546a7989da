import { Group, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { requestJson } from '../../http/request.ts';
import type { Destination, One } from '../../http/types.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { Confirm } from '../../parts/feedback/confirm.tsx';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { DEFAULT_GRACE, GRACE_PERIODS } from '../../parts/saving/grace-periods.ts';
import { Section } from '../../parts/section.tsx';
import { presetOf } from '../presets.ts';
import { ShownSecret } from '../shown-secret.tsx';
import { destinationEntry } from '../use-destination.ts';

/** Rotates the secret of the signature, and shows the new one once. */
export function SecretSection({ destination: { id, preset } }: { destination: Destination }) {
  const [grace, setGrace] = useState(DEFAULT_GRACE);
  const [secret, setSecret] = useState<string | null>(null);
  const once = useSendOnce();
  if (!presetOf(preset)?.isSigned) return null;
  const json = { graceSeconds: Number(grace) };
  const rotate = async () => {
    const { data } = await once(json, (key) =>
      requestJson<One<{ secret: string }>>(`${destinationEntry(id).path}/rotate-secret`, {
        method: 'POST',
        json,
        headers: { 'idempotency-key': key },
      }),
    );
    setSecret(data.secret);
  };
  const label = GRACE_PERIODS.find(({ value }) => value === grace)?.label;
  return (
    <Section
      title="Signing secret"
      about="The receiver verifies with it that a message comes from Muster. Rotate it if it leaks."
    >
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label="Current secret expires"
          data={GRACE_PERIODS}
          value={grace}
          onChange={({ currentTarget }) => setGrace(currentTarget.value)}
        />
        <Confirm
          label="Rotate secret"
          title="Rotate the signing secret?"
          size="sm"
          color="violet"
          onConfirm={rotate}
        >
          {grace === '0'
            ? 'Messages are signed with the new secret only, from now on. The receiver rejects them until it knows the secret.'
            : `The current secret expires ${label}. Until then messages have the signatures of both.`}
        </Confirm>
      </Group>
      {secret !== null && (
        <Dialog
          onClose={() => setSecret(null)}
          title="Secret rotated"
          size="lg"
          centered
          // A click outside or Escape would lose the secret.
          closeOnClickOutside={false}
          closeOnEscape={false}
        >
          <ShownSecret secret={secret} onClose={() => setSecret(null)} />
        </Dialog>
      )}
    </Section>
  );
}
