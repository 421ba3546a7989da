import { useState } from 'react';
import { useCurrentKey } from '../http/use-current-key.ts';
import type { OpenTabProps } from '../integrations/webhook/tab-props.ts';
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
  if (!base && error) {
    return <Failure error={error} title="Could not load the mapping" retry={refetch} />;
  }
  if (!base || !key) return <Loading shape="columns" />;
  return <MappingEditor webhook={webhook} bar={bar} base={base} />;
}
