/** Marks the link of each row of a list. */
export const ROW_LINK = 'data-row-link';

/**
 * Goes one step through a list: on a page that belongs to a list it follows the link to the next or previous entry, in the list it
 * moves the focus to the link of the next or previous row. Returns whether there is one.
 */
export function step(direction: 'next' | 'previous'): boolean {
  const link = document.querySelector<HTMLElement>(`main a[rel="${direction === 'next' ? 'next' : 'prev'}"]`);
  if (link) {
    link.click();
    return true;
  }
  const rows = [...document.querySelectorAll<HTMLElement>(`main [${ROW_LINK}]`)];
  const current = rows.findIndex((row) => row.closest('tr')?.contains(document.activeElement));
  const next = current === -1 ? 0 : current + (direction === 'next' ? 1 : -1);
  rows[next]?.focus();
  return rows[next] !== undefined;
}
