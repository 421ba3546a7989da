import { genericAlert } from './generic-alert.js';
import { genericApplication } from './generic-application.js';
import { genericMonitor } from './generic-monitor.js';
import type { CatalogueSource } from './source.js';

/** Every known sender. A new one is a file beside this one and a line here. */
export const catalogue: readonly CatalogueSource[] = [genericAlert, genericMonitor, genericApplication];

export const findSource = (name: string): CatalogueSource | undefined =>
  catalogue.find((source) => source.name === name);
