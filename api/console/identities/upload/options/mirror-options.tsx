import { Alert, Button, Stack, TagsInput, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { announce } from '../../../parts/feedback/announce.tsx';
import { toInputError } from '../../../parts/values/message.tsx';
import { WholeNumberInput } from '../../../parts/whole-number-input.tsx';
import { counted } from '../../../text/quantities.ts';
import { isIntegrationId } from '../../list-state.ts';
import { labelOf, numberOf, useAccountSystems } from '../../systems/use-account-systems.ts';
import styles from '../upload.module.css';
import type { UploadOptions } from '../upload-state.ts';

const MAX_ACCOUNT_SYSTEMS = 1_000;
const MAX_REMOVALS = 999_999_999;

interface MirrorOptionsProps {
  options: UploadOptions;
  missing: { integrationIds?: string; maxRemovals?: string };
  /** How often an upload was started. Each time the first missing option gets the focus. */
  tries: number;
  /** The account systems that the first rows of the file name. */
  proposed: readonly number[];
  disabled: boolean;
  onChange: (changes: Partial<UploadOptions>) => void;
}

/** The options of a mirror: its account systems, and how many accounts it may remove. Says what it removes. */
export function MirrorOptions({ options, missing, tries, proposed, disabled, onChange }: MirrorOptionsProps) {
  const idsInput = useRef<HTMLInputElement>(null);
  const limitInput = useRef<HTMLInputElement>(null);
  const first = missing.integrationIds ? idsInput : missing.maxRemovals ? limitInput : null;
  const firstMissing = useRef(first);
  firstMissing.current = first;
  useEffect(() => {
    if (tries > 0) firstMissing.current?.current?.focus();
  }, [tries]);

  const ids = options.integrationIds.split(',').filter(Boolean);
  const open = proposed.map(String).filter((id) => !ids.includes(id));
  const [leftOut, setLeftOut] = useState<string | null>(null);
  const systems = useAccountSystems();
  const labels = (some: readonly string[]) => some.map((id) => labelOf(systems, id));
  const set = (entered: readonly string[]) => {
    const chosen = [...new Set(entered.map((text) => numberOf(systems, text)))];
    const invalid = describeInvalid(chosen);
    setLeftOut(invalid);
    if (invalid) announce(invalid);
    onChange({ integrationIds: chosen.filter(isIntegrationId).slice(0, MAX_ACCOUNT_SYSTEMS).join(',') });
  };
  return (
    <Stack gap="sm">
      <div className={styles.fields}>
        <div>
          <TagsInput
            ref={idsInput}
            label="Account system IDs"
            description="For which the file is the complete list"
            inputMode="numeric"
            splitChars={[',', ';']}
            data={systems.map(({ integrationId }) => labelOf(systems, integrationId))}
            acceptValueOnBlur
            required
            disabled={disabled}
            value={labels(ids)}
            error={toInputError(leftOut ?? missing.integrationIds)}
            onChange={set}
          />
          {open.length > 0 && (
            <Button
              mt={6}
              variant="default"
              size="compact-sm"
              disabled={disabled}
              onClick={() => set([...ids, ...open])}
            >
              Add {listed(labels(open))} from the file
            </Button>
          )}
        </div>
        <WholeNumberInput
          ref={limitInput}
          label="Accounts it may remove at most"
          description="A file that would remove more is rejected as a whole"
          min={0}
          max={MAX_REMOVALS}
          required
          disabled={disabled}
          value={options.maxRemovals}
          error={missing.maxRemovals}
          onChange={(value) => onChange({ maxRemovals: String(value) })}
        />
      </div>
      <Alert color="yellow" title="This removes accounts">
        <Text size="sm">{describeMirror(labels(ids), options.maxRemovals)}</Text>
      </Alert>
    </Stack>
  );
}

/** Returns which of the entered texts are no account system IDs; null if all are. */
function describeInvalid(entered: readonly string[]): string | null {
  const invalid = entered.filter((text) => !isIntegrationId(text));
  if (invalid.length === 0) return null;
  const others = invalid.length > 1 ? ` and ${counted(invalid.length - 1, 'other')}` : '';
  return `Left out \`${invalid[0]}\`${others}: an account system ID consists of digits, such as 7.`;
}

const MAX_LISTED = 10;

const listed = (ids: readonly string[]): string =>
  ids.length > MAX_LISTED ? `${ids.slice(0, MAX_LISTED).join(', ')}, …` : ids.join(', ');

/** Returns what a mirror with these options removes. */
export function describeMirror(ids: readonly string[], maxRemovals: string): string {
  if (ids.length === 0)
    return 'Choose the account systems. Accounts there that the file does not name are removed.';
  const where = ids.length === 1 ? `account system ${ids[0]}` : `the account systems ${listed(ids)}`;
  const limit = maxRemovals === '' ? '' : `, but no more than ${counted(Number(maxRemovals), 'account')}`;
  return `Every account in ${where} that the file does not name is removed${limit}. Rows of other account systems are rejected. The dry run shows each account that would be removed.`;
}
