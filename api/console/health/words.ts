import type { Health } from '../http/types.ts';
import { counted, wholeNumber } from '../text/quantities.ts';
import { type Minute, sumOf } from './chart-geometry.ts';

/** What each queue is for, in the order in which they are shown. */
export const QUEUES: Readonly<Record<string, string>> = {
  'alert-intake': 'events',
  'alert-intake-bulk': 'events of integrations that send very many',
  'identity-import': 'uploads up to 8 MB, and changes of single records',
  'identity-import-large': 'larger uploads',
  'identity-export': 'exports of identities',
  'alert-export': 'exports of alerts',
  'alert-remap': 'remaps',
  upkeep: 'what Muster does for itself by the clock',
};

/** Queues in the order above; ones that are not known there come last. */
export function inOrder(queues: Health['queues']): Health['queues'] {
  const names = Object.keys(QUEUES);
  const place = ({ queue }: Health['queues'][number]) =>
    (names.indexOf(queue) + names.length + 1) % (names.length + 1);
  return [...queues].sort((a, b) => place(a) - place(b));
}

/** The hour in one sentence, for those who do not see the chart. */
export function hourInWords(minutes: readonly Minute[]): string {
  const [accepted, stored, failed] = [
    sumOf(minutes, 'accepted'),
    sumOf(minutes, 'stored'),
    sumOf(minutes, 'failed'),
  ];
  if (accepted + stored + failed === 0) return 'No event came in the last hour.';
  const most = Math.max(...minutes.map((minute) => minute.accepted));
  return (
    `In the last hour ${counted(accepted, 'event')} were accepted, ${wholeNumber(stored)} stored and ` +
    `${wholeNumber(failed)} failed; at most ${wholeNumber(most)} were accepted in one minute.`
  );
}

export interface Readiness {
  redis: boolean;
  database: boolean;
  worker: boolean;
}

interface Away {
  title: string;
  /** What does not work now, and what to do. */
  text: string;
}

/** What is away, each with what that means and what to do. */
export function awayInWords({ redis, database, worker }: Readiness): Away[] {
  const all: (Away | false)[] = [
    !redis && {
      title: 'Redis cannot be reached',
      text: 'No event and no upload is taken; senders are told to come again. Start Redis, or look at REDIS_URL and the network.',
    },
    !database && {
      title: 'The database cannot be reached',
      text: 'Events are still taken, and wait. Nothing else can be read or written. Start MariaDB or MySQL, or look at DATABASE_URL.',
    },
    // Whether there is a worker is known by Redis alone.
    redis &&
      !worker && {
        title: 'No worker is there',
        text: 'What was accepted is safe, and waits: nothing is stored, imported or exported until a worker is started (node dist/workers/main.js; npm start does it by itself). If one runs, look at its log.',
      },
  ];
  return all.filter((one) => one !== false);
}
