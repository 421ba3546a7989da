import { rankOf } from '../../../db/events/alerts/severity-rank.js';
import type { NewAlert } from '../../../db/events/new-event.js';
import type { SeriesKey, SeriesPosition, StoredSeriesAlert } from '../../../db/series/series.js';
import type { SeriesAlert, SeriesWriter } from '../../../db/series/series-writer.js';
import {
  type ALERT_FIELDS,
  endOf,
  isFiring,
  type Occurrence,
  RowItem,
  rankOfItem,
  repeatWindowMs,
  severityItemOf,
  severityOf,
  shownAlert,
  stateOfErrors,
} from '../../mapping/index.js';
import { writePeak, writeProviders } from './stored-state.js';

/** Returns an occurrence as a row of `alerts`. */
export function toAlertRow(occurrence: Occurrence): SeriesAlert {
  const { newest, providers, peak } = occurrence;
  const end = endOf(occurrence);
  const peakSeverity = severityOf(peak);
  const texts = !providers && newest instanceof RowItem ? newest.row : toTexts(occurrence);
  return {
    receivedAt: occurrence.receivedAt,
    id: occurrence.id,
    lastEventAt: occurrence.newestEvent.receivedAt,
    resolvedAt: end?.resolvedAt ?? null,
    resolvedBy: end?.resolvedBy ?? null,
    resolution: end?.resolution ?? null,
    peakSeverity,
    peakRank: peakSeverity === null ? null : rankOfItem(peak),
    peakAt: peakSeverity === null ? null : peak.receivedAt,
    eventCount: occurrence.eventCount,
    previousAlertId: occurrence.previousAlertId,
    endedBefore: occurrence.endedBefore,
    revision: occurrence.newestEvent.revision,
    state: texts.faults === null ? 'complete' : stateOfErrors(shownAlert(occurrence).errors),
    title: texts.title,
    severity: texts.severity,
    ownRank: rankOfItem(severityItemOf(occurrence)),
    description: texts.description,
    source: texts.source,
    service: texts.service,
    environment: texts.environment,
    team: texts.team,
    ownerEmail: texts.ownerEmail,
    custom: texts.custom,
    faults: texts.faults,
  };
}

/** Returns an alert as destinations are told of it. */
export const toToldAlert = (
  { webhookId, dedupKey }: Pick<SeriesKey, 'webhookId' | 'dedupKey'>,
  row: SeriesAlert,
) => ({
  id: row.id,
  webhookId,
  dedupKey,
  status: row.resolvedAt === null ? ('firing' as const) : ('resolved' as const),
  severity: row.severity,
  severityRank: rankOf(row),
  title: row.title,
  description: row.description,
  source: row.source,
  service: row.service,
  environment: row.environment,
  team: row.team,
  custom: row.custom === null ? {} : JSON.parse(row.custom),
  startedAt: new Date(row.receivedAt).toISOString(),
  resolvedAt: row.resolvedAt === null ? null : new Date(row.resolvedAt).toISOString(),
  resolvedBy: row.resolvedBy,
  resolution: row.resolution,
  peakSeverity: row.peakSeverity,
  eventCount: row.eventCount,
});

function toTexts(
  occurrence: Occurrence,
): Pick<NewAlert, (typeof ALERT_FIELDS)[number] | 'custom' | 'faults'> {
  const { values, custom, errors } = shownAlert(occurrence);
  const [title, severity, description, source, service, environment, team, ownerEmail] = values;
  return {
    title: title ?? null,
    severity: severity ?? null,
    description: description ?? null,
    source: source ?? null,
    service: service ?? null,
    environment: environment ?? null,
    team: team ?? null,
    ownerEmail: ownerEmail ?? null,
    custom: Object.keys(custom).length > 0 ? JSON.stringify(custom) : null,
    faults: errors.length > 0 ? JSON.stringify(errors) : null,
  };
}

/** Adds the state of a series to what is written. `latest` is null if no item has been firing. */
export function addState(
  writer: SeriesWriter,
  key: SeriesKey,
  { newest, ended }: { newest: SeriesPosition; ended: string | null },
  latest: { occurrence: Occurrence; row: SeriesAlert } | null,
): void {
  if (!latest) {
    writer.addSeries(key, { newest, ended, alert: null });
    return;
  }
  const { occurrence, row } = latest;
  const { receivedAt, id, eventCount, previousAlertId } = occurrence;
  writer.addSeries(key, {
    newest,
    ended,
    alert: {
      receivedAt,
      id,
      eventCount,
      previousAlertId,
      occurrence: occurrence.occurrence,
      firing: isFiring(occurrence) && repeatWindowMs(key.dedupKey) === null,
      newest: occurrence.newest,
      closedBy: closedBy(occurrence),
      peak: writePeak(occurrence),
      severity: row.severity,
      providers: writeProviders(occurrence),
      bytes: sizeOf(row),
    },
  });
}

const closedBy = (occurrence: Occurrence): StoredSeriesAlert['closedBy'] => {
  const end = endOf(occurrence);
  return end === null || end.resolvedBy === 'event' ? null : end.resolvedBy;
};

const sizeOf = ({ description, custom, faults }: SeriesAlert): number =>
  SHORT_TEXTS_BYTES + (description?.length ?? 0) + (custom?.length ?? 0) + (faults?.length ?? 0);

/** The other texts have at most 255 characters. */
const SHORT_TEXTS_BYTES = 500;
