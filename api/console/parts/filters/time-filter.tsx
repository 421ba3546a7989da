import { useTimeZone } from '../../settings/time-zone.ts';
import { OnDemand } from '../feedback/boundary.tsx';
import { lazyPart } from '../feedback/lazy-part.tsx';
import { usePopup } from '../popups/use-popup.ts';
import { FilterPill } from './filter-pill.tsx';
import { describeRange, isRangeSet, NO_RANGE, type RangeFilters } from './time-range.ts';
import type { ChangeOptions } from './url-filters.ts';

const TimeChoice = lazyPart(() => import('./time-choice.tsx'));

interface TimeFilterProps {
  label?: string;
  /** Whether the range has no end. */
  isOpenEnded?: boolean;
  range: RangeFilters;
  change: (changes: Partial<RangeFilters>, options?: ChangeOptions) => void;
}

/** A filter by the time of receipt: a range that ends now, or a start and an end. */
export function TimeFilter({ label = 'Time', range, change, isOpenEnded = false }: TimeFilterProps) {
  const { popup, buttonProps } = usePopup('dialog', TimeChoice.load);
  const zone = useTimeZone();
  return (
    <>
      <FilterPill
        {...buttonProps}
        label={label}
        value={isRangeSet(range) ? describeRange(range, zone) : ''}
        clear={() => change(NO_RANGE, { isStep: true })}
      />
      <OnDemand>{popup && <TimeChoice {...{ popup, label, range, change, isOpenEnded }} />}</OnDemand>
    </>
  );
}
