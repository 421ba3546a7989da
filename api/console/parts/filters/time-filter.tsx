import { Button, Popover, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTimeZone } from '../../settings/time-zone.ts';
import { FilterPill } from './filter-pill.tsx';
import { ReceivedFilters } from './received-filters.tsx';
import { describeRange, RANGE_NAMES, type RangeFilters, rangeLabel } from './time-range.ts';
import { onlyValue } from './url-filters.ts';

const NO_RANGE: RangeFilters = { last: [], from: [], to: [] };

interface TimeFilterProps {
  range: RangeFilters;
  change: (changes: Partial<RangeFilters>) => void;
}

/** A filter by the time of receipt: a range that ends now, or a start and an end. */
export function TimeFilter({ range, change }: TimeFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const zone = useTimeZone();
  const isSet = [range.last, range.from, range.to].some((values) => values.length > 0);
  const choose = (next: RangeFilters) => {
    change(next);
    setOpen(false);
  };
  const { last, from, to } = range;
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={260} trapFocus returnFocus>
      <Popover.Target>
        <FilterPill
          label="Time"
          value={isSet ? describeRange(range, zone) : ''}
          clear={() => change(NO_RANGE)}
          onClick={() => setOpen(!isOpen)}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label="Time">
        <Stack gap="xs">
          <Button size="xs" variant={isSet ? 'default' : 'light'} onClick={() => choose(NO_RANGE)}>
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
            filters={{ from: onlyValue(from), to: onlyValue(to) }}
            change={(changes) =>
              change({
                last: [],
                ...Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, [value]])),
              })
            }
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
