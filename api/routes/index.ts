import type { Route } from '../endpoint/route.js';
import { getGreeting } from './access/greeting.js';
import { createKey, deleteKey, getCurrentKey, listKeys } from './access/keys.js';
import { createRoleGrant, deleteRoleGrant, listRoleGrants } from './access/role-grants.js';
import { createRole, deleteRole, getRole, listRoles, putRole } from './access/roles.js';
import {
  createUploadLink,
  getCurrentUploadLink,
  listUploadLinks,
  revokeUploadLink,
} from './access/upload-links.js';
import {
  deleteAccountSystemByName,
  getAccountSystemByName,
  putAccountSystemByName,
} from './account-systems/by-name.js';
import { listAccountSystemDays } from './account-systems/days.js';
import {
  deleteAccountSystem,
  getAccountSystem,
  listAccountSystems,
  putAccountSystem,
} from './account-systems/manage.js';
import { getAlertFacets } from './alerts/counts/facets.js';
import { getAlertHistogram } from './alerts/counts/histogram.js';
import { listAlerts } from './alerts/list.js';
import { getAlert } from './alerts/read.js';
import { refoldAlerts } from './alerts/refold.js';
import { resolveAlert, resolveManyAlerts } from './alerts/resolve.js';
import { listAlertEvents } from './alerts/timeline.js';
import { getAuditFacets } from './audit/facets.js';
import { listAudit } from './audit/list.js';
import {
  deleteDestinationByName,
  getDestinationByName,
  putDestinationByName,
} from './destinations/by-name.js';
import {
  changeDestination,
  createDestination,
  deleteDestination,
  rotateDestination,
} from './destinations/manage.js';
import { getAlertMessages, getAttempts, getJobMessages, listMessages } from './destinations/messages.js';
import { previewDestination, rehearseDestination } from './destinations/preview.js';
import { getDestination, listDestinations } from './destinations/read.js';
import { listGivenUp, replayMessage, replayMessages } from './destinations/replay.js';
import { resumeDestination } from './destinations/resume.js';
import { testDestination } from './destinations/test.js';
import { confirmSnsSubscription } from './events/confirm-subscription.js';
import { postEvent } from './events/intake.js';
import { listEvents } from './events/list.js';
import { getEvent } from './events/read.js';
import { probeWebhook, validateWebhook } from './events/webhook-probe.js';
import { changeFeed, createFeed, deleteFeed, getFeed, listFeeds } from './feeds/manage.js';
import { getFeedRun, listFeedRuns, startFeedRun, tryFeedGuards } from './feeds/runs.js';
import { deleteHeartbeat, getHeartbeat, listHeartbeats, putHeartbeat } from './heartbeats/manage.js';
import { pingRoutes } from './heartbeats/ping.js';
import { listCoverage } from './identities/coverage/list.js';
import { getCoverage } from './identities/coverage/read.js';
import { putDecisions, uploadDecisions } from './identities/decisions/decide.js';
import { getPrecision, listDecisions } from './identities/decisions/list.js';
import { createExport } from './identities/exports.js';
import { followChanges } from './identities/follow-changes.js';
import { getHistory } from './identities/history.js';
import { getIdentities } from './identities/list.js';
import { previewUpload } from './identities/preview.js';
import { deleteIdentities, postRemoval } from './identities/remove.js';
import { importIdentities, patchIdentities } from './identities/upload.js';
import { createWorklist } from './identities/worklists/create.js';
import { deleteIntegration, getIntegration, putIntegration } from './integrations/by-name.js';
import { acceptJob } from './jobs/accept.js';
import { applyJob } from './jobs/apply.js';
import { getChanges, getConflicts, getSkipped } from './jobs/changes.js';
import { getJobFacets } from './jobs/facets.js';
import { getJob } from './jobs/get-job.js';
import { cancelJob, getRejected, retryJob } from './jobs/job-actions.js';
import { getJobFile } from './jobs/job-file.js';
import { getJobs } from './jobs/list-jobs.js';
import { revertJob } from './jobs/revert.js';
import { docsAsset, docsPage, docsScript, fileSchemas, openapiJson } from './operations/docs.js';
import { getServiceHealth } from './operations/health.js';
import { getMetrics } from './operations/metrics.js';
import { healthz, readyz, readyzIntake } from './operations/probes.js';
import { deleteTable, revertTable } from './tables/manage.js';
import { listTableMisses } from './tables/misses.js';
import { getTable, listTableRevisions, listTableRows, listTables } from './tables/read.js';
import { patchTable, putTable } from './tables/upload.js';
import { listTableWebhooks } from './tables/webhooks.js';
import { deleteTemplateByName, getTemplateByName, putTemplateByName } from './templates/by-name.js';
import { changeTemplate, createTemplate, deleteTemplate } from './templates/manage.js';
import { getTemplate, listTemplates } from './templates/read.js';
import { recognizeTemplate } from './templates/recognize.js';
import { getDrift } from './webhooks/drift.js';
import { importWebhooks } from './webhooks/import/import.js';
import { importToken, listImportedTokens, revokeImportedToken } from './webhooks/imported-tokens.js';
import { changeWebhook, createWebhook, deleteWebhook, rotateWebhook } from './webhooks/manage.js';
import { getMapping, getRevision, listRevisions } from './webhooks/mapping-revisions.js';
import { previewMapping } from './webhooks/preview.js';
import { putMapping } from './webhooks/put-mapping.js';
import { getWebhook, listWebhooks } from './webhooks/read.js';
import { remapWebhook } from './webhooks/remap.js';
import { listSenders } from './webhooks/senders.js';
import { listPresets } from './webhooks/signature-presets.js';
import { trySilence } from './webhooks/silence-trial.js';

