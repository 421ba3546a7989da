import { type PropsWithChildren, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useCurrentKey } from '../http/use-current-key.ts';
import { Account } from './account.tsx';
import { Logo } from './logo.tsx';
import { pagesFor } from './pages.ts';
import styles from './shell.module.css';
import { useKeptFocus } from './use-kept-focus.ts';
import { useNavigationReset } from './use-navigation-reset.ts';

const PAGE = 'page';

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
  const { data: key } = useCurrentKey();
  const [location] = useLocation();
  const current = `/${location.split('/')[1]}`;
  const pages = pagesFor(key?.scopes ?? []);
  return (
    <nav className={styles.pages} aria-label="Pages">
      {pages.map(({ path, name }) => (
        <PageLink key={path} path={path} name={name} isCurrent={path === current} />
      ))}
    </nav>
  );
}

function PageLink({ path, name, isCurrent }: { path: string; name: string; isCurrent: boolean }) {
  const link = useRef<HTMLAnchorElement>(null);
  // On a phone the links do not all fit, so scroll to the current one.
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [isCurrent]);
  return (
    <Link
      ref={link}
      href={path}
      className={styles.pageLink}
      aria-current={isCurrent ? 'page' : undefined}
      data-text={name}
    >
      {name}
    </Link>
  );
}
