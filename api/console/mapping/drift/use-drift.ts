import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { Drift, One } from '../../http/types.ts';
import { targetOfResult } from '../model/draft/alert-fields.ts';
import { type Draft, fieldAt, sourceOf } from '../model/draft/draft.ts';

export type DriftProblem = Drift['problems'][number];
export type PathProblem = Extract<DriftProblem, { kind: 'path' }>;

/** Returns where events no longer fit the mapping. Loaded once: what a saved revision solves is then remapped from here. */
export function useDrift(webhookId: string): readonly DriftProblem[] {
  const { data } = useQuery({
    queryKey: ['drift', webhookId],
    queryFn: ({ signal }) => requestJson<One<Drift>>(`/v2/webhooks/${webhookId}/drift`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
  });
  return data?.data.problems ?? NONE;
}

const NONE: readonly DriftProblem[] = [];

/** Returns whether a mapping still has a problem: it reads the path, or has no entry for the word. */
export function stillHas(draft: Draft, problem: DriftProblem): boolean {
  if (problem.kind === 'type') return true;
  const field = problem.field === 'filter' ? null : fieldAt(draft, targetOfResult(problem.field));
  if (problem.kind === 'path') return (field ? sourceOf(field) : draft.filter).includes(problem.path);
  const words = Object.keys(field?.values ?? {}).map((word) => word.trim().toLowerCase());
  return !words.includes(problem.word.trim().toLowerCase());
}
