import type { Route } from '../route.js';
import { listAlerts } from './alerts/list.js';
import { getAlert } from './alerts/read.js';
import { docsAsset, docsPage, docsScript, openapiJson } from './docs.js';
import { getEvent, listEvents } from './events.js';
import { getGreeting } from './greeting.js';
import { healthz, readyz } from './health.js';
import { createExport } from './identities/exports.js';
import { getIdentities } from './identities/list.js';
import { deleteIdentities } from './identities/remove.js';
import { patchIdentities } from './identities/upload.js';
import { postEvent } from './intake.js';
import { cancelJob, getRejected, retryJob } from './job-actions.js';
import { getJobFile } from './job-file.js';
import { getJobs } from './job-list.js';
import { getJob } from './jobs.js';
import { createKey, deleteKey, getCurrentKey, listKeys } from './keys.js';
import { getMetrics } from './metrics.js';
import { getServiceHealth } from './service-health.js';
import { probeWebhook } from './webhook-probe.js';
import { changeWebhook, createWebhook, deleteWebhook, rotateWebhook } from './webhooks/manage.js';
import { getMapping, getRevision, listRevisions } from './webhooks/mapping-revisions.js';
import { previewMapping } from './webhooks/preview.js';
import { putMapping } from './webhooks/put-mapping.js';
import { getWebhook, listTemplates, listWebhooks } from './webhooks/read.js';
import { remapWebhook } from './webhooks/remap.js';

/** Every endpoint there is. A new one is a file beside this one and a line here. */
export const routes: readonly Route[] = [
  patchIdentities,
  deleteIdentities,
  getIdentities,
  createExport,
  getJobs,
  getJob,
  getJobFile,
  getRejected,
  cancelJob,
  retryJob,
  createKey,
  listKeys,
  getCurrentKey,
  deleteKey,
  createWebhook,
  listWebhooks,
  getWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhook,
  listTemplates,
  putMapping,
  getMapping,
  listRevisions,
  getRevision,
  previewMapping,
  remapWebhook,
  postEvent,
  probeWebhook,
  listEvents,
  getEvent,
  listAlerts,
  getAlert,
  getServiceHealth,
  getMetrics,
  healthz,
  readyz,
  getGreeting,
  openapiJson,
  docsPage,
  docsScript,
  docsAsset,
];
