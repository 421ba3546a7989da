import { Button, FileButton, Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { requestJson } from '../../http/request.ts';
import type { One, WebhookImport } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { announce } from '../../parts/feedback/announce.tsx';
import { Empty } from '../../parts/feedback/empty.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { counted } from '../../text/quantities.ts';
import { ImportRows } from './import-rows.tsx';

/** The page that imports the integrations of another product: a file is chosen, the plan shown, and carried out. */
export default function ImportPage() {
  const may = useMay('webhooks:write');
  return (
    <>
      <PageHead title="Import integrations" above={<BackLink href="/integrations">Integrations</BackLink>}>
        Choose what the API of Opsgenie or Grafana OnCall returns, a file of Opsgenie’s configuration backup,
        or a Terraform state. Nothing is stored before you confirm the plan.
      </PageHead>
      {may ? (
        <ImportForm />
      ) : (
        <Empty title="This key cannot create integrations">
          Sign in with a key that has the scope webhooks:write, or ask an administrator for one.
        </Empty>
      )}
    </>
  );
}

/** Parses the file here, so that the message about an invalid one names it. */
async function readDocument(file: File): Promise<unknown> {
  const text = await file.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file.name} is not a JSON document.`);
  }
}

function ImportForm() {
  const [document, setDocument] = useState<unknown>(null);
  const reset = useRef<() => void>(null);
  const cache = useQueryClient();
  const sendOnce = useSendOnce();
  const planning = useMutation({
    mutationFn: async (file: File) => {
      const read = await readDocument(file);
      setDocument(read);
      return send(read, true);
    },
    onSuccess: ({ data }) => announce(`The file has ${counted(data.rows.length, 'integration')}`),
  });
  const importing = useMutation({
    mutationFn: () => sendOnce(document, (key) => send(document, false, key)),
    onSuccess: async ({ data }) => {
      announce(`Imported ${counted(changesIn(data), 'integration')}`);
      await cache.invalidateQueries();
    },
  });
  const choose = (file: File | null) => {
    if (!file) return;
    importing.reset();
    planning.mutate(file);
    // Without the reset, choosing the same file again after fixing it would fire no change event.
    reset.current?.();
  };
  const done = importing.data?.data;
  const shown = done ?? planning.data?.data;
  return (
    <Stack>
      <Paper withBorder p="md">
        <Group>
          <FileButton
            onChange={choose}
            resetRef={reset}
            accept=".json,.tfstate,application/json"
            inputProps={{ 'aria-label': 'Export file' }}
          >
            {(props) => (
              <Button variant={shown ? 'default' : 'filled'} loading={planning.isPending} {...props}>
                {shown ? 'Choose another file' : 'Choose file'}
              </Button>
            )}
          </FileButton>
          {planning.variables && <Text size="sm">{planning.variables.name}</Text>}
        </Group>
      </Paper>
      {planning.error && <Failure error={planning.error} title="Could not read the file" />}
      {importing.error && <Failure error={importing.error} title="Could not import the integrations" />}
      {shown && !planning.error && (
        <>
          <ImportRows rows={shown.rows} isDone={done !== undefined} />
          {!done && <Confirmation plan={shown} isBusy={importing.isPending} confirm={importing.mutate} />}
        </>
      )}
    </Stack>
  );
}

const send = (json: unknown, dryRun: boolean, key?: string) =>
  requestJson<One<WebhookImport>>('/v2/webhook-imports', {
    method: 'POST',
    query: { dryRun },
    json,
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });

/** Counts the integrations that an import creates or gives a token. */
const changesIn = ({ rows }: WebhookImport): number =>
  rows.filter(({ action }) => action === 'create' || action === 'add_token').length;

interface ConfirmationProps {
  plan: WebhookImport;
  isBusy: boolean;
  confirm: () => void;
}

function Confirmation({ plan, isBusy, confirm }: ConfirmationProps) {
  const changes = changesIn(plan);
  const rejected = plan.rows.filter(({ action }) => action === 'reject').length;
  if (changes === 0) return <Text size="sm">There is nothing to import.</Text>;
  return (
    <Group>
      <Button onClick={() => confirm()} loading={isBusy}>
        Import {counted(changes, 'integration')}
      </Button>
      {rejected > 0 && (
        <Text size="sm" c="dimmed">
          {counted(rejected, 'row')} with errors will be left out. Fix the file and import it again: what is
          there already is not created twice.
        </Text>
      )}
    </Group>
  );
}
