import type { WorkerServices } from '../run/services.js';

/** Returns the services with what an export reads from: the primary if its request asked for it, else perhaps a replica. */
export const readingFrom = (readFrom: 'primary' | undefined, services: WorkerServices): WorkerServices =>
  readFrom === 'primary' ? { ...services, reading: services.reading.primaryOnly() } : services;
