import { Group, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import type { Receipt } from '../../http/types.ts';
import { byteSize } from '../../text/quantities.ts';
import { CopyButton } from './copy.tsx';
import { indentJson } from './json-text.ts';
import { Raw } from './raw.tsx';

interface PayloadProps {
  event: Pick<Receipt, 'raw' | 'rawEncoding' | 'bytes' | 'state'>;
  /** For the accessible names. */
  what?: string;
}

/** An event's body, as received or indented. Every character is kept, so large numbers keep their digits. */
export function Payload({ event, what = 'payload' }: PayloadProps) {
  const indented = event.rawEncoding === 'utf-8' ? indentJson(event.raw) : null;
  const [view, setView] = useState('indented');
  const isIndented = indented !== null && view === 'indented';
  return (
    <>
      <Group justify="space-between" mb="xs" gap="xs">
        <Text size="sm" c="dimmed">
          {describeSize(event)}
        </Text>
        <Group gap="xs">
          {indented !== null && (
            <SegmentedControl
              size="xs"
              aria-label={`Format of the ${what}`}
              data={[
                { value: 'indented', label: 'Indented' },
                { value: 'sent', label: 'Original' },
              ]}
              value={view}
              onChange={setView}
            />
          )}
          <CopyButton text={event.raw} what={`the original ${what}`} />
        </Group>
      </Group>
      <Raw text={isIndented ? indented : event.raw} label={`Text of the ${what}`} />
    </>
  );
}

function describeSize({
  rawEncoding,
  bytes,
  state,
}: Pick<Receipt, 'rawEncoding' | 'bytes' | 'state'>): string {
  const size = byteSize(bytes);
  const stored = state === 'rejected' ? `The first ${size} of the body` : size;
  return rawEncoding === 'base64' ? `${stored}, in base64 because it is not UTF-8` : stored;
}
