import type { Locator, Page } from 'playwright-core';
import { Client } from '../api/client.js';
import { makeWebhook, type TestWebhook } from '../api/webhooks.js';
import type { Stack } from '../servers/stack.js';
import { until } from '../until.js';
import type { sharedBrowser, TabOptions } from './browser.js';

/** Waits until an element has this text. White space is collapsed. */
export async function reads(place: Locator, text: string | RegExp): Promise<void> {
  let is = '';
  const matches = async () => {
    is = (await place.allInnerTexts()).join('\n').replace(/\s+/g, ' ').trim();
    return typeof text === 'string' ? is === text : text.test(is);
  };
  await until(`the text is ${text}`, matches).catch((late) => {
    throw new Error(`${late.message}; the text is ${is}`);
  });
}

interface NewIntegration {
  template?: string | null;
  /** A mapping to save. */
  mapping?: object;
}

/** Opens the mapping pages of a stack. */
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

  /** Creates an integration, without a template by default. */
  async integrate({ template = null, mapping }: NewIntegration = {}): Promise<TestWebhook> {
    const webhook = await makeWebhook(this.client, { template });
    if (mapping) await this.client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, mapping);
    return webhook;
  }

  /** Creates an integration and opens its mapping page. */
  async create({ tab = {}, ...more }: NewIntegration & { tab?: Partial<TabOptions> } = {}) {
    const webhook = await this.integrate(more);
    return { webhook, ...(await this.open(webhook.id, tab)) };
  }

  async open(id: string, options: Partial<TabOptions> = {}, query = '') {
    const path = `/integrations/${id}/mapping${query}`;
    const tab = await this.#browser.open({ ...this.#tab, path, ...options });
    // On a phone the alert fields are hidden at first.
    const fields = tab.page.getByRole('group', { name: 'Title', exact: true, includeHidden: true });
    await fields.waitFor({ state: 'attached' });
    return { tab, page: tab.page, mapping: new MappingPage(tab.page) };
  }

  /** Returns the saved mapping with its revision. */
  async current(id: string) {
    return (await this.client.get(`/v2/webhooks/${id}/mapping`)).body.data;
  }
}

/** The mapping page of the console, with locators by visible text and accessible names. */
export class MappingPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens a part of the page on a phone. */
  async open(step: 'Payload' | 'Fields' | 'Result'): Promise<void> {
    await this.page.getByRole('radiogroup', { name: 'Step' }).getByText(step).click();
  }

  /** A payload field by its name. */
  field(name: string): Locator {
    return this.page.locator(`[role="treeitem"][data-label=${JSON.stringify(name)}]`);
  }

  /** The row of an alert field by its label. */
  row(label: string): Locator {
    return this.page.getByRole('group', { name: label, exact: true });
  }

  /** The template editor of an alert field. */
  template(label: string): Locator {
    return this.page.getByLabel(`${label} template`, { exact: true });
  }

  /** The result of an alert field. */
  result(label: string): Locator {
    return this.row(label).locator('[data-tone]');
  }

  /** The last announcement to screen readers. */
  get announced(): Locator {
    return this.page.getByTestId('announcer');
  }

  /** The revision and the number of unsaved changes. */
  get state(): Locator {
    return this.page.getByTestId('draft state');
  }

  /** Drags a payload field with the mouse. Scrolls first, because a user cannot scroll while dragging. */
  async drag(from: Locator, to: Locator): Promise<void> {
    await until('the field can be dragged', async () => (await from.getAttribute('draggable')) === 'true');
    await to.scrollIntoViewIfNeeded();
    await from.dragTo(to);
  }

  /** Replaces a template by typing. */
  async write(label: string, text: string): Promise<void> {
    await this.template(label).click();
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.press('Delete');
    await this.page.keyboard.insertText(text);
  }

  /** Uses a pasted payload as the sample. */
  async paste(payload: string): Promise<void> {
    await this.page.getByText('Paste', { exact: true }).click();
    await this.page.getByLabel('Payload (JSON)').fill(payload);
  }
}
