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
}

/**
 * The contexts of a browser. A context that was used before has the console's scripts in its caches, which saves about a fifth of the
 * CPU time of opening a page. A test that gets the context from a page, or sets its clock, is the last one to use it.
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
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'cookies,local_storage' });
    await session.detach();
    noteChanges(kept, page);
    return { kept, page };
  }

  async #create(kind: string, options: BrowserContextOptions): Promise<KeptContext> {
    const context = await this.#browser.newContext(options);
    return { context, errors: await watchPageErrors(context), kind, isChanged: false };
  }

  /** Closes the pages of a context, and keeps it for the next test unless it was changed. Returns the errors of its pages. */
  async release(kept: KeptContext): Promise<string[]> {
    const { context, isChanged } = kept;
    await Promise.all(context.pages().map((page) => page.close()));
    if (isChanged) await context.close();
    else this.#idle.push(kept);
    return kept.errors.splice(0);
  }
}

/** Notes that a test gets hold of the context of its page, or of the clock, which belongs to the context. */
function noteChanges(kept: KeptContext, page: Page): void {
  const { context } = kept;
  const { clock } = page;
  const change = <T>(value: T): T => {
    kept.isChanged = true;
    return value;
  };
  page.context = () => change(context);
  Object.defineProperty(page, 'clock', { get: () => change(clock) });
}
