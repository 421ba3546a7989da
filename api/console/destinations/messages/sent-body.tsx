import { Text } from '@mantine/core';
import { useMay } from '../../http/use-current-key.ts';
import { Payload } from '../../parts/values/payload.tsx';
import { mailText } from './mail-text.ts';

/** A body that was sent, as sent or indented. Of a mail, its text. */
export function SentBody({ text, preset }: { text: string; preset: string | undefined }) {
  const raw = mailText(preset, text) ?? text;
  return (
    <Payload
      what="body that was sent"
      event={{
        raw,
        rawEncoding: 'utf-8',
        bytes: new TextEncoder().encode(raw).length,
        state: 'normalized',
      }}
    />
  );
}

/** The start of a response as text, if the key may see it. */
export function Response({ text }: { text: string | null }) {
  const may = useMay('destinations:write');
  if (text) return <bdi>{text}</bdi>;
  return (
    <Text span inherit c="dimmed">
      {may ? 'None' : 'Needs destinations:write'}
    </Text>
  );
}
