/**
 * The types of the API's responses, derived from the server's schemas. Type-only imports: no server code reaches the
 * browser.
 */
import type { z } from 'zod';
import type { SCOPES } from '../../../db/access/api-keys.js';
import type { jobSchema } from '../../jobs/job-schema.js';
import type { keySchema } from '../../routes/access/keys.js';
import type { currentUploadLinkSchema, uploadLinkSchema } from '../../routes/access/upload-links.js';
import type { accountSystemDaySchema } from '../../routes/account-systems/days.js';
import type { accountSystemSchema } from '../../routes/account-systems/manage.js';
import type { facetsSchema } from '../../routes/alerts/counts/facets.js';
import type { histogramSchema } from '../../routes/alerts/counts/histogram.js';
import type { lookupSchema } from '../../routes/alerts/lookups.js';
import type { alertDetailSchema } from '../../routes/alerts/read.js';
import type { alertSchema } from '../../routes/alerts/schema.js';
import type { TimelineEntry } from '../../routes/alerts/timeline.js';
import type { auditFacetsSchema } from '../../routes/audit/facets.js';
import type { auditEntrySchema } from '../../routes/audit/schema.js';
import type { Rehearsal, RehearsedMessage } from '../../routes/destinations/rehearsal/schema.js';
import type {
  attemptSchema,
  destinationSchema,
  givenUpSchema,
  messageSchema,
} from '../../routes/destinations/schema.js';
import type { resultSchema } from '../../routes/destinations/test.js';
import type { eventSchema, receiptSchema } from '../../routes/events/schema.js';
import type { snsConfirmationSchema } from '../../routes/events/sns-subscription.js';
import type { feedSchema, runSchema } from '../../routes/feeds/schema.js';
import type { heartbeatSchema } from '../../routes/heartbeats/schema.js';
import type { coverageSchema } from '../../routes/identities/coverage/schema.js';
import type { precisionSchema } from '../../routes/identities/decisions/list.js';
import type { decisionSchema } from '../../routes/identities/decisions/schema.js';
import type { entrySchema } from '../../routes/identities/history.js';
import type { identitySchema } from '../../routes/identities/page.js';
import type { uploadPreviewSchema } from '../../routes/identities/preview-schema.js';
import type { jobFacetsSchema } from '../../routes/jobs/facets.js';
import type { healthSchema } from '../../routes/operations/health.js';
import type { missSchema } from '../../routes/tables/misses.js';
import type { tableRevision, tableRow, tableSchema } from '../../routes/tables/schema.js';
import type { userSchema } from '../../routes/tables/webhooks.js';
import type { recognitionSchema } from '../../routes/templates/recognize.js';
import type { templateSchema } from '../../routes/templates/schema.js';
import type { driftSchema } from '../../routes/webhooks/drift.js';
import type { importSchema } from '../../routes/webhooks/import/import.js';
import type { revisionSchema, savedMapping } from '../../routes/webhooks/mapping-body.js';
import type { mappingPreviewSchema } from '../../routes/webhooks/preview-schema.js';
import type { webhookSchema } from '../../routes/webhooks/schema.js';
import type { usedTokenSchema } from '../../routes/webhooks/senders.js';
import type { presetSchema } from '../../routes/webhooks/signature-presets.js';
import type { trialSchema } from '../../routes/webhooks/silence-trial.js';

export type {
  AlertField,
  FieldMapping,
  MappedField,
  Mapping,
  OwnSeverities,
  SeriesField,
} from '../../../workers/mapping/definition/schema.js';
export type { FieldResult } from '../../../workers/mapping/render/results.js';
export type { PresetName } from '../../../workers/outbox/presets/index.js';

/** One resource. */
export interface One<Data> {
  status: 'success';
  data: Data;
}

/** A page of a list. `total` is present only if it was requested. */
export interface Page<Row> extends One<Row[]> {
  page: { pageSize: number; nextCursor: string | null; pageIndex?: number; total?: number };
}

/** A job that was accepted and runs in the background. */
export interface Accepted {
  status: 'success';
  message: string;
  jobId: string;
}

export type JobFacets = z.infer<typeof jobFacetsSchema>;
export type AuditEntry = z.infer<typeof auditEntrySchema>;
export type AuditFacets = z.infer<typeof auditFacetsSchema>;
export type Scope = (typeof SCOPES)[number];
export type ApiKey = z.infer<typeof keySchema>;
export type UploadLink = z.infer<typeof uploadLinkSchema>;
export type CurrentUploadLink = z.infer<typeof currentUploadLinkSchema>;
export type Webhook = z.infer<typeof webhookSchema>;
export type Heartbeat = z.infer<typeof heartbeatSchema>;
export type WebhookImport = z.infer<typeof importSchema>;
export type UsedToken = z.infer<typeof usedTokenSchema>;
export type Drift = z.infer<typeof driftSchema>;
export type SilenceTrial = z.infer<typeof trialSchema>;
export type SignaturePreset = z.infer<typeof presetSchema>;
export type WebhookTemplate = z.infer<typeof templateSchema>;
export type TemplateRecognition = z.infer<typeof recognitionSchema>;
export type MappingRevision = z.infer<typeof revisionSchema>;
export type SavedMapping = z.infer<typeof savedMapping>;
export type Preview = z.infer<typeof mappingPreviewSchema>;
export type Event = z.infer<typeof eventSchema>;
export type SnsConfirmation = z.infer<typeof snsConfirmationSchema>;
export type Receipt = z.infer<typeof receiptSchema>;
export type Alert = z.infer<typeof alertSchema>;
export type AlertFacets = z.infer<typeof facetsSchema>;
export type AlertHistogram = z.infer<typeof histogramSchema>;
export type AlertEvent = TimelineEntry;
/** What was looked up for an event. */
export type LookedUp = z.infer<typeof lookupSchema>;
export type AlertDetail = z.infer<typeof alertDetailSchema>;
export type Destination = z.infer<typeof destinationSchema>;
export type Message = z.infer<typeof messageSchema>;
export type Attempt = z.infer<typeof attemptSchema>;
export type { Rehearsal, RehearsedMessage };
export type GivenUp = z.infer<typeof givenUpSchema>;
export type TestResult = z.infer<typeof resultSchema>;
export type Identity = z.infer<typeof identitySchema>;
export type WorklistDecision = z.infer<typeof decisionSchema>;
export type RulePrecision = z.infer<typeof precisionSchema>;
export type HistoryEntry = z.infer<typeof entrySchema>;
export type LookupTable = z.infer<typeof tableSchema>;
export type LookupRow = z.infer<typeof tableRow>;
export type Miss = z.infer<typeof missSchema>;
export type TableUser = z.infer<typeof userSchema>;
export type LookupRevision = z.infer<typeof tableRevision>;
export type UploadPreview = z.infer<typeof uploadPreviewSchema>;
export type Feed = z.infer<typeof feedSchema>;
export type FeedRun = z.infer<typeof runSchema>;
export type AccountSystem = z.infer<typeof accountSystemSchema>;
export type AccountSystemDay = z.infer<typeof accountSystemDaySchema>;
export type Coverage = z.infer<typeof coverageSchema>;
export type Job = z.infer<typeof jobSchema>;
export type Health = z.infer<typeof healthSchema>;
