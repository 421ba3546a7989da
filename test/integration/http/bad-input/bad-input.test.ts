import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OPERATIONS, operationOf } from '../../../support/api/contract.js';
import { leaksIn } from '../../../support/hostile/leaks.js';
import type { RawRequest, RawResponse } from '../../../support/hostile/raw-request.js';
import { CANARY, openScene, type Scene } from '../../../support/hostile/scene.js';
import { alertCases } from './alerts.js';
import type { BadInput, Sent } from './case.js';
import { everyOperation } from './every-operation.js';
import { fileCases } from './files.js';
import { identityCases } from './identities.js';
import { intakeCases } from './intake.js';
import { jobCases } from './jobs.js';
import { keyCases } from './keys.js';
import { mappingCases } from './mappings.js';
import { recordCases } from './records.js';
import { templateCases } from './templates.js';
import { webhookCases } from './webhooks.js';

const TABLES: [noun: string, cases: readonly BadInput[]][] = [
  ['every operation', everyOperation()],
  ['keys', keyCases],
  ['identities', identityCases],
  ['files', fileCases],
  ['records', recordCases],
  ['jobs', jobCases],
  ['webhooks', webhookCases],
  ['mappings', mappingCases],
  ['templates', templateCases],
  ['intake', intakeCases],
  ['alerts and events', alertCases],
];

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());

describe.each(TABLES)('%s', (_, cases) => {
  // One test for each operation: a test for each request would take longer than the request.
  test.each(byOperation(cases))('%s', async (_operation, requests) => {
    const prepared: [what: string, request: RawRequest][] = [];
    for (const [what, line, sent] of requests) prepared.push([what, await toRequest(line, sent)]);
    const before = await scene.rows();
    const found: object[] = [];
    let jobs = 0;
    for (const [what, request] of prepared) {
      const response = await scene.sender.send(request);
      const body = bodyOf(response);
      if (body.jobId) jobs += 1;
      found.push({
        what,
        status: response.status,
        code: body.code,
        says: textsOf(body),
        leaks: leaksIn(response.text),
      });
    }
    expect(found).toEqual(
      requests.map(([what, , , status, code, says = '']) => ({
        what,
        status,
        code,
        says: expect.stringContaining(says),
        leaks: [],
      })),
    );
    expectNoChange(before, await scene.rows(), jobs);
  });
});

/** Groups requests by their method and path without the query. */
function byOperation(cases: readonly BadInput[]): [operation: string, requests: BadInput[]][] {
  const groups = new Map<string, BadInput[]>();
  for (const one of cases) {
    const [operation = ''] = one[1].slice(0, 100).split('?');
    groups.set(operation, [...(groups.get(operation) ?? []), one]);
  }
  return [...groups];
}

async function toRequest(line: string, { headers, json, body, type, as }: Sent): Promise<RawRequest> {
  const [method = '', path = ''] = scene.fill(line).split(' ');
  const key =
    as === 'revoked' ? scene.revokedKey : Array.isArray(as) ? await scene.keyWith(...as) : scene.key;
  return {
    method,
    path,
    headers: {
      ...(as === 'nobody' ? {} : { authorization: `ApiKey ${key}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(type === undefined ? {} : { 'content-type': type }),
      'user-agent': CANARY,
      ...headers,
    },
    ...(json === undefined ? (body === undefined ? {} : { body }) : { body: JSON.stringify(json) }),
  };
}

interface ErrorBody {
  code: string;
  message: string;
  errors: { line?: number; index?: number; field: string | null; message: string }[];
  jobId?: string;
}

const bodyOf = ({ text }: RawResponse): ErrorBody => JSON.parse(text);

/** Returns the message and the errors as texts such as `line 3, email: must be …`. */
const textsOf = ({ message, errors }: ErrorBody): string =>
  [message, ...errors.map((one) => `${placeOf(one)}: ${one.message}`)].join('\n');

const placeOf = ({ line, index, field }: ErrorBody['errors'][number]): string =>
  [line === undefined ? null : `line ${line}`, index === undefined ? null : `record ${index}`, field]
    .filter((part) => part !== null)
    .join(', ');

/** Rejected requests leave no rows, except those of the jobs that rejected their files. */
function expectNoChange(before: Record<string, number>, after: Record<string, number>, jobs: number): void {
  const { jobs: jobsBefore = 0, ...others } = before;
  expect(after).toMatchObject(others);
  expect(after.jobs as number).toBeLessThanOrEqual(jobsBefore + jobs);
}

test('every operation of the OpenAPI document has a bad request', () => {
  const lines = TABLES.flatMap(([, cases]) => cases.map(([, line]) => scene.fill(line).split(' ')));
  const sent = new Set(lines.map(([method = '', path = '']) => operationOf(method, path)));
  expect(OPERATIONS.filter((operation) => !sent.has(operation))).toEqual([]);
  expect(lines.length).toBeGreaterThan(1_000);
});

test('no log line contains a key, a token or what a request sent', () => {
  const log = scene.stack.lines.join('\n');
  expect(log).toContain('POST /v2/keys');
  expect([CANARY, ...scene.secrets()].filter((secret) => log.includes(secret))).toEqual([]);
});
