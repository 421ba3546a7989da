import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { requestJson } from '../../http/request.ts';
import type { One, SavedMapping, Webhook } from '../../http/types.ts';
import { webhookKey } from '../../integrations/webhook/use-webhook.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { toMapping } from '../model/draft/draft.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { readRevision, toBase } from '../state/use-saved-mapping.ts';

/** Saves the draft as the next revision, unless someone else has saved a newer one. Then it compares with that one. */
export function useSave(done: () => void) {
  const { webhook, base, draft, rebase } = useEditorContext();
  const [overtakenBy, setOvertakenBy] = useState<number | null>(null);
  const put = usePut(done);
  const save = () =>
    put.run(async () => {
      const { data } = await requestJson<One<Webhook>>(`/v2/webhooks/${webhook.id}`);
      if (data.mappingRevision === base.revision) return toMapping(draft);
      rebase(await readRevision(webhook.id, data.mappingRevision));
      setOvertakenBy(data.mappingRevision);
      return null;
    });
  return { save, overtakenBy, busy: put.busy, error: put.error };
}

/** Saves a revision and continues from it. `prepare` returns the body to send, or null to send nothing. */
export function usePut(done: () => void) {
  const { webhook, restart } = useEditorContext();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const cache = useQueryClient();
  const run = async (prepare: () => Promise<object | null>) => {
    setBusy(true);
    setError(null);
    try {
      const json = await prepare();
      if (json === null) return;
      const path = `/v2/webhooks/${webhook.id}/mapping`;
      const { data } = await requestJson<One<SavedMapping>>(path, { method: 'PUT', json });
      restart(toBase(data));
      announce(`Saved as revision ${data.revision}`);
      void cache.invalidateQueries({ queryKey: webhookKey(webhook.id) });
      void cache.invalidateQueries({ queryKey: [`/v2/webhooks/${webhook.id}/mapping/revisions`] });
      void cache.invalidateQueries({ queryKey: ['incomplete alerts', webhook.id] });
      done();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { run, busy, error };
}
