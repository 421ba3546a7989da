import { Button, NativeSelect } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { WebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { WebhookFilter } from '../../integrations/webhook/webhook-filter.tsx';
import { ALERT_FIELDS, SEVERITIES } from '../../mapping/model/draft/alert-fields.ts';
import { FilterBar } from '../../parts/filters/filter-bar.tsx';
import { FilterInput } from '../../parts/filters/filter-input.tsx';
import { ArrivalFilters } from '../../parts/filters/received-filters.tsx';
import { countSet, type Filters } from '../../parts/filters/url-filters.ts';

const TEXTS = ['source', 'service', 'environment', 'team'] as const;
const RARE = [...TEXTS, 'from', 'to'] as const;

/** By what alerts can be picked, as the API and the page's address name it. */
export const ALERT_FILTERS = ['search', 'severity', 'state', 'webhookId', ...RARE] as const;
type AlertFilters = Filters<(typeof ALERT_FILTERS)[number]>;

interface BarProps {
  filters: AlertFilters;
  change: (changes: Partial<AlertFilters>) => void;
  clear: () => void;
  names: WebhookNames;
}

/** The filters that are used most, and on demand the others. */
export function AlertFilterBar({ filters, change, clear, names }: BarProps) {
  const rareSet = RARE.filter((name) => filters[name] !== '').length;
  const [isOpen, setOpen] = useState(rareSet > 0);
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
        data={[{ value: '', label: 'all' }, 'complete', 'incomplete']}
        value={filters.state}
        onChange={({ currentTarget }) => change({ state: currentTarget.value })}
      />
      <WebhookFilter names={names} value={filters.webhookId} change={(webhookId) => change({ webhookId })} />
      {isOpen && <Rare filters={filters} change={change} />}
      <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Fewer filters' : rareSet > 0 ? `More filters (${rareSet})` : 'More filters'}
      </Button>
    </FilterBar>
  );
}

/** Those of the catalogue to choose from; a mapping may make others. */
const Severity = ({ value, change }: { value: string; change: (value: string) => void }) => (
  <>
    <FilterInput label="Severity" placeholder="any" list="severities" value={value} change={change} />
    <datalist id="severities" hidden>
      {SEVERITIES.map((severity) => (
        <option key={severity} value={severity} />
      ))}
    </datalist>
  </>
);

const Rare = ({ filters, change }: Pick<BarProps, 'filters' | 'change'>) => (
  <>
    {TEXTS.map((name) => (
      <FilterInput
        key={name}
        label={ALERT_FIELDS[name].label}
        placeholder="any"
        value={filters[name]}
        change={(value) => change({ [name]: value })}
      />
    ))}
    <ArrivalFilters filters={filters} change={change} />
  </>
);
