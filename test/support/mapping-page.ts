import type { Locator, Page } from 'playwright-core';

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
    await this.page.getByLabel('A payload, as JSON').fill(payload);
  }

  /** Saves what was drawn, with a look at the dialog. */
  async save(): Promise<void> {
    await this.page.getByRole('button', { name: 'Review and save' }).click();
    await this.page.getByRole('button', { name: 'Save the mapping' }).click();
    await this.page.getByRole('dialog').waitFor({ state: 'detached' });
  }
}
