import { QueryClient } from '@tanstack/react-query';
import { RequestFailure } from './request-failure.ts';

const RETRIES = 2;

/**
 * What was read is believed for some seconds; what may succeed a moment later is tried again. That the browser is
 * "offline" keeps from nothing: Muster may well run on the same machine.
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
