import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { requestJson } from '../http/request.ts';
import type { CurrentUploadLink, One } from '../http/types.ts';
import { Failure } from '../parts/feedback/failure.tsx';
import { Loading } from '../parts/feedback/loading.tsx';
import { useSession } from '../session/use-session.ts';
import { Logo } from '../shell/logo.tsx';
import { Ended } from './ended.tsx';
import { LinkSteps } from './link-steps.tsx';
import styles from './upload-link.module.css';

const CURRENT_LINK = '/v2/upload-links/current';

/** The page that an upload link opens, for somebody without an API key: no frame, one file after the other. */
export default function UploadLinkPage() {
  const { key, endedBecause } = useSession();
  useEffect(() => {
    document.title = 'Upload · Muster';
  }, []);
  return (
    <main className={styles.page}>
      <Logo />
      {key === null ? (
        <Ended title="This link does not work">
          {endedBecause ?? 'The address is incomplete. Copy the complete link, with all that follows the #.'}
        </Ended>
      ) : (
        <Opened key={key} />
      )}
    </main>
  );
}

function Opened() {
  const { data, error, refetch } = useQuery({
    queryKey: [CURRENT_LINK],
    queryFn: ({ signal }) => requestJson<One<CurrentUploadLink>>(CURRENT_LINK, { signal }),
    select: ({ data }) => data,
  });
  if (error && !data) return <Failure error={error} title="Could not open the link" retry={refetch} />;
  if (!data) return <Loading rows={3} />;
  return (
    <InMemory>
      <LinkSteps link={data} refresh={() => void refetch()} />
    </InMemory>
  );
}

/** Keeps the options and jobs in a query of its own. That of the address would be sent to the server at a reload, and has names of columns. */
function InMemory({ children }: { children: ReactNode }) {
  const [{ hook, searchHook }] = useState(() => memoryLocation({ path: '/upload', searchPath: START }));
  return (
    <Router hook={hook} searchHook={() => searchHook().replaceAll('%', '%25')}>
      {children}
    </Router>
  );
}

const START = 'mode=link&onError=continue';
