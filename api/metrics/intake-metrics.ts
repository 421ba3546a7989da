import { Histogram, type Registry } from 'prom-client';
import { CallbackMetrics } from '../../workers/process/metrics.js';
import type { Intake } from '../intake/intake.js';
import type { ApiSettings } from '../settings.js';

export interface IntakeSource {
  intake: Intake;
  settings: ApiSettings;
}

/** Reasons with a series from the start: Prometheus computes no rate for the first value of a series. */
const EXPECTED = ['unavailable', 'overloaded', 'over_limit', 'not_found', 'malformed_json', 'internal_error'];

/** Registers the metrics of the intake. An event costs one addition; only a batch is observed in histograms. */
export function exposeIntake(registry: Registry, services: IntakeSource): void {
  exposeBatches(registry, services.intake);
  const { intake, settings } = services;
  const metrics = new CallbackMetrics(registry);
  metrics.counter(
    'muster_intake_accepted_events_total',
    'Events acknowledged with 202',
    () => intake.acceptedEvents,
  );
  metrics.counters(
    'muster_intake_refused_events_total',
    'Events rejected, by the error code of the response',
    'reason',
    () => [...EXPECTED.map((reason) => [reason, 0] as const), ...intake.rejections.totals()],
  );
  metrics.gauges(
    'muster_sealed_secrets',
    'Webhook tokens and signature secrets in the database, by whether SECRET_KEY (current) or only SECRET_KEY_OLD (old) decrypts them',
    'key',
    () => Object.entries(intake.secrets.counts),
  );
  metrics.gauge(
    'muster_intake_buffer_bytes',
    'Memory held by events that are being received or are not yet acknowledged',
    () => intake.buffer.heldBytes,
  );
  metrics.gauge(
    'muster_intake_buffer_limit_bytes',
    'Limit of that memory (INTAKE_BUFFER_BYTES); an event beyond it gets 503',
    () => settings.intakeBufferBytes,
  );
}

function exposeBatches(registry: Registry, intake: Intake): void {
  const registers = [registry];
  const events = new Histogram({
    name: 'muster_intake_batch_events',
    help: 'Events of a batch that entered a queue together, including the bodies of rejected events',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200],
    registers,
  });
  const acknowledged = new Histogram({
    name: 'muster_intake_acknowledge_seconds',
    help: 'Time from the first event of a batch until the queue has stored the batch',
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2],
    registers,
  });
  intake.queue.onBatch = (count, seconds) => {
    events.observe(count);
    acknowledged.observe(seconds);
  };
}
