import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const ALL_RULES = { type: 'tag', values: ['wcag2a', 'wcag2aa'] } as const;
/** Those of them whose result depends on colors. */
const COLOR_RULES = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } as const;

/**
 * Returns the serious and critical violations of WCAG 2 A and AA that axe finds in a page in its present state: for each
 * the rule, what to do, and where.
 *
 * A third of the time of axe's defaults (0.6 s instead of 2 s per page): the legacy mode needs no second page to collect results
 * from frames of other origins (there are none), and what passes is not described.
 */
export function accessibilityViolations(page: Page): Promise<string[]> {
  return violationsOf(page, ALL_RULES);
}

/**
 * Returns the same for a page in dark and in light mode, and leaves it in light mode. The dark page has the same
 * elements, so only the rules for colors run there.
 */
export async function violationsInBothModes(page: Page): Promise<string[]> {
  await setColorScheme(page, 'dark');
  const dark = await violationsOf(page, COLOR_RULES);
  await setColorScheme(page, 'light');
  const light = await accessibilityViolations(page);
  return [...dark.map((violation) => `in dark mode, ${violation}`), ...light];
}

/** Changes the color scheme of the system, and waits until the page has it. */
async function setColorScheme(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
}

async function violationsOf(page: Page, runOnly: typeof ALL_RULES | typeof COLOR_RULES): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'], runOnly: { type: runOnly.type, values: [...runOnly.values] } })
    .setLegacyMode(true)
    .analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, impact, help, nodes }) =>
      nodes.map(({ target, failureSummary = '' }) => {
        const where = target.flat().join(' ');
        return `${impact}: ${id} (${help}) at ${where}: ${failureSummary.replaceAll(/\s+/g, ' ')}`;
      }),
    );
}
