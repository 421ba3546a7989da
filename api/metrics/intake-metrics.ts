import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { setCounter } from '../../workers/process/metrics.js';
import type { Services } from '../services.js';

/**
 * Shows what the intake counts by itself: an event costs a plain addition, and only each batch is entered into histograms.
 */
export function exposeIntake(
  registry: Registry,
  { intake, settings }: Pick<Services, 'intake' | 'settings'>,
) {
  const registers = [registry];
  const batchEvents = new Histogram({
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
  intake.onBatch = (events, seconds) => {
    batchEvents.observe(events);
    acknowledged.observe(seconds);
  };
  new Counter({
    name: 'muster_intake_accepted_events_total',
    help: 'Events that were answered with 202',
    registers,
    collect() {
      setCounter(this, [[{}, intake.acceptedEvents]]);
    },
  });
  new Counter({
    name: 'muster_intake_refused_events_total',
    help: 'Events that were answered with an error, by the code in the answer',
    labelNames: ['reason'],
    registers,
    collect() {
      setCounter(this, intake.refusals.totals());
    },
  });
  new Gauge({
    name: 'muster_intake_buffer_bytes',
    help: 'Memory held by events that are being received or wait to be acknowledged',
    registers,
    collect() {
      this.set(intake.buffer.heldBytes);
    },
  });
  new Gauge({
    name: 'muster_intake_buffer_limit_bytes',
    help: 'Memory that such events may hold (INTAKE_BUFFER_BYTES); what would exceed it is answered with 503',
    registers,
  }).set(settings.intakeBufferBytes);
}
