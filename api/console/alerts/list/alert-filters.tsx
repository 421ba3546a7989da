import { IconSearch } from '@tabler/icons-react';
import { useMay } from '../../http/use-current-key.ts';
import type { WebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { ALERT_FIELDS } from '../../mapping/model/draft/alert-fields.ts';
import { FilterBar } from '../../parts/filters/filter-bar.tsx';
import { FilterInput } from '../../parts/filters/filter-input.tsx';
import { SavedViewsMenu } from '../../parts/filters/saved-views-menu.tsx';
import { TimeFilter } from '../../parts/filters/time-filter.tsx';
import { RANGE_FILTERS } from '../../parts/filters/time-range.ts';
import type { ChangeOptions } from '../../parts/filters/url-filters.ts';
import { countSet, type Filters, onlyValue } from '../../parts/filters/url-filters.ts';
import { ValueFilter } from '../../parts/filters/value-filter.tsx';
import { AlertFacetFilter, type FacetName } from './alert-facet-filter.tsx';
import type { AlertQuery } from './alert-query.ts';

const FACETS: readonly { name: FacetName; label: string }[] = [
  { name: 'severity', label: 'Severity' },
  { name: 'webhookId', label: 'Integration' },
  { name: 'state', label: 'State' },
  { name: 'source', label: ALERT_FIELDS.source.label },
  { name: 'service', label: ALERT_FIELDS.service.label },
  { name: 'environment', label: ALERT_FIELDS.environment.label },
  { name: 'team', label: ALERT_FIELDS.team.label },
  { name: 'ownerEmail', label: ALERT_FIELDS.ownerEmail.label },
  { name: 'peakSeverity', label: 'Peak severity' },
  { name: 'resolvedBy', label: 'Resolved by' },
];

/** The alert filters, named as in the API and in the page's address. `last` becomes `from`. */
export const ALERT_FILTERS = [
  'search',
  'severity',
  'state',
  'webhookId',
  'source',
  'service',
  'environment',
  'team',
  'ownerEmail',
  'peakSeverity',
  'resolvedBy',
  'dedupKey',
  ...RANGE_FILTERS,
] as const;
export type AlertFilters = Filters<(typeof ALERT_FILTERS)[number]>;

interface BarProps {
  filters: AlertFilters;
  /** The same filters and the view, as a query. */
  query: AlertQuery;
  change: (changes: Partial<AlertFilters>, options?: ChangeOptions) => void;
  clear: () => void;
  names: WebhookNames;
}

/** Without owners for a key that does not see them. */
function useFacets() {
  const seesOwners = useMay('developer_records:read');
  return FACETS.filter(({ name }) => name !== 'ownerEmail' || seesOwners);
}

/** The filters of the alert list, with counts for their values. */
export const AlertFilterBar = ({ filters, query, change, clear, names }: BarProps) => (
  <FilterBar
    count={countSet(filters)}
    clear={clear}
    search={
      <FilterInput
        aria-label="Search"
        placeholder="Search title or description"
        leftSection={<IconSearch size={16} />}
        type="search"
        value={onlyValue(filters.search)}
        change={(search) => change({ search: [search] })}
      />
    }
    actions={<SavedViewsMenu list="alerts" />}
  >
    <TimeFilter range={filters} change={change} />
    {useFacets().map(({ name, label }) => (
      <AlertFacetFilter
        key={name}
        name={name}
        label={label}
        values={filters[name]}
        change={(values) => change({ [name]: values })}
        query={query}
        names={names}
      />
    ))}
    <ValueFilter
      label="Deduplication key"
      values={filters.dedupKey}
      change={(dedupKey) => change({ dedupKey })}
      options={[]}
      isFree
      isSingle
    />
  </FilterBar>
);
