import { QueryClient } from '@tanstack/react-query';
import { RequestFailure } from './request-failure.ts';

const RETRIES = 2;

/** What was read is believed for some seconds; what may succeed a moment later is tried again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < RETRIES && error instanceof RequestFailure && error.isTemporary,
      retryDelay: (count) => 500 * 2 ** count,
    },
    mutations: { retry: false },
  },
});
