import { alertExport } from './alert-export.js';
import { alertIntake } from './alert-intake.js';
import { identityExport } from './identity-export.js';
import { identityImport } from './identity-import.js';
import { upkeep } from './upkeep.js';

/** Every kind of job there is, by name. `workers/registry.ts` has the handler of each. */
export const contracts = {
  [identityImport.name]: identityImport,
  [identityExport.name]: identityExport,
  [alertIntake.name]: alertIntake,
  [alertExport.name]: alertExport,
  [upkeep.name]: upkeep,
} as const;

export type JobName = keyof typeof contracts;
