import { useEffect } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { useCurrentKey } from './http/use-current-key.ts';
import { EndNotices } from './jobs/notices/end-notices.tsx';
import { PAGE_CODE, preloadPage } from './page-code.ts';
import { Boundary, OnDemand } from './parts/feedback/boundary.tsx';
import { NotFound } from './parts/feedback/empty.tsx';
import { Failure } from './parts/feedback/failure.tsx';
import { lazyPart } from './parts/feedback/lazy-part.tsx';
import { Loading } from './parts/feedback/loading.tsx';
import { isLinkPage } from './session/upload-link.ts';
import { useOfferedKey, useSession } from './session/use-session.ts';
import { pagesFor } from './shell/pages.ts';
import { Shell } from './shell/shell.tsx';
import { SignIn } from './shell/sign-in.tsx';

const PAGES = Object.entries(PAGE_CODE).map(([path, load]) => ({ path, Page: lazyPart(load) }));

/** Loaded when it is opened, like the code of all dialogs on list pages. */
const OfferedKeyDialog = lazyPart(() => import('./shell/offered-key-dialog.tsx'));

const UploadLinkPage = lazyPart(() => import('./upload-link/upload-link-page.tsx'));

export const App = () =>
  isLinkPage(window.location.pathname) ? (
    <Boundary at="">
      <UploadLinkPage />
    </Boundary>
  ) : (
    <Console />
  );

function Console() {
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
  // While the scopes of the key are loaded, instead of afterwards.
  useEffect(() => preloadPage(location), [location]);
  const loading = <Loading shape={location.split('/').length > 2 ? 'details' : 'list'} />;
  if (isPending) return loading;
  return (
    <Boundary at={location}>
      <Switch>
        <Route path="/" component={Home} />
        {PAGES.map(({ path, Page }) => (
          <Route key={path} path={path}>
            <Page placeholder={loading} />
          </Route>
        ))}
        <Route component={NotFound} />
      </Switch>
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