/** All endpoints. To add one, add its file to a folder here, and a line to this list. */
export const routes: readonly Route[] = [
  patchIdentities,
  importIdentities,
  deleteIdentities,
  postRemoval,
  previewUpload,
  getIdentities,
  getHistory,
  followChanges,
  createExport,
  listCoverage,
  getCoverage,
  listAccountSystems,
  getAccountSystem,
  putAccountSystem,
  deleteAccountSystem,
  listAccountSystemDays,
  createWorklist,
  listFeeds,
  createFeed,
  getFeed,
  changeFeed,
  deleteFeed,
  startFeedRun,
  listFeedRuns,
  getFeedRun,
  tryFeedGuards,
  listDecisions,
  getPrecision,
  putDecisions,
  uploadDecisions,
  getJobs,
  getJobFacets,
  getJob,
  getJobMessages,
  getJobFile,
  getRejected,
  getChanges,
  getSkipped,
  getConflicts,
  revertJob,
  applyJob,
  acceptJob,
  cancelJob,
  retryJob,
  createKey,
  listKeys,
  getCurrentKey,
  deleteKey,
  listRoles,
  createRole,
  getRole,
  putRole,
  deleteRole,
  createRoleGrant,
  listRoleGrants,
  deleteRoleGrant,
  createUploadLink,
  listUploadLinks,
  getCurrentUploadLink,
  revokeUploadLink,
  getIntegration,
  putIntegration,
  deleteIntegration,
  getAccountSystemByName,
  putAccountSystemByName,
  deleteAccountSystemByName,
  getDestinationByName,
  putDestinationByName,
  deleteDestinationByName,
  getTemplateByName,
  putTemplateByName,
  deleteTemplateByName,
  createWebhook,
  listWebhooks,
  getWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhook,
  listImportedTokens,
  importToken,
  revokeImportedToken,
  listSenders,
  importWebhooks,
  listTemplates,
  listPresets,
  createTemplate,
  recognizeTemplate,
  getTemplate,
  changeTemplate,
  deleteTemplate,
  putMapping,
  getMapping,
  listRevisions,
  getRevision,
  previewMapping,
  remapWebhook,
  trySilence,
  getDrift,
  listDestinations,
  createDestination,
  getDestination,
  changeDestination,
  deleteDestination,
  rotateDestination,
  testDestination,
  previewDestination,
  rehearseDestination,
  resumeDestination,
  replayMessages,
  replayMessage,
  listGivenUp,
  listMessages,
  getAttempts,
  getAlertMessages,
  postEvent,
  probeWebhook,
  validateWebhook,
  listHeartbeats,
  getHeartbeat,
  putHeartbeat,
  deleteHeartbeat,
  listTables,
  getTable,
  putTable,
  patchTable,
  deleteTable,
  listTableRows,
  listTableRevisions,
  listTableMisses,
  listTableWebhooks,
  revertTable,
  ...pingRoutes,
  listEvents,
  getEvent,
  confirmSnsSubscription,
  listAlerts,
  getAlertFacets,
  getAlertHistogram,
  getAlert,
  listAlertEvents,
  resolveAlert,
  resolveManyAlerts,
  refoldAlerts,
  listAudit,
  getAuditFacets,
  getServiceHealth,
  getMetrics,
  healthz,
  readyz,
  readyzIntake,
  getGreeting,
  openapiJson,
  ...fileSchemas,
  docsPage,
  docsScript,
  docsAsset,
];
