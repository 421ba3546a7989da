import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import Koa from 'koa';
import { uuidv7 } from 'uuidv7';
import { alertIntake } from '../../../workers/queues/contracts/alert-intake.js';
import { readText } from './read-alert.js';

/**
 * The floor of a single event that is queued as the API queues it: a Koa server that waits for one `add` of BullMQ of the same job, with
 * its ids, options and kept headers. It knows no integrations, limits or batches.
 */
const connection = new Redis((process.env.REDIS_URL as string).replace(/^unix:\/\//, ''));
const queue = new Queue('same-job', { connection, prefix: process.env.REDIS_PREFIX as string });
const webhookId = uuidv7();
const app = new Koa();
app.use(async (ctx) => {
  const raw = await readText(ctx.req);
  JSON.parse(raw);
  const id = uuidv7();
  const request = JSON.stringify({
    method: ctx.method,
    contentType: ctx.get('content-type'),
    query: {},
    headers: { 'content-type': ctx.get('content-type') },
  });
  const event = { id, webhookId, receivedAt: Date.now(), raw, request };
  await queue.add(
    alertIntake.name,
    { version: 1, events: [event] },
    { ...alertIntake.options, jobId: uuidv7(), removeOnComplete: true, removeOnFail: true },
  );
  ctx.status = 202;
  ctx.set('Location', `/v2/events/${id}`);
  ctx.body = { status: 'success', message: 'Event accepted.', eventId: id };
});
app.listen(Number(process.env.PORT), '127.0.0.1');
