import type { JobFacets } from '../../http/types.ts';
import { FilterBar } from '../../parts/filters/filter-bar.tsx';
import type { FilterOption } from '../../parts/filters/filter-options.ts';
import { SavedViewsMenu } from '../../parts/filters/saved-views-menu.tsx';
import { TimeFilter } from '../../parts/filters/time-filter.tsx';
import { countSet } from '../../parts/filters/url-filters.ts';
import { ValueFilter } from '../../parts/filters/value-filter.tsx';
import { useFullTime } from '../../settings/time-zone.ts';
import { JOB_STATES, JOB_TYPES } from '../job-names.ts';
import type { JobFilters } from './use-job-filters.ts';

const TYPES = Object.entries(JOB_TYPES).map(([value, label]) => ({ value, label }));
const STATES = JOB_STATES.map((value) => ({ value, label: value.replaceAll('_', ' ') }));

interface BarProps extends Pick<JobFilters, 'filters' | 'change' | 'clear'> {
  /** Undefined until the jobs are counted. */
  facets: JobFacets | undefined;
}

/** The filters of the job list, with counts for their values. */
export function JobFilterBar({ filters, change, clear, facets }: BarProps) {
  const fullTime = useFullTime();
  const note = facets?.countedFrom ? `Counted since ${fullTime(facets.countedFrom)}` : undefined;
  return (
    <FilterBar count={countSet(filters)} clear={clear} actions={<SavedViewsMenu list="jobs" />}>
      <TimeFilter range={filters} change={change} />
      <ValueFilter
        label="Type"
        values={filters.type}
        change={(type) => change({ type })}
        options={withCounts(TYPES, facets?.type)}
        note={note}
      />
      <ValueFilter
        label="State"
        values={filters.state}
        change={(state) => change({ state })}
        options={withCounts(STATES, facets?.state)}
        note={note}
      />
    </FilterBar>
  );
}

const withCounts = (options: readonly FilterOption[], counts: JobFacets['type'] | undefined) =>
  options.map((option) => ({
    ...option,
    ...(counts ? { count: counts.find(({ value }) => value === option.value)?.jobs ?? 0 } : {}),
  }));
