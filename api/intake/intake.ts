import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, OutgoingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Database } from '../../db/client/connect.js';
import type { PostedAlert } from '../../workers/alertmanager/posted-alert.js';
import type { ClockWatch } from '../../workers/clocks/clock-watch.js';
import { SecretBox } from '../../workers/process/secret-box.js';
import type { RedisConnection } from '../../workers/queues/connection.js';
import type { HeartbeatPing, IntakeEvent } from '../../workers/queues/contracts/alert-intake.js';
import type { Producer } from '../../workers/queues/producer.js';
import { SecretKeeper } from '../access/secret-keeper.js';
import { RequestError } from '../http/errors.js';
import type { ApiSettings } from '../settings.js';
import type { SnsCertificates } from '../sns/sns-certificates.js';
import { busy, IntakeBuffer } from './buffer.js';
import { deliveryIdIn, eventIdFor, eventIdsFor, newEventId } from './event-id.js';
import { EventQueue, portionsOf } from './event-queue.js';
import { KeyOrder } from './key-order.js';
import { Listening } from './listening.js';
import { type Quota, RateLimits, tellQuota } from './rate-limits.js';
import { RejectionLog } from './rejection-log.js';
import { eventText, plainBody, type SentBody } from './request/event-text.js';
import { type KeptRequest, keptRequest } from './request/kept-request.js';
import { EventBodies, type TruncatedBody } from './request/read-event-body.js';
import { SenderClocks } from './sender-clocks.js';
import { SenderCounts } from './sender-counts.js';
import { SignatureObservations } from './signature/observations.js';
import { rejectionResponse } from './signature/rejection-response.js';
import type { SignatureCheck } from './signature/signature-check.js';
import { type TokenTarget, WebhookDirectory } from './webhook-directory.js';

/** How much of a rejected body is stored, so that people can see what was sent. */
const REJECTED_BYTES = 8 * 1024;

interface Dependencies {
  settings: ApiSettings;
  database: Database;
  redis: RedisConnection;
  producer: Producer;
  clock: ClockWatch;
  log: Logger;
  snsCertificates: SnsCertificates;
}

/** A request, and where its sender is told of the limit. */
interface Sending {
  req: KeptRequest;
  res: OutgoingMessage;
}

/** An event that is written from a request. */
interface WrittenEvent {
  write(id: string): string;
  /** Of the problem: events with the same key keep the order in which they are accepted, on whatever hosts. Null: the clocks decide. */
  key: string | null;
  /** The number of the event among those of the request, from 0. */
  number: number;
}

/** Receives events: authenticates senders, limits memory and rates, and adds events to the queue. One per process. */
export class Intake {
  readonly box: SecretBox;
  readonly secrets: SecretKeeper;
  readonly directory: WebhookDirectory;
  readonly queue: EventQueue;
  readonly buffer: IntakeBuffer;
  readonly bodies: EventBodies;
  readonly rejections: RejectionLog;
  readonly senders: SenderCounts;
  readonly observations: SignatureObservations;
  readonly listening: Listening;
  readonly senderClocks = new SenderClocks();
  /** Events that were accepted since the start of the process. */
  acceptedEvents = 0;
  readonly #clock: ClockWatch;
  readonly #limits: RateLimits;
  readonly #order: KeyOrder;

  constructor({ settings, database, redis, producer, clock, log, snsCertificates }: Dependencies) {
    this.#clock = clock;
    const { redisPrefix, secretKey, secretKeyOld, intakeBufferBytes } = settings;
    this.box = new SecretBox(secretKey, secretKeyOld);
    this.secrets = new SecretKeeper(database, this.box, log);
    this.directory = new WebhookDirectory({
      database,
      box: this.box,
      certificates: snsCertificates,
      clock,
      log,
    });
    this.observations = new SignatureObservations(redis, redisPrefix);
    this.rejections = new RejectionLog(log);
    this.senders = new SenderCounts(database, clock, log);
    this.bodies = new EventBodies(settings.requestTimeoutMs);
    this.buffer = new IntakeBuffer(intakeBufferBytes);
    this.queue = new EventQueue({ settings, redis, producer, log });
    this.#limits = new RateLimits(redis, redisPrefix);
    this.#order = new KeyOrder(redis, redisPrefix);
    this.listening = new Listening(database, () => clock.isSure && this.queue.isOpen, log);
  }

  start(): void {
    this.directory.start();
    this.queue.start();
    this.observations.start();
    this.senders.start();
    this.listening.start();
  }

  /** Resolves when all received events are queued or rejected. */
  async stop(): Promise<void> {
    await this.listening.stop();
    await this.queue.drained();
    this.bodies.stop();
    this.secrets.stop();
    await this.queue.stop();
    await this.observations.stop();
    await this.senders.stop();
    await this.directory.stop();
  }

