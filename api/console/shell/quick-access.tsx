import { ActionIcon } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useCurrentKey } from '../http/use-current-key.ts';
import { lazyPart } from '../parts/feedback/lazy-part.tsx';
import { OnDemand } from '../parts/feedback/on-demand.tsx';
import { followLink } from './follow-link.ts';
import { pagesFor } from './pages.ts';
import { focusSearch } from './shortcuts/focus-search.ts';
import type { Command } from './shortcuts/key-sequence.ts';
import { step } from './shortcuts/step.ts';
import { useShortcuts } from './shortcuts/use-shortcuts.ts';

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
