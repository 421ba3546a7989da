import { lazy } from 'react';
import { useTimeZone } from '../../settings/time-zone.ts';
import { OnDemand } from '../feedback/on-demand.tsx';
import { usePopup } from '../popups/use-popup.ts';
import { FilterPill } from './filter-pill.tsx';
import { describeRange, isRangeSet, NO_RANGE, type RangeFilters } from './time-range.ts';
import type { ChangeOptions } from './use-url-filters.ts';

const load = () => import('./time-choice.tsx');
const TimeChoice = lazy(load);

interface TimeFilterProps {
  range: RangeFilters;
  change: (changes: Partial<RangeFilters>, options?: ChangeOptions) => void;
}

/** A filter by the time of receipt: a range that ends now, or a start and an end. */
export function TimeFilter({ range, change }: TimeFilterProps) {
  const { popup, buttonProps } = usePopup('dialog', load);
  const zone = useTimeZone();
  return (
    <>
      <FilterPill
        {...buttonProps}
        label="Time"
        value={isRangeSet(range) ? describeRange(range, zone) : ''}
        clear={() => change(NO_RANGE, { isStep: true })}
      />
      <OnDemand>{popup && <TimeChoice popup={popup} range={range} change={change} />}</OnDemand>
    </>
  );
}
