import { errorsOf, FileError, type RowError } from './errors.js';
import { checkEmail, checkIdentity, type IdentityRecord } from './identity-record.js';
import { checkIntegrationId, checkIntegrationIdLiteral } from './integration-id.js';
import { JsonArraySplitter, type JsonElement } from './json-array.js';
import { MAX_ELEMENT_BYTES, MAX_ELEMENT_VALUES, parseElement } from './json-element.js';
import { jsonMembers } from './json-members.js';

/** The most records of a JSON upload. */
export const JSON_MAX_RECORDS = 10_000;

/** A record of a JSON upload. It is valid if it has no errors. */
export interface ReadRecord {
  /** Position in the array, from 0. */
  index: number;
  record: IdentityRecord | null;
  errors: RowError[];
  /** email, integrationId and identity as they were sent; '' for those that are missing. */
  cells: [string, string, string];
  /** The names of other fields, which are ignored. */
  otherNames: string[];
}

/**
 * Reads the records of a JSON upload while its bytes arrive. The API and the worker both use it, so they agree on
 * what a body contains.
 */
export class IdentityJsonReader {
  readonly #splitter = new JsonArraySplitter();
  readonly #rules: JsonRules;
  /** The number of records read so far. */
  count = 0;

  /**
   * @param action a removal names no owner, so `email` is not read
   * @param keepsLost whether values that a spreadsheet lost are accepted as identities
   */
  constructor(action: 'assert' | 'remove', keepsLost: boolean) {
    this.#rules = { action, keepsLost };
  }

  /**
   * Yields the records that end in this chunk, including rejected ones.
   * @throws FileError if the rest cannot be read; nothing more may be pushed then
   */
  *push(chunk: Buffer): Generator<ReadRecord> {
    for (const element of this.#splitter.push(chunk)) {
      if (++this.count > JSON_MAX_RECORDS) throw tooManyRecords();
      yield readRecord(element, this.#rules);
    }
  }

  /** @throws FileError if the array is incomplete */
  finish(): void {
    this.#splitter.finish();
  }
}

interface JsonRules {
  action: 'assert' | 'remove';
  keepsLost: boolean;
}

function readRecord(element: JsonElement, rules: JsonRules): ReadRecord {
  const { index, text } = element;
  if (text === null) return rejected(index, [TOO_LARGE]);
  const value = parseElement(text, element);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return rejected(index, [NOT_AN_OBJECT]);
  }
  return checkObject(index, value as Record<string, unknown>, text, rules);
}

function checkObject(
  index: number,
  value: Record<string, unknown>,
  text: string,
  { action, keepsLost }: JsonRules,
): ReadRecord {
  const members = jsonMembers(text);
  const { literal = '' } = members.find(({ name }) => name === 'integrationId') ?? {};
  const sentId = typeof value.integrationId === 'number' ? literal : null;
  const email = action === 'remove' ? '' : checkEmail(value.email);
  const integrationId =
    sentId === null ? checkIntegrationId(value.integrationId) : checkIntegrationIdLiteral(sentId);
  const identity = checkIdentity(value.identity, keepsLost);
  const errors = [...repeatedNames(members), ...errorsOf({ email, integrationId, identity })];
  const cells: ReadRecord['cells'] = [
    toCell(value.email),
    sentId ?? toCell(value.integrationId),
    toCell(value.identity),
  ];
  const otherNames = Object.keys(value).filter((name) => !FIELDS[action].has(name));
  const record = { email, integrationId, identity } as IdentityRecord;
  return { index, record: errors.length === 0 ? record : null, errors, cells, otherNames };
}

const FIELDS = {
  assert: new Set(['email', 'integrationId', 'identity']),
  remove: new Set(['integrationId', 'identity']),
};

/** A repeated name leaves open which value is meant, so the record is rejected even if both values are equal. */
function repeatedNames(members: { name: string }[]): RowError[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { name } of members) (seen.has(name) ? repeated : seen).add(name);
  return [...repeated].map((name) => ({
    field: name.slice(0, MAX_NAME_SHOWN),
    code: 'duplicate_key',
    message: 'appears more than once in this record',
  }));
}

const rejected = (index: number, errors: RowError[]): ReadRecord => ({
  index,
  record: null,
  errors,
  cells: ['', '', ''],
  otherNames: [],
});

/** Does not use `String`, which would call the `toString` of an object that a client sent. */
function toCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const MAX_NAME_SHOWN = 100;

const NOT_AN_OBJECT: RowError = { field: null, code: 'invalid_type', message: 'must be an object' };

const TOO_LARGE: RowError = {
  field: null,
  code: 'record_too_large',
  message: `must have at most ${MAX_ELEMENT_BYTES} bytes and ${MAX_ELEMENT_VALUES} values`,
};

const tooManyRecords = (): FileError =>
  new FileError('too_many_records', `the array has more than ${JSON_MAX_RECORDS} records`);
