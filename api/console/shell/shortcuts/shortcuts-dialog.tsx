import { Kbd, Stack, Switch } from '@mantine/core';
import { Fragment } from 'react';
import { REVIEW_KEYS } from '../../identities/worklist/review/review-keys.ts';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { Table } from '../../parts/lists/table.tsx';
import { singleKeysOff } from '../../settings/single-keys.ts';
import { changeSetting } from '../change-setting.ts';
import type { Page } from '../pages.ts';

const CONTROL = navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl';

/** Returns whether the page is the review of a worklist, which has keys of its own. */
const isReview = (): boolean => window.location.pathname.startsWith('/identities/worklist/review');

/** All keyboard shortcuts. Keys in one list are pressed one after the other. */
const shortcutsFor = (pages: readonly Page[]): [keys: readonly string[], action: string][] => [
  [[`${CONTROL} K`], 'Go to a page, an integration, or an ID'],
  [[`${CONTROL} S`], 'Review the changes of a mapping before they are saved'],
  [['?'], 'Show the keyboard shortcuts'],
  [['/'], 'Go to the search of the page'],
  [['j'], 'Next row of a list, or next alert, event or job'],
  [['k'], 'Previous row of a list, or previous alert, event or job'],
  [['r'], 'Resolve the alert, or the firing alerts of the list'],
  ...(isReview() ? REVIEW_KEYS : []),
  ...pages.map(({ key, name }): [string[], string] => [['g', key], `Go to ${name}`]),
];

/** The dialog that lists the keyboard shortcuts, and turns those that are single keys on and off. */
export default function ShortcutsDialog({ pages, onClose }: { pages: readonly Page[]; onClose: () => void }) {
  const isOff = singleKeysOff.use();
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} centered>
      <Stack>
        <Table aria-label="Keyboard shortcuts">
          <Table.Tbody>
            {shortcutsFor(pages).map(([keys, action]) => (
              <Table.Tr key={action}>
                <Table.Td>{action}</Table.Td>
                <Table.Td style={{ minWidth: '6rem', textAlign: 'right' }}>
                  <Keys keys={keys} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          label="Single-key shortcuts"
          description="All of these except the first two. They never apply while you type in an input."
          checked={!isOff}
          onChange={({ currentTarget }) => changeSetting(singleKeysOff, !currentTarget.checked)}
        />
      </Stack>
    </Dialog>
  );
}

const Keys = ({ keys }: { keys: readonly string[] }) =>
  keys.map((key, place) => (
    <Fragment key={key}>
      {place > 0 && ' then '}
      <Kbd>{key}</Kbd>
    </Fragment>
  ));
