import { counted } from '../../../workers/text/quantities.js';
import { printable } from '../../text/printable.js';
import { UploadFailure } from '../failure.js';
import type { SourceRow } from './converters.js';

const MAX_SHOWN = 10;

/** Counts messages and keeps the first ones. */
class Messages {
  count = 0;
  readonly #first: string[] = [];

  add(message: string): void {
    this.count += 1;
    if (this.#first.length < MAX_SHOWN) this.#first.push(message);
  }

  /** Returns a line for each of the first messages, and how many more there are. */
  listed(what: string): string {
    const more = this.count - this.#first.length;
    const lines = this.#first.map((line) => `  ${printable(line)}`);
    return [...lines, ...(more > 0 ? [`  ... and ${counted(more, `more ${what}`)}`] : [])].join('\n');
  }
}

/** Counts the accounts of an export that are not converted, and keeps the first ones for messages. */
export class LeftOut {
  /** The number of accounts by what completes "Left out 3 accounts". */
  readonly #counts = new Map<string, number>();
  readonly #left = new Messages();
  readonly #invalid = new Messages();

  addOwnerless(row: SourceRow): null {
    return this.#add(row, `${row.names.email} is empty`, 'without an email');
  }

  addSystem(row: SourceRow): null {
    const system = row.system || 'no system';
    return this.#add(row, `${system} is not in --integrations`, `of ${system}: not in --integrations`);
  }

  addInvalid(message: string): void {
    this.#invalid.add(message);
  }

  /** @throws UploadFailure with the first invalid accounts */
  throwIfInvalid(path: string): void {
    if (this.#invalid.count === 0) return;
    throw new UploadFailure(
      `${path} has invalid accounts. Nothing was uploaded. Fix them, or add --on-error continue.\n${this.#invalid.listed('error')}`,
    );
  }

  /**
   * A mirror removes accounts that its file does not name, so it would also remove these.
   * @throws UploadFailure with the first accounts that were left out
   */
  throwIfAny(path: string): void {
    const { count } = this.#left;
    if (count === 0) return;
    throw new UploadFailure(
      `${path} has ${counted(count, 'account')} that would be left out, and --mirror would remove them. Nothing was uploaded. ` +
        `Give each an email and an account system in the export or delete it there, or upload without --mirror.\n${this.#left.listed('account')}`,
    );
  }

  notes(): string[] {
    return [...this.#counts].map(
      ([what, count]) => `Left out ${counted(count, 'account')} ${printable(what)}`,
    );
  }

  #add({ place, identity }: SourceRow, reason: string, note: string): null {
    this.#counts.set(note, (this.#counts.get(note) ?? 0) + 1);
    this.#left.add(`${place}, account ${identity}: ${reason}`);
    return null;
  }
}
