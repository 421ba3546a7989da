import type { Job } from 'bullmq';
import { alertIntake } from '../../workers/queues/contracts/alert-intake.js';
import { jobPayload } from '../../workers/queues/contracts/contract.js';

/** Event ids shown of a batch. */
const IDS_SHOWN = 10;

/** Removes everything from a job that may contain user data. Only what is known to be harmless stays. */
export function redact(job: Job): void {
  job.data = summaryOf(job.data);
  job.returnvalue = null;
  job.progress = typeof job.progress === 'object' ? numbersOf(job.progress) : 0;
  job.failedReason = job.failedReason && reasonOf(job.failedReason);
  job.deferredFailure = job.deferredFailure && reasonOf(job.deferredFailure);
  job.stacktrace = [];
}

/** Returns the ids and numbers that Muster itself created. */
function summaryOf(data: unknown): object {
  const batch = alertIntake.payload.safeParse(data);
  if (batch.success) {
    const { version, events } = batch.data;
    const rejected = events.filter((event) => event.rejected).length;
    const eventIds = events.slice(0, IDS_SHOWN).map(({ id }) => id);
    return { version, events: events.length, rejected, eventIds };
  }
  const recorded = jobPayload.safeParse(data);
  return recorded.success ? recorded.data : numbersOf(data);
}

function numbersOf(value: unknown): object {
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
  return Object.fromEntries(entries.filter(([, inner]) => typeof inner === 'number'));
}

/** Keeps our own codes and two known messages. The message of any other error may quote user data. */
function reasonOf(text: string): string {
  const isOurs = /^[a-z][a-z0-9_]{0,63}$/.test(text) || HARMLESS.includes(text);
  return isOurs ? text : 'The log of the worker has the reason.';
}

const HARMLESS = ['the attempt failed; the log has the reason', 'job stalled more than allowable limit'];
