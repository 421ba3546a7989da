import { Radio, Stack } from '@mantine/core';
import { WholeNumberInput } from '../../parts/whole-number-input.tsx';

interface LimitFieldsProps {
  eventsPerMinute: number | string;
  onEvents: (eventsPerMinute: number | string) => void;
  overLimitStatus: number;
  onStatus: (status: number) => void;
}

/** The rate limit, and the status of the response beyond it. */
export default function LimitFields({
  eventsPerMinute,
  onEvents,
  overLimitStatus,
  onStatus,
}: LimitFieldsProps) {
  return (
    <>
      <WholeNumberInput
        label="Events per minute"
        min={1}
        max={10_000_000}
        value={eventsPerMinute}
        onChange={onEvents}
        maw="12rem"
      />
      <Radio.Group
        label="Response status beyond the limit"
        value={String(overLimitStatus)}
        onChange={(value) => onStatus(Number(value))}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="503" label="503" description="Most sources send the event again later" />
          <Radio
            value="429"
            label="429"
            description="The exact status, but many sources then drop the event"
          />
        </Stack>
      </Radio.Group>
    </>
  );
}
