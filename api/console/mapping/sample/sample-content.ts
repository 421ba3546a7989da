import { requestJson } from '../../http/request.ts';
import type { One, Receipt } from '../../http/types.ts';
import type { Subject } from '../model/preview-body.ts';

/** A sample's payload as JSON text, and the request that carried it if it is a stored event with one. */
export interface SampleContent {
  payload: string;
  request: Receipt['request'] | null;
}

/** Returns the content of a sample: the pasted payload, that of a template, or that of a stored event. Returns null if the event has no text. */
export async function sampleContent(subject: Subject, signal?: AbortSignal): Promise<SampleContent | null> {
  if ('payload' in subject) return { payload: subject.payload, request: null };
  if (!('eventIds' in subject)) return null;
  const path = `/v2/events/${encodeURIComponent(subject.eventIds[0] ?? '')}`;
  const { data } = await requestJson<One<Receipt>>(path, signal ? { signal } : {});
  return data.rawEncoding === 'utf-8' ? { payload: data.raw, request: data.request } : null;
}
