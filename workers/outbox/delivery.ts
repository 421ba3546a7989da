import type { Logger } from 'pino';
import type { Database } from '../../db/client/connect.js';
import type { Preset, Verdict } from './presets/preset.js';
import type { Send } from './send.js';

/** What sending needs. */
export interface Delivery {
  database: Database;
  log: Logger;
  closing: AbortSignal;
  send: Send;
  /** The right time. */
  now(): number;
  /** Decrypts what belongs to a destination; null if it cannot be read. */
  open(sealed: Buffer, owner: string): string | null;
  presetOf(name: string): Preset | null;
  /** Counts a request, and how many seconds after the change it was. */
  count(preset: string, outcome: Verdict['outcome'], seconds: number): void;
  /** Address of the console, for links; null if it is not known. */
  publicUrl: string | null;
}
