import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../db/client/connect.js';
import {
  type Candidate,
  type EventRequest,
  type JsonValue,
  tryTemplate,
} from '../../workers/mapping/index.js';
import { serialQueue } from '../limits/serial-queue.js';
import { currentRecognizer, type KnownTemplate } from './known-templates.js';

/** A template with a lower score is similar by chance. All payloads of the tests score more, and texts of other shapes less. */
const RECOGNIZED = 0.6;

const inTurn = serialQueue();

/** Tries the templates that a payload resembles, one per turn of the event loop. Returns them with the best first. */
export async function recognizePayload(
  database: Database,
  subject: { payload: JsonValue; request?: EventRequest | undefined },
): Promise<Candidate<KnownTemplate>[]> {
  const recognizer = await currentRecognizer(database);
  return inTurn(async () => {
    await nextTurn();
    const tried: Candidate<KnownTemplate>[] = [];
    for (const one of recognizer.resembling(subject.payload)) {
      await nextTurn();
      tried.push(tryTemplate(one, subject));
    }
    return tried.sort((a, b) => b.score - a.score);
  });
}

/** Returns the best candidate if it fits well enough. */
export const recognizedOf = ([best]: readonly Candidate<KnownTemplate>[]): Candidate<KnownTemplate> | null =>
  best && best.score >= RECOGNIZED ? best : null;
