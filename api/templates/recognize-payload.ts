import type { Database } from '../../db/client/connect.js';
import {
  type Candidate,
  type EventRequest,
  type JsonValue,
  tryTemplate,
} from '../../workers/mapping/index.js';
import type { Pause } from '../preview/one-at-a-time.js';
import { currentRecognizer, type KnownTemplate } from './known-templates.js';

/** A template with a lower score is similar by chance. All payloads of the tests score more, and texts of other shapes less. */
const RECOGNIZED = 0.6;

/** Tries the templates that a payload resembles, with a pause between them. Returns them with the best first. */
export async function recognizePayload(
  database: Database,
  subject: { payload: JsonValue; request?: EventRequest | undefined },
  pause: Pause,
): Promise<Candidate<KnownTemplate>[]> {
  const recognizer = await currentRecognizer(database);
  await pause();
  const tried: Candidate<KnownTemplate>[] = [];
  for (const one of recognizer.resembling(subject.payload)) {
    await pause();
    tried.push(tryTemplate(one, subject));
  }
  await pause();
  return tried.sort((a, b) => b.score - a.score);
}

/** Returns the best candidate if it fits well enough. */
export const recognizedOf = ([best]: readonly Candidate<KnownTemplate>[]): Candidate<KnownTemplate> | null =>
  best && best.score >= RECOGNIZED ? best : null;
