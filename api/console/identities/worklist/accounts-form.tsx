import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { Failure } from '../../parts/feedback/failure.tsx';
import { ProgressBar } from '../../parts/feedback/progress-bar.tsx';
import { byteSize } from '../../text/quantities.ts';
import { isIntegrationId } from '../list-state.ts';
import { AccountSystemInput } from '../systems/account-system-input.tsx';
import { FileDrop } from '../upload/file/file-drop.tsx';
import { CharsetSelect } from '../upload/options/charset-select.tsx';
import type { Worklist } from './use-worklist.ts';

/** The account system, the file of accounts and its options, and the button that starts the worklist. */
export function AccountsForm({ worklist }: { worklist: Worklist }) {
  const { integrationId, file, options, change } = worklist;
  const isBusy = worklist.share !== null;
  const isInvalid = integrationId !== '' && !isIntegrationId(integrationId);
  return (
    <Stack gap="md">
      <AccountSystemInput
        label="Account system"
        description="The number or the name of the account system that the accounts belong to"
        maw="26rem"
        value={integrationId}
        error={isInvalid && 'Enter a positive integer, or a name.'}
        disabled={isBusy}
        onValue={worklist.chooseAccountSystem}
      />
      <FileDrop file={file} disabled={isBusy} onFile={worklist.chooseFile}>
        The first line must name a column <b>identity</b> or <b>login</b>, and may name <b>name</b> and{' '}
        <b>email</b>. At most 100,000 rows.
      </FileDrop>
      <Group align="flex-end" gap="lg">
        <CharsetSelect
          charset={options.charset}
          disabled={isBusy}
          onChange={(charset) => change({ charset })}
        />
        <Checkbox
          label="Escape formulas for spreadsheets"
          description="Adds ' before cells that a spreadsheet would treat as a formula. An upload removes it again."
          checked={options.escapeFormulas}
          disabled={isBusy}
          onChange={({ currentTarget }) => change({ escapeFormulas: currentTarget.checked })}
        />
      </Group>
      {worklist.failure !== null && (
        <Failure error={worklist.failure} title="Could not upload the file" retry={worklist.send} />
      )}
      {worklist.share === null ? (
        <div>
          <Button disabled={!worklist.isComplete} onClick={worklist.send}>
            Make worklist
          </Button>
        </div>
      ) : (
        <Sending worklist={worklist} share={worklist.share} />
      )}
    </Stack>
  );
}

function Sending({ worklist, share }: { worklist: Worklist; share: number }) {
  const size = worklist.file?.size ?? 0;
  const amount = `${byteSize(share * size)} of ${byteSize(size)}`;
  return (
    <Stack gap="xs">
      <ProgressBar label="Uploading the file" share={share} amount={amount} />
      <div>
        <Button variant="default" size="sm" onClick={worklist.stopSending}>
          Cancel upload
        </Button>
      </div>
    </Stack>
  );
}
