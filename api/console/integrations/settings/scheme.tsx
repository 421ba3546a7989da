import { Anchor, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { SignaturePreset } from '../../http/types.ts';

/** The values of parameters as they are entered. An empty value is not sent. */
export type ParameterTexts = Readonly<Record<string, string>>;

interface ParametersProps {
  preset: SignaturePreset;
  texts: ParameterTexts;
  change: (name: string, text: string) => void;
}

/** The inputs for the parameters of a scheme. An empty input shows the default. */
export const SchemeParameters = ({ preset, texts, change }: ParametersProps) => (
  <Stack maw="28rem">
    {preset.parameters.map(({ name, description, required, values }) => {
      const standard = String(preset.defaults[name] ?? '');
      const common = { label: name, description, required, value: texts[name] ?? '' };
      return values ? (
        <NativeSelect
          key={name}
          {...common}
          data={[
            { value: '', label: standard === '' ? 'none' : `${standard} (default)` },
            ...values.map((value) => ({ value, label: value === ' ' ? 'space' : value })),
          ]}
          onChange={({ currentTarget }) => change(name, currentTarget.value)}
        />
      ) : (
        <TextInput
          key={name}
          {...common}
          placeholder={standard}
          autoComplete="off"
          spellCheck={false}
          maxLength={300}
          onChange={({ currentTarget }) => change(name, currentTarget.value)}
        />
      );
    })}
  </Stack>
);

/** Returns saved parameters as texts. */
export const toTexts = (parameters: object): ParameterTexts =>
  Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value ?? '')]));

/** Returns the parameters to send. */
export function toParameters(
  { parameters }: SignaturePreset,
  texts: ParameterTexts,
): Record<string, unknown> {
  const given = parameters.filter(({ name }) => (texts[name] ?? '') !== '');
  return Object.fromEntries(given.map(({ name }) => [name, toValue(name, texts[name] ?? '')]));
}

function toValue(name: string, text: string): string | number {
  // The API keeps the names of headers in lower case.
  if (name === 'header' || name === 'timestampHeader') return text.toLowerCase();
  return name === 'toleranceSeconds' ? Number(text) : text;
}

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
