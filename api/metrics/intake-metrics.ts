import { Histogram, type Registry } from 'prom-client';
import { CallbackMetrics } from '../../workers/process/metrics.js';
import type { Services } from '../services.js';

/** Reasons that are there from the start: a count that comes out of nowhere has no rate. */
const EXPECTED = ['unavailable', 'overloaded', 'over_limit', 'not_found', 'malformed_json', 'internal_error'];

/**
 * Shows what the intake counts by itself: an event costs a plain addition, and only each batch is entered into histograms.
 */
export function exposeIntake(registry: Registry, services: Pick<Services, 'intake' | 'settings'>): void {
  exposeBatches(registry, services.intake);
  const { intake, settings } = services;
  const shown = new CallbackMetrics(registry);
  shown.counter(
    'muster_intake_accepted_events_total',
    'Events that were answered with 202',
    () => intake.acceptedEvents,
  );
  shown.counters(
    'muster_intake_refused_events_total',
    'Events that were answered with an error, by the code in the answer',
    'reason',
    () => [...EXPECTED.map((reason) => [reason, 0] as const), ...intake.refusals.totals()],
  );
  shown.gauges(
    'muster_sealed_secrets',
    'Webhook tokens and signature secrets in the database, by whether SECRET_KEY (current) or only SECRET_KEY_OLD (old) decrypts them',
    'key',
    () => Object.entries(intake.secrets.counts),
  );
  shown.gauge(
    'muster_intake_buffer_bytes',
    'Memory held by events that are being received or wait to be acknowledged',
    () => intake.buffer.heldBytes,
  );
  shown.gauge(
    'muster_intake_buffer_limit_bytes',
    'Memory that such events may hold (INTAKE_BUFFER_BYTES); what would exceed it is answered with 503',
    () => settings.intakeBufferBytes,
  );
}

function exposeBatches(registry: Registry, intake: Services['intake']): void {
  const registers = [registry];
  const events = new Histogram({
    name: 'muster_intake_batch_events',
    help: 'Events of a batch that went into a queue together; bodies recorded as refused are among them',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200],
    registers,
  });
  const acknowledged = new Histogram({
    name: 'muster_intake_acknowledge_seconds',
    help: 'Time from the first event of a batch to the queue having it for good',
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2],
    registers,
  });
  intake.onBatch = (count, seconds) => {
    events.observe(count);
    acknowledged.observe(seconds);
  };
}
