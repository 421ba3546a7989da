import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { requestJson } from '../../http/request.ts';
import type { AlertFacets, One } from '../../http/types.ts';
import { type WebhookNames, webhookOptions } from '../../integrations/webhook/use-webhook-names.ts';
import { SEVERITIES } from '../../mapping/model/draft/alert-fields.ts';
import type { FilterOption } from '../../parts/filters/filter-options.ts';
import { ValueFilter } from '../../parts/filters/value-filter.tsx';
import { useFullTime } from '../../settings/time-zone.ts';
import { wholeNumber } from '../../text/quantities.ts';
import type { AlertQuery } from './alert-query.ts';

export type FacetName = Exclude<keyof AlertFacets, 'status'>;
type Facet = NonNullable<AlertFacets[FacetName]>;

/** Counts may be so old, in milliseconds: opening a filter again shows them at once. */
const FRESH_MS = 15_000;

/** Values that a field can have without any alert that has them now. */
const ALWAYS: Partial<Record<FacetName, readonly string[]>> = {
  severity: SEVERITIES,
  peakSeverity: SEVERITIES,
  resolvedBy: ['event', 'person', 'expiry'],
  state: ['complete', 'incomplete'],
};

/** Fields whose values are all known. */
const CLOSED: ReadonlySet<FacetName> = new Set(['state', 'webhookId', 'resolvedBy']);

interface FacetFilterProps {
  name: FacetName;
  label: string;
  values: readonly string[];
  change: (values: string[]) => void;
  query: AlertQuery;
  names: WebhookNames;
}

/** A filter by the values of a field. When it is opened, it counts the alerts that have each and match the other filters. */
export function AlertFacetFilter({ name, label, values, change, query, names }: FacetFilterProps) {
  const fullTime = useFullTime();
  const [isOpened, setOpened] = useState(false);
  const { data: facet, isPending, error } = useFacet(name, query, isOpened);
  return (
    <ValueFilter
      label={label}
      values={values}
      change={change}
      options={optionsOf(name, facet ?? null, values, names)}
      note={isOpened ? noteOf({ facet, isPending, error }, fullTime) : undefined}
      isFree={!CLOSED.has(name)}
      onOpen={() => setOpened(true)}
    />
  );
}

function useFacet(name: FacetName, query: AlertQuery, enabled: boolean) {
  const { [name]: _, ...others } = query;
  return useQuery({
    queryKey: ['/v2/alerts/facets', name, others],
    queryFn: ({ signal }) =>
      requestJson<One<AlertFacets>>('/v2/alerts/facets', { query: { ...others, fields: name }, signal }),
    select: ({ data }) => data[name] ?? null,
    placeholderData: (last) => last,
    staleTime: FRESH_MS,
    retry: false,
    enabled,
  });
}

function optionsOf(
  name: FacetName,
  facet: Facet | null,
  values: readonly string[],
  names: WebhookNames,
): FilterOption[] {
  const counted = (facet?.values ?? []).flatMap(({ value, alerts }) =>
    value === null ? [] : [{ value, count: alerts }],
  );
  const isWebhook = name === 'webhookId';
  const always = isWebhook ? webhookOptions(names, values).map(({ value }) => value) : (ALWAYS[name] ?? []);
  // Without counts, and beyond the most frequent values, it is not known whether there are none.
  const none = facet && !facet.hasMore ? { count: 0 } : {};
  const known = new Set(counted.map(({ value }) => value));
  const options = [
    ...counted,
    ...always.filter((value) => !known.has(value)).map((value) => ({ value, ...none })),
  ];
  return isWebhook ? options.map((option) => ({ ...option, label: names.nameOf(option.value) })) : options;
}

/** Says how complete the counts are; undefined if they are complete. */
function noteOf(
  { facet, isPending, error }: { facet: Facet | null | undefined; isPending: boolean; error: Error | null },
  fullTime: (at: string) => string,
): string | undefined {
  if (isPending) return 'Counting…';
  if (error) return `Could not count the alerts: ${error.message}`;
  if (!facet) return 'Counting took too long. Choose a shorter time.';
  const parts = [
    ...(facet.hasMore ? [`The ${wholeNumber(facet.values.length)} most frequent values`] : []),
    ...(facet.countedFrom ? [`counted since ${fullTime(facet.countedFrom)}`] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : undefined;
}
