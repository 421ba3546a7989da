import type { AuditChange, ObjectKind } from '../../db/audit/entry.js';
import { differences } from '../../workers/json/differences.js';

/** What is changed: its kind, its id and its name at this time. */
export type Changed = readonly [kind: ObjectKind, id: string | number | null, name: string | null];

/** Members that change with every other one, which the entry itself says. */
const NOTED: readonly string[] = ['revision', 'savedBy', 'updatedAt'];

/** A secret as it is stored. An entry says that it was set, changed or removed, and nothing else. */
export class Sealed {
  readonly stored: Buffer;
  constructor(stored: Buffer) {
    this.stored = stored;
  }
  /** Returns a member of a document that is compared; null for no secret. */
  static of(stored: Buffer | null | undefined): Sealed | null {
    return stored ? new Sealed(stored) : null;
  }
  toJSON(): string {
    return '***';
  }
}

/**
 * Returns the entry of a change, with the members that differ; none if nothing differs.
 * @param before null if it is new, otherwise as it was, without secrets or with {@link Sealed} ones
 * @param after null if it is removed
 */
export function changed(
  [kind, id, name]: Changed,
  before: object | null,
  after: object | null,
): AuditChange[] {
  const found = [...differences([], before ?? {}, after ?? {})].filter(
    ({ path }) => !NOTED.includes(path[0] ?? ''),
  );
  if (before && after && found.length === 0) return [];
  const members = (side: 'before' | 'after') =>
    Object.fromEntries(found.map((one) => [one.path.join('.'), one[side]]));
  return [
    {
      kind,
      id: id === null ? null : String(id),
      name,
      before: before && members('before'),
      after: after && members('after'),
    },
  ];
}
