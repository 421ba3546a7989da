import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { RawRequest } from './raw-request.js';
import { damaged, hostileText } from './values.js';

const csvPiece = fc.constantFrom(
  ...[
    '"',
    ',',
    ';',
    '\n',
    '\r\n',
    '\t',
    '\0',
    'a@b.org',
    '7',
    'ada',
    '=1+1',
    'é',
    '\ufeff',
    'sep=;\n',
    '""',
    '  ',
  ],
  ...['email,integrationId,identity\n', 'a@b.org,7,ada\n', '__proto__,constructor\n', '{{', '日本'],
);
const csvBytes = fc
  .tuple(
    fc.array(csvPiece, { maxLength: 30 }).map((pieces) => pieces.join('')),
    fc.constantFrom<BufferEncoding>('utf8', 'utf8', 'utf16le', 'latin1'),
    fc.boolean(),
  )
  .map(([text, encoding, isGzip]) => {
    const bytes = Buffer.from(text, encoding);
    return isGzip ? gzipSync(bytes) : bytes;
  });

/** The start of a CSV file, plain or compressed, whole or damaged. */
export const hostileCsv: fc.Arbitrary<RawRequest> = fc
  .tuple(
    damaged(csvBytes),
    fc.constantFrom(
      '',
      '?charset=utf-16le',
      '?charset=shift_jis',
      '?action=remove',
      '?columns=email:a',
      '?action=drop',
      '?charset=',
      '?columns=a',
    ),
  )
  .map(([body, query]) => ({
    method: 'POST',
    path: `/v2/developers/identities/preview${query}`,
    headers: { 'content-type': 'text/csv' },
    body,
  }));

const headerLine = fc.oneof(
  fc.constantFrom(
    ...[
      'Content-Disposition: form-data; name="file"; filename="a.csv"',
      'Content-Disposition: form-data; name="file"',
    ],
    ...[
      'Content-Disposition: form-data; name="file"; filename*=UTF-8\'\'%ff',
      'Content-Disposition: attachment',
    ],
    ...[
      'Content-Disposition: form-data; name="__proto__"; filename="a"',
      'Content-Disposition: form-data; name="a[b][c]"',
    ],
    ...[
      'Content-Disposition: form-data; name=file; filename="../../a\\"b"',
      'Content-Type: text/csv; charset=klingon',
    ],
    ...['Content-Transfer-Encoding: base64', 'Content-Disposition:', ': x', ' folded', 'no colon', ''],
  ),
  hostileText,
);
const part = fc
  .tuple(fc.array(headerLine, { maxLength: 3 }), csvBytes)
  .map(([lines, content]) => Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), content]));

const correctPart = csvBytes.map((content) =>
  Buffer.concat([
    Buffer.from('Content-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'),
    content,
  ]),
);
const inForm = (parts: readonly Buffer[]): Buffer =>
  Buffer.concat([...parts.flatMap((one) => [Buffer.from('\r\n--b\r\n'), one]), Buffer.from('\r\n--b--\r\n')]);
const formParts = fc.array(fc.oneof(part, correctPart), { maxLength: 3 });

/** Uploads as forms. Their parts, headers and boundaries may be wrong; one in three is correct. */
export const hostileForms: fc.Arbitrary<RawRequest> = fc
  .oneof(
    {
      weight: 1,
      arbitrary: fc.tuple(
        fc.constant('"b"'),
        correctPart.map((one) => inForm([one])),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(
        fc.constantFrom('b', '"b"; charset=utf-16', 'b; boundary=c', 'x'.repeat(70), '--', `"'()+_,-./:=?"`),
        damaged(formParts.map(inForm)),
      ),
    },
  )
  .map(([boundary, body]) => ({
    method: 'PATCH',
    path: '/v2/developers/identities',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, prefer: 'respond-async' },
    body,
  }));
