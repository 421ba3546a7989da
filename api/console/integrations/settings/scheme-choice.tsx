import { Radio, Stack } from '@mantine/core';
import type { Webhook } from '../../http/types.ts';

export type Scheme = NonNullable<Webhook['signature']>['scheme'];

const CHOICES: { value: Scheme | 'off'; label: string; description: string }[] = [
  { value: 'off', label: 'None', description: 'Anyone who has the URL can send events' },
  {
    value: 'standard-webhooks',
    label: 'Standard Webhooks',
    description:
      'Headers webhook-id, webhook-timestamp and webhook-signature. A recorded event cannot be replayed later.',
  },
  {
    value: 'github',
    label: 'GitHub',
    description: 'Header X-Hub-Signature-256. Many other sources use it too.',
  },
];

interface ChoiceProps {
  scheme: Scheme | null;
  choose: (scheme: Scheme | null) => void;
}

/** The choice of the scheme by which the source signs its events. */
export const SchemeChoice = ({ scheme, choose }: ChoiceProps) => (
  <Radio.Group
    label="Signature scheme"
    value={scheme ?? 'off'}
    onChange={(value) => choose(value === 'off' ? null : (value as Scheme))}
  >
    <Stack gap="xs" mt="xs">
      {CHOICES.map((choice) => (
        <Radio key={choice.value} {...choice} />
      ))}
    </Stack>
  </Radio.Group>
);
