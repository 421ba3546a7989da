import { ActionIcon } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { RESOLVE_BUTTON } from '../alerts/resolve/resolve-button.tsx';
import { useCurrentKey } from '../http/use-current-key.ts';
import { OnDemand } from '../parts/feedback/boundary.tsx';
import { lazyPart } from '../parts/feedback/lazy-part.tsx';
import { isTyping } from '../parts/is-typing.ts';
import { singleKeysOff } from '../settings/single-keys.ts';
import { pagesFor } from './pages.ts';
import { type Command, keySequence } from './shortcuts/key-sequence.ts';
import { step } from './shortcuts/step.ts';

/** Loaded when they are first opened. */
const PaletteDialog = lazyPart(() => import('./palette/palette-dialog.tsx'));
const ShortcutsDialog = lazyPart(() => import('./shortcuts/shortcuts-dialog.tsx'));

/** The button of the palette, and the keyboard shortcuts with their dialog. */
export function QuickAccess() {
  const [, navigate] = useLocation();
  const { data: key } = useCurrentKey();
  const [open, setOpen] = useState<'palette' | 'help' | null>(null);
  const pages = pagesFor(key?.scopes ?? []);
  useShortcuts((command: Command) => {
    if (command === 'next' || command === 'previous') return step(command);
    if (command === 'search') return focusSearch();
    if (command === 'resolve') return pressResolve();
    if (command === 'palette' || command === 'help') {
      setOpen(command);
      return true;
    }
    const page = pages.find((one) => one.key === command.page);
    if (page) followLink(page.path, navigate);
    return page !== undefined;
  });
  const close = () => setOpen(null);
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="Go to…"
        aria-keyshortcuts="Control+K Meta+K"
        title="Go to… (Ctrl K). Shortcuts: ?"
        onClick={() => setOpen('palette')}
      >
        <IconSearch size={18} />
      </ActionIcon>
      <OnDemand>
        {open === 'palette' && <PaletteDialog onClose={close} />}
        {open === 'help' && <ShortcutsDialog pages={pages} onClose={close} />}
      </OnDemand>
    </>
  );
}

/** Moves the focus to the search of the page. Returns whether it has one. */
function focusSearch(): boolean {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('main input[type="search"]')];
  const search = inputs.find((input) => input.checkVisibility());
  search?.focus();
  return search !== undefined;
}

/** Presses the button of the page that resolves alerts. Returns whether it has one. */
function pressResolve(): boolean {
  const button = document.querySelector<HTMLButtonElement>(`main [${RESOLVE_BUTTON}]`);
  button?.click();
  return button !== null;
}

/** Elements that use letters themselves. */
const LETTERED = '[role="menu"], [role="listbox"]';

/**
 * Runs the command of each shortcut that is pressed, unless a key goes to an input, or a dialog or menu is open.
 * @param run returns false if the page has no use for the command: then the key is the browser's
 */
function useShortcuts(run: (command: Command) => boolean): void {
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

/** Opens a page of the console as a click on a link does, so that the mapping page asks about unsaved changes first. */
function followLink(href: string, navigate: (href: string) => void): void {
  const link = document.createElement('a');
  link.href = href;
  link.hidden = true;
  link.addEventListener('click', (event) => {
    event.preventDefault();
    navigate(href);
  });
  document.body.append(link);
  link.click();
  link.remove();
}
