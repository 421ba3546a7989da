import { requestJson } from '../../http/request.ts';
import type { One, Receipt } from '../../http/types.ts';
import type { Subject } from '../model/preview-body.ts';

/** Returns the payload of a sample as JSON text: the pasted or the template's own, or that of a stored event. */
export async function payloadText(subject: Subject, signal?: AbortSignal): Promise<string | null> {
  if ('payload' in subject) return subject.payload;
  if (!('eventIds' in subject)) return null;
  const path = `/v2/events/${encodeURIComponent(subject.eventIds[0] ?? '')}`;
  const { data } = await requestJson<One<Receipt>>(path, signal ? { signal } : {});
  return data.rawEncoding === 'utf-8' ? data.raw : null;
}
