import type { JsonValue } from '../../../../../workers/mapping/index.js';
import type { Story } from '../story.js';

const build = (job: string, number: number, phase: string, status?: string): JsonValue => ({
  name: job,
  display_name: job,
  url: `job/${job}/`,
  build: {
    full_url: `https://ci.example.com/job/${job}/${number}/`,
    number,
    queue_id: number + 100,
    timestamp: 1772352000000 + number * 60000,
    phase,
    ...(status === undefined ? {} : { status }),
    url: `job/${job}/${number}/`,
    scm: { url: 'https://git.example.com/shop.git', branch: 'origin/main', commit: 'abc' },
    parameters: { ENVIRONMENT: 'production' },
    log: '',
    artifacts: {},
  },
});

/** A body that has neither the URL of the job nor its branch. */
const short = (number: number, status: string): JsonValue => ({
  name: 'site',
  build: {
    phase: 'FINALIZED',
    status,
    number,
    full_url: `https://ci.example.com/job/site/${number}/`,
    notes: 'Stage Deploy',
  },
});

const shop = { source: 'Jenkins', environment: 'production' };

export default [
  {
    what: 'a build runs, fails and is completed twice, the next one succeeds, and the failure is reported late',
    shape: 'https://plugins.jenkins.io/notification/ and unimicro/unibot webhooks/structs.go',
    steps: [
      ['queued', build('shop', 7, 'QUEUED')],
      ['started', build('shop', 7, 'STARTED')],
      ['fired', build('shop', 7, 'COMPLETED', 'FAILURE')],
      ['repeated', build('shop', 7, 'FINALIZED', 'FAILURE')],
      ['aborted', build('shop', 8, 'FINALIZED', 'ABORTED')],
      ['another problem', build('docs', 3, 'FINALIZED', 'UNSTABLE')],
      ['resolved', build('shop', 9, 'FINALIZED', 'SUCCESS')],
      ['reported late', build('shop', 7, 'FINALIZED', 'FAILURE')],
      ['fired again', build('shop', 10, 'FINALIZED', 'FAILURE')],
    ],
    alerts: [
      {
        title: 'shop failed',
        severity: 'error',
        description: 'Build 7 of shop on origin/main',
        service: 'shop',
        ...shop,
        status: 'resolved',
        eventCount: 3,
        resolution: 'Build 9 of shop on origin/main',
      },
      {
        title: 'docs is unstable',
        severity: 'warning',
        description: 'Build 3 of docs on origin/main',
        service: 'docs',
        ...shop,
        status: 'firing',
        eventCount: 1,
      },
      {
        title: 'shop failed',
        severity: 'error',
        description: 'Build 10 of shop on origin/main',
        service: 'shop',
        ...shop,
        status: 'firing',
        eventCount: 1,
      },
    ],
  },
  {
    what: 'a short body is paired by the name of the job',
    shape:
      'a test of a Jenkins webhook endpoint with FAILURE_PAYLOAD and SUCCESS_PAYLOAD, which have name and build only',
    steps: [
      ['fired', short(42, 'FAILURE')],
      ['resolved', short(43, 'SUCCESS')],
    ],
    alerts: [
      {
        title: 'site failed',
        severity: 'error',
        description: 'Build 42 of site: Stage Deploy',
        source: 'Jenkins',
        service: 'site',
        environment: null,
        status: 'resolved',
        eventCount: 2,
        resolution: 'Build 43 of site: Stage Deploy',
      },
    ],
  },
] satisfies Story[];
