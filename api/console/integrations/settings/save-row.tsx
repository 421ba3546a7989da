import { Button, Group, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { Failure } from '../../parts/feedback/failure.tsx';

interface SaveRowProps {
  isChanged: boolean;
  isPending: boolean;
  isSaved: boolean;
  error: unknown;
}

/** The end of a form: the save button, and whether saving succeeded. */
export const SaveRow = ({ isChanged, isPending, isSaved, error }: SaveRowProps) => (
  <>
    {error ? <Failure error={error} title="Could not save" /> : null}
    <Group gap="sm">
      <Button type="submit" disabled={!isChanged} loading={isPending}>
        Save
      </Button>
      {isSaved && !isChanged && (
        <Text size="sm" c="var(--good)">
          <IconCheck size={15} style={{ verticalAlign: '-2px' }} aria-hidden /> Saved
        </Text>
      )}
    </Group>
  </>
);
