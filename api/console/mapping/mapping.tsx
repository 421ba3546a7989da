import { useState } from 'react';
import { useCurrentKey } from '../http/use-current-key.ts';
import type { TabProps } from '../integrations/webhook/tab-props.ts';
import { Failure } from '../parts/feedback/failure.tsx';
import { Loading } from '../parts/feedback/loading.tsx';
import { Workbench } from './mapping-editor.tsx';
import { useRevision } from './state/use-saved-mapping.ts';

/** Where a mapping is drawn: payload fields on the left, alert fields in the middle, what comes of it on the right. */
export default function MappingPage({ webhook }: TabProps) {
  // What is saved meanwhile by somebody else must not take the place of what is being drawn.
  const [revision] = useState(webhook.mappingRevision);
  const { data: base, error, refetch } = useRevision(webhook, revision);
  const { data: key } = useCurrentKey();
  if (!base && error) {
    return <Failure error={error} title="The mapping could not be read" retry={refetch} />;
  }
  if (!base || !key) return <Loading rows={10} />;
  return <Workbench webhook={webhook} base={base} />;
}
