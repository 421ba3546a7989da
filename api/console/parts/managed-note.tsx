import { Alert, Anchor, Button, Group } from '@mantine/core';
import { Failure } from './feedback/failure.tsx';

interface ManagedNoteProps {
  /** Null: no file has it. */
  managedBy: string | null;
  /** What the file has, such as "Its settings". */
  what: string;
  /** Undefined: it cannot be stopped here. */
  stop?: { run: () => void; isPending: boolean } | undefined;
  error?: Error | null | undefined;
}

/** Says where the file of something is kept, before somebody changes it by hand. */
export function ManagedNote({ managedBy, what, stop, error }: ManagedNoteProps) {
  if (managedBy === null) return null;
  return (
    <Alert color="yellow" mb="md" title="Managed by files" role="note">
      <Group justify="space-between" align="flex-start">
        <div>
          {what} come from a file in <Place text={managedBy} />. Change them there: what you save here differs
          from the file until somebody takes it over with <code>muster export</code>, or replaces it with the
          next plan.
        </div>
        {stop && (
          <Button size="xs" variant="default" onClick={stop.run} loading={stop.isPending}>
            Stop managing by files
          </Button>
        )}
      </Group>
      {error && <Failure error={error} title="Could not save" />}
    </Alert>
  );
}

/** Only an address of the web is a link: a client wrote the text. */
function Place({ text }: { text: string }) {
  const isAddress = /^https?:\/\/[^\s]+$/.test(text);
  return isAddress ? (
    <Anchor
      inherit
      underline="always"
      href={text}
      target="_blank"
      rel="noopener noreferrer"
      style={{ overflowWrap: 'anywhere' }}
    >
      {text}
    </Anchor>
  ) : (
    <b style={{ overflowWrap: 'anywhere' }}>{text}</b>
  );
}
