import { readFileSync } from 'node:fs';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { sizes } from './browser.js';

/** `axe.source` is not minified: more than twice as much to parse. */
const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/** All rules but those of level AAA: also later versions of WCAG, best practices, and rules that axe still tries out. */
const ALL_RULES = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice', 'experimental'],
} as const;
/**
 * Rules of these tags whose violations are minor or moderate, which nobody is told of. The last one needs all style sheets to be
 * loaded and parsed again in each run; `test/unit/console/styles.test.ts` looks at them instead.
 */
const UNUSED_RULES = [
  'aria-allowed-role',
  'aria-deprecated-role',
  'empty-heading',
  'empty-table-header',
  'focus-order-semantics',
  'form-field-multiple-labels',
  'heading-order',
  'hidden-content',
  'html-xml-lang-mismatch',
  'image-redundant-alt',
  'landmark-banner-is-top-level',
  'landmark-contentinfo-is-top-level',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
  'landmark-no-duplicate-main',
  'landmark-one-main',
  'meta-viewport',
  'meta-viewport-large',
  'no-autoplay-audio',
  'page-has-heading-one',
  'presentation-role-conflict',
  'region',
  'scope-attr-valid',
  'server-side-image-map',
  'skip-link',
  'table-duplicate-name',
  'css-orientation-lock',
];
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

/**
 * Returns the violations of a page on a desk in dark mode and on a phone in light mode, and leaves it so: what a page contains differs
 * between the sizes, and its colors differ between the modes.
 * @param look waits until the page has what is looked at, and looks at more
 */
export async function violationsOnBothSizes(page: Page, look: Look = async () => {}): Promise<string[]> {
  const found: string[] = [];
  for (const [size, colorScheme] of [
    ['desk', 'dark'],
    ['phone', 'light'],
  ] as const) {
    await page.setViewportSize(sizes[size]);
    await setColorScheme(page, colorScheme);
    await look(size);
    found.push(...(await violationsOf(page, ALL_RULES)).map((one) => `on a ${size}, ${colorScheme}: ${one}`));
  }
  return found;
}

export type Look = (size: keyof typeof sizes) => Promise<void>;

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
    preload: false,
    resultTypes: ['violations'],
    runOnly: { type, values: [...values] },
    ...(type === 'tag' && { rules: Object.fromEntries(UNUSED_RULES.map((id) => [id, { enabled: false }])) }),
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

/**
 * Runs axe in a page, or in the modal dialog that is open: the rest is out of reach, and is looked at while none is. The script, of half a
 * megabyte, is loaded once for each document.
 */
async function runAxe(page: Page, options: RunOptions): Promise<AxeResults> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE);
  const where = `[...document.querySelectorAll('[role=dialog][aria-modal=true]')].at(-1) ?? document`;
  return page.evaluate(`axe.run(${where}, ${JSON.stringify(options)})`) as Promise<AxeResults>;
}

/** Something above the page, such as a menu, may cover a part of a target until it is closed. */
const isReachable = ({ failureSummary = '' }): boolean => !failureSummary.includes('partially obscured');
