import { Anchor, NativeSelect, Stack, Text } from '@mantine/core';
import type { SignaturePreset } from '../../http/types.ts';

const NONE = 'none';

interface ChoiceProps {
  presets: readonly SignaturePreset[];
  chosen: SignaturePreset | null;
  choose: (scheme: string | null) => void;
}

/** The choice of how the source proves that an event comes from it. */
export const SchemeChoice = ({ presets, chosen, choose }: ChoiceProps) => (
  <Stack gap="xs">
    <NativeSelect
      name="scheme"
      label="Signature scheme"
      data={[
        { value: NONE, label: 'None' },
        ...presets.map(({ name, title }) => ({ value: name, label: title })),
      ]}
      value={chosen?.name ?? NONE}
      onChange={({ currentTarget: { value } }) => choose(value === NONE ? null : value)}
      maw="28rem"
    />
    <Text size="sm" c="dimmed">
      {chosen ? describe(chosen) : 'Anyone who has the URL can send events.'}{' '}
      {chosen?.documentation && (
        <Anchor href={chosen.documentation} target="_blank" rel="noreferrer" size="sm">
          Documentation
        </Anchor>
      )}
    </Text>
  </Stack>
);

function describe({ covers }: SignaturePreset): string {
  if (!covers.body) return 'Proves who sends an event, not that the event is unchanged.';
  if (covers.headers.length === 0) return 'Signs the body.';
  return 'Signs the body and its timestamp. A recorded event cannot be replayed later.';
}
