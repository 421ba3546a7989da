import { readWhole } from './read-xml.js';
import { damaged, tooLarge, type ZipEntries } from './zip-entries.js';

/** A million rows with an email and an account that occur once take about 50 MB. */
const MAX_BYTES = 128 * 1024 * 1024;

/** The texts of a workbook's cells, each stored once, as UTF-8 in one piece: as strings they would take three times the memory. */
export class SharedStrings {
  #bytes = Buffer.alloc(0);
  #length = 0;
  #ends = new Uint32Array(1024);
  #count = 0;

  /** Reads them. @throws FileError `workbook_damaged`, `workbook_too_large` */
  static async read(zip: ZipEntries, part: string): Promise<SharedStrings> {
    const strings = new SharedStrings();
    const text = new RichText();
    const handler = {
      open: (name: string) => text.open(name),
      text: (piece: string) => text.add(piece),
      close: (name: string) => {
        text.close(name);
        if (name === 'si') strings.#add(text.take());
      },
    };
    await readWhole(part, zip.read(part), handler);
    return strings;
  }

  /** @param index as a cell has it, from 0 */
  get(index: string): string {
    const at = Number(index);
    if (index.trim() === '' || !Number.isInteger(at) || at < 0 || at >= this.#count)
      throw damaged(`a cell has the shared string ${JSON.stringify(index)}, which does not exist`);
    return this.#bytes.toString('utf8', at === 0 ? 0 : this.#ends[at - 1], this.#ends[at]);
  }

  #add(text: string): void {
    const bytes = Buffer.byteLength(text);
    if (this.#length + bytes > MAX_BYTES) throw tooLarge('its texts take more than 128 MiB');
    if (this.#length + bytes > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(64 * 1024, 2 * (this.#length + bytes)));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    if (this.#count === this.#ends.length) {
      const longer = new Uint32Array(2 * this.#count);
      longer.set(this.#ends);
      this.#ends = longer;
    }
    this.#length += this.#bytes.write(text, this.#length);
    this.#ends[this.#count++] = this.#length;
  }
}

/** A text whose parts may have formats of their own. Phonetic hints are no part of it. */
export class RichText {
  #text = '';
  #isText = false;
  #isHint = false;

  open(name: string): void {
    if (name === 'rPh') this.#isHint = true;
    if (name === 't') this.#isText = !this.#isHint;
  }

  add(piece: string): void {
    if (this.#isText) this.#text += piece;
  }

  close(name: string): void {
    if (name === 'rPh') this.#isHint = false;
    if (name === 't') this.#isText = false;
  }

  /** Returns the text, and starts the next one. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}
