import { errorExample } from './error-examples.js';
import {
  destination,
  destinationDocument,
  givenUp,
  jobMessage,
  message,
  rehearsal,
  rehearsedMessage,
  SECRET,
  savedDestination,
} from './resources/destinations.js';
import {
  alert,
  alertEvent,
  alertFacets,
  alertHistogram,
  event,
  request,
  snsConfirmation,
} from './resources/events.js';
import {
  accountSystem,
  accountSystemDay,
  accountSystemDocument,
  apply,
  applyGoesOn,
  columns,
  coverage,
  feed,
  feedGoesOn,
  feedJob,
  feedRun,
  feedSettings,
  guards,
  historyEntry,
  identity,
  identityChange,
  identityKey,
  job,
  jobDone,
  jobFacets,
  jobGoesOn,
  refoldJob,
  replayJob,
  resolveJob,
  revert,
  revertGoesOn,
  upload,
  uploadPreview,
  worklistDecision,
  worklistJob,
  worklistPrecision,
} from './resources/identities.js';
import {
  apiKey,
  auditEntry,
  auditFacets,
  currentUploadLink,
  health,
  role,
  roleGrant,
  uploadLink,
} from './resources/operations.js';
import { table, tableRevision, tableRow, tableUploaded } from './resources/tables.js';
import {
  AT,
  acceptedExample,
  EVENT_ID,
  ID,
  LATER,
  pageExample,
  successExample,
  WEBHOOK_ID,
} from './resources/values.js';
import {
  checkedMapping,
  fields,
  heartbeat,
  heartbeatSettings,
  importedToken,
  integrationDocument,
  mapping,
  openHours,
  payload,
  preview,
  recognition,
  revision,
  savedIntegration,
  savedMapping,
  savedTemplate,
  signaturePreset,
  template,
  templateDocument,
  usedTokens,
  webhook,
  webhookImport,
} from './resources/webhooks.js';

interface Examples {
  request?: unknown;
  /** By status. */
  responses?: Record<number, unknown>;
}

const pingAccepted: Examples = {
  responses: { 202: { status: 'success', message: 'Ping accepted.', eventId: EVENT_ID } },
};

const updateIdentities: Examples = {
  request: [{ email: 'ada@example.com', ...identityKey }],
  responses: {
    200: upload('CSV processed and developer identities updated successfully.', {
      columns,
      counts: job.counts,
    }),
    202: acceptedExample,
  },
};

const removeIdentities: Examples = {
  request: [identityKey],
  responses: {
    200: upload('Developer identities removed.', {
      counts: { total: 1, removed: 1, notFound: 0, superseded: 0, rejected: 0 },
    }),
    202: acceptedExample,
  },
};

const resolveGoesOn = { ...jobGoesOn, data: { ...jobGoesOn.data, type: 'alert-resolve' } };

/** Examples of JSON bodies, by `operationId`. The linters check each against its schema. */
/** Draws the body of a message. */
const TEXT_BODY = { expression: '{"text": alert.title}' };

