import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * What axe finds against WCAG 2 A and AA in a page as it stands, serious and critical only: for each the rule, what to
 * do and where.
 */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa']).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, impact, help, nodes }) =>
      nodes.map(({ target, failureSummary = '' }) => {
        const where = target.flat().join(' ');
        return `${impact}: ${id} (${help}) at ${where}: ${failureSummary.replaceAll(/\s+/g, ' ')}`;
      }),
    );
}
