import { z } from 'zod';
import type { RunFacts, TrippedGuard } from '../../../db/feeds/feed-runs.js';
import { counted, wholeNumber } from '../../text/quantities.js';

const share = z.number().min(0).max(1).nullable();
const count = z.int().min(0).nullable();

/** What must be true of a run so that its changes are written without anybody looking. */
export const guardsSchema = z
  .strictObject({
    minRows: z.int().min(0).default(1).meta({ description: 'The fewest rows of the file' }),
    maxRows: count.default(null).meta({ description: 'The most rows. Null: any number' }),
    maxRowsChange: share.default(0.5).meta({
      description:
        'By which share the number of rows may differ from that of the last file that was applied, `0.5` for half',
    }),
    maxRemovals: count.default(null).meta({ description: 'The most accounts that are removed' }),
    maxRemovalShare: share.default(0.1).meta({
      description: 'The same as a share of the accounts that the file or its account systems have already',
    }),
    maxOwnerChanges: count.default(null).meta({ description: 'The most accounts that get another owner' }),
    maxOwnerChangeShare: share.default(0.1).meta({
      description: 'The same as a share of the accounts that the file names and that have an owner already',
    }),
    maxAgeHours: z.number().positive().nullable().default(null).meta({
      description: 'How old the file may be, as far as the source says when it was changed',
    }),
    sameEnd: z.boolean().default(true).meta({
      description:
        'Whether the last line must end with a line break if that of the last file that was applied did. Otherwise the file may be cut within its last row, which would then name another account',
    }),
    sameColumns: z.boolean().default(true).meta({
      description:
        'Whether the file must have the columns of the last one that was applied, in the same order',
    }),
  })
  .meta({
    description:
      'If one of them is not kept, the run writes nothing, and its plan waits for somebody who applies it',
  });
export type Guards = z.infer<typeof guardsSchema>;

/** A guard by its name in the settings, or the limit of removals that need an approval. */
export type GuardName = keyof Guards | 'approval';

/**
 * Returns the guards that do not let a run pass.
 * @param approvalRemovals the most removals that need no approval (`APPROVAL_REMOVALS`); null: any number
 */
export function trippedGuards(
  guards: Guards,
  facts: RunFacts,
  approvalRemovals: number | null = null,
): TrippedGuard[] {
  const { rows, rowsBefore, removed, updated, unchanged } = facts;
  const known = removed + updated + unchanged;
  const named = updated + unchanged;
  const tripped: TrippedGuard[] = [];
  const trip = (guard: GuardName, message: string) => void tripped.push({ guard, message });
  if (rows < guards.minRows)
    trip(
      'minRows',
      `the file has ${counted(rows, 'row')}, and at least ${wholeNumber(guards.minRows)} are expected`,
    );
  if (guards.maxRows !== null && rows > guards.maxRows)
    trip(
      'maxRows',
      `the file has ${counted(rows, 'row')}, and at most ${wholeNumber(guards.maxRows)} are expected`,
    );
  if (guards.maxRowsChange !== null && rowsBefore !== null && rowsBefore > 0) {
    const change = Math.abs(rows - rowsBefore) / rowsBefore;
    if (change > guards.maxRowsChange)
      trip(
        'maxRowsChange',
        `the file has ${counted(rows, 'row')}, and the last one had ${wholeNumber(rowsBefore)}: that differs by ${percent(change)}, and at most ${percent(guards.maxRowsChange)} are allowed`,
      );
  }
  if (guards.maxRemovals !== null && removed > guards.maxRemovals)
    trip(
      'maxRemovals',
      `it would remove ${counted(removed, 'account')}, and at most ${wholeNumber(guards.maxRemovals)} are allowed`,
    );
  if (isAbove(removed, known, guards.maxRemovalShare))
    trip(
      'maxRemovalShare',
      `it would remove ${wholeNumber(removed)} of ${counted(known, 'account')}, ${percent(removed / known)}, and at most ${percent(guards.maxRemovalShare ?? 1)} are allowed`,
    );
  if (guards.maxOwnerChanges !== null && updated > guards.maxOwnerChanges)
    trip(
      'maxOwnerChanges',
      `${counted(updated, 'account')} would get another owner, and at most ${wholeNumber(guards.maxOwnerChanges)} are allowed`,
    );
  if (isAbove(updated, named, guards.maxOwnerChangeShare))
    trip(
      'maxOwnerChangeShare',
      `${wholeNumber(updated)} of ${counted(named, 'account')} would get another owner, ${percent(updated / named)}, and at most ${percent(guards.maxOwnerChangeShare ?? 1)} are allowed`,
    );
  const stale = staleness(guards, facts.ageHours);
  if (stale) tripped.push(stale);
  if (guards.sameColumns && facts.columnsBefore && !isSame(facts.columns, facts.columnsBefore))
    trip('sameColumns', columnsMessage(facts.columns, facts.columnsBefore));
  if (guards.sameEnd && facts.endsLine === false && facts.endsLineBefore === true)
    trip(
      'sameEnd',
      'the last line has no line break, and that of the last file had one: the file may be cut',
    );
  if (approvalRemovals !== null && removed > approvalRemovals)
    trip(
      'approval',
      `it would remove ${counted(removed, 'account')}, and more than ${wholeNumber(approvalRemovals)} need an approval`,
    );
  return tripped;
}

/** Returns the guard of the file's age if it does not let the file pass; null if it does. */
export function staleness({ maxAgeHours }: Guards, ageHours: number | null): TrippedGuard | null {
  if (maxAgeHours === null || ageHours === null || ageHours <= maxAgeHours) return null;
  const message = `the file was changed ${hours(ageHours)} ago, and may be at most ${hours(maxAgeHours)} old`;
  return { guard: 'maxAgeHours', message };
}

const isAbove = (part: number, whole: number, limit: number | null): boolean =>
  limit !== null && whole > 0 && part / whole > limit;

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, at) => name === other[at]);

function columnsMessage(columns: readonly string[], before: readonly string[]): string {
  const added = columns.filter((name) => !before.includes(name));
  const gone = before.filter((name) => !columns.includes(name));
  const list = (names: readonly string[]) =>
    names
      .slice(0, 5)
      .map((name) => JSON.stringify(name))
      .join(', ');
  const what = [
    ...(added.length > 0 ? [`has the new column${added.length > 1 ? 's' : ''} ${list(added)}`] : []),
    ...(gone.length > 0 ? [`lacks ${list(gone)}`] : []),
  ].join(' and ');
  return `the file ${what || 'has its columns in another order'}`;
}

const percent = (value: number): string => `${Number((value * 100).toFixed(1))}%`;

const hours = (value: number): string =>
  value < 48 ? counted(Math.round(value), 'hour') : counted(Math.round(value / 24), 'day');
