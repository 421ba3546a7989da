import type { BrowserContext } from 'playwright-core';

/** The globals of the page that the init script below uses. */
interface InPage {
  document: {
    addEventListener(type: 'securitypolicyviolation', listen: (breach: Breach) => void): void;
  };
  musterBreach(text: string): void;
}

interface Breach {
  effectiveDirective: string;
  blockedURI: string;
  sample: string;
}

/**
 * Collects the errors of all pages of a context: console errors, exceptions, and violations of the content security
 * policy. Call it before the first page is opened.
 * @returns the errors so far, oldest first; the list grows
 */
export async function watchPageErrors(context: BrowserContext): Promise<string[]> {
  const errors: string[] = [];
  context.on('console', (message) => {
    if (message.type() !== 'error') return;
    errors.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (exception) => void errors.push(`exception: ${exception.error().stack}`));
  await context.exposeBinding('musterBreach', (_page, text: string) => void errors.push(`policy: ${text}`));
  await context.addInitScript(() => {
    const page = globalThis as unknown as InPage;
    page.document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      page.musterBreach(`${effectiveDirective} refused ${blockedURI} ${sample}`.trim()),
    );
  });
  return errors;
}
