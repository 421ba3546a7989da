import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import 'virtual:theme.css';
import './theme/console.css';
import { MantineProvider } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import { App } from './app.tsx';
import { RequestFailure } from './http/request-failure.ts';
import { forgetAllStarted } from './jobs/notices/started-jobs.ts';
import { Announcer, announce } from './parts/feedback/announce.tsx';
import { Notices } from './parts/feedback/notices.tsx';
import { currentKey, onSessionChange } from './session/session.ts';
import { cssVariables, theme } from './theme/theme.ts';

const RETRIES = 2;

/**
 * Responses are fresh for some seconds, and temporary failures are retried. Queries also run while the browser is
 * "offline", because Muster may run on the same machine.
 */
const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      retry: (count, error) => count < RETRIES && error instanceof RequestFailure && error.isTemporary,
      retryDelay: (count) => 500 * 2 ** count,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

/**
 * Returns the query of the address for the router, which decodes it as a whole before it is split into parameters. That would turn the
 * value `a%20b` into `a b`, so every `%` is encoded once more.
 */
const useRawSearch = (): string => useSearch().replaceAll('%', '%25');

// What was loaded, started and said belongs to the key of its session.
let key = currentKey();
onSessionChange(() => {
  if (currentKey() === key) return;
  key = currentKey();
  queryClient.clear();
  forgetAllStarted();
  notifications.clean();
  announce('');
});

const root = document.getElementById('console');
if (!root) throw new Error('The page has no #console element.');

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        <Router searchHook={useRawSearch}>
          <App />
        </Router>
        <Notices />
        <Announcer />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
