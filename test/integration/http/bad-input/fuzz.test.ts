import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fillAlerts } from '../../../support/api/alerts.js';
import { fillIdentities } from '../../../support/api/identities.js';
import { cases, enoughTime } from '../../../support/effort.js';
import { apiRequests } from '../../../support/hostile/api-requests.js';
import { hostileCursors, hostileEvents, hostileMappings } from '../../../support/hostile/bodies.js';
import { leaksIn } from '../../../support/hostile/leaks.js';
import type { RawRequest, RawResponse } from '../../../support/hostile/raw-request.js';
import { CANARY, openScene, type Scene } from '../../../support/hostile/scene.js';
import { hostileCsv, hostileForms } from '../../../support/hostile/uploads.js';

let scene: Scene;
let rows: Record<string, number>;
beforeAll(async () => {
  scene = await openScene();
  // Without a worker, a row appears only while its request runs.
  await scene.stack.closeWorker();
  rows = await scene.rows();
});
afterAll(() => scene.close());

afterEach(() => {
  const lines = scene.stack.lines.splice(0);
  const secrets = [CANARY, ...scene.secrets()];
  expect(lines.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
  expect(lines.filter((line) => line.includes('failed unexpectedly'))).toEqual([]);
});

/** Sends a request, and checks what holds for every response to any request. */
async function sendAny({ method, path, headers, body }: RawRequest): Promise<RawResponse> {
  const response = await scene.sender.send({
    method,
    path: scene.fill(path),
    headers: { authorization: `ApiKey ${scene.key}`, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  expect(response.status).not.toBe(500);
  const isError = response.status >= 400;
  if (isError) expect(leaksIn(response.text)).toEqual([]);
  const before = rows;
  rows = await scene.rows();
  if (isError) expect(rows).toEqual(before);
  return response;
}

describe('requests made from the OpenAPI document', () => {
  test.each(apiRequests())(
    '%s',
    async (_, requests) => {
      await fc.assert(
        fc.asyncProperty(requests, async (request) => {
          await sendAny(request);
        }),
        { numRuns: cases(6) },
      );
    },
    enoughTime(60_000),
  );
});

/** Sends requests, more of them with `TEST_EFFORT`. Some must be accepted and some rejected; a failure names the seed. */
async function forAll(
  requests: fc.Arbitrary<RawRequest>,
  check: (response: RawResponse) => void,
): Promise<void> {
  const seen = new Set<string>();
  const send = async (request: RawRequest) => {
    const response = await sendAny(request);
    seen.add(response.status < 400 ? 'accepted' : 'rejected');
    check(response);
  };
  await fc.assert(fc.asyncProperty(requests, send), { numRuns: cases(40) });
  expect([...seen].sort()).toEqual(['accepted', 'rejected']);
}

const statusIn =
  (...statuses: number[]) =>
  (response: RawResponse) => {
    expect(statuses).toContain(response.status);
  };

describe('bodies and cursors made by their structure', () => {
  test(
    'a form is stored or rejected',
    () => forAll(hostileForms, statusIn(202, 400, 413)),
    enoughTime(60_000),
  );

  test(
    'the start of a CSV file is shown or rejected',
    () => forAll(hostileCsv, statusIn(200, 400)),
    enoughTime(60_000),
  );

  test(
    'a mapping is tried, or rejected with its place',
    () =>
      forAll(hostileMappings, (response) => {
        statusIn(200, 400, 422)(response);
        if (response.status === 422) expect(JSON.parse(response.text).errors).not.toEqual([]);
      }),
    enoughTime(60_000),
  );

  test(
    'an event is accepted or rejected',
    () => forAll(hostileEvents, statusIn(202, 400, 413, 415)),
    enoughTime(60_000),
  );

  test(
    'a cursor is followed or rejected',
    async () => {
      await fillIdentities(scene.stack.database, 5);
      await fillAlerts(scene.stack.database, 5);
      const known: { path: string; cursor: string }[] = [];
      for (const path of ['/v2/keys', '/v2/jobs', '/v2/alerts', '/v2/events', '/v2/developers/identities']) {
        const { text } = await sendAny({ method: 'GET', path: `${path}?pageSize=1` });
        known.push({ path, cursor: JSON.parse(text).page.nextCursor });
      }
      expect(known.every(({ cursor }) => cursor !== null)).toBe(true);
      await forAll(hostileCursors(known), (response) => {
        statusIn(200, 400)(response);
        if (response.status === 400)
          expect(JSON.parse(response.text).code).toMatch(/^invalid_(?:cursor|query)$/);
      });
    },
    enoughTime(60_000),
  );
});
