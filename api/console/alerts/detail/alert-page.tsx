import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { ErrorList } from '../../events/error-list.tsx';
import { RequestFailure } from '../../http/request-failure.ts';
import type { AlertDetail } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { NotFound } from '../../parts/feedback/not-found.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Section, SideBySide } from '../../parts/section.tsx';
import { StateBadge } from '../../parts/values/badge.tsx';
import { AlertBadges } from '../alert-badges.tsx';
import { alertQuery } from '../alert-query.ts';
import { AlertActions } from './alert-actions.tsx';
import { AlertBody } from './alert-body.tsx';
import { AlertOrigin } from './alert-origin.tsx';
import { AlertPayload } from './alert-payload.tsx';
import { FieldResults } from './field-results.tsx';
import { PlaceOfAlert } from './place-of-alert.tsx';
import { Timeline } from './timeline.tsx';

const REFRESH_MS = 10_000;

/** The page of one alert: its content, origin and timeline, the result of each field, and the payload. */
export default function AlertPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery({ ...alertQuery(id), refetchInterval: REFRESH_MS });
  if (data) return <Found key={id} alert={data.data} />;
  if (error instanceof RequestFailure && error.status === 404) return <NotFound />;
  if (error) return <Failure error={error} title="Could not load the alert" retry={refetch} />;
  return <Loading shape="details" />;
}

const Found = ({ alert }: { alert: AlertDetail }) => (
  <>
    <PageHead
      title={alert.title ?? 'Untitled alert'}
      above={<PlaceOfAlert id={alert.id} />}
      aside={
        <>
          {alert.severity !== null && <StateBadge state={alert.severity} />}
          <AlertBadges alert={alert} />
        </>
      }
      actions={<AlertActions alert={alert} />}
    />
    <Stack>
      <SideBySide>
        <Section title="Alert" wide>
          <ErrorList errors={alert.faults} tone="warn" />
          <AlertBody alert={alert} />
        </Section>
        <Section title="Origin" wide>
          <AlertOrigin alert={alert} />
        </Section>
      </SideBySide>
      {(alert.dedupKey !== null || alert.eventCount > 1) && <Timeline alert={alert} />}
      <FieldResults alert={alert} />
      <AlertPayload alert={alert} />
    </Stack>
  </>
);
