import { Radio, Stack } from '@mantine/core';
import type { Webhook } from '../../http/types.ts';

export type Scheme = NonNullable<Webhook['signature']>['scheme'];

const CHOICES: { value: Scheme | 'off'; label: string; description: string }[] = [
  { value: 'off', label: 'Not checked', description: 'Whoever has the URL can send' },
  {
    value: 'standard-webhooks',
    label: 'Standard Webhooks',
    description:
      'webhook-id, webhook-timestamp and webhook-signature; a recorded event cannot be sent again later',
  },
  { value: 'github', label: 'GitHub', description: 'X-Hub-Signature-256; many other sources have it too' },
];

interface ChoiceProps {
  scheme: Scheme | null;
  choose: (scheme: Scheme | null) => void;
}

/** How a source says that an event is its own. */
export const SchemeChoice = ({ scheme, choose }: ChoiceProps) => (
  <Radio.Group
    label="Events are signed by"
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
