/** Moves the focus to the search of the page. Returns whether it has one. */
export function focusSearch(): boolean {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('main input[type="search"]')];
  const search = inputs.find((input) => input.checkVisibility());
  search?.focus();
  return search !== undefined;
}
