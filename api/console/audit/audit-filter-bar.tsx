import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { AuditFacets } from '../http/types.ts';
import { FilterBar } from '../parts/filters/filter-bar.tsx';
import { SavedViewsMenu } from '../parts/filters/saved-views-menu.tsx';
import { TimeFilter } from '../parts/filters/time-filter.tsx';
import { countSet } from '../parts/filters/url-filters.ts';
import { ValueFilter } from '../parts/filters/value-filter.tsx';
import { useFullTime } from '../settings/time-zone.ts';
import { ACTORS, actionName, objectName } from './audit-names.ts';
import type { AuditFilters } from './use-audit-filters.ts';

interface BarProps extends Pick<AuditFilters, 'filters' | 'change' | 'clear'> {
  /** Undefined until the entries are counted. */
  facets: AuditFacets | undefined;
}

const ONE_OBJECT = ['actorId', 'objectId', 'requestId'] as const;
const ONLY = { actorId: 'Only one actor', objectId: 'Only one object', requestId: 'Only one request' };

/** The filters of the audit log, with counts for their values. */
export function AuditFilterBar({ filters, change, clear, facets }: BarProps) {
  const fullTime = useFullTime();
  const note = facets?.countedFrom ? `Counted since ${fullTime(facets.countedFrom)}` : undefined;
  return (
    <FilterBar count={countSet(filters)} clear={clear} actions={<SavedViewsMenu list="audit" />}>
      <TimeFilter range={filters} change={change} />
      <ValueFilter
        label="Who"
        values={filters.actorKind}
        change={(actorKind) => change({ actorKind })}
        options={optionsOf(facets?.actorKind, filters.actorKind, (kind) => ACTORS[kind] ?? kind)}
        note={note}
      />
      <ValueFilter
        label="What"
        values={filters.action}
        change={(action) => change({ action })}
        options={optionsOf(facets?.action, filters.action, actionName)}
        note={note}
      />
      <ValueFilter
        label="On what"
        values={filters.objectKind}
        change={(objectKind) => change({ objectKind })}
        options={optionsOf(facets?.objectKind, filters.objectKind, objectName)}
        note={note}
      />
      {ONE_OBJECT.filter((name) => filters[name].length > 0).map((name) => (
        <Button
          key={name}
          variant="default"
          rightSection={<IconX size={14} />}
          onClick={() => change({ [name]: [] })}
        >
          {ONLY[name]}
        </Button>
      ))}
    </FilterBar>
  );
}

/** Returns the values that are counted, and those that are chosen. */
const optionsOf = (
  counts: AuditFacets['action'] = [],
  chosen: readonly string[],
  label: (value: string) => string,
) =>
  [...new Set([...counts.map(({ value }) => value), ...chosen])].map((value) => ({
    value,
    label: label(value),
    count: counts.find((one) => one.value === value)?.entries ?? 0,
  }));
