import { useMemo } from 'react';
import { countUnknown, type SeenSeverity, severitiesOf } from '../model/severity-words.ts';
import { useEditorContext } from './editor-context.tsx';

/** Returns the severities of the last events' alerts that Muster does not know, most frequent first. */
export function useUnknownSeverities(): SeenSeverity[] {
  const { draft, lastEvents } = useEditorContext();
  const { ranks } = draft.fields.severity;
  const alerts = lastEvents.preview?.alerts;
  return useMemo(() => countUnknown(severitiesOf(alerts ?? []), ranks), [alerts, ranks]);
}
