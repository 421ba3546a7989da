import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';

/** Why a cast (`value as Type`) may remain in the server, and the files that have one for this reason. */
const KINDS: readonly { because: string; files: readonly string[] }[] = [
  {
    because:
      'An element of an array or of bytes whose index the loop bounds. It is `undefined` to the compiler; a check would take time in code that runs for each byte or row.',
    files: [
      'api/body/transfer-encoding.ts',
      'api/intake/event-id.ts',
      'api/intake/event-queue.ts',
      'db/bulk/row-bytes.ts',
      'db/bulk/rows.ts',
      'db/bulk/uuid-binary.ts',
      'db/bulk/wire-values.ts',
      'db/migrations/018-day-partitions.ts',
      'workers/export/csv-rows.ts',
      'workers/export/formulas.ts',
      'workers/identities/changes/encode-changes.ts',
      'workers/identities/chunks.ts',
      'workers/identities/decode/decode-charset.ts',
      'workers/identities/decode/decode-utf16.ts',
      'workers/identities/decode/decode-utf8.ts',
      'workers/identities/parse/long-record.ts',
      'workers/identities/record/json-array.ts',
      'workers/identities/record/json-element.ts',
      'workers/identities/spool/run-reader.ts',
      'workers/identities/spool/sort-rows.ts',
      'workers/identities/spool/sorted-run.ts',
      'workers/json/find-json-fault.ts',
      'workers/worklist/key-table.ts',
      'workers/worklist/ranking.ts',
    ],
  },
  {
    because:
      'What a library, the driver or Redis gives or takes, where their types are missing or wider than what they do.',
    files: [
      'api/body/multipart/part-content.ts',
      'api/dashboard/board-server.ts',
      'api/dashboard/redacted-queue.ts',
      'api/intake/request/kept-request.ts',
      'api/main.ts',
      'api/server/client-errors.ts',
      'api/server/middleware/compress-json.ts',
      'db/bulk/execute-encoded.ts',
      'db/bulk/row-bytes.ts',
      'db/client/driver.ts',
      'db/client/observe-statements.ts',
      'db/client/statement.ts',
      'db/files/s3.ts',
      'db/migrations/020-file-names.ts',
      'workers/identities/parse/direct-parser.ts',
      'workers/mapping/expression/bound.ts',
      'workers/mapping/expression/functions.ts',
      'workers/mapping/payload/parse-payload.ts',
      'workers/queues/bullmq-internals.ts',
      'workers/queues/depth.ts',
      'workers/queues/fair-order.ts',
      'workers/queues/heartbeat.ts',
      'workers/queues/connection.ts',
    ],
  },
  {
    because:
      'The keys of an object of ours. To the compiler those of `Object.keys`, `entries` and `fromEntries` are any text.',
    files: [
      'api/intake/signature/observations.ts',
      'api/intake/signature/verifier.ts',
      'api/jobs/job-schema.ts',
      'api/openapi/openapi.ts',
      'api/routes/identities/list.ts',
      'api/routes/webhooks/signature-presets.ts',
      'api/routes/webhooks/signature-schema.ts',
      'db/events/counts/alert-facets.ts',
      'db/migrations/016-identity-changes.ts',
      'workers/identities/record/row-notes.ts',
      'workers/job-taker.ts',
      'workers/mapping/definition/schema.ts',
      'workers/mapping/series/status-words.ts',
      'workers/queues/connection.ts',
      'workers/run/metrics.ts',
      'workers/upkeep/begin-turn.ts',
    ],
  },
  {
    because: 'What this service has stored or sent itself, and reads back.',
    files: [
      'api/routes/webhooks/change-signature.ts',
      'api/templates/known-templates.ts',
      'db/access/api-keys.ts',
      'workers/identities/changes/change-rows.ts',
      'workers/identities/spool/run-writer.ts',
      'workers/mapping/series/stored-item.ts',
      'workers/mapping/series/stored-status.ts',
      'workers/queues/index.ts',
      'workers/queues/producer.ts',
      'workers/run/job-outcome.ts',
    ],
  },
  {
    because:
      'What zod or a check in the same function has accepted, where the type that it infers is wider than the declared one.',
    files: [
      'api/endpoint/route.ts',
      'api/lists/arrival-list.ts',
      'api/openapi/schemas.ts',
      'api/preview/payloads.ts',
      'api/routes/identities/record.ts',
      'api/routes/templates/manage.ts',
      'api/routes/templates/recognize.ts',
      'api/routes/webhooks/manage.ts',
      'api/routes/webhooks/preview.ts',
      'workers/identities/record/identity-json.ts',
      'workers/mapping/render/render-alert.ts',
      'workers/mapping/render/render-series.ts',
      'workers/mapping/template/tags.ts',
      'workers/worklist/read-accounts.ts',
    ],
  },
];

/** The most casts of each part. Lower a number when you remove some. */
const MOST = { db: 35, workers: 114, api: 48, 'api/console': 97 };

const INSTEAD =
  'use a type guard, a zod schema, a type parameter, `for…of`, or a default instead; if the cast is of one of the KINDS in test/unit/casts.test.ts, add its file there';

const files = execFileSync('git', ['ls-files', 'db', 'workers', 'api'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file));

/** Returns how many casts a source has. `as const` and `satisfies` claim nothing that the compiler does not check. */
function countCasts(source: string, tsx = false): number {
  const count = (node: unknown): number => {
    if (typeof node !== 'object' || node === null) return 0;
    const own = 'type' in node && (node.type === 'TsAsExpression' || node.type === 'TsTypeAssertion') ? 1 : 0;
    return Object.values(node).reduce((sum: number, child) => sum + count(child), own);
  };
  return count(parseSync(source, { syntax: 'typescript', tsx }).body);
}

const casts = new Map(
  files
    .map((file): [string, number] => [file, countCasts(readFileSync(file, 'utf8'), file.endsWith('x'))])
    .filter(([, count]) => count > 0),
);
const partOf = (file: string): string =>
  file.startsWith('api/console/') ? 'api/console' : (file.split('/')[0] ?? '');

test.each(Object.entries(MOST))('%s has no more than %d casts', (part, most) => {
  expect(files.length).toBeGreaterThan(500);
  const found = [...casts].filter(([file]) => partOf(file) === part);
  const count = found.reduce((sum, [, count]) => sum + count, 0);
  expect(count > most ? `${count} casts in ${part}: ${INSTEAD}` : null).toBeNull();
});

test('a file of the server has a cast only for one of the reasons', () => {
  const allowed = new Set(KINDS.flatMap((kind) => kind.files));
  const server = [...casts.keys()].filter((file) => partOf(file) !== 'api/console');
  expect(server.filter((file) => !allowed.has(file)).map((file) => `${file}: ${INSTEAD}`)).toEqual([]);
  expect([...allowed].filter((file) => !casts.has(file))).toEqual([]);
});

test('casts are found wherever they are, and nothing else', () => {
  expect(countCasts('const a = b as unknown as C; f(<D>(e as F)[0]);')).toBe(4);
  expect(countCasts('const a = <p>{b as C}</p>;', true)).toBe(1);
  expect(
    countCasts("import { a as b } from 'c'; const d = [1] as const; const e = 2 satisfies number;"),
  ).toBe(0);
});
