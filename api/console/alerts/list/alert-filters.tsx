import { Button, NativeSelect } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { WebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { WebhookFilter } from '../../integrations/webhook/webhook-filter.tsx';
import { ALERT_FIELDS, SEVERITIES } from '../../mapping/model/draft/alert-fields.ts';
import { countUnknown } from '../../mapping/model/severity-words.ts';
import { FilterBar } from '../../parts/filters/filter-bar.tsx';
import { FilterInput } from '../../parts/filters/filter-input.tsx';
import { ReceivedFilters } from '../../parts/filters/received-filters.tsx';
import { countSet, type Filters } from '../../parts/filters/url-filters.ts';
import { useSeenSeverities } from '../use-seen-severities.ts';

const TEXTS = ['source', 'service', 'environment', 'team'] as const;
const ADDITIONAL = [...TEXTS, 'dedupKey', 'from', 'to'] as const;

/** The alert filters, named as in the API and in the page's address. */
export const ALERT_FILTERS = ['search', 'severity', 'state', 'webhookId', ...ADDITIONAL] as const;
export type AlertFilters = Filters<(typeof ALERT_FILTERS)[number]>;

interface BarProps {
  filters: AlertFilters;
  change: (changes: Partial<AlertFilters>) => void;
  clear: () => void;
  names: WebhookNames;
}

/** The common filters, and a button that shows the others. */
export function AlertFilterBar({ filters, change, clear, names }: BarProps) {
  const additionalCount = ADDITIONAL.filter((name) => filters[name] !== '').length;
  const [isOpen, setOpen] = useState(additionalCount > 0);
  return (
    <FilterBar count={countSet(filters)} clear={clear}>
      <FilterInput
        label="Search"
        placeholder="Title or description"
        leftSection={<IconSearch size={16} />}
        type="search"
        value={filters.search}
        change={(search) => change({ search })}
      />
      <Severity value={filters.severity} change={(severity) => change({ severity })} />
      <NativeSelect
        label="State"
        data={[{ value: '', label: 'All' }, 'complete', 'incomplete']}
        value={filters.state}
        onChange={({ currentTarget }) => change({ state: currentTarget.value })}
      />
      <WebhookFilter names={names} value={filters.webhookId} change={(webhookId) => change({ webhookId })} />
      {isOpen && <AdditionalFilters filters={filters} change={change} />}
      <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen
          ? 'Fewer filters'
          : additionalCount > 0
            ? `More filters (${additionalCount})`
            : 'More filters'}
      </Button>
    </FilterBar>
  );
}

/** Suggests the standard severities, and others that alerts have. Free text, because a mapping may use any. */
function Severity({ value, change }: { value: string; change: (value: string) => void }) {
  const others = countUnknown(useSeenSeverities()).map(({ severity }) => severity);
  return (
    <>
      <FilterInput label="Severity" placeholder="Any" list="severities" value={value} change={change} />
      <datalist id="severities" hidden>
        {[...SEVERITIES, ...others].map((severity) => (
          <option key={severity} value={severity} />
        ))}
      </datalist>
    </>
  );
}

const AdditionalFilters = ({ filters, change }: Pick<BarProps, 'filters' | 'change'>) => (
  <>
    {TEXTS.map((name) => (
      <FilterInput
        key={name}
        label={ALERT_FIELDS[name].label}
        placeholder="Any"
        value={filters[name]}
        change={(value) => change({ [name]: value })}
      />
    ))}
    <FilterInput
      label="Deduplication key"
      placeholder="Any"
      value={filters.dedupKey}
      change={(dedupKey) => change({ dedupKey })}
    />
    <ReceivedFilters filters={filters} change={change} />
  </>
);
