/** Moves the focus to the search of the page, if it has one. */
export function focusSearch(): void {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('main input[type="search"]')];
  inputs.find((input) => input.checkVisibility())?.focus();
}
