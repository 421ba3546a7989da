import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { Told } from '../../destinations/messages/told.tsx';
import { ErrorList } from '../../events/error-list.tsx';
import { eventQuery } from '../../events/event-query.ts';
import { RequestFailure } from '../../http/request-failure.ts';
import type { AlertDetail } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { PersonLink } from '../../identities/person/person-link.tsx';
import { useWebhookNames } from '../../integrations/webhook/use-webhook-names.ts';
import { Lookups } from '../../lookups/lookups.tsx';
import { ALERT_FIELDS } from '../../mapping/model/draft/alert-fields.ts';
import { Facts } from '../../parts/facts.tsx';
import { NotFound } from '../../parts/feedback/empty.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { Loading } from '../../parts/feedback/loading.tsx';
import { PlaceInList } from '../../parts/lists/place-in-list.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Section, SideBySide } from '../../parts/section.tsx';
import { StateBadge } from '../../parts/values/badge.tsx';
import { Payload } from '../../parts/values/payload.tsx';
import { Time } from '../../parts/values/time.tsx';
import { AlertBadges } from '../alert-badges.tsx';
import { alertQuery } from '../alert-query.ts';
import { useAlertView } from '../list/use-alert-view.ts';
import { ResolveButton } from '../resolve/resolve-button.tsx';
import { AlertOrigin } from './alert-origin.tsx';
import styles from './detail.module.css';
import { FieldResults } from './field-results.tsx';
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

function Found({ alert }: { alert: AlertDetail }) {
  const mayReadDestinations = useMay('destinations:read', 'destinations:write');
  return (
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
        {mayReadDestinations && (
          <Told
            path={`/v2/alerts/${alert.id}/messages`}
            of="alert"
            about="Which destinations were told of this alert, and why others were not."
            none="When the alert changed, no destination was set up for its integration."
          />
        )}
        <FieldResults alert={alert} />
        <Lookups
          lookups={Object.entries(alert.results?.lookups ?? {})}
          about="What the mapping looked up for the newest event of this alert. It stays as it was found until the event is mapped again."
        />
        <AlertPayload alert={alert} />
      </Stack>
    </>
  );
}

/** The end of a firing alert, and a link to the mapping, opened with the event that created the alert or that it is about. */
function AlertActions({ alert }: { alert: AlertDetail }) {
  const { exists } = useWebhookNames();
  const shown = alert.dedupKey?.startsWith('muster:drift:') ? alert.custom.event : alert.event?.id;
  const event = shown ? `?event=${shown}` : '';
  return (
    <>
      {alert.status === 'firing' && <ResolveButton what={{ id: alert.id }} label="Resolve" />}
      {exists(alert.webhookId) && (
        <Button component={Link} href={`/integrations/${alert.webhookId}/mapping${event}`}>
          Open mapping
        </Button>
      )}
    </>
  );
}

const SHOWN = ['severity', 'source', 'service', 'environment', 'team'] as const;

/** The content of an alert: its description and its fields. */
const AlertBody = ({ alert }: { alert: AlertDetail }) => (
  <>
    <Text className={styles.description} mb="md">
      {alert.description === null ? <i>No description</i> : <bdi>{alert.description}</bdi>}
    </Text>
    <Facts
      facts={[
        ...peakOf(alert),
        ...SHOWN.map((name) => [ALERT_FIELDS[name].label, <Value key={name} text={alert[name]} />] as const),
        ['Owner', <Owner key="owner" email={alert.ownerEmail} />],
        ...Object.entries(alert.custom).map(
          ([name, text]) => [name, <Value key={name} text={text} />] as const,
        ),
      ]}
    />
  </>
);

/** Whom the alert concerns. */
const Owner = ({ email }: { email: string | null }) =>
  email === null ? <Value text={null} /> : <PersonLink email={email} />;

/** The most severe severity of an alert, if it is not the one that it shows. */
const peakOf = ({ severity, peakSeverity, peakAt }: AlertDetail) =>
  peakSeverity === null || peakAt === null || peakSeverity === severity
    ? []
    : [
        [
          'Peak severity',
          <Group key="peak" gap="xs">
            <StateBadge state={peakSeverity} />
            <span>
              <Time at={peakAt} />
            </span>
          </Group>,
        ] as const,
      ];

const Value = ({ text }: { text: string | null }) =>
  text === null ? (
    <Text span c="dimmed" inherit>
      None
    </Text>
  ) : (
    <bdi>{text}</bdi>
  );

/** The payload of the alert's first event, until the event expires. */
function AlertPayload({ alert: { event, eventCount } }: { alert: AlertDetail }) {
  const eventId = event?.id ?? null;
  const { data, error, refetch } = useQuery({
    ...eventQuery(eventId ?? ''),
    enabled: eventId !== null,
    staleTime: 60_000,
  });
  if (eventId === null) return null;
  return (
    <Section
      title="Payload"
      about={`The body of the ${eventCount === 1 ? '' : 'first '}event, as received.`}
      wide
    >
      {data && <Payload event={data.data} />}
      {error && <Failure error={error} title="Could not load the payload" retry={refetch} />}
      {!data && !error && <Skeleton height={160} />}
    </Section>
  );
}

/** The way back to the alert list, and to the alerts before and after. */
const PlaceOfAlert = ({ id }: { id: string }) => (
  <PlaceInList
    id={id}
    list="/alerts"
    name="Alerts"
    one="alert"
    path="/v2/alerts"
    query={useAlertView().query}
  />
);
