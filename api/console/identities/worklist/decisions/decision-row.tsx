import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { requestJson } from '../../../http/request.ts';
import type { WorklistDecision } from '../../../http/types.ts';
import { announce } from '../../../parts/feedback/announce.tsx';
import { OnDemand } from '../../../parts/feedback/boundary.tsx';
import { Confirm } from '../../../parts/feedback/confirm.tsx';
import { lazyPart } from '../../../parts/feedback/lazy-part.tsx';
import { Table } from '../../../parts/lists/table.tsx';
import { Ago } from '../../../parts/values/ago.tsx';
import { type SentChange, WORDS } from '../review/account-state.ts';
import { decisionsPath } from '../review/load-worklist.ts';
import styles from '../worklist.module.css';

const ChangeDialog = lazyPart(() => import('./change-dialog.tsx'));

interface RowProps {
  one: WorklistDecision;
  integrationId: string;
  mayWrite: boolean;
}

/** A decision, with the buttons that change it and take it back. */
export function DecisionRow({ one, integrationId, mayWrite }: RowProps) {
  const { identity, decision, email, suggested, decidedBy, decidedAt } = one;
  const [isChanging, setChanging] = useState(false);
  const change = useChangeDecisions(integrationId);
  const takenBack = {
    identity,
    decision: null,
    ...(decision === 'not_this_person' && email ? { email } : {}),
  };
  return (
    <Table.Tr>
      <Table.Td className={styles.account}>
        <bdi>{identity}</bdi>
      </Table.Td>
      <Table.Td className={styles.account}>
        {WORDS[decision]}
        {email && (
          <Text size="sm">
            <bdi>{email}</bdi>
          </Text>
        )}
      </Table.Td>
      <Table.Td className={styles.reason}>
        {suggested ? (
          <>
            <bdi>{suggested.email}</bdi>
            <Text size="xs" c="dimmed">
              {suggested.score}: {suggested.reason}
            </Text>
          </>
        ) : (
          '–'
        )}
      </Table.Td>
      <Table.Td>
        <Ago at={decidedAt} />
        <Text size="xs" c="dimmed">
          <bdi>{decidedBy.name}</bdi>
        </Text>
      </Table.Td>
      <Table.Td>
        {mayWrite && (
          <Group gap="xs">
            <Button
              variant="default"
              size="xs"
              aria-label={`Change the decision about ${identity}`}
              onClick={() => setChanging(true)}
            >
              Change
            </Button>
            <Confirm
              label="Take back"
              title={`Take back “${WORDS[decision]}”?`}
              aria-label={`Take back ${WORDS[decision]} of ${identity}`}
              onConfirm={() => change([takenBack], 'Took the decision back')}
            >
              The next worklist asks about <bdi>{identity}</bdi> again. Identities stay as they are.
            </Confirm>
          </Group>
        )}
        <OnDemand>
          {isChanging && (
            <ChangeDialog
              one={one}
              onSave={(next) => change([takenBack, next], 'Changed the decision')}
              onClose={() => setChanging(false)}
            />
          )}
        </OnDemand>
      </Table.Td>
    </Table.Tr>
  );
}

/** Returns a function that stores changes and loads the list again. */
function useChangeDecisions(integrationId: string) {
  const cache = useQueryClient();
  const path = decisionsPath(integrationId);
  return async (changes: readonly SentChange[], done: string) => {
    await requestJson(path, { method: 'PUT', json: changes });
    await cache.invalidateQueries({ queryKey: [path] });
    announce(done);
  };
}
