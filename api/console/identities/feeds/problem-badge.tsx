import type { Feed } from '../../http/types.ts';
import { Badge } from '../../parts/values/badge.tsx';

/** What is wrong with a feed. */
export function ProblemBadge({ feed: { problem, paused } }: { feed: Pick<Feed, 'problem' | 'paused'> }) {
  if (problem === 'failed') return <Badge tone="bad">failed</Badge>;
  if (problem === 'held') return <Badge tone="warn">held by its guards</Badge>;
  return paused ? <Badge>paused</Badge> : <Badge tone="good">in order</Badge>;
}
