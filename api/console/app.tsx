import { type ComponentType, lazy, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { useCurrentKey } from './http/use-current-key.ts';
import { EndNotices } from './jobs/notices/end-notices.tsx';
import { Boundary } from './parts/feedback/boundary.tsx';
import { Failure } from './parts/feedback/failure.tsx';
import { Loading } from './parts/feedback/loading.tsx';
import { NotFound } from './parts/feedback/not-found.tsx';
import { OnDemand } from './parts/feedback/on-demand.tsx';
import { useOfferedKey } from './session/offered-key.ts';
import { useSession } from './session/session.ts';
import { pagesFor } from './shell/pages.ts';
import { Shell } from './shell/shell.tsx';
import { SignIn } from './shell/sign-in.tsx';

/** Each page is a separate chunk that is loaded on the first visit. */
const page = (load: () => Promise<{ default: ComponentType }>) => lazy(load);

const PAGES: Record<string, ComponentType> = {
  '/integrations': page(() => import('./integrations/list.tsx')),
  '/integrations/new': page(() => import('./integrations/gallery/new.tsx')),
  '/integrations/:id/:tab?': page(() => import('./integrations/integration.tsx')),
  '/alerts': page(() => import('./alerts/list/alerts-page.tsx')),
  '/alerts/:id': page(() => import('./alerts/detail/alert-page.tsx')),
  '/events': page(() => import('./events/list/events-page.tsx')),
  '/events/:id': page(() => import('./events/detail/event-page.tsx')),
  '/identities': page(() => import('./identities/list/identities-page.tsx')),
  '/identities/upload': page(() => import('./identities/upload/upload-page.tsx')),
  '/identities/history': page(() => import('./identities/history/history-page.tsx')),
  '/identities/coverage': page(() => import('./identities/coverage/coverage-page.tsx')),
  '/identities/worklist': page(() => import('./identities/worklist/worklist-page.tsx')),
  '/jobs': page(() => import('./jobs/list/jobs-page.tsx')),
  '/jobs/:id': page(() => import('./jobs/detail/job-page.tsx')),
  '/keys': page(() => import('./keys/keys-page.tsx')),
  '/health': page(() => import('./health/health-page.tsx')),
};

/** Loaded when it is opened, like the code of all dialogs on list pages. */
const OfferedKeyDialog = lazy(() => import('./shell/offered-key-dialog.tsx'));

export function App() {
  const { key, isAsking } = useSession();
  if (key === null) return isAsking ? null : <SignIn />;
  return (
    <Shell key={key}>
      <Pages />
      <OfferedKey />
      <EndNotices />
    </Shell>
  );
}

function OfferedKey() {
  const offered = useOfferedKey();
  return <OnDemand>{offered !== null && <OfferedKeyDialog offered={offered} />}</OnDemand>;
}

/** Renders the pages once the key's scopes are known or could not be loaded, so that no page first reports missing scopes. */
function Pages() {
  const [location] = useLocation();
  const { isPending } = useCurrentKey();
  const shape = location.split('/').length > 2 ? 'details' : 'list';
  if (isPending) return <Loading shape={shape} />;
  return (
    <Boundary at={location}>
      <Suspense fallback={<Loading shape={shape} />}>
        <Switch>
          <Route path="/" component={Home} />
          {Object.entries(PAGES).map(([path, component]) => (
            <Route key={path} path={path} component={component} />
          ))}
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </Boundary>
  );
}

/** Redirects to the first page that the key can view. */
function Home() {
  const { data: key, error, refetch } = useCurrentKey();
  if (!key) return <Failure error={error} title="Could not load the key" retry={refetch} />;
  const [first] = pagesFor(key.scopes);
  return first ? <Redirect to={first.path} replace /> : <NotFound />;
}
