import { alertExport } from './alert-export.js';
import { alertIntake } from './alert-intake.js';
import { alertRemap } from './alert-remap.js';
import { identityExport } from './identity-export.js';
import { identityImport } from './identity-import.js';
import { upkeep } from './upkeep.js';

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
