import { useEffect, useRef } from 'react';
import { isTyping } from '../../parts/is-typing.ts';
import { singleKeysOff } from '../../settings/single-keys.ts';
import { type Command, keySequence } from './key-sequence.ts';

/** Elements that use letters themselves. */
const LETTERED = '[role="menu"], [role="listbox"]';

/**
 * Runs the command of each shortcut that is pressed, unless a key goes to an input, or a dialog or menu is open.
 * @param run returns false if the page has no use for the command: then the key is the browser's
 */
export function useShortcuts(run: (command: Command) => boolean): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const commandOf = keySequence();
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isTyping(event) || isBusy(event)) return;
      const command = commandOf(event, event.timeStamp, !singleKeysOff.isSet());
      if (command !== null && latest.current(command)) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

const isBusy = ({ target }: KeyboardEvent): boolean =>
  document.querySelector('[role="dialog"]') !== null ||
  (target instanceof Element && target.closest(LETTERED) !== null);
