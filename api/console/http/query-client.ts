import { QueryClient } from '@tanstack/react-query';
import { RequestFailure } from './request-failure.ts';

const RETRIES = 2;

/**
 * Responses are fresh for some seconds, and temporary failures are retried. Queries also run while the browser is
 * "offline", because Muster may run on the same machine.
 */
export const queryClient = new QueryClient({
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
