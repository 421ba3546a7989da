import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import Koa from 'koa';
import { readAlert } from './read-alert.js';

/** The floor of a single event that is queued before its response: a Koa server that waits for one `add` of BullMQ, and nothing else. */
const connection = new Redis((process.env.REDIS_URL as string).replace(/^unix:\/\//, ''));
const queue = new Queue('floor', { connection, prefix: process.env.REDIS_PREFIX as string });
const app = new Koa();
app.use(async (ctx) => {
  await queue.add('alert', await readAlert(ctx.req));
  ctx.status = 202;
  ctx.body = { status: 'success' };
});
app.listen(Number(process.env.PORT), '127.0.0.1');
