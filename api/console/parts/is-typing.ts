/** Elements that take text. */
const INPUTS = 'input:not([type="checkbox"], [type="radio"]), textarea, select';

/** Returns whether a key goes to an input. Also true inside the shadow root of an editor. */
export const isTyping = (event: KeyboardEvent): boolean => {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(INPUTS));
};
