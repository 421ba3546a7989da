import { Text } from '@mantine/core';
import type { Receipt } from '../../http/types.ts';
import { Facts } from '../../parts/facts.tsx';

/** The request that carried the event, named by the paths that mappings read. */
export function RequestFacts({ request }: { request: Receipt['request'] }) {
  if (request === null)
    return <Text size="sm">The request was not stored. An earlier release received this event.</Text>;
  return (
    <>
      <Facts
        facts={[
          ['request.method', <code key="method">{request.method}</code>],
          ['request.contentType', <code key="type">{request.contentType ?? 'none'}</code>],
          ...valuesOf('request.query', request.query),
          ...maskedOf('request.query', request.masked?.query),
          ...valuesOf('request.headers', request.headers),
          ...maskedOf('request.headers', request.masked?.headers),
        ]}
      />
      {request.masked && (
        <Text size="sm" c="dimmed" mt="xs">
          The values of masked headers and parameters were not stored. A value is kept from the next event on,
          once the mapping reads it.
        </Text>
      )}
      {request.truncated && (
        <Text size="sm" c="dimmed" mt="xs">
          Some headers or query parameters were left out, because there were too many.
        </Text>
      )}
    </>
  );
}

const valuesOf = (part: string, values: NonNullable<Receipt['request']>['headers']) =>
  Object.entries(values).map(
    ([name, value]) => [`${part}.${name}`, <code key={name}>{[value].flat().join(', ')}</code>] as const,
  );

const maskedOf = (part: string, names: readonly string[] = []) =>
  names.map((name) => [`${part}.${name}`, <span key={name}>masked</span>] as const);
