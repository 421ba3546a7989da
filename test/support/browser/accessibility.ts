import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** All rules but those of level AAA: also later versions of WCAG, best practices, and rules that axe still tries out. */
const ALL_RULES = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice', 'experimental'],
} as const;
/** Those whose result depends on colors. */
const COLOR_RULES = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } as const;

/**
 * Returns the serious and critical violations that axe finds in a page in its present state, and landmarks that cannot be told apart:
 * for each the rule, what to do, and where.
 *
 * The console has no frames, so axe runs in the page alone, and what passes is not described.
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
  const light = await violationsOf(page, ALL_RULES);
  return [...dark.map((violation) => `in dark mode, ${violation}`), ...light];
}

/** Changes the color scheme of the system, and waits until the page has it. */
async function setColorScheme(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
}

async function violationsOf(
  page: Page,
  { type, values }: typeof ALL_RULES | typeof COLOR_RULES,
): Promise<string[]> {
  const { violations } = await runAxe(page, {
    resultTypes: ['violations'],
    runOnly: { type, values: [...values] },
  });
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || id === 'landmark-unique')
    .flatMap(({ id, impact, help, nodes }) =>
      nodes.filter(isReachable).map(({ target, failureSummary = '' }) => {
        const where = target.flat().join(' ');
        return `${impact}: ${id} (${help}) at ${where}: ${failureSummary.replaceAll(/\s+/g, ' ')}`;
      }),
    );
}

/** Runs axe in a page. Its script, of half a megabyte, is loaded once for each document. */
export async function runAxe(page: Page, options: RunOptions = {}): Promise<AxeResults> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  return page.evaluate(`axe.run(${JSON.stringify(options)})`) as Promise<AxeResults>;
}

/** Something above the page, such as a menu, may cover a part of a target until it is closed. */
const isReachable = ({ failureSummary = '' }): boolean => !failureSummary.includes('partially obscured');
