import { ActionIcon } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import type { PropsWithChildren } from 'react';
import { Link, useLocation } from 'wouter';
import { useCurrentKey } from '../http/use-current-key.ts';
import { OnDemand } from '../parts/feedback/boundary.tsx';
import { lazyPart } from '../parts/feedback/lazy-part.tsx';
import { usePopup } from '../parts/popups/use-popup.ts';
import { Account } from './account.tsx';
import { Logo } from './logo.tsx';
import { pagesFor } from './pages.ts';
import styles from './shell.module.css';
import { useKeptFocus } from './use-kept-focus.ts';
import { useNavigationReset } from './use-navigation-reset.ts';

const PAGE = 'page';
const PageMenu = lazyPart(() => import('./menus/page-menu.tsx'));

/** The frame of every page: navigation and account. */
export function Shell({ children }: PropsWithChildren) {
  useNavigationReset(PAGE);
  useKeptFocus(PAGE);
  return (
    <>
      <a href={`#${PAGE}`} className={styles.skip}>
        Skip to content
      </a>
      <header className={styles.bar}>
        <PhoneNavigation />
        <Link href="/" className={styles.logo}>
          <Logo />
        </Link>
        <Navigation />
        <Account />
      </header>
      <main id={PAGE} className={styles.page} tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

function Navigation() {
  const pages = usePages();
  return (
    <nav className={styles.pages} aria-label="Pages">
      {pages.map(({ path, name, isCurrent }) => (
        <Link
          key={path}
          href={path}
          className={styles.pageLink}
          aria-current={isCurrent ? 'page' : undefined}
          data-text={name}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

/** Returns the pages that the key may open. */
function usePages() {
  const { data: key } = useCurrentKey();
  const [location] = useLocation();
  const current = `/${location.split('/')[1]}`;
  return pagesFor(key?.scopes ?? []).map((page) => ({ ...page, isCurrent: page.path === current }));
}

/** The navigation of a phone, where the links do not fit into the bar. */
function PhoneNavigation() {
  const pages = usePages();
  const { popup, buttonProps } = usePopup('menu', PageMenu.load);
  return (
    <nav className={styles.menu} aria-label="Pages">
      <ActionIcon {...buttonProps} variant="subtle" color="gray" size="lg" aria-label="Menu">
        <IconMenu2 size={20} />
      </ActionIcon>
      <OnDemand>{popup && <PageMenu popup={popup} pages={pages} />}</OnDemand>
    </nav>
  );
}
