import { alertExport } from './contracts/alert-export.js';
import { alertIntake } from './contracts/alert-intake.js';
import { alertRefold } from './contracts/alert-refold.js';
import { alertRemap } from './contracts/alert-remap.js';
import { alertResolve } from './contracts/alert-resolve.js';
import { eventExport } from './contracts/event-export.js';
import { feedRun } from './contracts/feed-run.js';
import { identityApply } from './contracts/identity-apply.js';
import { identityExport } from './contracts/identity-export.js';
import { identityImport } from './contracts/identity-import.js';
import { identityRevert } from './contracts/identity-revert.js';
import { identityWorklist } from './contracts/identity-worklist.js';
import { messageReplay } from './contracts/message-replay.js';
import { tableExport } from './contracts/table-export.js';
import { tableUpload } from './contracts/table-upload.js';
import { upkeep } from './contracts/upkeep.js';

/*
 * Glossary.
 *
 * - A **job** is one unit of work. A **recorded** job has a row in the table `jobs`, which decides its state; a batch of
 *   events and a turn of upkeep are jobs without a row.
 * - A **contract** (`contracts/`) is what the API and the workers agree on for one type of job: name, queues, payload, retries.
 * - A **queue** is a BullMQ queue in Redis. A contract has one or more, with one handler.
 * - The **payload** is what Redis holds of a job: ids, never files. The **params** are what the request asked for; the row
 *   holds them.
 * - The **producer** adds jobs to queues. A **handler** (`workers/registry.ts`) does the work of one type of job.
 * - An **attempt** at a job is one run of its handler by one worker. `workers/run/job-outcome.ts` lists how it can end, and which of them count
 *   against the contract's limit. `contracts/contract.ts` lists the waits between them.
 * - The **place** of a job is its position in the fair order of its queue, see `fair-order.ts`.
 *
 * Names of jobs and queues, and payloads, are a stored format: after a deploy the queues still hold jobs of the release
 * before. Payload and params therefore have a `version`, and a changed schema still accepts the version before. A worker gives
 * back a job whose version it does not know, see `workers/run/unknown-versions.ts`.
 */

/** The contracts of recorded jobs, by name, which is the `type` of their rows. */
export const recordedContracts = {
  [identityImport.name]: identityImport,
  [identityRevert.name]: identityRevert,
  [identityApply.name]: identityApply,
  [feedRun.name]: feedRun,
  [identityExport.name]: identityExport,
  [identityWorklist.name]: identityWorklist,
  [alertExport.name]: alertExport,
  [eventExport.name]: eventExport,
  [alertRemap.name]: alertRemap,
  [alertRefold.name]: alertRefold,
  [alertResolve.name]: alertResolve,
  [messageReplay.name]: messageReplay,
  [tableUpload.name]: tableUpload,
  [tableExport.name]: tableExport,
} as const;

export type RecordedJobName = keyof typeof recordedContracts;

/** Returns the type of a job's row: only these are submitted. */
export const jobTypeOf = ({ type }: { type: string }): RecordedJobName => type as RecordedJobName;

/** All contracts, by name. */
export const contracts = {
  ...recordedContracts,
  [alertIntake.name]: alertIntake,
  [upkeep.name]: upkeep,
} as const;

export type JobName = keyof typeof contracts;

/** The names of all queues. */
export type QueueName = (typeof contracts)[JobName]['queues'][number];

/** Returns the names of all queues. */
export const allQueues = (): QueueName[] => Object.values(contracts).flatMap(({ queues }) => [...queues]);
