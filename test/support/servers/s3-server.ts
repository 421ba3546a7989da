import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

interface StoredObject {
  body: Buffer;
  modifiedAt: Date;
}

/** What the server does with the requests that arrive from now on. */
export type Behavior =
  | 'works'
  | 'stalls'
  | 'stalls in bodies'
  | 'closes in bodies'
  | 'fails'
  | 'fails every second time'
  | 'is slow'
  | 'is full'
  | 'lacks the operation';

interface Call {
  req: IncomingMessage;
  res: ServerResponse;
  key: string;
  query: URLSearchParams;
}

/** How long a slow server takes for each request, in milliseconds. */
const SLOW_MS = 300;

/** Amazon's page has 1,000 keys; with a few, a test lists several pages. */
const KEYS_PER_PAGE = 3;

/**
 * The part of the S3 API that Muster uses, over HTTP and in memory, for the AWS SDK to talk to: objects, ranges, lists in
 * pages, multipart uploads. It can be told to misbehave. It requires a signature but does not verify it.
 */
export class S3Server {
  readonly objects = new Map<string, StoredObject>();
  /** Multipart uploads that were neither completed nor aborted. */
  readonly uploads = new Map<string, Map<number, Buffer>>();
  behavior: Behavior = 'works';
  /** Only for requests of these methods, if any are named. */
  misbehavesOn: string[] = [];
  /** Requests received, regardless of their outcome. */
  requests = 0;
  /** Requests whose last attempt failed. */
  readonly #failed = new Set<string>();
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor() {
    this.#server = createServer((req, res) => {
      this.#respond(req, res).catch((error) => res.destroy(error));
    });
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** @param port 0 for any; give an earlier one to return after {@link stop} */
  async listen(port = 0, address = '127.0.0.1'): Promise<void> {
    this.#server.listen(port, address);
    await once(this.#server, 'listening');
  }

  /** Rejects connections from now on. Stored objects are kept. */
  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    this.requests += 1;
    const { pathname, searchParams: query } = new URL(req.url as string, 'http://s3');
    const call = { req, res, key: decodeURIComponent(pathname.slice(1)), query };
    const behavior = this.#isSpared(req) ? 'works' : this.behavior;
    if (behavior === 'stalls') return;
    if (!req.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')) return fail(res, 403, 'AccessDenied');
    if (behavior === 'is slow') await sleep(SLOW_MS);
    const failsNow = behavior === 'fails every second time' && this.#alternates(req);
    if (behavior === 'fails' || failsNow) return fail(res, 503, 'SlowDown');
    if (behavior === 'lacks the operation') return notImplemented(call);
    if (behavior === 'is full' && req.method === 'PUT') {
      await buffer(req);
      return fail(res, 507, 'XMinioStorageFull');
    }
    const operation = `${req.method} ${['list-type', 'uploads', 'uploadId'].find((name) => query.has(name)) ?? ''}`;
    await (this.#operations[operation] ?? notImplemented)(call);
  }

  /** Returns whether this attempt of a request fails: the first does, the second does not. */
  #alternates({ method, url }: IncomingMessage): boolean {
    const request = `${method} ${url}`;
    if (this.#failed.delete(request)) return false;
    this.#failed.add(request);
    return true;
  }

  #isSpared({ method = '' }: IncomingMessage): boolean {
    return this.misbehavesOn.length > 0 && !this.misbehavesOn.includes(method);
  }

  readonly #operations: Record<string, (call: Call) => Promise<void> | void> = {
    'PUT ': async ({ req, res, key }) => {
      const body = await buffer(req);
      this.objects.set(key, { body, modifiedAt: new Date() });
      res.setHeader('ETag', etag(body)).end();
    },
    'GET ': (call) => this.#read(call),
    'HEAD ': (call) => this.#read(call),
    'DELETE ': ({ res, key }) => {
      this.objects.delete(key);
      res.writeHead(204).end();
    },
    'GET list-type': ({ res, key, query }) => sendXml(res, this.#list(key, query)),
    'POST uploads': ({ res }) => {
      const id = randomUUID();
      this.uploads.set(id, new Map());
      sendXml(
        res,
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
    },
    'PUT uploadId': async ({ req, res, query }) => {
      const body = await buffer(req);
      this.uploads.get(query.get('uploadId') as string)?.set(Number(query.get('partNumber')), body);
      res.setHeader('ETag', etag(body)).end();
    },
    'POST uploadId': async ({ req, res, key, query }) => {
      await buffer(req);
      const parts = this.uploads.get(query.get('uploadId') as string) ?? new Map();
      const body = Buffer.concat([...parts].sort(([one], [other]) => one - other).map(([, part]) => part));
      this.uploads.delete(query.get('uploadId') as string);
      this.objects.set(key, { body, modifiedAt: new Date() });
      sendXml(res, '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>');
    },
    'DELETE uploadId': ({ res, query }) => {
      this.uploads.delete(query.get('uploadId') as string);
      res.writeHead(204).end();
    },
  };

  #read({ req, res, key }: Call): void {
    const found = this.objects.get(key);
    if (!found) {
      fail(res, 404, 'NoSuchKey');
      return;
    }
    if (req.headers['if-none-match'] === etag(found.body)) {
      res.writeHead(304, { ETag: etag(found.body) }).end();
      return;
    }
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '') ?? [];
    const part = start === undefined ? found.body : found.body.subarray(Number(start), Number(end) + 1);
    res.writeHead(start === undefined ? 200 : 206, {
      'Content-Length': part.length,
      'Last-Modified': found.modifiedAt.toUTCString(),
      ETag: etag(found.body),
    });
    if (req.method === 'HEAD') res.end();
    else if (this.behavior === 'closes in bodies')
      res.write(part.subarray(0, part.length / 2), () => res.destroy());
    else if (this.behavior === 'stalls in bodies') res.write(part.subarray(0, part.length / 2));
    else res.end(part);
  }

  #list(bucket: string, query: URLSearchParams): string {
    const start = `${bucket.replace(/\/$/, '')}/`;
    const prefix = start + (query.get('prefix') ?? '');
    const after = start + (query.get('continuation-token') ?? '');
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, KEYS_PER_PAGE).map((key) => escapeXml(key.slice(start.length)));
    const isCut = keys.length > page.length;
    const next = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
    return `<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${next}${contents}</ListBucketResult>`;
  }
}

const etag = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`;

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function sendXml(res: ServerResponse, xml: string, status = 200): void {
  res.writeHead(status, { 'Content-Type': 'application/xml' }).end(`<?xml version="1.0"?>${xml}`);
}

function fail(res: ServerResponse, status: number, code: string): void {
  sendXml(res, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`, status);
}

const notImplemented = ({ res }: Call): void => fail(res, 501, 'NotImplemented');