  /** @throws RequestError 503 `overloaded` while the queue, or this integration's share of it, is full */
  rejectWhenFull(target: TokenTarget): void {
    const full = this.queue.fullFor(target.webhook.id);
    if (full === null) return;
    const error = busy(full);
    this.directory.refused(target, error.code);
    throw error;
  }

  /** Accepts a complete request. Resolves to the event's id once the queue has stored the event. */
  async accept(target: TokenTarget, { req, res }: Sending, sent: SentBody): Promise<string> {
    const { webhook, signature } = target;
    const { isVerified, quota } = await this.#admit(target, req.headers, sent.body);
    const request = keptRequest(req, target.reads);
    const raw = await this.#textOf(webhook.id, request, sent, req.headers);
    const delivery = isVerified
      ? (signature?.deliveryId(req.headers, sent.body) ?? null)
      : deliveryIdIn(req.headers);
    const id = eventIdFor(webhook.id, { delivery, isUnverified: signature !== null && !isVerified, raw });
    await this.#add(
      { id, webhookId: webhook.id, receivedAt: this.#clock.now(), raw, request },
      sent.body.length,
    );
    tellQuota(res, quota);
    return id;
  }

  /**
   * Accepts an event that is written from a complete request, in a form of its own. Resolves to the event's id.
   * @param text the JSON text of its body
   * @param write returns the body of the event with this id
   */
  async acceptWritten(
    target: TokenTarget,
    { req, res }: Sending,
    { body, text }: { body: Buffer; text: string },
    { write, key, number }: WrittenEvent,
  ): Promise<string> {
    const { webhook, signature } = target;
    const { isVerified, quota } = await this.#admit(target, req.headers, body);
    const sent = isVerified ? (signature?.deliveryId(req.headers, body) ?? null) : deliveryIdIn(req.headers);
    const delivery = sent && number > 0 ? { ...sent, name: `${sent.name}#${number}` } : sent;
    const isUnverified = signature !== null && !isVerified;
    const id = eventIdFor(webhook.id, { delivery, isUnverified, raw: text });
    const request = keptRequest(req, target.reads);
    const receivedAt =
      key === null ? this.#clock.now() : await this.#order.timeOf(webhook.id, key, this.#clock.now());
    await this.#add({ id, webhookId: webhook.id, receivedAt, raw: write(id), request }, body.length);
    tellQuota(res, quota);
    return id;
  }

