import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { watchPageErrors } from './page-errors.js';

/** A context that one test after the other uses. */
export interface KeptContext {
  context: BrowserContext;
  /** The errors of its pages in the present test. */
  errors: string[];
  /** Only contexts of the same kind replace each other. */
  kind: string;
  /** Whether a test has changed it beyond its pages and its storage. */
  isChanged: boolean;
  /** The page that the next test gets, which is signed out, and whether a test has changed more of it than that undoes. */
  first?: { page: Page; isChanged: boolean } | undefined;
}

/**
 * The contexts of a browser. A context that was used before has the console's scripts in its caches, which saves about a fifth of the
 * CPU time of opening a page. A test that changes the context, or sets its clock, is the last one to use it.
 * A page that is signed out and in again saves more than half of it: nothing is loaded again, but what was on the page and what it had
 * requested are gone. A test that intercepts requests of its page, listens to it or runs scripts before it is the last one to use it.
 */
export class Contexts {
  readonly #browser: Browser;
  readonly #idle: KeptContext[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Opens a page without cookies and storage of that origin, in an idle context with these options or in a new one. */
  async open(origin: string, options: BrowserContextOptions): Promise<{ kept: KeptContext; page: Page }> {
    const kind = JSON.stringify(options);
    const place = this.#idle.findIndex((idle) => idle.kind === kind);
    const [kept = await this.#create(kind, options)] = place < 0 ? [] : this.#idle.splice(place, 1);
    const { context } = kept;
    await kept.first?.page.close();
    kept.first = undefined;
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'cookies,local_storage' });
    await session.detach();
    noteClock(kept, page);
    kept.first = firstPage(page);
    return { kept, page };
  }

  async #create(kind: string, options: BrowserContextOptions): Promise<KeptContext> {
    const context = await this.#browser.newContext(options);
    const kept = { context, errors: await watchPageErrors(context), kind, isChanged: false };
    noteCalls(context, ['route', 'addInitScript', 'addCookies', 'setOffline'], () => {
      kept.isChanged = true;
    });
    return kept;
  }

  /** Takes an open console in an idle context with these options: it asks for a key. */
  takeConsole(origin: string, options: BrowserContextOptions): { kept: KeptContext; page: Page } | null {
    const kind = JSON.stringify(options);
    const place = this.#idle.findIndex(
      ({ kind: its, first }) => its === kind && first?.page.url().startsWith(`${origin}/`),
    );
    const [kept] = place < 0 ? [] : this.#idle.splice(place, 1);
    return kept?.first ? { kept, page: kept.first.page } : null;
  }

  /**
   * Closes the pages of a context but one that shows the console, and keeps the context for the next test unless it was changed. Returns
   * the errors of its pages.
   */
  async release(kept: KeptContext): Promise<string[]> {
    const { context, isChanged } = kept;
    const others = context.pages().filter((page) => page !== kept.first?.page);
    await Promise.all(others.map((page) => page.close()));
    if (!isChanged && !(await leave(kept))) {
      await kept.first?.page.close();
      kept.first = undefined;
    }
    if (isChanged) await context.close();
    else this.#idle.push(kept);
    return kept.errors.splice(0);
  }
}

/** Runs in the browser. Signs the console out and clears its storage. Returns whether it asks for a key. */
const LEAVE = `(async () => {
  const clear = () => { for (const storage of [localStorage, sessionStorage]) storage.clear(); };
  clear();
  localStorage.setItem('muster.sign-out', 'left');
  dispatchEvent(new StorageEvent('storage'));
  clear();
  dispatchEvent(new StorageEvent('storage'));
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
  return document.querySelector('#console input[type=password]') !== null;
})()`;

/** Signs out the page of a context that the next test may get. Returns whether there is one. */
async function leave({ first }: KeptContext): Promise<boolean> {
  if (!first || first.isChanged || first.page.isClosed()) return false;
  return first.page.evaluate<boolean>(LEAVE).catch(() => false);
}

/** Returns a page that notes whether a test changes it for its whole life. */
function firstPage(page: Page): NonNullable<KeptContext['first']> {
  const first = { page, isChanged: false };
  noteCalls(page, ['route', 'on', 'addInitScript'], () => {
    first.isChanged = true;
  });
  return first;
}

/** Notes that a test sets the clock of a page, which belongs to the context. */
function noteClock(kept: KeptContext, page: Page): void {
  const { clock } = page;
  Object.defineProperty(page, 'clock', {
    get: () => {
      kept.isChanged = true;
      return clock;
    },
  });
}

/** Calls `note` before each call of these methods. `page.context` is none of them: Playwright calls it for each address. */
function noteCalls<Target extends object>(
  target: Target,
  names: readonly (keyof Target)[],
  note: () => void,
): void {
  for (const name of names) {
    const original = (target[name] as (...args: unknown[]) => unknown).bind(target);
    const noted = (...args: unknown[]) => {
      note();
      return original(...args);
    };
    Object.assign(target, { [name]: noted });
  }
}
