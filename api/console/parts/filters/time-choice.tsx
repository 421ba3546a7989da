import { Button, Stack, TextInput } from '@mantine/core';
import { useTimeZone } from '../../settings/time-zone.ts';
import { PopupDialog } from '../popups/popup-dialog.tsx';
import type { Popup } from '../popups/use-popup.ts';
import styles from './filter-bar.module.css';
import {
  isRangeSet,
  NO_RANGE,
  RANGE_FILTERS,
  RANGE_NAMES,
  type RangeFilters,
  rangeLabel,
} from './time-range.ts';
import type { ChangeOptions } from './url-filters.ts';
import { fromLocalInput, onlyValue, toLocalInput } from './url-filters.ts';

interface TimeChoiceProps {
  popup: Popup;
  label: string;
  isOpenEnded: boolean;
  range: RangeFilters;
  change: (changes: Partial<RangeFilters>, options?: ChangeOptions) => void;
}

/** The times that a filter offers. */
export default function TimeChoice({ popup, label, range, change, isOpenEnded }: TimeChoiceProps) {
  const { last, from, to } = range;
  const choose = (next: RangeFilters) => {
    const isSame = RANGE_FILTERS.every((name) => onlyValue(next[name]) === onlyValue(range[name]));
    if (!isSame) change(next, { isStep: true });
    popup.setOpen(false);
  };
  return (
    <PopupDialog popup={popup} label={label} position="bottom-start" width={260}>
      <Stack gap="xs">
        <Button size="xs" variant={isRangeSet(range) ? 'default' : 'light'} onClick={() => choose(NO_RANGE)}>
          Any time
        </Button>
        {RANGE_NAMES.map((name) => (
          <Button
            key={name}
            size="xs"
            variant={last[0] === name ? 'light' : 'default'}
            aria-pressed={last[0] === name}
            onClick={() => choose({ ...NO_RANGE, last: [name] })}
          >
            {rangeLabel(name)}
          </Button>
        ))}
        <ReceivedFilters
          names={isOpenEnded ? ['from'] : ['from', 'to']}
          filters={{ from: onlyValue(from), to: onlyValue(to) }}
          change={(changes) =>
            change(
              {
                last: [],
                ...Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, [value]])),
              },
              // One step for all that is typed.
              { isStep: from.length === 0 && to.length === 0 },
            )
          }
        />
      </Stack>
    </PopupDialog>
  );
}

type TimeRange = Record<'from' | 'to', string>;

interface ReceivedFiltersProps {
  names: readonly (keyof TimeRange)[];
  filters: Partial<TimeRange>;
  change: (changes: Partial<TimeRange>) => void;
}

const LABELS = { from: 'From', to: 'To' } as const;

/** Inputs that filter by time, in the chosen time zone. */
function ReceivedFilters({ names, filters, change }: ReceivedFiltersProps) {
  const zone = useTimeZone();
  return names.map((name) => (
    <TextInput
      key={name}
      type="datetime-local"
      classNames={{ input: styles.time }}
      label={zone ? `${LABELS[name]} (${zone})` : LABELS[name]}
      value={toLocalInput(filters[name] ?? '', zone)}
      onChange={({ currentTarget }) => change({ [name]: fromLocalInput(currentTarget.value, zone) })}
    />
  ));
}
