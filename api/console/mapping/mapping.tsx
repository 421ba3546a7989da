import { useState } from 'react';
import { useCurrentKey } from '../http/use-current-key.ts';
import { lastUsedAt } from '../integrations/webhook/last-used.ts';
import type { OpenTabProps } from '../integrations/webhook/tab-props.ts';
import { useNewest } from '../integrations/webhook/use-newest-event.ts';
import { Failure } from '../parts/feedback/failure.tsx';
import { Loading } from '../parts/feedback/loading.tsx';
import { MappingEditor } from './mapping-editor.tsx';
import { useRevision } from './state/use-saved-mapping.ts';

/** The mapping tab: loads the current revision and opens the editor on it. */
export default function MappingPage({ webhook, bar }: OpenTabProps) {
  // Keeps the revision of the first render: a revision that someone else saves must not replace the draft.
  const [revision] = useState(webhook.mappingRevision);
  const { data: base, error, refetch } = useRevision(webhook, revision);
  const { data: key } = useCurrentKey();
  const newest = useNewest(webhook.id);
  if (!base && error) {
    return <Failure error={error} title="Could not load the mapping" retry={refetch} />;
  }
  // The first event of a new integration is the sample, so whether there is one has to be known. A failure does not keep the editor away.
  const isUnknown = newest.isLoading && !newest.isFetched && newest.failureCount === 0;
  if (!base || !key || (isUnknown && lastUsedAt(webhook) === null)) return <Loading shape="columns" />;
  return <MappingEditor webhook={webhook} bar={bar} base={base} />;
}