const BY_OPERATION: Record<string, Examples> = {
  updateIdentities,
  importIdentities: updateIdentities,
  removeIdentities,
  createRemoval: removeIdentities,
  previewUpload: { responses: { 200: successExample(uploadPreview) } },
  listIdentities: { responses: { 200: pageExample(identity), 202: acceptedExample } },
  getIdentityHistory: { responses: { 200: { ...pageExample(historyEntry), retentionDays: 400 } } },
  followIdentityChanges: {
    responses: {
      200: {
        ...pageExample(identityChange),
        page: { pageSize: 1_000, nextCursor: 'WzIsImJfdkJ5', hasMore: false },
      },
    },
  },
  exportIdentities: {
    request: { integrationIds: [7], format: 'csv.gz', callback: ID },
    responses: { 200: jobDone, 202: jobGoesOn },
  },
  listFeeds: { responses: { 200: pageExample(feed) } },
  getFeed: { responses: { 200: successExample(feed) } },
  createFeed: { request: feedSettings, responses: { 201: successExample(feed) } },
  updateFeed: {
    request: { guards: { maxRemovals: 20 } },
    responses: { 200: successExample(feed) },
  },
  startFeedRun: {
    responses: { 200: { ...jobDone, data: feedJob }, 202: { ...jobGoesOn, data: feedGoesOn } },
  },
  listFeedRuns: { responses: { 200: pageExample(feedRun) } },
  getFeedRun: { responses: { 200: successExample(feedRun) } },
  tryFeedGuards: {
    request: guards,
    responses: {
      200: {
        ...successExample([{ id: ID, startedAt: AT, state: 'applied', tripped: feedRun.tripped }]),
        summary: { runs: 90, held: 1 },
      },
    },
  },
  listAccountSystems: { responses: { 200: pageExample(accountSystem) } },
  listAccountSystemDays: { responses: { 200: successExample([accountSystemDay]) } },
  getAccountSystem: { responses: { 200: successExample(accountSystem) } },
  putAccountSystem: {
    request: { name: 'GitHub', kind: 'github' },
    responses: { 200: successExample(accountSystem), 201: successExample(accountSystem) },
  },
  getAccountSystemByName: {
    responses: {
      200: successExample({
        document: accountSystemDocument,
        savedBy: accountSystem.savedBy,
        updatedAt: AT,
      }),
    },
  },
  putAccountSystemByName: {
    request: accountSystemDocument,
    responses: {
      200: successExample({
        outcome: 'changed',
        changes: [{ path: 'name', before: 'GH', after: 'GitHub' }],
      }),
      201: successExample({
        outcome: 'created',
        changes: [{ path: 'name', before: null, after: 'GitHub' }],
      }),
    },
  },
  getCoverage: { responses: { 200: successExample(coverage) } },
  createWorklist: {
    request: { accounts: [{ identity: 'ada-l', name: 'Ada Lovelace' }] },
    responses: {
      200: { ...jobDone, data: worklistJob },
      202: { ...jobGoesOn, data: { ...jobGoesOn.data, type: 'identity-worklist' } },
    },
  },
  listWorklistDecisions: { responses: { 200: pageExample(worklistDecision) } },
  getWorklistPrecision: { responses: { 200: successExample([worklistPrecision]) } },
  putWorklistDecisions: {
    request: [
      {
        identity: 'ada-l',
        decision: 'owner',
        email: 'ada@example.com',
        suggested: { email: 'ada@example.com', score: 66, reason: 'initials and last name' },
      },
      { identity: 'backup-1', decision: 'bot' },
    ],
    responses: { 200: { status: 'success', counts: { saved: 2, unchanged: 0, removed: 0 } } },
  },
  uploadWorklistDecisions: {
    responses: { 200: { status: 'success', counts: { total: 40, saved: 12, unchanged: 3, removed: 0 } } },
  },
  listCoverage: { responses: { 200: pageExample(coverage) } },
  listAudit: { responses: { 200: pageExample(auditEntry) } },
  getAuditFacets: { responses: { 200: successExample(auditFacets) } },
  listJobs: { responses: { 200: pageExample(job) } },
  getJobFacets: { responses: { 200: successExample(jobFacets) } },
  getJob: { responses: { 200: successExample(job) } },
  cancelJob: {
    responses: { 200: successExample({ ...job, state: 'canceled' }), 202: successExample(jobGoesOn.data) },
  },
  retryJob: { responses: { 200: jobDone, 202: jobGoesOn } },
  revertJob: { responses: { 200: { ...jobDone, data: revert }, 202: { ...jobGoesOn, data: revertGoesOn } } },
  applyJob: {
    request: { reason: 'Leavers of November, see TICKET-123' },
    responses: { 200: { ...jobDone, data: apply }, 202: { ...jobGoesOn, data: applyGoesOn } },
  },
  acceptWorklist: { responses: { 200: jobDone, 202: jobGoesOn } },
  createKey: {
    request: { name: 'metrics reader', scopes: ['developer_records:read'] },
    responses: { 201: successExample({ ...apiKey, key: 'mstr_…' }) },
  },
  listKeys: { responses: { 200: pageExample(apiKey) } },
  getCurrentKey: { responses: { 200: successExample(apiKey) } },
  listRoles: { responses: { 200: successExample([role]) } },
  createRole: {
    request: { name: role.name, scopes: role.scopes },
    responses: { 201: successExample(role) },
  },
  getRole: { responses: { 200: successExample(role) } },
  putRole: { request: { scopes: role.scopes }, responses: { 200: successExample(role) } },
  createRoleGrant: {
    request: { subject: roleGrant.subject, role: role.name },
    responses: { 201: successExample(roleGrant) },
  },
  listRoleGrants: { responses: { 200: pageExample(roleGrant) } },
  createUploadLink: {
    request: {
      integrationId: 7,
      name: uploadLink.name,
      uploads: 5,
      expiresAt: uploadLink.expiresAt,
    },
    responses: {
      201: successExample({
        ...uploadLink,
        state: 'open',
        uploadsUsed: 0,
        checksUsed: 0,
        lastUsedAt: null,
        url: 'https://muster.example.com/upload#mlink_EXAMPLE',
      }),
    },
  },
  listUploadLinks: { responses: { 200: pageExample(uploadLink) } },
  getCurrentUploadLink: { responses: { 200: successExample(currentUploadLink) } },
  getIntegrationByName: {
    responses: {
      200: successExample({
        id: WEBHOOK_ID,
        url: webhook.url,
        document: integrationDocument,
        savedBy: webhook.savedBy,
        updatedAt: AT,
      }),
    },
  },
  putIntegrationByName: {
    request: integrationDocument,
    responses: {
      200: successExample(savedIntegration),
      201: successExample({ ...savedIntegration, outcome: 'created' }),
    },
  },
  getDestinationByName: {
    responses: {
      200: successExample({
        id: ID,
        document: destinationDocument,
        savedBy: destination.savedBy,
        updatedAt: AT,
      }),
    },
  },
  getTemplateByName: {
    responses: {
      200: successExample({
        document: templateDocument,
        savedBy: savedTemplate.savedBy,
        updatedAt: AT,
      }),
    },
  },
  putTemplateByName: {
    request: templateDocument,
    responses: {
      200: successExample({
        outcome: 'changed',
        changes: [{ path: 'title', before: 'Checkout', after: 'Checkout alarms' }],
      }),
      201: successExample({
        outcome: 'created',
        changes: [{ path: 'name', before: null, after: 'checkout' }],
      }),
    },
  },
  putDestinationByName: {
    request: {
      ...destinationDocument,
      url: 'https://hooks.example.com/muster',
      headers: { authorization: 'Bearer …' },
    },
    responses: {
      200: successExample(savedDestination),
      201: successExample({ ...savedDestination, outcome: 'created', secret: SECRET }),
    },
  },
  createWebhook: {
    request: { name: 'CPU alarms', template: 'generic-alert' },
    responses: { 201: successExample(webhook) },
  },
  listWebhooks: { responses: { 200: pageExample(webhook) } },
  getWebhook: { responses: { 200: successExample(webhook) } },
  updateWebhook: {
    request: { rateLimit: { eventsPerMinute: 600 } },
    responses: {
      200: successExample({ ...webhook, rateLimit: { eventsPerMinute: 600, overLimitStatus: 503 } }),
    },
  },
  rotateWebhook: { request: { graceSeconds: 3600 }, responses: { 200: successExample(webhook) } },
  listImportedTokens: { responses: { 200: successExample([importedToken]) } },
  importToken: {
    request: { token: '5f0c2a0e-9d1b-4c57-8f43-0b6a7e21d9c4', source: importedToken.source },
    responses: { 201: successExample(importedToken) },
  },
  importWebhooks: {
    request: {
      data: {
        id: ID,
        name: 'Datadog production',
        type: 'Datadog',
        enabled: true,
        apiKey: '5f0c2a0e-9d1b-4c57-8f43-0b6a7e21d9c4',
      },
    },
    responses: { 200: successExample(webhookImport) },
  },
  listSenders: { responses: { 200: successExample(usedTokens) } },
  listWebhookTemplates: { responses: { 200: successExample([template]) } },
  createWebhookTemplate: {
    request: { name: 'checkout', title: 'Checkout alarms', mapping, sample: payload },
    responses: { 201: successExample(savedTemplate) },
  },
  getWebhookTemplate: { responses: { 200: successExample(template) } },
  updateWebhookTemplate: {
    request: { title: 'Checkout alarms' },
    responses: { 200: successExample(savedTemplate) },
  },
  recognizeWebhookTemplate: { request: { payload }, responses: { 200: successExample(recognition) } },
  listSignaturePresets: { responses: { 200: successExample([signaturePreset]) } },
  saveMapping: { request: mapping, responses: { 200: checkedMapping, 201: checkedMapping } },
  getMapping: { responses: { 200: savedMapping } },
  listMappingRevisions: { responses: { 200: pageExample(revision) } },
  getMappingRevision: { responses: { 200: savedMapping } },
  previewMapping: { request: { mapping, payload }, responses: { 200: successExample(preview) } },
  resolveAlert: {
    request: { reason: 'The host is gone.' },
    responses: { 200: { ...jobDone, data: resolveJob }, 202: resolveGoesOn },
  },
  resolveAlerts: {
    request: { filter: { webhookId: ID, lastEventTo: '2026-01-01T00:00:00Z' }, dryRun: true },
    responses: { 200: { ...jobDone, data: resolveJob }, 202: resolveGoesOn },
  },
  refoldAlerts: {
    request: { webhookId: ID, dryRun: true },
    responses: {
      200: { ...jobDone, data: refoldJob },
      202: { ...jobGoesOn, data: { ...jobGoesOn.data, type: 'alert-refold' } },
    },
  },
  trySilence: {
    request: { schedule: openHours },
    responses: {
      200: successExample({
        from: '2026-01-01T12:00:00.000Z',
        to: AT,
        events: 1420,
        longestGapSeconds: 2512,
        candidates: [
          { afterSeconds: 1800, alerts: 4 },
          { afterSeconds: 3600, alerts: 0 },
        ],
        proposedSeconds: 7200,
      }),
    },
  },
  getDrift: {
    responses: {
      200: successExample({
        revision: 1,
        events: 1420,
        paths: [
          {
            field: 'severity',
            path: 'webhook.alert.severity',
            found: 1400,
            missing: 20,
            longestGap: 0,
            last: { eventId: ID, at: AT },
          },
        ],
        types: ['event=alert.opened', 'event=alert.closed'],
        problems: [
          {
            kind: 'path',
            eventId: ID,
            at: AT,
            field: 'severity',
            path: 'webhook.alert.severity',
            proposed: 'webhook.alert.level',
            last: { eventId: ID, at: AT },
          },
        ],
      }),
    },
  },
  listDestinations: { responses: { 200: pageExample(destination) } },
  createDestination: {
    request: {
      name: 'On call',
      preset: 'webhook',
      url: 'https://hooks.example.com/muster',
      headers: { authorization: 'Bearer b3BlbiBzZXNhbWU' },
      severityAtLeast: 'error',
    },
    responses: { 201: successExample({ ...destination, secret: SECRET }) },
  },
  getDestination: { responses: { 200: successExample(destination) } },
  updateDestination: {
    request: { severityAtLeast: 'critical' },
    responses: { 200: successExample({ ...destination, severityAtLeast: 'critical', revision: 2 }) },
  },
  rotateDestinationSecret: {
    request: { graceSeconds: 86_400 },
    responses: { 200: successExample({ ...destination, secret: SECRET }) },
  },
  testDestination: {
    responses: {
      200: successExample({
        delivered: true,
        outcome: 'http_204',
        status: 204,
        response: '',
        tookMs: 41,
        body: '{}',
      }),
    },
  },
  previewDestination: {
    request: { preset: 'webhook', filter: 'alert.environment == "production"', body: TEXT_BODY, last: 1 },
    responses: { 200: successExample([rehearsedMessage]) },
  },
  rehearseDestination: {
    request: { preset: 'webhook', filter: 'alert.environment == "production"', body: TEXT_BODY, days: 7 },
    responses: { 200: successExample(rehearsal) },
  },
  resumeDestination: { request: { deliver: 'latest' }, responses: { 200: successExample(destination) } },
  replayMessages: {
    request: { reasons: ['http_503', 'timeout'], dryRun: true },
    responses: {
      200: { ...jobDone, data: replayJob },
      202: { ...jobGoesOn, data: { ...jobGoesOn.data, type: 'message-replay' } },
    },
  },
  replayMessage: {
    request: { asNew: true },
    responses: {
      200: { ...jobDone, data: { ...replayJob, dryRun: false } },
      202: { ...jobGoesOn, data: { ...jobGoesOn.data, type: 'message-replay' } },
    },
  },
  listGivenUp: { responses: { 200: successExample([givenUp]) } },
  listMessages: { responses: { 200: pageExample(message) } },
  listAttempts: {
    responses: {
      200: successExample({
        body: '{"type":"alert.fired"}',
        attempts: [{ number: 1, beganAt: AT, tookMs: 41, outcome: 'http_204', status: 204, response: '' }],
      }),
    },
  },
  listAlertMessages: { responses: { 200: successExample([message]) } },
  listJobMessages: { responses: { 200: successExample([jobMessage]) } },
  remapAlerts: { request: { onlyIncomplete: true }, responses: { 200: jobDone, 202: jobGoesOn } },
  sendEvent: {
    request: payload,
    responses: {
      200: { validationResponse: '512d38b6-c7b8-40c8-89fe-f46f9e9622b6' },
      202: { status: 'success', message: 'Event accepted.', eventId: EVENT_ID },
    },
  },
  listHeartbeats: { responses: { 200: successExample([heartbeat]) } },
  getHeartbeat: { responses: { 200: successExample(heartbeat) } },
  putHeartbeat: {
    request: heartbeatSettings,
    responses: { 200: successExample(heartbeat), 201: successExample(heartbeat) },
  },
  listTables: { responses: { 200: pageExample(table) } },
  getTable: { responses: { 200: successExample(table), 202: acceptedExample } },
  putTable: { request: [tableRow], responses: { 200: tableUploaded, 202: acceptedExample } },
  updateTable: { request: [tableRow], responses: { 200: tableUploaded, 202: acceptedExample } },
  listTableRows: { responses: { 200: pageExample(tableRow) } },
  listTableRevisions: { responses: { 200: pageExample(tableRevision) } },
  listTableMisses: {
    responses: {
      200: pageExample({ key: 'search-v2', count: 12, firstAt: AT, lastAt: LATER, eventId: EVENT_ID }),
    },
  },
  listTableWebhooks: {
    responses: {
      200: successExample([
        {
          id: WEBHOOK_ID,
          name: 'Prometheus',
          revision: 4,
          lookups: ['service'],
          links: { remap: `/v2/webhooks/${WEBHOOK_ID}/remap` },
        },
      ]),
    },
  },
  revertTable: { request: { revision: 4 }, responses: { 200: successExample(table) } },
  sendHeartbeat: { request: 'Copied 12 files.', ...pingAccepted },
  sendHeartbeatResult: { request: 'No space left on device', ...pingAccepted },
  pingHeartbeat: pingAccepted,
  pingHeartbeatResult: pingAccepted,
  probeWebhook: { responses: { 200: { verification: 'a value that Okta sent' } } },
  listEvents: { responses: { 200: pageExample(event), 202: acceptedExample } },
  getEvent: {
    responses: {
      200: successExample({
        ...event,
        outcomes: [{ item: 0, dedupKey: alert.dedupKey, status: 'firing', outcome: 'opened', alertId: ID }],
        warnings: [],
        lookups: [],
        raw: JSON.stringify(payload),
        rawEncoding: 'utf-8',
        request,
        snsSubscription: null,
      }),
    },
  },
  confirmSnsSubscription: { responses: { 200: successExample(snsConfirmation) } },
  listAlerts: { responses: { 200: pageExample(alert), 202: acceptedExample } },
  getAlert: {
    responses: {
      200: successExample({
        ...alert,
        event,
        repeated: { count: 118, lastAt: AT },
        results: { fields: { title: { ...fields.title, eventId: EVENT_ID } }, custom: {} },
      }),
    },
  },
  getAlertFacets: { responses: { 200: successExample(alertFacets) } },
  getAlertHistogram: { responses: { 200: successExample(alertHistogram) } },
  listAlertEvents: { responses: { 200: pageExample(alertEvent) } },
  getServiceHealth: { responses: { 200: successExample(health) } },
  getLiveness: { responses: { 200: { status: 'success' } } },
  getReadiness: {
    responses: {
      200: { status: 'success', redis: true, database: true, storage: true, worker: true },
      503: { status: 'error', redis: true, database: true, storage: true, worker: false },
    },
  },
  getIntakeReadiness: {
    responses: {
      200: { status: 'success', redis: true, clock: true },
      503: { status: 'error', redis: false, clock: true },
    },
  },
  getGreeting: { responses: { 200: { status: 'success', proof: 'f'.repeat(64) } } },
  getOpenApiDocument: { responses: { 200: { openapi: '3.1.0' } } },
};

/** Returns an example of the JSON body of a request. */
export const requestExample = (operationId: string): unknown => BY_OPERATION[operationId]?.request;

/** Returns an example of the JSON body of a response. */
export const responseExample = (operationId: string, status: number): unknown =>
  BY_OPERATION[operationId]?.responses?.[status] ?? errorExample(status);
