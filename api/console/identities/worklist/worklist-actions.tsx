import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { WORKLIST_RULE_CODES, WORKLIST_RULES } from '../../../../workers/text/worklist-rules.ts';
import { requestJson } from '../../http/request.ts';
import type { Accepted, Job } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { readFirstRows } from '../../jobs/outcome/read-first-rows.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { decisionsAddress } from './decisions/decisions-address.ts';
import { parseWorklist } from './parse-worklist.ts';
import { precisionText } from './review/precision-text.ts';
import { usePrecision } from './review/use-precision.ts';
import styles from './worklist.module.css';

/** What to do with a finished worklist: review it, or accept what some rules have found. Renders nothing for other jobs. */
export default function WorklistActions({ job }: { job: Job }) {
  const mayWrite = useMay('developer_records:write');
  const path = job.type === 'identity-worklist' ? job.links.file : undefined;
  const first = useQuery({
    queryKey: ['worklist', path],
    queryFn: ({ signal }) => readFirstRows(path ?? '', parseWorklist, signal),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: path !== undefined,
  });
  const integrationId = first.data?.[0]?.integrationId;
  if (!mayWrite || integrationId === undefined) return null;
  return (
    <>
      <Group gap="sm">
        <Button component={Link} href={`/identities/worklist/review?job=${job.id}`}>
          Review accounts
        </Button>
        <Button component={Link} href={decisionsAddress(integrationId)} variant="default">
          Decisions
        </Button>
      </Group>
      <AcceptSection job={job} integrationId={integrationId} />
    </>
  );
}

/** Starts the dry run that accepts candidates by rule. Its page shows the changes, and applies them. */
function AcceptSection({ job, integrationId }: { job: Job; integrationId: string }) {
  const [rules, setRules] = useState<readonly string[]>(['same_email']);
  const precision = usePrecision(Number(integrationId));
  const [, navigate] = useLocation();
  const cache = useQueryClient();
  const once = useSendOnce();
  const trying = useMutation({
    mutationFn: () =>
      once([job.id, rules], (key) =>
        requestJson<Accepted>(`/v2/jobs/${job.id}/accept`, {
          method: 'POST',
          query: { rules: rules.join(','), dryRun: true },
          headers: { 'idempotency-key': key, prefer: 'respond-async' },
        }),
      ),
    onSuccess: ({ jobId }) => {
      void cache.invalidateQueries({ queryKey: ['/v2/jobs'] });
      navigate(`/jobs/${jobId}`);
    },
  });
  return (
    <Section
      title="Accept by rule"
      about="Makes the first candidate the owner where one of these rules has found it and no other candidate is near. The dry run shows the changes. Its page applies them, and they can be reverted."
    >
      <Stack gap="xs">
        <Checkbox.Group label="Rules, the strongest first" value={[...rules]} onChange={setRules}>
          <div className={styles.rules}>
            {WORKLIST_RULE_CODES.map((rule) => (
              <Checkbox
                key={rule}
                value={rule}
                label={WORKLIST_RULES[rule]}
                description={
                  precision.some((one) => one.rule === rule) && precisionText(WORKLIST_RULES[rule], precision)
                }
              />
            ))}
          </div>
        </Checkbox.Group>
        {trying.isError && <Failure error={trying.error} title="Could not start the dry run" />}
        <div>
          <Button
            variant="default"
            disabled={rules.length === 0}
            loading={trying.isPending}
            onClick={() => trying.mutate()}
          >
            Start dry run
          </Button>
        </div>
        <Text size="xs" c="dimmed">
          Accepted accounts do not count as decisions.
        </Text>
      </Stack>
    </Section>
  );
}
