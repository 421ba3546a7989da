import type { Locator, Page } from 'playwright-core';
import { Client } from '../api/client.js';
import { makeWebhook } from '../api/webhooks.js';
import type { Stack } from '../servers/stack.js';
import { until } from '../until.js';
import type { sharedBrowser, TabOptions } from './browser.js';

/** Waits until a place reads so, line ends and runs of spaces as one space. */
export async function reads(place: Locator, text: string | RegExp): Promise<void> {
  let is = '';
  const matches = async () => {
    is = (await place.allInnerTexts()).join('\n').replace(/\s+/g, ' ').trim();
    return typeof text === 'string' ? is === text : text.test(is);
  };
  await until(`it reads ${text}`, matches).catch((late) => {
    throw new Error(`${late.message}; it reads ${is}`);
  });
}

interface Drawing {
  template?: string | null;
  /** Saved before the page is opened. */
  mapping?: object;
  tab?: Partial<TabOptions>;
}

/** Opens mapping pages of a stack. */
export class MappingPages {
  readonly client: Client;
  readonly #browser: ReturnType<typeof sharedBrowser>;
  readonly #tab: Pick<TabOptions, 'url' | 'key'>;

  private constructor(url: string, key: string, browser: ReturnType<typeof sharedBrowser>) {
    this.client = new Client(url, key);
    this.#browser = browser;
    this.#tab = { url, key };
  }

  static async of(stack: Stack, browser: ReturnType<typeof sharedBrowser>): Promise<MappingPages> {
    return new MappingPages(stack.url, await stack.key(), browser);
  }

  /** The page of a new integration; a blank one unless told otherwise. */
  async draw({ template = null, mapping, tab = {} }: Drawing = {}) {
    const webhook = await makeWebhook(this.client, { template });
    if (mapping) await this.client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, mapping);
    return { webhook, ...(await this.open(webhook.id, tab)) };
  }

  async open(id: string, options: Partial<TabOptions> = {}, query = '') {
    const path = `/integrations/${id}/mapping${query}`;
    const tab = await this.#browser.open({ ...this.#tab, path, ...options });
    await tab.page.getByRole('heading', { name: 'Alert fields' }).waitFor();
    return { tab, page: tab.page, mapping: new MappingPage(tab.page) };
  }

  /** The saved mapping, with its revision. */
  async current(id: string) {
    return (await this.client.get(`/v2/webhooks/${id}/mapping`)).body.data;
  }
}

/** The mapping page of the console, by what a person sees and reads there. */
export class MappingPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** A field of the payload, by its name. */
  field(name: string): Locator {
    return this.page.locator(`[role="treeitem"][aria-label^=${JSON.stringify(`${name},`)}]`);
  }

  /** A field of the alert with all that belongs to it, by its label. */
  row(label: string): Locator {
    return this.page.getByRole('group', { name: label, exact: true });
  }

  /** The text of a field's template. */
  template(label: string): Locator {
    return this.page.getByLabel(`${label} template`, { exact: true });
  }

  /** What became of a field. */
  result(label: string): Locator {
    return this.row(label).locator('[data-tone]');
  }

  /** What a screen reader was last told. */
  get announced(): Locator {
    return this.page.getByTestId('announcer');
  }

  /** Which revision, and how many changes. */
  get state(): Locator {
    return this.page.getByTestId('draft state');
  }

  /** Drags by the mouse what is to be seen to where it is to be seen: nobody can scroll with a button held down. */
  async drag(from: Locator, to: Locator): Promise<void> {
    await to.scrollIntoViewIfNeeded();
    await from.dragTo(to);
  }

  /** Writes a template anew, as by hand. */
  async write(label: string, text: string): Promise<void> {
    await this.template(label).click();
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.press('Delete');
    await this.page.keyboard.insertText(text);
  }

  /** Takes a payload in place of the one that is shown. */
  async paste(payload: string): Promise<void> {
    await this.page.getByText('Paste', { exact: true }).click();
    await this.page.getByLabel('Payload (JSON)').fill(payload);
  }
}
