import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const problem = (PID: string, name: string, State: string, more: Record<string, JsonValue>): JsonValue => ({
  State,
  ProblemID: `P-${PID.slice(0, 4)}`,
  PID,
  ProblemTitle: 'Failure rate increase',
  ImpactedEntity: `Failure rate increase on Web service ${name}`,
  ImpactedEntities: [{ type: 'SERVICE', name, entity: `SERVICE-${PID}` }],
  ...more,
});

const alert = { source: 'Dynatrace', environment: null };

export default [
  {
    what: 'a problem opens, is updated and resolved, another one is merged, and the notification is tested',
    shape: 'rafalpsciuk/autoremediation-lambda test/events/test.event.js',
    steps: [
      [
        'opened',
        problem('5501_1V2', 'Search', 'OPEN', {
          ProblemDetails: 'One of ten searches fails',
          Tags: 'env:production',
        }),
      ],
      [
        'another problem',
        problem('5502_1V2', 'Prices', 'OPEN', { ProblemDetails: 'One of ten prices fails' }),
      ],
      [
        'updated',
        problem('5501_1V2', 'Search', 'OPEN', {
          ProblemDetails: 'Half of all searches fail',
          Tags: 'env:production',
        }),
      ],
      ['merged', problem('5502_1V2', 'Prices', 'MERGED', { ProblemDetails: 'One of ten prices fails' })],
      [
        'tested',
        {
          ...(problem('99999', 'MyHost', 'OPEN', {}) as object),
          ProblemTitle: 'Dynatrace problem notification test run',
          ProblemDetails: 'Nothing is wrong',
        },
      ],
    ],
    alerts: [
      {
        ...alert,
        title: 'Failure rate increase',
        severity: 'error',
        description: 'Half of all searches fail',
        service: 'Search',
        environment: 'production',
        status: 'firing',
        eventCount: 2,
      },
      {
        ...alert,
        title: 'Failure rate increase',
        severity: 'error',
        description: 'One of ten prices fails',
        service: 'Prices',
        status: 'resolved',
        eventCount: 2,
      },
      {
        ...alert,
        title: 'Dynatrace problem notification test run',
        severity: 'error',
        description: 'Nothing is wrong',
        service: 'MyHost',
        status: null,
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a payload with the details as JSON opens and resolves a problem',
    shape: 'keptn-contrib/dynatrace-service internal/problem/testdata/closed_problem/received_ce.json',
    steps: (['OPEN', 'RESOLVED'] as const).map((status) => [
      status,
      {
        PID: '7701_1V2',
        ProblemID: '770',
        ProblemTitle: 'CPU saturation',
        ImpactedEntity: 'node-4',
        ProblemTags: 'team:compute, env:staging',
        ProblemURL: 'https://dynatrace.example.com/problem/7701',
        ProblemDetailsJSON: {
          id: '7701_1V2',
          displayName: '770',
          status,
          severityLevel: 'RESOURCE_CONTENTION',
        },
      },
    ]),
    alerts: [
      {
        ...alert,
        title: 'CPU saturation',
        severity: 'warning',
        description: 'CPU saturation',
        service: 'node-4',
        environment: 'staging',
        team: 'compute',
        status: 'resolved',
        eventCount: 2,
      },
    ],
  },
] satisfies Story[];
