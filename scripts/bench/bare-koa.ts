import Koa from 'koa';

/** The floor of intake: a Koa server that reads a body, parses it and responds with 202. */
const app = new Koa();
app.use(async (ctx) => {
  const chunks: Buffer[] = [];
  for await (const chunk of ctx.req) chunks.push(chunk);
  JSON.parse(Buffer.concat(chunks).toString());
  ctx.status = 202;
  ctx.body = { status: 'success' };
});
app.listen(Number(process.env.PORT), '127.0.0.1');