  /**
   * Accepts alerts of a complete request, each of which is an event. They count as one for the limit of the integration. Resolves once all are
   * queued.
   * @param alerts read as they are queued, a portion at a time: a long list does not hold the process
   */
  async acceptAll(
    target: TokenTarget,
    { req, res }: Sending,
    { body, alerts }: { body: Buffer; alerts: Iterable<PostedAlert> },
  ): Promise<void> {
    const { webhook, signature } = target;
    const { isVerified, quota } = await this.#admit(target, req.headers, body);
    const delivery = isVerified
      ? (signature?.deliveryId(req.headers, body) ?? null)
      : deliveryIdIn(req.headers);
    const isUnverified = signature !== null && !isVerified;
    const request = keptRequest(req, target.reads);
    let from = 0;
    for (const { portion, sizes, size } of portionsOf(alerts)) {
      this.rejectWhenFull(target);
      const ids = eventIdsFor(webhook.id, { delivery, isUnverified }, { from, sizes });
      const list = { webhookId: webhook.id, receivedAt: this.#clock.now(), request, ids, alerts: portion };
      await this.queue.addList(list, size + request.length);
      this.acceptedEvents += ids.length;
      from += ids.length;
    }
    tellQuota(res, quota);
  }

  /**
   * Resolves for a request without a body that may read from an integration.
   * @throws RequestError 401 or 503 without a valid signature, if the integration requires one
   */
  async requireSignature(target: TokenTarget, headers: IncomingHttpHeaders): Promise<void> {
    if (target.signature) await this.#verify(target, target.signature, headers, Buffer.alloc(0));
  }

  /**
   * Resolves to whether the request has a valid signature, and to what is left of the limit.
   * @throws RequestError if the time is unknown, the signature is rejected, or the integration is over its limit
   */
  async #admit(
    target: TokenTarget,
    headers: IncomingHttpHeaders,
    body: Buffer,
  ): Promise<{ isVerified: boolean; quota: Quota | null }> {
    if (!this.#clock.isSure && !(await this.#clock.becomeSure())) throw timeUnknown();
    const { webhook, signature } = target;
    const isVerified = signature !== null && (await this.#verify(target, signature, headers, body));
    return { isVerified, quota: await this.#limits.count(webhook) };
  }

  async #add(event: IntakeEvent & { request: string }, bodyBytes: number): Promise<void> {
    const bytes = Math.max(bodyBytes, event.raw.length) + event.request.length;
    await this.queue.add(event, bytes);
    this.acceptedEvents += 1;
  }

  /**
   * Counts a ping towards the limit of its integration, before a heartbeat is created for it. Resolves to what is left.
   * @throws RequestError if the time is unknown, or the integration is over its limit
   */
  async admitPing({ webhook }: TokenTarget): Promise<Quota | null> {
    if (!this.#clock.isSure && !(await this.#clock.becomeSure())) throw timeUnknown();
    return this.#limits.count(webhook);
  }

  /** Accepts a ping of a heartbeat that was admitted. Resolves to its event's id once the queue has stored it. */
  async acceptPing(target: TokenTarget, req: KeptRequest, ping: HeartbeatPing, log: Buffer): Promise<string> {
    const { webhook, reads } = target;
    const encoded = isUtf8(log)
      ? { raw: log.toString() }
      : { raw: log.toString('base64'), base64: true as const };
    const id = newEventId();
    const receivedAt = this.#clock.now();
    await this.#add(
      { id, webhookId: webhook.id, receivedAt, request: keptRequest(req, reads), ping, ...encoded },
      0,
    );
    return id;
  }

  /**
   * Resolves to whether the request has a valid signature.
   * @throws RequestError 401 or 503 if it has none, unless the integration only observes
   */
  async #verify(
    { webhook }: TokenTarget,
    signature: SignatureCheck,
    headers: IncomingHttpHeaders,
    body: Buffer,
  ): Promise<boolean> {
    const outcome = await signature.check({ headers, body, now: this.#clock.now() });
    this.observations.count({ webhookId: webhook.id, since: signature.since }, outcome);
    if (outcome.verdict === 'verified') return true;
    if (signature.observes) return false;
    throw rejectionResponse(outcome.verdict, signature.preset, webhook.signatureParameters);
  }

  /** Returns the JSON text of a body. Records one that has none as a rejected event, and throws. */
  async #textOf(
    webhookId: string,
    request: string,
    sent: SentBody,
    headers: IncomingHttpHeaders,
  ): Promise<string> {
    let { body } = sent;
    try {
      body = await plainBody(headers, sent);
      return await eventText(body, headers['content-type'], sent);
    } catch (error) {
      // A full buffer is not the sender's mistake: the same request may succeed later.
      if (error instanceof RequestError && error.status < 500) this.#record(webhookId, request, body, error);
      throw error;
    }
  }

  /**
   * Records the received part of a body that was cut off, as {@link recordRejected} does. Never rejects.
   */
  recordTruncated(target: TokenTarget, req: KeptRequest, error: TruncatedBody): Promise<void> {
    return this.recordRejected(target, req, error.start, error);
  }

  /**
   * Records a body that was rejected, within the integration's rate limit. Records nothing if a signature is required, because that was not
   * checked. Never rejects.
   */
  async recordRejected(
    { webhook, reads }: TokenTarget,
    req: KeptRequest,
    body: Buffer,
    error: RequestError,
  ): Promise<void> {
    if (webhook.signatureScheme !== null && webhook.signatureMode === 'enforce') return;
    const mayRecord = await this.#limits.count(webhook).then(
      () => true,
      () => false,
    );
    if (mayRecord) this.#record(webhook.id, keptRequest(req, reads), body, error);
  }

  /**
   * Queues the start of a body as a rejected event. The request does not wait for this, so it reserves its own part of the
   * buffer; if the buffer is full, or the time unknown, nothing is recorded.
   */
  #record(webhookId: string, request: string, body: Buffer, { code, message }: RequestError): void {
    const start = body.subarray(0, REJECTED_BYTES);
    const bytes = IntakeBuffer.size(2 * start.length + request.length);
    if (!this.#clock.isSure || !this.buffer.reserve(webhookId, bytes)) return;
    const raw = start.toString('base64');
    const event = {
      id: newEventId(),
      webhookId,
      receivedAt: this.#clock.now(),
      raw,
      base64: true as const,
      request,
    };
    this.queue
      .add({ ...event, rejected: { code, message } }, raw.length + request.length)
      .catch(() => {})
      .finally(() => this.buffer.release(webhookId, bytes));
  }
}

/** Retention would remove an event of years ago at once, and one of the future would come first for years. */
const timeUnknown = (): RequestError =>
  new RequestError(
    503,
    'unavailable',
    'The time is unknown, because no two of the clocks of this host, Redis and the database agree. The event was not accepted; send it again later.',
    { headers: { 'Retry-After': '5' } },
  );
