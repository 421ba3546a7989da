import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { requestJson } from '../../http/request.ts';
import { RequestFailure } from '../../http/request-failure.ts';
import type { Alert, One, Page, SavedMapping } from '../../http/types.ts';
import { webhookKey } from '../../integrations/webhook/use-webhook.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { notify } from '../../parts/feedback/notify.tsx';
import { toMapping } from '../model/draft/draft.ts';
import { focusRemap } from '../remap/remap-bar.tsx';
import { countIncomplete, incompleteKey } from '../remap/use-incomplete.ts';
import { useEditorContext } from '../state/editor-context.tsx';
import { readRevision, toBase } from '../state/use-saved-mapping.ts';

/** Saves the draft as the next revision, unless somebody else has saved a newer one. Then it merges that one into the draft. */
export function useSave(done: () => void) {
  const { webhook, draft, merge } = useEditorContext();
  const put = usePut(done, async (revision) => merge(await readRevision(webhook.id, revision)));
  /** @param isConfirmed saves a filter even if it drops all stored events */
  const save = (isConfirmed: boolean) => put.run(toMapping(draft), isConfirmed);
  return { save, busy: put.busy, error: put.error };
}

/**
 * Saves a revision and continues from it. If somebody else has saved a newer one, nothing is saved, and `onOvertaken` is called with
 * that revision; without it, that is a failure.
 */
export function usePut(done: () => void, onOvertaken?: (revision: number) => Promise<void>) {
  const { webhook, base, restart } = useEditorContext();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const cache = useQueryClient();
  const send = async (json: object, isConfirmed: boolean) => {
    const path = `/v2/webhooks/${webhook.id}/mapping${isConfirmed ? '?confirm=drops-all' : ''}`;
    const headers = { 'if-match': `"${base.revision}"` };
    const { data } = await requestJson<One<SavedMapping>>(path, { method: 'PUT', json, headers });
    restart(toBase(data));
    announce(`Saved as revision ${data.revision}`);
    void cache.invalidateQueries({ queryKey: webhookKey(webhook.id) });
    void cache.invalidateQueries({ queryKey: [`/v2/webhooks/${webhook.id}/mapping/revisions`] });
    done();
    await cache.invalidateQueries({ queryKey: incompleteKey(webhook.id) });
    notifySaved(webhook.id, data.revision, cache.getQueryData<Page<Alert>>(incompleteKey(webhook.id)));
  };
  const run = async (json: object, isConfirmed = false) => {
    setBusy(true);
    setError(null);
    try {
      await send(json, isConfirmed).catch(async (failure: unknown) => {
        const newer = failure instanceof RequestFailure ? failure.currentRevision : null;
        if (newer === null || !onOvertaken) throw failure;
        await onOvertaken(newer);
      });
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { run, busy, error };
}

/** Says what can be done next. */
function notifySaved(webhookId: string, revision: number, incomplete: Page<Alert> | undefined): void {
  const count = incomplete ? countIncomplete(incomplete) : null;
  notify({
    text: `Revision ${revision} saved.`,
    link: { href: `/integrations/${webhookId}/test`, text: 'Send a test' },
    action: count === null ? undefined : { text: `Remap ${count}`, run: focusRemap },
  });
}
