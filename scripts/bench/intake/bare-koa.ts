import Koa from 'koa';
import { readAlert } from './read-alert.js';

/** The floor of intake: a Koa server that reads a body, parses it and responds with 202. */
const app = new Koa();
app.use(async (ctx) => {
  await readAlert(ctx.req);
  ctx.status = 202;
  ctx.body = { status: 'success' };
});
app.listen(Number(process.env.PORT), '127.0.0.1');
