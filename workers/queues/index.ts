import { alertExport } from './contracts/alert-export.js';
import { alertIntake } from './contracts/alert-intake.js';
import { alertRemap } from './contracts/alert-remap.js';
import { identityExport } from './contracts/identity-export.js';
import { identityImport } from './contracts/identity-import.js';
import { upkeep } from './contracts/upkeep.js';

/** The jobs that have a row in the table `jobs`, by name, which is the row's `type`. */
export const recordedContracts = {
  [identityImport.name]: identityImport,
  [identityExport.name]: identityExport,
  [alertExport.name]: alertExport,
  [alertRemap.name]: alertRemap,
} as const;

export type RecordedJobName = keyof typeof recordedContracts;

/** Every kind of job there is, by name. `workers/registry.ts` has the handler of each. */
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
