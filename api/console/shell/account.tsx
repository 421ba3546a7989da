import { ActionIcon, Button } from '@mantine/core';
import { IconContrast, IconHelp } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { useCurrentKey } from '../http/use-current-key.ts';
import { OnDemand } from '../parts/feedback/boundary.tsx';
import { lazyPart } from '../parts/feedback/lazy-part.tsx';
import { usePopup } from '../parts/popups/use-popup.ts';
import { helpFor } from './help.ts';
import { QuickAccess } from './quick-access.tsx';
import styles from './shell.module.css';

const ColorSchemeMenu = lazyPart(() => import('./menus/color-scheme-menu.tsx'));
const KeyMenu = lazyPart(() => import('./menus/key-menu.tsx'));

/** The palette, help, the color scheme menu, and the menu of the signed-in key. */
export function Account() {
  return (
    <div className={styles.account}>
      <QuickAccess />
      <Help />
      <ColorScheme />
      <Key />
    </div>
  );
}

/** A link to the documentation of the page, in a new tab: what is typed on the page stays. */
function Help() {
  const [location] = useLocation();
  return (
    <ActionIcon
      component="a"
      href={helpFor(location)}
      target="_blank"
      variant="subtle"
      color="gray"
      aria-label="Help"
      title="Help for this page (opens a new tab)"
    >
      <IconHelp size={18} />
    </ActionIcon>
  );
}

function ColorScheme() {
  const { popup, buttonProps } = usePopup('menu', ColorSchemeMenu.load);
  return (
    <>
      <ActionIcon {...buttonProps} variant="subtle" color="gray" aria-label="Color scheme">
        <IconContrast size={18} />
      </ActionIcon>
      <OnDemand>{popup && <ColorSchemeMenu popup={popup} />}</OnDemand>
    </>
  );
}

function Key() {
  const { data: key } = useCurrentKey();
  const { popup, buttonProps } = usePopup('menu', KeyMenu.load);
  const role = key?.scopes.includes('admin') ? ' · admin' : '';
  return (
    <>
      <Button {...buttonProps} variant="subtle" color="gray" size="compact-sm">
        {key ? `${key.name}${role}` : 'Key'}
      </Button>
      <OnDemand>{popup && <KeyMenu popup={popup} scopes={key?.scopes ?? []} />}</OnDemand>
    </>
  );
}
