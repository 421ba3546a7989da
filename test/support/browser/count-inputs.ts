import type { Page } from 'playwright-core';

/** What a person did on a page. */
interface Inputs {
  /** Of the mouse. */
  clicks: number;
  drags: number;
  /** Of keys, a combination counted once, without the characters that are typed into an input. */
  presses: number;
}

/** Runs in the browser. Keys and clicks that the page makes itself are not counted. A page that another test has used counts already. */
const COUNT = `
  const isCounting = 'inputs' in globalThis;
  globalThis.inputs = { clicks: 0, drags: 0, presses: 0 };
  const count = (type, name, isOne = () => true) =>
    isCounting || document.addEventListener(type, (event) => { if (event.isTrusted && isOne(event)) inputs[name] += 1; }, true);
  const isText = ([target]) => target.isContentEditable || (target.matches('input, textarea') && !/radio|checkbox/.test(target.type));
  count('click', 'clicks', ({ detail }) => detail > 0);
  count('dragstart', 'drags');
  count('keydown', 'presses', (event) => {
    if (['Control', 'Shift', 'Alt', 'Meta'].includes(event.key)) return false;
    return event.ctrlKey || event.metaKey || event.key.length > 1 || !isText(event.composedPath());
  });
`;

/** Counts what is done on the page from now on, until it is loaded again. Returns a function that returns the counts so far. */
export async function countInputs(page: Page): Promise<() => Promise<Inputs>> {
  await page.evaluate(COUNT);
  return () => page.evaluate('inputs') as Promise<Inputs>;
}
