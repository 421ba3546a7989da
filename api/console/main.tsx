import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import 'virtual:theme.css';
import './theme/console.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { App } from './app.tsx';
import { queryClient } from './http/query-client.ts';
import { Announcer } from './parts/feedback/announce.tsx';
import { Notices } from './parts/feedback/notices.tsx';
import { currentKey, onSessionChange } from './session/session.ts';
import { useRawSearch } from './shell/use-raw-search.ts';
import { cssVariables, theme } from './theme/theme.ts';

// Cached data belongs to the key that loaded it.
let key = currentKey();
onSessionChange(() => {
  if (currentKey() !== key) queryClient.clear();
  key = currentKey();
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
