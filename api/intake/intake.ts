import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import type { Database } from '../../db/client/connect.js';
import type { RedisConnection } from '../../workers/queues/connection.js';
import {
  alertIntake,
  type IntakeEvent,
  type IntakeQueue,
  intakeQueue,
} from '../../workers/queues/contracts/alert-intake.js';
import type { Producer } from '../../workers/queues/producer.js';
import { SecretBox } from '../access/secret-box.js';
import { SecretKeeper } from '../access/secret-keeper.js';
import { RequestError, unavailable } from '../http/errors.js';
import type { ApiSettings } from '../settings.js';
import { IntakeBuffer } from './buffer.js';
import { eventIdFor, newEventId } from './event-id.js';
import { type BatchListener, GroupCommit } from './group-commit.js';
import { jsonText } from './json-document.js';
import { IntakePressure } from './pressure.js';
import { RateLimits } from './rate-limits.js';
import { type BrokenOff, EventBodies } from './read-event-body.js';
import { RefusalLog } from './refusal-log.js';
import { isSigned, signedDeliveryId } from './signature.js';
import { type Target, WebhookDirectory } from './webhook-directory.js';

/** Of a body that was refused people are shown the beginning. */
const REJECTED_BYTES = 8 * 1024;

interface Dependencies {
  settings: ApiSettings;
  database: Database;
  redis: RedisConnection;
  producer: Producer;
  log: Logger;
}

/** All that takes events in: who may send, how much fits, and the way into the queue. One for the process. */
export class Intake {
  readonly box: SecretBox;
  readonly secrets: SecretKeeper;
  readonly directory: WebhookDirectory;
  readonly buffer: IntakeBuffer;
  readonly bodies: EventBodies;
  readonly refusals: RefusalLog;
  /** Events that were taken in since the start. */
  acceptedEvents = 0;
  /** Told of each batch that a queue has: its events, and the time since the first of them came. */
  onBatch: BatchListener = () => {};
  readonly #pressure: IntakePressure;
  readonly #limits: RateLimits;
  readonly #commits: ReadonlyMap<IntakeQueue, GroupCommit>;

  constructor({ settings, database, redis, producer, log }: Dependencies) {
    const { redisPrefix, secretKey, secretKeyOld, intakeBufferBytes, intakeMaxQueued } = settings;
    this.box = new SecretBox(secretKey, secretKeyOld);
    this.secrets = new SecretKeeper(database, this.box, log);
    this.directory = new WebhookDirectory(database, this.box, log);
    this.refusals = new RefusalLog(log);
    this.bodies = new EventBodies(settings.requestTimeoutMs);
    this.buffer = new IntakeBuffer(intakeBufferBytes);
    this.#pressure = new IntakePressure(redis, redisPrefix, intakeMaxQueued);
    this.#limits = new RateLimits(redis, redisPrefix);
    const commit = (queue: IntakeQueue) =>
      new GroupCommit(
        (id, events) => producer.enqueue(alertIntake, id, { version: 1, events }, { queue }),
        (events, seconds) => this.onBatch(events, seconds),
      );
    this.#commits = new Map(alertIntake.queues.map((queue) => [queue, commit(queue)]));
  }

  start(): void {
    this.directory.start();
    this.#pressure.start();
  }

  /** Resolves when all that was taken in is in the queue, or refused. */
  async stop(): Promise<void> {
    await Promise.all(Object.values(this.#commits).map((commit) => commit.flush()));
    this.bodies.stop();
    this.secrets.stop();
    await this.#pressure.stop();
    await this.directory.stop();
  }

  /** Throws 503 while the queue, or this integration's share of it, is as full as it may get. */
  refuseWhenFull({ webhook }: Target): void {
    if (this.#pressure.full) throw busy('The queue is full');
    if (this.#pressure.sharedOut(webhook.id)) throw busy("This integration's share of the queue is full");
  }

  /** Takes a body whole; answers the event's id once the queue has it for good. */
  async take(target: Target, headers: IncomingHttpHeaders, body: Buffer): Promise<string> {
    const { webhook } = target;
    checkSignature(target, headers, body);
    await this.#limits.count(webhook);
    const raw = this.#textOf(target, body);
    const isStandard = webhook.signatureScheme === 'standard-webhooks';
    const id = eventIdFor(webhook.id, isStandard ? signedDeliveryId(headers) : headers);
    await this.#queue({ id, webhookId: webhook.id, receivedAt: Date.now(), raw }, body.length);
    this.#pressure.accepted(webhook.id, raw.length);
    this.acceptedEvents += 1;
    return id;
  }

  /** What is no JSON is refused, and recorded for people to see. */
  #textOf({ webhook }: Target, body: Buffer): string {
    try {
      return jsonText(body);
    } catch (error) {
      this.#record(webhook.id, body, error as RequestError);
      throw error;
    }
  }

  /**
   * Records what came of a body that broke off, within the integration's limit. Where a signature is required there is no
   * record, because the signature of a part cannot be checked. Never rejects.
   */
  async recordBrokenOff({ webhook }: Target, error: BrokenOff): Promise<void> {
    if (webhook.signatureScheme !== null) return;
    const mayRecord = await this.#limits.count(webhook).then(
      () => true,
      () => false,
    );
    if (mayRecord) this.#record(webhook.id, error.begin, error);
  }

  /** Nobody waits for the record, so it has room of its own in the buffer; without that there is none. */
  #record(webhookId: string, body: Buffer, { code, message }: RequestError): void {
    const begin = body.subarray(0, REJECTED_BYTES);
    const room = IntakeBuffer.size(2 * begin.length);
    if (!this.buffer.take(webhookId, room)) return;
    const raw = begin.toString('base64');
    const event = { id: newEventId(), webhookId, receivedAt: Date.now(), raw, base64: true as const };
    this.#queue({ ...event, rejected: { code, message } }, raw.length)
      .then(
        () => this.#pressure.accepted(webhookId, raw.length),
        () => {},
      )
      .finally(() => this.buffer.give(webhookId, room));
  }

  #queue(event: IntakeEvent, bytes: number): Promise<void> {
    const queue = intakeQueue(this.#pressure.floods(event.webhookId));
    this.#pressure.add(event.webhookId, event.raw.length);
    return (this.#commits.get(queue) as GroupCommit).join(event, bytes);
  }
}

function checkSignature(
  { webhook, signatureSecret }: Target,
  headers: IncomingHttpHeaders,
  body: Buffer,
): void {
  if (webhook.signatureScheme === null) return;
  if (signatureSecret === null) throw unavailable('The secret that signatures are checked with');
  if (isSigned(webhook.signatureScheme, signatureSecret, headers, body)) return;
  const header = webhook.signatureScheme === 'github' ? 'x-hub-signature-256' : 'webhook-signature';
  throw new RequestError(401, 'bad_signature', 'The signature is missing, wrong, or too old.', {
    headers: { 'WWW-Authenticate': `WebhookSignature header="${header}"` },
  });
}

/** The sender should try again: there is no room for its event just now. */
export const busy = (why: string): RequestError =>
  new RequestError(503, 'overloaded', `${why}; nothing was taken. Send it again later.`, {
    headers: { 'Retry-After': '5' },
  });
