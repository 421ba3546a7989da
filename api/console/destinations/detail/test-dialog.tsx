import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { Destination, One, TestResult } from '../../http/types.ts';
import { Facts } from '../../parts/facts.tsx';
import { announce } from '../../parts/feedback/announce.tsx';
import { Dialog } from '../../parts/feedback/dialog.tsx';
import { Failure } from '../../parts/feedback/failure.tsx';
import { describeOutcome, describeTook } from '../messages/message-words.ts';
import { Response, SentBody } from '../messages/sent-body.tsx';
import { destinationEntry } from '../use-destination.ts';

interface TestDialogProps {
  destination: Destination;
  onClose: () => void;
}

/** Sends a test message, and shows what its receiver responds. */
export default function TestDialog({ destination: { id, name, preset, types }, onClose }: TestDialogProps) {
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => requestJson<One<TestResult>>(`${destinationEntry(id).path}/test`, { method: 'POST' }),
    onSuccess: ({ data }) =>
      announce(data.delivered ? 'The test was delivered' : 'The test was not delivered'),
  });
  const result = isPending ? undefined : data?.data;
  return (
    <Dialog onClose={onClose} title={`Test ${name}`} size="xl">
      <Stack>
        <Text size="sm">
          {types.length === 0
            ? 'Sends one message now, about a job that does not exist,'
            : 'Sends one message now, with the title “Test from Muster”,'}{' '}
          also if the destination is paused. It is not listed among the messages.
          {preset === 'pagerduty' && ' It opens an incident of severity info: resolve it by hand.'}
          {preset === 'alertmanager' && ' Its alert ends after 5 minutes.'}
        </Text>
        {result && <Result result={result} preset={preset} />}
        {error && !isPending && <Failure error={error} title="Could not send the test" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button loading={isPending} onClick={() => mutate()} data-autofocus>
            {result ? 'Send again' : 'Send test'}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

const Result = ({
  result: { delivered, outcome, status, response, tookMs, body },
  preset,
}: {
  result: TestResult;
  preset: string;
}) => (
  <>
    <Alert color={delivered ? 'green' : 'red'} title={delivered ? 'Delivered' : 'Not delivered'}>
      {describeOutcome(outcome)}.
    </Alert>
    <Facts
      facts={[
        ['Status', status ?? 'None'],
        ['Took', describeTook(tookMs)],
        ['Response', <Response key="response" text={response} />],
      ]}
    />
    <Title order={3} size="h5">
      Body
    </Title>
    <SentBody text={body} preset={preset} />
  </>
);
