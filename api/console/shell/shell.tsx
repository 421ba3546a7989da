import { type PropsWithChildren, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useCurrentKey } from '../http/use-current-key.ts';
import { Account } from './account.tsx';
import { Logo } from './logo.tsx';
import { placesFor } from './places.ts';
import styles from './shell.module.css';
import { useArrival } from './use-arrival.ts';

const PAGE = 'page';

/** What stands around every page: the way to each place, and who is signed in. */
export function Shell({ children }: PropsWithChildren) {
  useArrival(PAGE);
  return (
    <>
      <a href={`#${PAGE}`} className={styles.skip}>
        Skip to the page
      </a>
      <header className={styles.bar}>
        <Link href="/" className={styles.logo}>
          <Logo />
        </Link>
        <Places />
        <Account />
      </header>
      <main id={PAGE} className={styles.page} tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

function Places() {
  const { data: key } = useCurrentKey();
  const [location] = useLocation();
  const here = `/${location.split('/')[1]}`;
  const places = placesFor(key?.scopes ?? []);
  return (
    <nav className={styles.places} aria-label="Places">
      {places.map(({ path, name }) => (
        <PlaceLink key={path} path={path} name={name} isHere={path === here} />
      ))}
    </nav>
  );
}

function PlaceLink({ path, name, isHere }: { path: string; name: string; isHere: boolean }) {
  const link = useRef<HTMLAnchorElement>(null);
  // On a phone not all of them fit.
  useEffect(() => {
    if (isHere) link.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [isHere]);
  return (
    <Link ref={link} href={path} className={styles.place} aria-current={isHere ? 'page' : undefined}>
      {name}
    </Link>
  );
}
