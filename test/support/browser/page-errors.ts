import type { BrowserContext } from 'playwright-core';

/** What the init script below sees of the page that it runs in. */
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
 * Collects what goes wrong in all pages of a context: errors on the console, exceptions, breaches of the policy. To be
 * called before the first page is opened.
 * @returns the errors so far, oldest first; it grows
 */
export async function watchPageErrors(context: BrowserContext): Promise<readonly string[]> {
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
