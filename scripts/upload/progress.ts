import { figuresOf, type Phase, shareOf } from './phase.js';

/** Where progress is shown, such as `process.stderr`. */
export interface Screen {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

const redrawMs = 100;
const plainLineMs = 5_000;

/** Shows progress: on a terminal as one line that is redrawn, elsewhere as a line every few seconds. */
export class Progress {
  readonly #screen: Screen;
  readonly #now: () => number;
  #phase: Phase['name'] | null = null;
  #rate = new Rate();
  #shownAt: number;
  #isDrawn = false;

  /** @param now milliseconds since any point in time */
  constructor(screen: Screen, now: () => number = () => performance.now()) {
    this.#screen = screen;
    this.#now = now;
    this.#shownAt = now();
  }

  /** Shows a phase, unless the last update is too recent. */
  show(phase: Phase): void {
    const now = this.#now();
    const isNew = phase.name !== this.#phase;
    if (isNew) [this.#phase, this.#rate] = [phase.name, new Rate()];
    this.#rate.note(now, phase.done);
    const { isTTY } = this.#screen;
    // A terminal that does not know its size reports 0.
    const columns = this.#screen.columns || 80;
    if (now - this.#shownAt < (isTTY ? redrawMs : plainLineMs) && !(isTTY && isNew)) return;
    this.#shownAt = now;
    if (isTTY) this.#draw(barLine(phase, this.#rate.perSecond(), columns));
    else this.#screen.write(`${plainLine(phase, this.#rate.perSecond())}\n`);
  }

  /** Writes a line that stays. */
  note(line: string): void {
    this.clear();
    this.#screen.write(`${line}\n`);
  }

  /** Removes the drawn line. */
  clear(): void {
    if (this.#isDrawn) this.#screen.write('\r\x1b[K');
    this.#isDrawn = false;
  }

  #draw(line: string): void {
    this.#screen.write(`\r${line}\x1b[K`);
    this.#isDrawn = true;
  }
}

/** `sending 37%, 45.1 MB of 120.3 MB, 12.1 MB/s, 0:06 left` */
export function plainLine(phase: Phase, perSecond: number | null): string {
  if (isIdle(phase)) return phase.name;
  return `${phase.name} ${[...percentOf(phase), ...figuresOf(phase, perSecond)].join(', ')}`;
}

/** Returns the same with a bar, in fewer than `columns` characters: a full line would wrap and could not be redrawn. */
export function barLine(phase: Phase, perSecond: number | null, columns: number): string {
  if (isIdle(phase)) return phase.name.slice(0, columns - 1);
  const figures = [...percentOf(phase), ...figuresOf(phase, perSecond)].join('  ');
  const room = Math.min(40, columns - 1 - phase.name.length - figures.length - 4);
  const share = shareOf(phase);
  const bar = share !== null && room >= 12 ? `${drawBar(share, room)}  ` : '';
  return `${phase.name}  ${bar}${figures}`.slice(0, columns - 1);
}

function isIdle(phase: Phase): boolean {
  return phase.total === null && phase.done === 0;
}

function percentOf(phase: Phase): string[] {
  const share = shareOf(phase);
  return share === null ? [] : [`${Math.floor(share * 100)}%`];
}

/** `[=====>    ]`, `width` characters in all. */
function drawBar(share: number, width: number): string {
  const inside = width - 2;
  const filled = Math.round(share * inside);
  const head = filled > 0 && filled < inside ? `${'='.repeat(filled - 1)}>` : '='.repeat(filled);
  return `[${head.padEnd(inside)}]`;
}

const windowMs = 10_000;

/** Measures how fast a number grows, over the last ten seconds. */
export class Rate {
  #samples: { at: number; value: number }[] = [];

  /** Records the number at a time in milliseconds. Starts over if it has fallen, because a worker restarted the job. */
  note(at: number, value: number): void {
    const last = this.#samples.at(-1);
    if (last && value < last.value) this.#samples = [];
    this.#samples.push({ at, value });
    while (this.#samples.length > 2 && at - (this.#samples[1]?.at ?? at) > windowMs) this.#samples.shift();
  }

  /** Returns the growth per second, or null while it is unknown. */
  perSecond(): number | null {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || last.at - first.at < 500) return null;
    return ((last.value - first.value) * 1_000) / (last.at - first.at);
  }
}
